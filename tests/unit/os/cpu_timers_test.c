/* marks: timed, posix, not_emulated */
/*
 * Tests of the CPU-interval timers, of both kinds where the system permits
 * both. What is expected is reckoned from the kernel's CPU clocks, never from
 * the time of day, so that other load does not matter.
 */
#include "judged_times.h"
#include "os_load_posix.h"
#include "run_suite.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#define INTERVAL_NS (10 * NS_PER_MS)

/* A timer of such an interval does not expire. */
#define NEVER_NS (3600000 * NS_PER_MS)

/* How many expirations are noted with their CPU time. */
enum { MOMENTS = 2 };

/* What the callback of one timer saw. */
struct record {
	atomic_uint calls;
	atomic_uint calls_elsewhere; /* on a thread that is not the timer's */
	_Atomic uint64_t cpu_ns[MOMENTS];
	_Atomic uint64_t spin_ns; /* how long the callback is to take */
	atomic_bool hold;         /* the callback until this is cleared */
	atomic_bool is_held;
	atomic_bool in_callback;
	void *_Atomic context;
	os_thread thread;
	atomic_uint ticks; /* expirations of the test's own timer */
	_Atomic uint64_t tick_cpu_ns[MOMENTS];
	timer_t ticker;
};

static void on_expiry(void *user, void *context)
{
	struct record *record = user;
	atomic_store(&record->in_callback, true);
	atomic_store(&record->context, context);
	if (os_self_thread() != record->thread)
		atomic_fetch_add(&record->calls_elsewhere, 1);
	unsigned before = atomic_fetch_add(&record->calls, 1);
	if (before < MOMENTS)
		atomic_store(&record->cpu_ns[before], os_self_cpu_ns());
	while (atomic_load(&record->hold)) {
		atomic_store(&record->is_held, true);
		burn_cpu(NS_PER_MS);
	}
	uint64_t spin_ns = atomic_load(&record->spin_ns);
	if (spin_ns > 0)
		burn_cpu(spin_ns);
	atomic_store(&record->in_callback, false);
	errno = 4711;
}

/* ---- the test's own timer ---------------------------------------------- */

#define TICK_SIGNAL SIGUSR1

#ifdef SIGEV_THREAD_ID
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static void on_tick(int signal, siginfo_t *info, void *context)
{
	struct record *record = info->si_value.sival_ptr;
	(void)signal;
	(void)context;
	unsigned before = atomic_fetch_add(&record->ticks, 1);
	if (before < MOMENTS)
		atomic_store(&record->tick_cpu_ns[before], os_self_cpu_ns());
}

/* The kernel looks at the timers of CPU clocks when its tick comes. A thread that
 * has to leave the CPU before that, as on a busy machine, uses CPU time in which
 * no timer expires. So a timer of the calling thread that the test makes itself tells
 * how often one may have expired, and how late. */
static void start_ticks_at(struct record *record, uint64_t first_ns, uint64_t interval_ns)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_tick;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	ck_assert_int_eq(sigaction(TICK_SIGNAL, &action, NULL), 0);
	struct sigevent event;
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = TICK_SIGNAL;
	event.sigev_value.sival_ptr = record;
	event.sigev_notify_thread_id = gettid();
	ck_assert_int_eq(timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &record->ticker), 0);
	const struct itimerspec when = {.it_interval = {.tv_nsec = (long)interval_ns},
	                                .it_value = {.tv_nsec = (long)first_ns}};
	ck_assert_int_eq(timer_settime(record->ticker, 0, &when, NULL), 0);
}

static void end_ticks(struct record *record)
{
	(void)timer_delete(record->ticker);
}

static bool has_ticks(void)
{
	return true;
}

#else

static void start_ticks_at(struct record *record, uint64_t first_ns, uint64_t interval_ns)
{
	(void)record;
	(void)first_ns;
	(void)interval_ns;
}

static void end_ticks(struct record *record)
{
	(void)record;
}

static bool has_ticks(void)
{
	return false;
}

#endif

static void start_ticks(struct record *record)
{
	start_ticks_at(record, INTERVAL_NS, INTERVAL_NS);
}

/* Those that our timers may send, the preferred one first. */
#define NUMBER_AND_NAME(signal) {.number = (signal), .name = #signal},
static const struct {
	int number;
	const char *name;
} signals[] = {CPU_TIMER_SIGNALS(NUMBER_AND_NAME)};
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

/* ---- one thread -------------------------------------------------------- */

static int installed_kind;

/* Loop tests run with each kind. False: not permitted here, so nothing to test.
 */
static bool install(int kind)
{
	int error = os_cpu_timers_install((enum os_cpu_timer_kind)kind, on_expiry);
	if (kind == OS_CPU_TIMER_PERF && error == OS_UNSUPPORTED) {
		(void)printf("skipped: perf is not permitted to this user\n");
		return false;
	}
	ck_assert_int_eq(error, 0);
	installed_kind = kind;
	return true;
}

static void start_every(struct os_cpu_timer *timer, struct record *record, uint64_t interval_ns)
{
	memset(record, 0, sizeof(*record));
	record->thread = os_self_thread();
	ck_assert_int_eq(os_cpu_timer_start(timer, interval_ns, interval_ns, record), 0);
}

