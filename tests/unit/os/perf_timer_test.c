/* marks: timed, posix, linux */
/*
 * Tests of what reaches the kernel: the periods of perf timers, and what is left of
 * them. The calls are recorded on their way, and can be made to fail.
 */
#include "judged_times.h"
#include "os_load_posix.h"
#include "run_suite.h"

#include "cpu_timer_kinds.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LEAST_PERIOD_NS (NS_PER_MS / 10)
#define INTERVAL_NS (10 * NS_PER_MS)

/* ---- the calls ---------------------------------------------------------- */

static atomic_uint opened;
static atomic_uint periods_set;
static atomic_uint disabled;
static _Atomic uint64_t shortest_ns;
static _Atomic uint64_t latest_ns;
static atomic_bool periods_fail;
static void (*before_open)(void); /* called once */

static void note_period(uint64_t ns)
{
	atomic_store(&latest_ns, ns);
	if (ns < atomic_load(&shortest_ns))
		atomic_store(&shortest_ns, ns);
}

static void forget_calls(void)
{
	atomic_store(&opened, 0);
	atomic_store(&periods_set, 0);
	atomic_store(&disabled, 0);
	atomic_store(&shortest_ns, UINT64_MAX);
	atomic_store(&latest_ns, 0);
	atomic_store(&periods_fail, false);
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	long words[6];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open) {
		const struct perf_event_attr *event = (const void *)words[0];
		note_period(event->sample_period);
		/* A kernel that is given such a period may never come back. */
		if (event->sample_period < LEAST_PERIOD_NS) {
			errno = EINVAL;
			return -1;
		}
		atomic_fetch_add(&opened, 1);
		void (*call)(void) = before_open;
		before_open = NULL;
		if (call != NULL)
			call();
	}
	return __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	va_start(list, request);
	void *argument = va_arg(list, void *);
	va_end(list);
	if (request == PERF_EVENT_IOC_PERIOD) {
		note_period(*(const uint64_t *)argument);
		atomic_fetch_add(&periods_set, 1);
		if (atomic_load(&periods_fail)) {
			errno = EINVAL;
			return -1;
		}
	} else if (request == PERF_EVENT_IOC_DISABLE) {
		atomic_fetch_add(&disabled, 1);
	}
	return __real_ioctl(fd, request, argument);
}

/* ---- what is timed ------------------------------------------------------ */

static atomic_uint calls;

static void on_expiry(void *user, void *context)
{
	(void)user;
	(void)context;
	atomic_fetch_add(&calls, 1);
}

/* False where perf is not permitted, so that there is nothing to test. */
static bool install(void)
{
	int error = os_cpu_timers_install(OS_CPU_TIMER_PERF, on_expiry);
	if (error == OS_UNSUPPORTED) {
		(void)printf("skipped: perf is not permitted to this user\n");
		return false;
	}
	ck_assert_int_eq(error, 0);
	/* The first look measures what an expiration costs. */
	struct os_cpu_timers_findings found;
	os_cpu_timers_watch(&found);
	atomic_store(&calls, 0);
	return true;
}

/* Uses CPU time until *count has gone up from before, however late that is. */
static void burn_until_more(atomic_uint *count, unsigned before)
{
	while (atomic_load(count) == before)
		burn_cpu(NS_PER_MS);
}

/* ---- periods ------------------------------------------------------------ */

START_TEST(no_short_first_period_reaches_the_kernel)
{
	static const uint64_t firsts_ns[] = {1, 1000, 10000, 50000, LEAST_PERIOD_NS - 1};
	forget_calls();
	if (!install())
		return;
	for (size_t i = 0; i < sizeof(firsts_ns) / sizeof(firsts_ns[0]); i++) {
		struct os_cpu_timer timer;
		unsigned before = atomic_load(&calls);
		ck_assert_int_eq(os_cpu_timer_start(&timer, firsts_ns[i], INTERVAL_NS, &timer), 0);
		burn_cpu(2 * INTERVAL_NS);
		burn_until_more(&calls, before);
		os_cpu_timer_stop(&timer);
	}
	ck_assert_uint_gt(atomic_load(&opened), 0);
	ck_assert_uint_ge(atomic_load(&shortest_ns), LEAST_PERIOD_NS);
}
END_TEST

