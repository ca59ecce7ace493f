/*
 * microstates.c: time of a thread by state, from the kernel's microstate
 * accounting. Any thread; no lock.
 */
#include "descriptor.h"
#include "lwp_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A message to /proc/self/ctl: "set this mode" (proc(5)). */
struct set_mode {
	long code;
	long flags;
};

/* Newer kernels account at all times and take the message without need. */
int os_microstates_enable(void)
{
	const struct set_mode message = {.code = PCSET, .flags = PR_MSACCT};
	int fd = descriptor_above_standard(open("/proc/self/ctl", O_WRONLY | O_CLOEXEC));
	if (fd < 0)
		return errno;
	ssize_t written = write(fd, &message, sizeof(message));
	int error = written < 0 ? errno : 0;
	(void)close(fd);
	if (error == 0 && (size_t)written != sizeof(message))
		return EIO;
	return error;
}

/* The kernel knows two more states than prstat -m has columns: sleep for a page
 * that the kernel itself touched, which is for data, and being stopped, which is
 * neither work nor a wait for a CPU. */
static void fill(const prusage_t *usage, uint64_t *ns)
{
	ns[OS_USR] = lwp_ns(&usage->pr_utime);
	ns[OS_SYS] = lwp_ns(&usage->pr_stime);
	ns[OS_TRP] = lwp_ns(&usage->pr_ttime);
	ns[OS_TFL] = lwp_ns(&usage->pr_tftime);
	ns[OS_DFL] = lwp_ns(&usage->pr_dftime) + lwp_ns(&usage->pr_kftime);
	ns[OS_LCK] = lwp_ns(&usage->pr_ltime);
	ns[OS_SLP] = lwp_ns(&usage->pr_slptime) + lwp_ns(&usage->pr_stoptime);
	ns[OS_LAT] = lwp_ns(&usage->pr_wtime);
}

int os_thread_microstates(os_thread thread, struct os_microstates *states)
{
	prusage_t usage;
	memset(states, 0, sizeof(*states));
	int error = lwp_usage(thread, &usage);
	if (error != 0)
		return error;
	fill(&usage, states->ns);
	for (int i = 0; i < OS_MICROSTATES; i++)
		states->life_ns += states->ns[i];
	states->known = (1U << OS_MICROSTATES) - 1;
	states->voluntary_switches = usage.pr_vctx;
	states->involuntary_switches = usage.pr_ictx;
	states->switches_known = true;
	return 0;
}