static void start(struct os_cpu_timer *timer, struct record *record)
{
	start_every(timer, record, INTERVAL_NS);
}

/* However late that is. */
static void burn_until_called(struct record *record)
{
	while (atomic_load(&record->calls) == 0)
		burn_cpu(NS_PER_MS);
}

/* POSIX timers merge expirations that fall into one tick of the kernel, which
 * may come late on a busy machine, as it does for the test's own timer, that expired
 * so many times meanwhile. perf timers of a virtual machine run on while the host has
 * the CPU, which the CPU clock leaves out. */
static void check_calls(const struct record *record, uint64_t cpu_ns, unsigned ticks)
{
	unsigned expected = (unsigned)(cpu_ns / INTERVAL_NS);
	unsigned least = expected;
	if (installed_kind != OS_CPU_TIMER_PERF && has_ticks() && ticks < expected)
		least = ticks;
	unsigned calls = atomic_load(&record->calls);
	/* The two by which a short run may be off: late ticks at its ends. */
	CHECK_TIME(calls + 2 >= least * 6 / 10 && calls <= expected * 14 / 10 + 1,
	           "%u calls in %u intervals of CPU time and %u ticks", calls, expected, ticks);
	ck_assert_uint_eq(atomic_load(&record->calls_elsewhere), 0);
	ck_assert(calls == 0 || atomic_load(&record->context) != NULL);
}

START_TEST(callbacks_follow_the_threads_cpu_time)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	uint64_t before = os_self_cpu_ns();
	start(&timer, &record);
	start_ticks(&record);
	burn_cpu(400 * NS_PER_MS);
	burn_until_called(&record);
	os_cpu_timer_stop(&timer);
	end_ticks(&record);
	check_calls(&record, os_self_cpu_ns() - before, atomic_load(&record.ticks));
}
END_TEST

START_TEST(time_in_the_kernel_counts)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	uint64_t before = os_self_cpu_ns();
	start(&timer, &record);
	start_ticks(&record);
	ck_assert(burn_system_cpu(400 * NS_PER_MS));
	while (atomic_load(&record.calls) == 0)
		ck_assert(burn_system_cpu(NS_PER_MS));
	os_cpu_timer_stop(&timer);
	end_ticks(&record);
	check_calls(&record, os_self_cpu_ns() - before, atomic_load(&record.ticks));
}
END_TEST

START_TEST(sleeping_thread_is_left_alone)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	uint64_t before = os_self_cpu_ns();
	start(&timer, &record);
	sleep_ms(300);
	os_cpu_timer_stop(&timer);
	uint64_t cpu_ns = os_self_cpu_ns() - before;
	ck_assert_uint_le(atomic_load(&record.calls), cpu_ns / INTERVAL_NS + 1);
}
END_TEST

/* How much later than at due_ns the test's own timer expired for that time. perf timers do not
 * wait for the kernel's tick. */
static uint64_t late_ns(const struct record *record, int moment, uint64_t due_ns)
{
	uint64_t tick_ns = atomic_load(&record->tick_cpu_ns[moment]);
	if (installed_kind == OS_CPU_TIMER_PERF || tick_ns < due_ns)
		return 0;
	return tick_ns - due_ns;
}

START_TEST(first_expiration_comes_at_its_own_time)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record = {.thread = os_self_thread()};
	const uint64_t wanted_ns = 15 * NS_PER_MS;
	const uint64_t interval_ns = 100 * NS_PER_MS;
	const uint64_t slack_ns = 30 * NS_PER_MS; /* ticks of the kernel, the host's share */
	uint64_t before = os_self_cpu_ns();
	ck_assert_int_eq(os_cpu_timer_start(&timer, wanted_ns, interval_ns, &record), 0);
	start_ticks_at(&record, wanted_ns, interval_ns);
	while (atomic_load(&record.calls) < MOMENTS ||
	       (has_ticks() && atomic_load(&record.ticks) < MOMENTS))
		burn_cpu(NS_PER_MS);
	os_cpu_timer_stop(&timer);
	end_ticks(&record);
	uint64_t first_ns = record.cpu_ns[0] - before;
	uint64_t second_ns = record.cpu_ns[1] - before;
	uint64_t first_late_ns = late_ns(&record, 0, before + wanted_ns);
	uint64_t second_late_ns = late_ns(&record, 1, before + wanted_ns + interval_ns);
	ck_assert_uint_ge(first_ns, 5 * NS_PER_MS);
	ck_assert_uint_le(first_ns, wanted_ns + first_late_ns + slack_ns);
	ck_assert_uint_ge(second_ns - first_ns + first_late_ns, interval_ns - slack_ns);
	ck_assert_uint_le(second_ns - first_ns, interval_ns + second_late_ns + slack_ns);
}
END_TEST

START_TEST(no_callback_after_the_stop)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	start(&timer, &record);
	burn_until_called(&record);
	os_cpu_timer_stop(&timer);
	unsigned calls = atomic_load(&record.calls);
	burn_cpu(50 * NS_PER_MS);
	ck_assert_uint_eq(atomic_load(&record.calls), calls);
	os_cpu_timer_stop(&timer);
}
END_TEST