START_TEST(first_period_ends_while_timers_are_paused)
{
	struct os_cpu_timer timer;
	if (!install())
		return;
	forget_calls();
	os_cpu_timers_pause();
	ck_assert_int_eq(os_cpu_timer_start(&timer, NS_PER_MS, INTERVAL_NS, &timer), 0);
	burn_until_more(&periods_set, 0);
	burn_cpu(3 * INTERVAL_NS);
	os_cpu_timer_stop(&timer);
	ck_assert_uint_eq(atomic_load(&calls), 0);
	ck_assert_uint_eq(atomic_load(&periods_set), 1);
	ck_assert_uint_eq(atomic_load(&latest_ns), INTERVAL_NS);
}
END_TEST

START_TEST(cost_is_measured_by_the_first_look)
{
	const uint64_t assumed_ns = perf_timer_cost_ns();
	ck_assert_uint_ge(perf_timer_least_ns(), NS_PER_MS);
	forget_calls();
	if (!install())
		return;
	/* The probe, and the timer that was measured: one, not one for each look. */
	unsigned opened_before = atomic_load(&opened);
	struct os_cpu_timers_findings found;
	sleep_ms(100);
	os_cpu_timers_watch(&found);
	ck_assert_uint_eq(atomic_load(&opened), opened_before);
	ck_assert_uint_lt(perf_timer_cost_ns(), assumed_ns);
	/* An interrupt and a signal take some microseconds everywhere. */
	uint64_t cost_ns = perf_timer_cost_ns();
	CHECK_TIME(cost_ns > 100 && cost_ns < NS_PER_MS, "a cost of %.3f ms",
	           (double)cost_ns / 1e6);
	ck_assert_uint_ge(perf_timer_least_ns(), 8 * perf_timer_cost_ns());
	ck_assert_uint_ge(perf_timer_least_ns(), LEAST_PERIOD_NS);
}
END_TEST

START_TEST(periods_are_at_least_eight_times_the_cost)
{
	struct os_cpu_timer timer;
	if (!install())
		return;
	perf_timer_set_cost_ns(NS_PER_MS);
	forget_calls();
	ck_assert_int_eq(os_cpu_timer_start(&timer, 2 * NS_PER_MS, INTERVAL_NS, &timer), 0);
	os_cpu_timer_stop(&timer);
	ck_assert_uint_eq(atomic_load(&shortest_ns), 8 * NS_PER_MS);
}
END_TEST

START_TEST(short_intervals_are_for_the_other_timer)
{
	struct os_cpu_timer timer;
	if (!install())
		return;
	forget_calls();
	const uint64_t short_ns = LEAST_PERIOD_NS / 2;
	ck_assert_ptr_nonnull(strstr(os_cpu_timers_name(short_ns), "POSIX"));
	ck_assert_ptr_nonnull(strstr(os_cpu_timers_name(INTERVAL_NS), "perf"));
	ck_assert_int_eq(os_cpu_timer_start(&timer, short_ns, short_ns, &timer), 0);
	burn_until_more(&calls, 0);
	os_cpu_timer_stop(&timer);
	ck_assert_uint_eq(atomic_load(&opened), 0);
}
END_TEST

/* ---- from outside ------------------------------------------------------- */

struct worker {
	struct os_thread_handle handle;
	struct os_cpu_timer timer;
	os_thread thread;
	uint64_t first_ns;
	bool deaf;   /* blocks the signal */
	bool asleep; /* uses no CPU time once it has its timer */
	int error;
	atomic_bool started;
	atomic_bool quit;
};

static void work(void *argument)
{
	struct worker *w = argument;
	sigset_t set;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, CPU_TIMER_SIGNAL);
	(void)pthread_sigmask(w->deaf ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
	w->thread = os_self_thread();
	w->error = os_cpu_timer_start(&w->timer, w->first_ns, INTERVAL_NS, w);
	atomic_store(&w->started, true);
	while (!atomic_load(&w->quit)) {
		if (w->asleep)
			sleep_ms(1);
		else
			burn_cpu(NS_PER_MS);
	}
	(void)os_cpu_timer_stop(&w->timer);
}

