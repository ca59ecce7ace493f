/*
 * proc_files.c: /proc/self/lwp and /proc/self/ctl of Solaris, served from Linux's
 * accounting. The agent's calls of open(), write() and readlink() come here first,
 * by the linker's --wrap. Any thread, and signal handlers; no lock.
 */
#include "linux_side.h"
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct shim shim = {.proc_bytes = -1};

/* The descriptor of the latest /proc/self/ctl, plus 1. */
static _Atomic int control_plus_1;

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __real_readlink(const char *path, char *target, size_t size);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_readlink(const char *path, char *target, size_t size);

/* A file with these bytes, at its beginning. */
static int file_of(const void *bytes, size_t size)
{
	int limit = atomic_load(&shim.proc_bytes);
	if (limit >= 0 && (size_t)limit < size)
		size = (size_t)limit;
	int fd = memfd_create("shim", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	if (__real_write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0) {
		(void)close(fd);
		errno = EIO;
		return -1;
	}
	return fd;
}

static timestruc_t from_ns(uint64_t ns)
{
	return (timestruc_t){.tv_sec = (time_t)(ns / 1000000000),
	                     .tv_nsec = (long)(ns % 1000000000)};
}

/* Linux does not tell traps, page faults and user locks: 0. */
static int open_usage(os_thread lwp)
{
	struct os_microstates states;
	prusage_t usage;
	const prusage_t *given = atomic_load(&shim.usage);

	if (given != NULL)
		return file_of(given, sizeof(*given));
	int error = os_thread_microstates(lwp, &states);
	if (error != 0) {
		errno = error == ESRCH ? ENOENT : error;
		return -1;
	}
	memset(&usage, 0, sizeof(usage));
	usage.pr_lwpid = (id_t)lwp;
	usage.pr_count = 1;
	usage.pr_tstamp = from_ns(os_monotonic_ns());
	usage.pr_rtime = from_ns(states.life_ns);
	usage.pr_utime = from_ns(states.ns[OS_USR]);
	usage.pr_stime = from_ns(states.ns[OS_SYS]);
	usage.pr_wtime = from_ns(states.ns[OS_LAT]);
	usage.pr_slptime = from_ns(states.ns[OS_SLP]);
	usage.pr_vctx = states.voluntary_switches;
	usage.pr_ictx = states.involuntary_switches;
	return file_of(&usage, sizeof(usage));
}

static int open_info(os_thread lwp)
{
	lwpsinfo_t info;
	enum os_answer running = os_thread_running(lwp);

	if (running == OS_UNKNOWN) {
		errno = ENOENT;
		return -1;
	}
	memset(&info, 0, sizeof(info));
	info.pr_lwpid = (id_t)lwp;
	info.pr_sname = running == OS_YES ? 'O' : os_thread_runnable(lwp) == OS_YES ? 'R' : 'S';
	return file_of(&info, sizeof(info));
}

static int open_lwp_file(const char *rest)
{
	char *end;
	errno = 0;
	os_thread lwp = strtoull(rest, &end, 10);
	if (errno == 0 && strcmp(end, "/lwpusage") == 0)
		return open_usage(lwp);
	if (errno == 0 && strcmp(end, "/lwpsinfo") == 0)
		return open_info(lwp);
	errno = ENOENT;
	return -1;
}

static int open_control(void)
{
	int fd = file_of("", 0);
	if (fd >= 0)
		atomic_store(&control_plus_1, fd + 1);
	return fd;
}

static int open_any(const char *path, int flags, mode_t mode)
{
	static const char directory[] = "/proc/self/lwp/";
	bool is_control = strcmp(path, "/proc/self/ctl") == 0;
	bool is_lwp = strncmp(path, directory, sizeof(directory) - 1) == 0;
	int error = atomic_load(&shim.proc_error);

	if (!is_control && !is_lwp)
		return __real_open(path, flags, mode);
	if (error != 0) {
		errno = error;
		return -1;
	}
	return is_control ? open_control() : open_lwp_file(path + sizeof(directory) - 1);
}

static mode_t mode_of(int flags, va_list list)
{
	return (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = mode_of(flags, list);
	va_end(list);
	return open_any(path, flags, mode);
}

/* What open() is called with 64-bit offsets. */
int __wrap_open64(const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = mode_of(flags, list);
	va_end(list);
	return open_any(path, flags, mode);
}

/* The one message that the agent sends. */
static ssize_t take_message(const void *bytes, size_t length)
{
	long message[2];
	int error = atomic_load(&shim.control_error);

	if (error < 0)
		return 1;
	if (error == 0 && length == sizeof(message)) {
		memcpy(message, bytes, sizeof(message));
		if (message[0] == PCSET && message[1] == PR_MSACCT) {
			atomic_store(&shim.accounting, true);
			return (ssize_t)length;
		}
	}
	errno = error != 0 ? error : EINVAL;
	return -1;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t length)
{
	int control = fd + 1;
	if (atomic_compare_exchange_strong(&control_plus_1, &control, 0))
		return take_message(bytes, length);
	return __real_write(fd, bytes, length);
}

ssize_t __wrap_readlink(const char *path, char *target, size_t size)
{
	static const char program[] = "/path/a.out";
	char linux_path[64];
	size_t length = strlen(path);
	size_t end = strlen(program);

	if (strncmp(path, "/proc/", strlen("/proc/")) == 0 && length > end &&
	    length < sizeof(linux_path) && strcmp(path + length - end, program) == 0) {
		memcpy(linux_path, path, length - end);
		memcpy(linux_path + length - end, "/exe", sizeof("/exe"));
		path = linux_path;
	}
	return __real_readlink(path, target, size);
}