START_TEST(stopped_timer_can_be_started_again)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	for (int i = 0; i < 3; i++) {
		uint64_t before = os_self_cpu_ns();
		start(&timer, &record);
		start_ticks(&record);
		burn_cpu(100 * NS_PER_MS);
		burn_until_called(&record);
		os_cpu_timer_stop(&timer);
		end_ticks(&record);
		check_calls(&record, os_self_cpu_ns() - before, atomic_load(&record.ticks));
	}
}
END_TEST

START_TEST(callback_keeps_errno)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	start(&timer, &record);
	errno = 17;
	for (int i = 0; i < 50 || atomic_load(&record.calls) == 0; i++) {
		burn_cpu(NS_PER_MS);
		ck_assert_int_eq(errno, 17);
	}
	os_cpu_timer_stop(&timer);
}
END_TEST

START_TEST(wrong_starts_are_refused)
{
	struct os_cpu_timer timer;
	struct os_cpu_timer second;
	struct record record;
	if (os_cpu_timer_start(&timer, 1, 1, &record) == 0) /* installed by a test before */
		os_cpu_timer_stop(&timer);
	else
		ck_assert_str_eq(os_cpu_timers_name(INTERVAL_NS), "none");
	ck_assert(install(OS_CPU_TIMER_ANY));
	ck_assert_str_ne(os_cpu_timers_name(INTERVAL_NS), "none");
	ck_assert_int_eq(os_cpu_timer_start(&timer, 1, 0, &record), EINVAL);
	start(&timer, &record);
	ck_assert_int_eq(os_cpu_timer_start(&second, INTERVAL_NS, INTERVAL_NS, &record), EBUSY);
	ck_assert_int_eq(os_cpu_timers_install(OS_CPU_TIMER_ANY, on_expiry), EBUSY);
	os_cpu_timer_stop(&timer);
}
END_TEST

/* ---- several threads -------------------------------------------------- */

struct worker {
	struct os_thread_handle handle;
	struct os_cpu_timer timer;
	struct record record;
	uint64_t burn_ns;
	uint64_t cpu_ns;
	int error;
	atomic_bool started;
	atomic_bool quit;
};

/* Threads of os_thread_start() block the signals, since they are the agent's;
 * here they play the program's. */