static void start_worker(struct worker *w)
{
	ck_assert_int_eq(os_thread_start(&w->handle, work, w), 0);
	while (!atomic_load(&w->started))
		sleep_ms(1);
	ck_assert_int_eq(w->error, 0);
}

static void end_worker(struct worker *w)
{
	atomic_store(&w->quit, true);
	os_thread_join(&w->handle);
}

/* Watches as the agent's thread does until *count has gone up. */
static void watch_until_more(struct os_cpu_timers_findings *sum, atomic_uint *count)
{
	unsigned before = atomic_load(count);
	while (atomic_load(count) == before) {
		struct os_cpu_timers_findings found;
		os_cpu_timers_watch(&found);
		sum->slowed += found.slowed;
		sum->lost += found.lost;
		sleep_ms(10);
	}
}

START_TEST(timer_that_refuses_its_period_is_replaced)
{
	static struct worker worker = {.first_ns = NS_PER_MS};
	struct os_cpu_timers_findings sum = {0};
	if (!install())
		return;
	int descriptors = open_descriptors();
	forget_calls();
	atomic_store(&periods_fail, true);
	start_worker(&worker);
	/* The handler disables the timer and then reports the expiry. */
	while (atomic_load(&disabled) == 0 || atomic_load(&calls) == 0)
		sleep_ms(1);
	ck_assert_uint_eq(atomic_load(&calls), 1);
	watch_until_more(&sum, &calls);
	ck_assert_uint_eq(sum.lost, 0);
	ck_assert_int_eq(open_descriptors(), descriptors);
	end_worker(&worker);
	ck_assert_uint_eq(atomic_load(&opened), 1);
}
END_TEST

START_TEST(end_disables_and_closes_timers_of_threads_that_never_run)
{
	enum { THREADS = 20 };
	static struct worker workers[THREADS];
	static struct worker late = {.first_ns = INTERVAL_NS};
	if (!install())
		return;
	int descriptors = open_descriptors();
	for (int i = 0; i < THREADS; i++) {
		workers[i].first_ns = INTERVAL_NS;
		workers[i].asleep = true;
		start_worker(&workers[i]);
	}
	ck_assert_int_eq(open_descriptors(), descriptors + THREADS);
	forget_calls();
	ck_assert(os_cpu_timers_end(5000));
	ck_assert_uint_ge(atomic_load(&disabled), THREADS);
	ck_assert_int_eq(open_descriptors(), descriptors);
	start_worker(&late);
	sleep_ms(50);
	ck_assert_uint_eq(atomic_load(&opened), 0);
	ck_assert_uint_eq(atomic_load(&calls), 0);
	end_worker(&late);
	for (int i = 0; i < THREADS; i++)
		end_worker(&workers[i]);
	ck_assert(install());
}
END_TEST

/* As in a storm of expirations, no handler runs. */
START_TEST(costly_timer_is_slowed_down_without_its_handler)
{
	static struct worker worker = {.first_ns = INTERVAL_NS, .deaf = true};
	struct os_cpu_timers_findings sum = {0};
	if (!install())
		return;
	start_worker(&worker);
	forget_calls();
	perf_timer_set_cost_ns(INTERVAL_NS / 3);
	watch_until_more(&sum, &periods_set);
	end_worker(&worker);
	ck_assert_uint_eq(sum.slowed, 1);
	ck_assert_uint_eq(atomic_load(&calls), 0);
	/* Its period is the double, unless the cost as it is set here asks for more. */
	ck_assert_uint_eq(atomic_load(&worker.timer.meter.period_ns), 2 * INTERVAL_NS);
	ck_assert_uint_ge(atomic_load(&latest_ns), 2 * INTERVAL_NS);
}
END_TEST

START_TEST(cheap_timer_keeps_its_period)
{
	static struct worker worker = {.first_ns = INTERVAL_NS};
	if (!install())
		return;
	start_worker(&worker);
	forget_calls();
	for (int i = 0; i < 100; i++) {
		struct os_cpu_timers_findings found;
		os_cpu_timers_watch(&found);
		ck_assert_uint_eq(found.slowed, 0);
		sleep_ms(10);
	}
	end_worker(&worker);
	ck_assert_uint_eq(atomic_load(&periods_set), 0);
}
END_TEST

