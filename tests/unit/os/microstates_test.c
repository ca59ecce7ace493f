/* marks: timed, posix */
/*
 * Tests of threads' microstates: the states sum to the life, and each kind of
 * life shows in the state that prstat has for it.
 */
#include "judged_times.h"
#include "os_load_posix.h"
#include "run_suite.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

#define BIT(state) (1U << (state))

struct subject {
	struct os_thread_handle handle;
	void (*live)(void);
	int processor;     /* to stay on, or -1 */
	uint64_t lived_ns; /* before the states are read */
	uint64_t cpu_before_ns;
	uint64_t cpu_after_ns;
	uint64_t user_before_ns;
	uint64_t user_after_ns;
	int error;
	struct os_microstates states;
};

static uint64_t user_ns_of_self(void)
{
	struct rusage usage;
	if (getrusage(RUSAGE_THREAD, &usage) != 0)
		return 0;
	return (uint64_t)usage.ru_utime.tv_sec * 1000 * NS_PER_MS +
	       (uint64_t)usage.ru_utime.tv_usec * 1000;
}

/* The thread reads its own states, with its clock before and after. */
static void be_subject(void *arg)
{
	struct subject *s = arg;
	uint64_t born = os_monotonic_ns();
	if (s->processor >= 0) {
		cpu_set_t set;
		CPU_ZERO(&set);
		CPU_SET((size_t)s->processor, &set);
		(void)sched_setaffinity(0, sizeof(set), &set);
	}
	s->live();
	s->lived_ns = os_monotonic_ns() - born;
	s->user_before_ns = user_ns_of_self();
	s->cpu_before_ns = os_self_cpu_ns();
	s->error = os_thread_microstates(os_self_thread(), &s->states);
	s->cpu_after_ns = os_self_cpu_ns();
	s->user_after_ns = user_ns_of_self();
}

static void start(struct subject *s, void (*live)(void), int processor)
{
	memset(s, 0, sizeof(*s));
	s->live = live;
	s->processor = processor;
	ck_assert_int_eq(os_thread_start(&s->handle, be_subject, s), 0);
}

static void finish(struct subject *s)
{
	os_thread_join(&s->handle);
	ck_assert_int_eq(s->error, 0);
}

static uint64_t sum_of(const struct os_microstates *states)
{
	uint64_t sum = 0;
	for (int i = 0; i < OS_MICROSTATES; i++)
		if ((states->known & BIT(i)) != 0)
			sum += states->ns[i];
	return sum;
}

static void check_accounts(const struct subject *s)
{
	const struct os_microstates *states = &s->states;
	uint64_t cpu_ns = states->ns[OS_USR] + states->ns[OS_SYS];
	ck_assert_uint_eq(sum_of(states), states->life_ns);
	ck_assert_uint_ge(cpu_ns, s->cpu_before_ns);
	ck_assert_uint_le(cpu_ns, s->cpu_after_ns);
	/* The kernel tells the start to 10 ms; being started takes a while too. */
	CHECK_TIME(states->life_ns + 12 * NS_PER_MS >= s->lived_ns, "life of %.3f ms, not %.3f ms",
	           (double)states->life_ns / 1e6, (double)s->lived_ns / 1e6);
}

static void live_busily(void)
{
	burn_cpu(200 * NS_PER_MS);
}

static void live_asleep(void)
{
	sleep_ms(200);
}

static void live_in_system_calls(void)
{
	(void)burn_system_cpu(200 * NS_PER_MS);
}

static void live_mixed(void)
{
	burn_cpu(50 * NS_PER_MS);
	sleep_ms(50);
	(void)burn_system_cpu(50 * NS_PER_MS);
}

START_TEST(states_sum_to_the_life_and_run_time_to_the_cpu_clock)
{
	static void (*const lives[])(void) = {live_busily, live_asleep, live_in_system_calls,
	                                      live_mixed};
	struct subject s;
	start(&s, lives[_i], -1);
	finish(&s);
	check_accounts(&s);
}
END_TEST

/* The kernel parts CPU time into user and system by what its ticks met. On a busy machine a thread
 * can leave the CPU before most of them, and a few that meet it say little. So what is wanted is
 * what the kernel says to the thread itself, in microseconds. */
static void check_kinds(const struct subject *s)
{
	/* It tells of whole ticks for both, and what is left is divided as they are. */
	const uint64_t tick_ns = 10 * NS_PER_MS;
	uint64_t user_ns = s->states.ns[OS_USR];
	CHECK_TIME(user_ns + tick_ns >= s->user_before_ns &&
	                   user_ns <= s->user_after_ns + 2 * tick_ns,
	           "%.3f ms of user time, not %.3f to %.3f ms", (double)user_ns / 1e6,
	           (double)s->user_before_ns / 1e6, (double)s->user_after_ns / 1e6);
}

static void live_in_user_mode(void)
{
	burn_cpu(1000 * NS_PER_MS);
}