static void accept_signal(void)
{
	sigset_t set;
	(void)sigemptyset(&set);
	for (int i = 0; i < SIGNALS; i++)
		(void)sigaddset(&set, signals[i].number);
	(void)sigaddset(&set, TICK_SIGNAL);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void start_on_worker(struct worker *w)
{
	accept_signal();
	w->record.thread = os_self_thread();
	w->error = os_cpu_timer_start(&w->timer, INTERVAL_NS, INTERVAL_NS, &w->record);
	atomic_store(&w->started, true);
}

static void burn_timed(void *arg)
{
	struct worker *w = arg;
	uint64_t before = os_self_cpu_ns();
	start_on_worker(w);
	start_ticks(&w->record);
	burn_cpu(w->burn_ns);
	os_cpu_timer_stop(&w->timer);
	end_ticks(&w->record);
	w->cpu_ns = os_self_cpu_ns() - before;
}

START_TEST(each_thread_is_timed_by_its_own_clock)
{
	enum { THREADS = 5 };
	static struct worker workers[THREADS];
	if (!install(_i))
		return;
	memset(workers, 0, sizeof(workers));
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].burn_ns = NS_PER_MS * 100 * i;
		ck_assert_int_eq(os_thread_start(&workers[i].handle, burn_timed, &workers[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		os_thread_join(&workers[i].handle);
		ck_assert_int_eq(workers[i].error, 0);
		check_calls(&workers[i].record, workers[i].cpu_ns,
		            atomic_load(&workers[i].record.ticks));
	}
}
END_TEST

static void burn_until_told(void *arg)
{
	struct worker *w = arg;
	start_on_worker(w);
	while (!atomic_load(&w->quit))
		burn_cpu(NS_PER_MS);
	os_cpu_timer_stop(&w->timer);
}

static void await_calls(struct record *record, unsigned calls)
{
	while (atomic_load(&record->calls) < calls)
		sleep_ms(1);
}

static struct worker lone;

static void start_lone(void)
{
	memset(&lone, 0, sizeof(lone));
	ck_assert_int_eq(os_thread_start(&lone.handle, burn_until_told, &lone), 0);
	await_calls(&lone.record, 2);
}

/* Waits until the thread has used so much CPU time. */
static void let_lone_use(uint64_t ns)
{
	uint64_t start_ns = 0;
	uint64_t now_ns = 0;
	ck_assert_int_eq(os_thread_cpu_ns(lone.record.thread, &start_ns), 0);
	do {
		sleep_ms(1);
		ck_assert_int_eq(os_thread_cpu_ns(lone.record.thread, &now_ns), 0);
	} while (now_ns - start_ns < ns);
}

/* A callback that is under way has ended when its thread has used some more CPU time. */
static unsigned calls_when_none_is_under_way(void)
{
	let_lone_use(NS_PER_MS);
	return atomic_load(&lone.record.calls);
}

static void end_lone(void)
{
	atomic_store(&lone.quit, true);
	os_thread_join(&lone.handle);
	ck_assert_int_eq(lone.error, 0);
}

START_TEST(another_thread_can_stop_a_timer)
{
	if (!install(_i))
		return;
	start_lone();
	os_cpu_timer_stop(&lone.timer);
	unsigned calls = calls_when_none_is_under_way();
	let_lone_use(100 * NS_PER_MS);
	unsigned later = atomic_load(&lone.record.calls);
	end_lone();
	ck_assert_uint_eq(later, calls);
}
END_TEST

START_TEST(paused_timers_do_not_call_until_resumed)
{
	if (!install(_i))
		return;
	start_lone();
	os_cpu_timers_pause();
	unsigned calls = calls_when_none_is_under_way();
	let_lone_use(100 * NS_PER_MS);
	unsigned later = atomic_load(&lone.record.calls);
	os_cpu_timers_resume();
	await_calls(&lone.record, calls + 2);
	end_lone();
	ck_assert_uint_eq(later, calls);
}
END_TEST

START_TEST(end_waits_for_the_callback_under_way)
{
	if (!install(_i))
		return;
	int descriptors = open_descriptors();
	start_lone();
	atomic_store(&lone.record.spin_ns, 50 * NS_PER_MS);
	atomic_store(&lone.record.hold, true);
	while (!atomic_load(&lone.record.is_held))
		sleep_ms(1);
	bool too_soon = os_cpu_timers_end(1);
	atomic_store(&lone.record.hold, false);
	bool in_time = os_cpu_timers_end(20000);
	bool under_way = atomic_load(&lone.record.in_callback);
	atomic_store(&lone.record.spin_ns, 0);
	ck_assert_int_eq(open_descriptors(), descriptors);
	end_lone();
	ck_assert(!too_soon);
	ck_assert(in_time);
	ck_assert(!under_way);
}
END_TEST

static int count_posix_timers(void)
{
	FILE *file = fopen("/proc/self/timers", "re");
	if (file == NULL)
		return 0; /* a kernel without that file */
	char line[256];
	int count = 0;
	while (fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "ID:", 3) == 0)
			count++;
	(void)fclose(file);
	return count;
}

/* ---- timers started from outside --------------------------------------- */

/* Many that all burn leave who starts and ends them no CPU. */
static atomic_bool resting;

/* Those with so many calls rest, so that the others come to theirs; 0: they burn on. */
static atomic_uint enough_calls;

static bool has_enough(const struct worker *w)
{
	unsigned enough = atomic_load(&enough_calls);
	return enough > 0 && atomic_load(&w->record.calls) >= enough;
}

static void burn_untimed(void *arg)
{
	struct worker *w = arg;
	accept_signal();
	w->record.thread = os_self_thread();
	start_ticks(&w->record);
	atomic_store(&w->started, true);
	while (!atomic_load(&w->quit)) {
		if (atomic_load(&resting) || has_enough(w))
			sleep_ms(1);
		else
			burn_cpu(NS_PER_MS);
	}
	end_ticks(&w->record);
	/* Nothing to do when somebody has stopped it. */
	os_cpu_timer_stop(&w->timer);
}

static void start_untimed(struct worker *w)
{
	memset(w, 0, sizeof(*w));
	ck_assert_int_eq(os_thread_start(&w->handle, burn_untimed, w), 0);
	while (!atomic_load(&w->started))
		sleep_ms(1);
}

static void time_from_outside(struct worker *w)
{
	ck_assert_int_eq(os_cpu_timer_start_on(&w->timer, w->record.thread, INTERVAL_NS,
	                                       INTERVAL_NS, &w->record),
	                 0);
}

static void end_worker(struct worker *w)
{
	atomic_store(&w->quit, true);
	os_thread_join(&w->handle);
}

START_TEST(timer_started_from_outside_calls_on_its_thread)
{
	if (!install(_i))
		return;
	start_untimed(&lone);
	uint64_t before_ns = 0;
	uint64_t after_ns = 0;
	ck_assert_int_eq(os_thread_cpu_ns(lone.record.thread, &before_ns), 0);
	unsigned before_ticks = atomic_load(&lone.record.ticks);
	time_from_outside(&lone);
	let_lone_use(500 * NS_PER_MS);
	await_calls(&lone.record, 1);
	unsigned ticks = atomic_load(&lone.record.ticks) - before_ticks;
	ck_assert_int_eq(os_thread_cpu_ns(lone.record.thread, &after_ns), 0);
	check_calls(&lone.record, after_ns - before_ns, ticks);
	ck_assert_uint_eq(atomic_load(&lone.record.calls_elsewhere), 0);
	end_worker(&lone);
}
END_TEST

START_TEST(timer_started_from_outside_can_be_stopped_there)
{
	if (!install(_i))
		return;
	int descriptors = open_descriptors();
	int posix_timers = count_posix_timers();
	for (unsigned wanted_calls = 0; wanted_calls < 2; wanted_calls++) {
		start_untimed(&lone);
		time_from_outside(&lone);
		await_calls(&lone.record, wanted_calls);
		os_cpu_timer_stop(&lone.timer);
		unsigned calls = atomic_load(&lone.record.calls);
		let_lone_use(50 * NS_PER_MS);
		ck_assert_uint_eq(atomic_load(&lone.record.calls), calls);
		end_worker(&lone);
	}
	ck_assert_int_eq(open_descriptors(), descriptors);
	ck_assert_int_eq(count_posix_timers(), posix_timers);
}
END_TEST

START_TEST(two_hundred_threads_are_timed_from_outside)
{
	enum { THREADS = 200 };
	static struct worker workers[THREADS];
	if (!install(_i))
		return;
	atomic_store(&enough_calls, 1);
	atomic_store(&resting, true);
	for (int i = 0; i < THREADS; i++)
		start_untimed(&workers[i]);
	for (int i = 0; i < THREADS; i++)
		time_from_outside(&workers[i]);
	atomic_store(&resting, false);
	for (int i = 0; i < THREADS; i++)
		await_calls(&workers[i].record, 1);
	atomic_store(&resting, true);
	for (int i = 0; i < THREADS; i++) {
		end_worker(&workers[i]);
		ck_assert_uint_eq(atomic_load(&workers[i].record.calls_elsewhere), 0);
	}
}
END_TEST

START_TEST(thread_that_has_ended_gets_no_timer)
{
	if (!install(_i))
		return;
	start_untimed(&lone);
	os_thread thread = lone.record.thread;
	uint64_t cpu_ns;
	end_worker(&lone);
	/* Who joins a thread may run on before the system has taken it away. */
	while (os_thread_cpu_ns(thread, &cpu_ns) == 0)
		os_sleep_until(os_monotonic_ns() + NS_PER_MS);
	ck_assert_int_ne(
	        os_cpu_timer_start_on(&lone.timer, thread, INTERVAL_NS, INTERVAL_NS, &lone.record),
	        0);
}
END_TEST

START_TEST(ended_timers_make_room_for_a_new_installation)
{
	static struct worker later;
	if (!install(_i))
		return;
	int descriptors = open_descriptors();
	start_lone();
	start_untimed(&later);
	time_from_outside(&later);
	ck_assert_int_eq(os_cpu_timers_install((enum os_cpu_timer_kind)_i, on_expiry), EBUSY);
	ck_assert(os_cpu_timers_end(5000));
	ck_assert_int_eq(open_descriptors(), descriptors);
	ck_assert(install(_i));
	/* What their threads still have to do with them comes to nothing. */
	unsigned calls = atomic_load(&lone.record.calls);
	let_lone_use(50 * NS_PER_MS);
	ck_assert_uint_eq(atomic_load(&lone.record.calls), calls);
	time_from_outside(&later);
	calls = atomic_load(&later.record.calls);
	await_calls(&later.record, calls + 2);
	end_worker(&later);
	end_lone();
}
END_TEST

/* ---- other users of the signal ---------------------------------------- */

static atomic_uint foreign_signals;
static void *_Atomic foreign_value;
static void *_Atomic foreign_context;

static void on_foreign(int signal, siginfo_t *info, void *context)
{
	atomic_store(&foreign_value, info->si_value.sival_ptr);
	atomic_store(&foreign_context, context);
	if (signal == CPU_TIMER_SIGNAL)
		atomic_fetch_add(&foreign_signals, 1);
}

/* Puts the program's handler of the first signals in place before ours. False when ours
 * already is. */
static bool install_foreign_handler(int count)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_foreign;
	action.sa_flags = SA_SIGINFO;
	if (strcmp(os_cpu_timers_name(INTERVAL_NS), "none") != 0)
		return false;
	for (int i = 0; i < count; i++)
		ck_assert_int_eq(sigaction(signals[i].number, &action, NULL), 0);
	return true;
}