/* ---- started for another thread ------------------------------------------ */

static struct {
	struct os_thread_handle handle;
	_Atomic os_thread thread;
	atomic_bool is_signalled; /* its thread is to signal itself */
	atomic_bool quit;
	struct os_cpu_timer *timer;
} other;

/* Like one from a descriptor of the program's own. */
static void signal_self(void)
{
	siginfo_t info;
	memset(&info, 0, sizeof(info));
	info.si_signo = CPU_TIMER_SIGNAL;
	info.si_code = POLL_IN;
	info.si_fd = 99;
	ck_assert_int_eq(__real_syscall(SYS_rt_tgsigqueueinfo, (long)getpid(),
	                                (long)os_self_thread(), (long)CPU_TIMER_SIGNAL,
	                                (long)(intptr_t)&info),
	                 0);
}

static void burn_until_told(void *argument)
{
	sigset_t set;
	(void)argument;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, CPU_TIMER_SIGNAL);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	atomic_store(&other.thread, os_self_thread());
	while (!atomic_load(&other.quit)) {
		if (atomic_load(&other.is_signalled)) {
			signal_self();
			atomic_store(&other.is_signalled, false);
		}
		burn_cpu(NS_PER_MS);
	}
}

static void start_other(void)
{
	other.timer = os_pages_alloc(sizeof(*other.timer));
	ck_assert_ptr_nonnull(other.timer);
	ck_assert_int_eq(os_thread_start(&other.handle, burn_until_told, NULL), 0);
	while (atomic_load(&other.thread) == 0)
		sleep_ms(1);
}

static void end_other(void)
{
	atomic_store(&other.quit, true);
	os_thread_join(&other.handle);
}

static int time_other(void)
{
	return os_cpu_timer_start_on(other.timer, atomic_load(&other.thread), INTERVAL_NS,
	                             INTERVAL_NS, other.timer);
}

static void signal_other(void)
{
	atomic_store(&other.is_signalled, true);
	while (atomic_load(&other.is_signalled))
		sleep_ms(1);
}

START_TEST(timer_that_is_found_before_it_has_its_descriptor_expires_all_the_same)
{
	if (!install())
		return;
	start_other();
	before_open = signal_other;
	ck_assert_int_eq(time_other(), 0);
	for (int i = 0; i < 1000 && atomic_load(&calls) == 0; i++)
		sleep_ms(10);
	ck_assert_uint_gt(atomic_load(&calls), 0);
	end_other();
}
END_TEST

static void end_timers(void)
{
	ck_assert(os_cpu_timers_end(5000));
}

START_TEST(timer_that_is_started_while_all_end_is_not_looked_at_later)
{
	if (!install())
		return;
	start_other();
	before_open = end_timers;
	ck_assert_int_eq(time_other(), 0);
	os_pages_free(other.timer, sizeof(*other.timer));
	ck_assert(install());
	signal_other();
	end_other();
}
END_TEST

/* ---- descriptors that the program has closed ---------------------------- */

/* What has the number of a timer's descriptor is the program's: an event of its own. */
static int open_their_event(void)
{
	struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
	                                .size = sizeof(event),
	                                .config = PERF_COUNT_SW_TASK_CLOCK,
	                                .sample_period = 1000 * NS_PER_MS};
	int fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* One that is only counted, and that a read sets back to 0. */
