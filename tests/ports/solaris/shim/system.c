/*
 * system.c: the clocks, LWPs, semaphores and interval timers of Solaris on Linux's.
 * The agent's calls of setitimer(), sigaction(), clock_gettime() and dlsym() come
 * here first, by the linker's --wrap. Any thread, and signal handlers; no lock.
 */
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/lwp.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __real_setitimer(int which, const struct itimerval *value, struct itimerval *old);
int __real_sigaction(int signal, const struct sigaction *action, struct sigaction *old);
void *__real_dlsym(void *library, const char *name);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_setitimer(int which, const struct itimerval *value, struct itimerval *old);
int __wrap_sigaction(int signal, const struct sigaction *action, struct sigaction *old);
void *__wrap_dlsym(void *library, const char *name);

/* ---- LWPs and clocks ----------------------------------------------------- */

lwpid_t _lwp_self(void)
{
	return (lwpid_t)syscall(SYS_gettid);
}

static hrtime_t read_clock(clockid_t clock)
{
	struct timespec now = {0};
	(void)__real_clock_gettime(clock, &now);
	return (hrtime_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

hrtime_t gethrtime(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* Time in user mode: the CPU clock less what the kernel says of system time, which
 * it estimates, but never takes back. */
hrtime_t gethrvtime(void)
{
	struct rusage usage;
	memset(&usage, 0, sizeof(usage));
	(void)getrusage(RUSAGE_THREAD, &usage);
	hrtime_t system_ns = (hrtime_t)usage.ru_stime.tv_sec * 1000000000 +
	                     (hrtime_t)usage.ru_stime.tv_usec * 1000;
	return read_clock(CLOCK_THREAD_CPUTIME_ID) - system_ns;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	if (clock == CLOCK_THREAD_CPUTIME_ID && atomic_load(&shim.no_thread_clock)) {
		errno = EINVAL;
		return -1;
	}
	return __real_clock_gettime(clock, time);
}

/* ---- semaphores ---------------------------------------------------------- */

static int result_of(int result)
{
	return result == 0 ? 0 : errno;
}

int sema_init(sema_t *sema, unsigned int count, int type, void *unused)
{
	(void)unused;
	return type == USYNC_THREAD ? result_of(sem_init(&sema->posix, 0, count)) : EINVAL;
}

int sema_destroy(sema_t *sema)
{
	return result_of(sem_destroy(&sema->posix));
}

int sema_post(sema_t *sema)
{
	return result_of(sem_post(&sema->posix));
}

int sema_reltimedwait(sema_t *sema, const timestruc_t *timeout)
{
	hrtime_t end = gethrtime() + (hrtime_t)timeout->tv_sec * 1000000000 + timeout->tv_nsec;
	const struct timespec until = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
	int error = result_of(sem_clockwait(&sema->posix, CLOCK_MONOTONIC, &until));
	return error == ETIMEDOUT ? ETIME : error;
}

/* ---- interval timers ------------------------------------------------------- */

/* The calling thread's ITIMER_PROF: of the process on Linux, of the LWP on Solaris. */
static __thread struct {
	timer_t timer;
	bool made;
} profiling __attribute__((tls_model("initial-exec")));

static pthread_key_t ending;
static pthread_once_t ending_once = PTHREAD_ONCE_INIT;

/* The address marks the signals of these timers. */
static const char cookie;

static void delete_timer(void *unused)
{
	(void)unused;
	if (profiling.made)
		(void)timer_delete(profiling.timer);
	profiling.made = false;
}

static void make_ending(void)
{
	(void)pthread_key_create(&ending, delete_timer);
}

static int make_timer(void)
{
	struct sigevent event;
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGPROF;
	event.sigev_value.sival_ptr = (void *)(uintptr_t)&cookie;
	event.sigev_notify_thread_id = (pid_t)_lwp_self();
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &profiling.timer) != 0)
		return -1;
	profiling.made = true;
	(void)pthread_once(&ending_once, make_ending);
	(void)pthread_setspecific(ending, &profiling);
	return 0;
}

static struct timespec to_timespec(const struct timeval *time)
{
	return (struct timespec){.tv_sec = time->tv_sec, .tv_nsec = time->tv_usec * 1000};
}

int __wrap_setitimer(int which, const struct itimerval *value, struct itimerval *old)
{
	if (which != ITIMER_PROF)
		return __real_setitimer(which, value, old);
	if (value->it_value.tv_sec == 0 && value->it_value.tv_usec == 0) {
		delete_timer(NULL);
		return 0;
	}
	if (!profiling.made && make_timer() != 0)
		return -1;
	struct itimerspec when = {.it_value = to_timespec(&value->it_value),
	                          .it_interval = to_timespec(&value->it_interval)};
	return timer_settime(profiling.timer, 0, &when, NULL);
}

/* ---- signals --------------------------------------------------------------- */

/* What SIGPROF's handler is to be; the kernel knows ours. */
static struct sigaction wanted;

/* A signal of an interval timer tells nothing of where it is from. */
static void on_sigprof(int signal, siginfo_t *info, void *context)
{
	siginfo_t without;
	if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &cookie) {
		memset(&without, 0, sizeof(without));
		without.si_signo = signal;
		without.si_code = SI_NOINFO;
		info = &without;
	}
	if ((wanted.sa_flags & SA_SIGINFO) != 0)
		wanted.sa_sigaction(signal, info, context);
	else
		wanted.sa_handler(signal);
}

int __wrap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction ours;
	struct sigaction before;
	if (signal != SIGPROF)
		return __real_sigaction(signal, action, old);
	if (__real_sigaction(signal, NULL, &before) != 0)
		return -1;
	if (old != NULL)
		*old = before.sa_sigaction == on_sigprof ? wanted : before;
	if (action == NULL)
		return 0;
	ours = *action;
	if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
		wanted = *action;
		ours.sa_sigaction = on_sigprof;
		ours.sa_flags |= SA_SIGINFO;
	}
	return __real_sigaction(signal, &ours, NULL);
}

/* ---- the JVM --------------------------------------------------------------- */

void *__wrap_dlsym(void *library, const char *name)
{
	if (strcmp(name, "JVM_handle_solaris_signal") == 0)
		name = "JVM_handle_linux_signal";
	return __real_dlsym(library, name);
}