static void live_in_the_kernel(void)
{
	(void)burn_system_cpu(1000 * NS_PER_MS);
}

START_TEST(busy_life_is_user_time)
{
	struct subject s;
	start(&s, live_in_user_mode, -1);
	finish(&s);
	check_accounts(&s);
	check_kinds(&s);
}
END_TEST

START_TEST(life_in_system_calls_is_system_time)
{
	struct subject s;
	start(&s, live_in_the_kernel, -1);
	finish(&s);
	ck_assert(s.states.known & BIT(OS_SYS));
	check_accounts(&s);
	check_kinds(&s);
}
END_TEST

START_TEST(sleeping_life_is_sleep)
{
	struct subject s;
	start(&s, live_asleep, -1);
	finish(&s);
	check_accounts(&s);
	CHECK_TIME(s.states.ns[OS_SLP] >= 150 * NS_PER_MS, "%.3f ms of sleep",
	           (double)s.states.ns[OS_SLP] / 1e6);
}
END_TEST

static atomic_uint arrived;

/* Until both are there, and then until the first has used its time, both want the processor, and
 * one of them waits for it. */
static void live_busily_together(void)
{
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < 2)
		continue;
	burn_cpu(200 * NS_PER_MS);
}

START_TEST(two_threads_on_one_processor_wait_for_it)
{
	struct subject a;
	struct subject b;
	int processor = sched_getcpu();
	atomic_store(&arrived, 0);
	start(&a, live_busily_together, processor);
	start(&b, live_busily_together, processor);
	finish(&a);
	finish(&b);
	check_accounts(&a);
	check_accounts(&b);
	if ((a.states.known & BIT(OS_LAT)) == 0)
		return; /* a kernel without that account */
	uint64_t waited_ns = a.states.ns[OS_LAT] + b.states.ns[OS_LAT];
	/* The clocks of the CPU time and of the waits may differ a little. */
	CHECK_TIME(waited_ns >= 199 * NS_PER_MS, "waited for %.3f ms", (double)waited_ns / 1e6);
	ck_assert_uint_ge(a.states.involuntary_switches + b.states.involuntary_switches, 1);
}
END_TEST

static bool napped;

/* A nap whose end has passed when it begins is none. */
static void live_in_naps(void)
{
	struct os_self_waits waits;
	do {
		sleep_ms(1);
		napped = os_self_waits(&waits);
	} while (napped && waits.voluntary_switches < 50);
}

START_TEST(naps_are_voluntary_switches)
{
	struct subject s;
	start(&s, live_in_naps, -1);
	finish(&s);
	ck_assert(napped);
	ck_assert(s.states.switches_known);
	ck_assert_uint_ge(s.states.voluntary_switches, 50);
}
END_TEST

START_TEST(what_the_kernel_does_not_tell_is_unknown_not_zero)
{
	struct subject s;
	start(&s, live_busily, -1);
	finish(&s);
	ck_assert_uint_eq(s.states.known & (BIT(OS_TRP) | BIT(OS_TFL) | BIT(OS_DFL) | BIT(OS_LCK)),
	                  0);
	ck_assert_uint_ne(s.states.known & BIT(OS_USR), 0);
	ck_assert_uint_ne(s.states.known & BIT(OS_SLP), 0);
}
END_TEST

static void end_at_once(void *arg)
{
	os_thread *thread = arg;
	*thread = os_self_thread();
}

START_TEST(ended_thread_has_no_states)
{
	struct os_thread_handle handle;
	struct os_microstates states;
	os_thread thread = 0;
	ck_assert_int_eq(os_microstates_enable(), 0);
	ck_assert_int_eq(os_thread_start(&handle, end_at_once, &thread), 0);
	os_thread_join(&handle);
	int error;
	while ((error = os_thread_microstates(thread, &states)) == 0)
		sleep_ms(1);
	ck_assert_int_eq(error, ESRCH);
}
END_TEST

static Suite *os_microstates_suite(void)
{
	Suite *suite = suite_create("os_microstates");
	TCase *tc = tcase_create("microstates");
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, states_sum_to_the_life_and_run_time_to_the_cpu_clock, 0, 4);
	tcase_add_test(tc, busy_life_is_user_time);
	tcase_add_test(tc, life_in_system_calls_is_system_time);
	tcase_add_test(tc, sleeping_life_is_sleep);
	tcase_add_test(tc, two_threads_on_one_processor_wait_for_it);
	tcase_add_test(tc, naps_are_voluntary_switches);
	tcase_add_test(tc, ended_thread_has_no_states);
	suite_add_tcase(suite, tc);

	TCase *untold = tcase_create("what Linux does not tell");
	tcase_set_tags(untold, "linux");
	tcase_add_test(untold, what_the_kernel_does_not_tell_is_unknown_not_zero);
	suite_add_tcase(suite, untold);
	return suite;
}

int main(void)
{
	return run_suite(os_microstates_suite());
}