static void send_to_self(void)
{
	(void)pthread_kill(pthread_self(), CPU_TIMER_SIGNAL);
}

/* A timer of the program's own, on the same signal. */
static void start_foreign_timer(timer_t *timer, void *value)
{
	struct sigevent event;
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = CPU_TIMER_SIGNAL;
	event.sigev_value.sival_ptr = value;
	struct itimerspec when = {.it_value = {.tv_nsec = 1000000}};
	ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &event, timer), 0);
	ck_assert_int_eq(timer_settime(*timer, 0, &when, NULL), 0);
}

START_TEST(program_gets_its_own_signals_and_none_of_ours)
{
	if (!install_foreign_handler(SIGNALS) || !install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	timer_t own_timer;
	start(&timer, &record);
	burn_cpu(100 * NS_PER_MS);
	burn_until_called(&record);
	ck_assert_uint_eq(atomic_load(&foreign_signals), 0);

	send_to_self();
	ck_assert_uint_eq(atomic_load(&foreign_signals), 1);
	start_foreign_timer(&own_timer, &own_timer);
	while (atomic_load(&foreign_signals) < 2)
		sleep_ms(1);
	ck_assert_ptr_eq(atomic_load(&foreign_value), &own_timer);
	ck_assert_ptr_nonnull(atomic_load(&foreign_context));
	(void)timer_delete(own_timer);
	os_cpu_timer_stop(&timer);
}
END_TEST

START_TEST(signals_that_the_program_handles_are_left_to_it)
{
	struct sigaction now;
	struct os_cpu_timer timer;
	struct record record;
	if (!install_foreign_handler(SIGNALS - 1) || !install(_i))
		return;
	start(&timer, &record);
	burn_cpu(50 * NS_PER_MS);
	burn_until_called(&record);
	os_cpu_timer_stop(&timer);
	for (int i = 0; i < SIGNALS - 1; i++) {
		ck_assert_int_eq(sigaction(signals[i].number, NULL, &now), 0);
		ck_assert(now.sa_sigaction == on_foreign);
	}
	ck_assert_uint_eq(atomic_load(&foreign_signals), 0);
}
END_TEST

START_TEST(signal_that_nobody_wants_is_ignored)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	send_to_self();
	start_every(&timer, &record, NEVER_NS);
	send_to_self();
	unsigned calls = atomic_load(&record.calls);
	os_cpu_timer_stop(&timer);
	ck_assert_uint_eq(calls, 0);
}
END_TEST