static int open_their_counter(void)
{
	int fd = eventfd(7, EFD_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

static uint64_t read_number(int fd)
{
	uint64_t number = 0;
	ck_assert_int_eq(read(fd, &number, sizeof(number)), sizeof(number));
	return number;
}

/* Makes fd what the descriptor of the worker's timer is. */
static void take_descriptor(struct worker *worker, int fd)
{
	ck_assert_int_eq(dup2(fd, worker->timer.perf_fd), worker->timer.perf_fd);
	close(fd);
}

START_TEST(timer_that_is_lost_is_replaced_and_the_programs_file_stays)
{
	static struct worker worker = {.first_ns = INTERVAL_NS};
	struct os_cpu_timers_findings sum = {0};
	if (!install())
		return;
	start_worker(&worker);
	int fd = worker.timer.perf_fd;
	take_descriptor(&worker, _i == 0 ? open_their_event() : open_their_counter());
	forget_calls();
	for (int i = 0; i < 3; i++)
		watch_until_more(&sum, &calls);
	ck_assert_uint_eq(sum.lost, 0);
	end_worker(&worker);
	ck_assert(os_cpu_timers_end(5000));

	/* Nobody has read it, stopped it or closed it. */
	ck_assert_uint_eq(atomic_load(&disabled), 0);
	uint64_t before = read_number(fd);
	if (_i == 0) {
		burn_cpu(NS_PER_MS);
		ck_assert_uint_gt(read_number(fd), before);
	} else {
		ck_assert_uint_eq(before, 7);
	}
	ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(timer_that_is_stopped_or_ended_leaves_the_programs_file_alone)
{
	static struct worker worker = {.first_ns = INTERVAL_NS, .asleep = true};
	if (!install())
		return;
	start_worker(&worker);
	int fd = worker.timer.perf_fd;
	take_descriptor(&worker, open_their_counter());
	forget_calls();
	if (_i == 0)
		ck_assert(os_cpu_timers_end(5000));
	end_worker(&worker);
	ck_assert_uint_eq(atomic_load(&disabled), 0);
	ck_assert_uint_eq(read_number(fd), 7);
	ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(first_period_stays_when_the_descriptor_is_lost)
{
	static struct worker worker = {.first_ns = NS_PER_MS, .deaf = true};
	if (!install())
		return;
	start_worker(&worker);
	int fd = worker.timer.perf_fd;
	forget_calls();
	take_descriptor(&worker, open_their_event());
	ck_assert(!perf_timer_set_period(&worker.timer));
	ck_assert_uint_eq(perf_timer_ran_ns(&worker.timer), 0);
	ck_assert_int_eq(perf_timer_start(&worker.timer), OS_DESCRIPTOR_LOST);
	end_worker(&worker);
	ck_assert_uint_eq(atomic_load(&periods_set), 0);
	ck_assert_int_eq(close(fd), 0);
}
END_TEST

static Suite *perf_timer_suite(void)
{
	Suite *suite = suite_create("perf_timer");
	TCase *periods = tcase_create("periods");
	tcase_set_timeout(periods, 60);
	tcase_add_test(periods, no_short_first_period_reaches_the_kernel);
	tcase_add_test(periods, first_period_ends_while_timers_are_paused);
	tcase_add_test(periods, cost_is_measured_by_the_first_look);
	tcase_add_test(periods, periods_are_at_least_eight_times_the_cost);
	tcase_add_test(periods, short_intervals_are_for_the_other_timer);
	suite_add_tcase(suite, periods);

	TCase *outside = tcase_create("from outside");
	tcase_set_timeout(outside, 60);
	tcase_add_test(outside, timer_that_refuses_its_period_is_replaced);
	tcase_add_test(outside, end_disables_and_closes_timers_of_threads_that_never_run);
	tcase_add_test(outside, costly_timer_is_slowed_down_without_its_handler);
	tcase_add_test(outside, cheap_timer_keeps_its_period);
	suite_add_tcase(suite, outside);

	TCase *for_others = tcase_create("for others");
	tcase_set_timeout(for_others, 60);
	tcase_add_test(for_others,
	               timer_that_is_found_before_it_has_its_descriptor_expires_all_the_same);
	tcase_add_test(for_others, timer_that_is_started_while_all_end_is_not_looked_at_later);
	suite_add_tcase(suite, for_others);

	TCase *lost = tcase_create("lost");
	tcase_set_timeout(lost, 60);
	tcase_add_loop_test(lost, timer_that_is_lost_is_replaced_and_the_programs_file_stays, 0, 2);
	tcase_add_loop_test(lost, timer_that_is_stopped_or_ended_leaves_the_programs_file_alone, 0,
	                    2);
	tcase_add_test(lost, first_period_stays_when_the_descriptor_is_lost);
	suite_add_tcase(suite, lost);
	return suite;
}

int main(void)
{
	return run_suite(perf_timer_suite());
}