START_TEST(signal_that_comes_after_the_stop_is_still_ours)
{
	if (!install_foreign_handler(SIGNALS) || !install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	sigset_t set;
	sigset_t pending;
	(void)sigemptyset(&set);
	for (int i = 0; i < SIGNALS; i++)
		(void)sigaddset(&set, signals[i].number);
	start(&timer, &record);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
	do {
		burn_cpu(INTERVAL_NS);
		(void)sigpending(&pending);
	} while (sigismember(&pending, CPU_TIMER_SIGNAL) != 1);
	unsigned calls = atomic_load(&record.calls);
	os_cpu_timer_stop(&timer);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	ck_assert_uint_eq(atomic_load(&record.calls), calls);
	ck_assert_uint_eq(atomic_load(&foreign_signals), 0);
}
END_TEST

/* ---- the signal is taken ----------------------------------------------- */

static struct sigaction ours;

/* Calls the handler that it has replaced, as a well-behaved one does. */
static void on_chaining(int signal, siginfo_t *info, void *context)
{
	ours.sa_sigaction(signal, info, context);
}

static void take_signal(int number, void (*handler)(int, siginfo_t *, void *), void (*simple)(int))
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	if (handler != NULL) {
		action.sa_sigaction = handler;
		action.sa_flags = SA_SIGINFO | SA_RESTART;
	} else {
		action.sa_handler = simple;
	}
	ck_assert_int_eq(sigaction(number, &action, &ours), 0);
}

/* Watches while the lone thread uses so much CPU time, or until the signal is found
 * taken. */
static struct os_cpu_timers_findings watch_for(uint64_t ns)
{
	struct os_cpu_timers_findings found = {0};
	uint64_t start_ns = 0;
	uint64_t now_ns = 0;
	ck_assert_int_eq(os_thread_cpu_ns(lone.record.thread, &start_ns), 0);
	do {
		sleep_ms(10);
		os_cpu_timers_watch(&found);
		ck_assert_int_eq(os_thread_cpu_ns(lone.record.thread, &now_ns), 0);
	} while (!found.taken && found.lost == 0 && now_ns - start_ns < ns);
	return found;
}

static bool watch_taken(uint64_t ns)
{
	return watch_for(ns).taken;
}

/* The program takes one signal after the other. Timers use the next one each time, and end with
 * the last. */
static void take_all_signals(void (*handler)(int, siginfo_t *, void *), void (*simple)(int))
{
	for (int i = 0; i < SIGNALS; i++) {
		take_signal(signals[i].number, handler, simple);
		struct os_cpu_timers_findings found = watch_for(20000 * NS_PER_MS);
		ck_assert(found.taken);
		ck_assert_str_eq(found.signal, signals[i].name);
		ck_assert(os_cpu_timer_runs(&lone.timer) == (i + 1 < SIGNALS));
		if (i + 1 == SIGNALS) {
			ck_assert_ptr_null(found.next_signal);
			return;
		}
		ck_assert_str_eq(found.next_signal, signals[i + 1].name);
		await_calls(&lone.record, atomic_load(&lone.record.calls) + 3);
	}
}

static void check_all_ended(int descriptors)
{
	struct os_cpu_timers_findings found;
	ck_assert_int_eq(open_descriptors(), descriptors);
	sleep_ms(100);
	os_cpu_timers_watch(&found);
	ck_assert(!found.taken);
	ck_assert(!os_cpu_timer_stop(&lone.timer));
}

START_TEST(signal_that_the_program_ignores_ends_timers)
{
	if (!install(_i))
		return;
	int descriptors = open_descriptors();
	start_lone();
	ck_assert(!watch_taken(100 * NS_PER_MS));
	take_all_signals(NULL, SIG_IGN);
	check_all_ended(descriptors);
	end_lone();
}
END_TEST

START_TEST(handler_that_keeps_our_signals_ends_timers)
{
	if (!install(_i))
		return;
	int descriptors = open_descriptors();
	start_lone();
	take_all_signals(on_foreign, NULL);
	check_all_ended(descriptors);
	end_lone();
	/* A new installation takes the signal back, and the program gets its own. */
	ck_assert(install(_i));
	start_lone();
	end_lone();
	unsigned before = atomic_load(&foreign_signals);
	(void)pthread_kill(pthread_self(), CPU_TIMER_SIGNAL);
	ck_assert_uint_eq(atomic_load(&foreign_signals), before + 1);
}
END_TEST

START_TEST(last_check_finds_a_signal_that_has_just_been_taken)
{
	const char *signal;
	if (!install(_i))
		return;
	start_lone();
	ck_assert(!os_cpu_timers_taken(&signal));
	take_signal(CPU_TIMER_SIGNAL, on_chaining, NULL);
	ck_assert(!os_cpu_timers_taken(&signal));
	take_signal(CPU_TIMER_SIGNAL, on_foreign, NULL);
	ck_assert(os_cpu_timers_taken(&signal));
	ck_assert_str_eq(signal, signals[0].name);
	take_signal(CPU_TIMER_SIGNAL, NULL, SIG_IGN);
	ck_assert(os_cpu_timers_taken(&signal));
	ck_assert(os_cpu_timers_end(5000));
	ck_assert(!os_cpu_timers_taken(&signal));
	end_lone();
}
END_TEST

START_TEST(handler_that_calls_ours_is_let_be)
{
	if (!install(_i))
		return;
	start_lone();
	take_signal(CPU_TIMER_SIGNAL, on_chaining, NULL);
	unsigned calls = atomic_load(&lone.record.calls);
	ck_assert(!watch_taken(2500 * NS_PER_MS));
	await_calls(&lone.record, calls + 50);
	end_lone();
}
END_TEST

#if CPU_TIMER_OF_OTHERS
/* Where the signal's default is to end the process, nothing can be found afterwards. */
START_TEST(program_that_sets_the_default_lives_on)
{
	if (!install(_i))
		return;
	start_lone();
	take_signal(CPU_TIMER_SIGNAL, NULL, SIG_DFL);
	ck_assert(watch_taken(20000 * NS_PER_MS));
	await_calls(&lone.record, atomic_load(&lone.record.calls) + 3);
	end_lone();
}
END_TEST

/* Queued signals of this user that the process may have, and so POSIX timers. */
static struct rlimit allow_queued(rlim_t count)
{
	struct rlimit before;
	struct rlimit limit;
	ck_assert_int_eq(getrlimit(RLIMIT_SIGPENDING, &before), 0);
	limit = before;
	limit.rlim_cur = count;
	ck_assert_int_eq(setrlimit(RLIMIT_SIGPENDING, &limit), 0);
	return before;
}

START_TEST(timer_that_the_system_refuses_does_not_run)
{
	struct os_cpu_timer timer;
	struct record record = {.thread = os_self_thread()};
	if (!install(OS_CPU_TIMER_POSIX))
		return;
	struct rlimit before = allow_queued(0);
	ck_assert_int_eq(os_cpu_timer_start(&timer, 0, INTERVAL_NS, &record), EAGAIN);
	ck_assert(!os_cpu_timer_runs(&timer));
	ck_assert(!os_cpu_timer_stop(&timer));
	ck_assert_int_eq(os_cpu_timers_install(OS_CPU_TIMER_POSIX, on_expiry), OS_UNSUPPORTED);
	ck_assert_int_eq(setrlimit(RLIMIT_SIGPENDING, &before), 0);
	ck_assert_int_eq(os_cpu_timer_start(&timer, 0, INTERVAL_NS, &record), 0);
	ck_assert(os_cpu_timer_runs(&timer));
	ck_assert(os_cpu_timer_stop(&timer));
	ck_assert(!os_cpu_timer_runs(&timer));
}
END_TEST

START_TEST(timer_that_can_not_change_its_signal_is_lost)
{
	if (!install(OS_CPU_TIMER_POSIX))
		return;
	start_lone();
	struct rlimit before = allow_queued(0);
	take_signal(CPU_TIMER_SIGNAL, NULL, SIG_IGN);
	struct os_cpu_timers_findings found = watch_for(20000 * NS_PER_MS);
	ck_assert_uint_eq(found.lost, 1);
	ck_assert_int_eq(found.lost_error, EAGAIN);
	ck_assert(!os_cpu_timer_runs(&lone.timer));
	ck_assert_int_eq(setrlimit(RLIMIT_SIGPENDING, &before), 0);
	/* It is reported once. */
	ck_assert_uint_eq(watch_for(200 * NS_PER_MS).lost, 0);
	end_lone();
}
END_TEST

START_TEST(callback_that_takes_too_long_comes_less_often)
{
	struct os_cpu_timers_findings found = {0};
	if (!install(_i))
		return;
	start_lone();
	atomic_store(&lone.record.spin_ns, INTERVAL_NS / 2);
	while (found.slowed == 0) {
		sleep_ms(10);
		os_cpu_timers_watch(&found);
	}
	ck_assert_uint_eq(found.slowed, 1);
	ck_assert_uint_eq(found.longest_period_ns, 2 * INTERVAL_NS);
	end_lone();
}
END_TEST
#endif

START_TEST(program_started_by_a_timed_thread_is_not_disturbed)
{
	if (!install(_i))
		return;
	struct os_cpu_timer timer;
	struct record record;
	start(&timer, &record);
	pid_t child = fork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done",
		      (char *)NULL);
		_exit(127);
	}
	int status = -1;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	os_cpu_timer_stop(&timer);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

/* ---- resources -------------------------------------------------------- */

START_TEST(two_thousand_threads_leave_nothing_behind)
{
	enum { THREADS = 2000, AT_ONCE = 100 };
	static struct worker workers[AT_ONCE];
	if (!install(_i))
		return;
	int descriptors = open_descriptors();
	int posix_timers = count_posix_timers();
	for (int done = 0; done < THREADS; done += AT_ONCE) {
		memset(workers, 0, sizeof(workers));
		for (int i = 0; i < AT_ONCE; i++) {
			struct worker *w = &workers[i];
			w->burn_ns = NS_PER_MS / 10;
			ck_assert_int_eq(os_thread_start(&w->handle, burn_timed, w), 0);
		}
		for (int i = 0; i < AT_ONCE; i++) {
			os_thread_join(&workers[i].handle);
			ck_assert_int_eq(workers[i].error, 0);
		}
	}
	ck_assert_int_eq(open_descriptors(), descriptors);
	ck_assert_int_eq(count_posix_timers(), posix_timers);
}
END_TEST

START_TEST(half_of_the_descriptors_stay_with_the_program)
{
	enum { THREADS = 100, LIMIT = 80 };
	static struct worker workers[THREADS];
	if (!install(_i))
		return;
	struct rlimit before;
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	struct rlimit few = {.rlim_cur = LIMIT, .rlim_max = before.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	memset(workers, 0, sizeof(workers));
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(os_thread_start(&workers[i].handle, burn_until_told, &workers[i]),
		                 0);
	for (int i = 0; i < THREADS; i++)
		while (!atomic_load(&workers[i].started))
			sleep_ms(1);
	int descriptors = open_descriptors();
	for (int i = 0; i < THREADS; i++)
		await_calls(&workers[i].record, 1);
	for (int i = 0; i < THREADS; i++)
		atomic_store(&workers[i].quit, true);
	for (int i = 0; i < THREADS; i++) {
		os_thread_join(&workers[i].handle);
		ck_assert_int_eq(workers[i].error, 0);
	}
	(void)setrlimit(RLIMIT_NOFILE, &before);
	ck_assert_int_le(descriptors, LIMIT / 2 + 8);
}
END_TEST

/* ---- suite ------------------------------------------------------------ */

enum { FIRST_KIND = OS_CPU_TIMER_PERF, AFTER_LAST_KIND = OS_CPU_TIMER_POSIX + 1 };

static TCase *one_thread_tests(void)
{
	TCase *tc = tcase_create("one thread");
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, wrong_starts_are_refused);
	tcase_add_loop_test(tc, callbacks_follow_the_threads_cpu_time, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, time_in_the_kernel_counts, FIRST_KIND, AFTER_LAST_KIND);
	if (times_are_judged()) {
		tcase_add_loop_test(tc, sleeping_thread_is_left_alone, FIRST_KIND, AFTER_LAST_KIND);
		tcase_add_loop_test(tc, first_expiration_comes_at_its_own_time, FIRST_KIND,
		                    AFTER_LAST_KIND);
	}
	tcase_add_loop_test(tc, no_callback_after_the_stop, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, stopped_timer_can_be_started_again, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, callback_keeps_errno, FIRST_KIND, AFTER_LAST_KIND);
	return tc;
}

static TCase *many_threads_tests(void)
{
	TCase *tc = tcase_create("many threads");
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, each_thread_is_timed_by_its_own_clock, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, another_thread_can_stop_a_timer, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, paused_timers_do_not_call_until_resumed, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, end_waits_for_the_callback_under_way, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, thread_that_has_ended_gets_no_timer, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, two_thousand_threads_leave_nothing_behind, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, half_of_the_descriptors_stay_with_the_program, FIRST_KIND,
	                    AFTER_LAST_KIND);
	return tc;
}

/* Where the system has timers of other threads. */
static TCase *outside_tests(void)
{
	TCase *tc = tcase_create("from outside");
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, timer_started_from_outside_calls_on_its_thread, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, timer_started_from_outside_can_be_stopped_there, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, two_hundred_threads_are_timed_from_outside, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, ended_timers_make_room_for_a_new_installation, FIRST_KIND,
	                    AFTER_LAST_KIND);
	return tc;
}

static TCase *shared_signal_tests(void)
{
	TCase *tc = tcase_create("shared signal");
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, program_gets_its_own_signals_and_none_of_ours, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, signal_that_nobody_wants_is_ignored, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, signal_that_comes_after_the_stop_is_still_ours, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, program_started_by_a_timed_thread_is_not_disturbed, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, signal_that_the_program_ignores_ends_timers, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, handler_that_keeps_our_signals_ends_timers, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, handler_that_calls_ours_is_let_be, FIRST_KIND, AFTER_LAST_KIND);
	tcase_add_loop_test(tc, signals_that_the_program_handles_are_left_to_it, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, last_check_finds_a_signal_that_has_just_been_taken, FIRST_KIND,
	                    AFTER_LAST_KIND);
#if CPU_TIMER_OF_OTHERS
	tcase_add_loop_test(tc, program_that_sets_the_default_lives_on, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_loop_test(tc, callback_that_takes_too_long_comes_less_often, FIRST_KIND,
	                    AFTER_LAST_KIND);
	tcase_add_test(tc, timer_that_the_system_refuses_does_not_run);
	tcase_add_test(tc, timer_that_can_not_change_its_signal_is_lost);
#endif
	return tc;
}

static Suite *os_cpu_timers_suite(void)
{
	Suite *suite = suite_create("os_cpu_timers");
	suite_add_tcase(suite, one_thread_tests());
	suite_add_tcase(suite, many_threads_tests());
	if (os_cpu_timers_of_others())
		suite_add_tcase(suite, outside_tests());
	suite_add_tcase(suite, shared_signal_tests());
	return suite;
}

int main(void)
{
	return run_suite(os_cpu_timers_suite());
}
