/* marks: timed, posix, linux, not_emulated */
/*
 * Tests of the account of a thread's waits for a CPU, on Linux.
 */
#include "judged_times.h"
#include "os.h"
#include "os_load.h"
#include "run_suite.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#define BUSY_NS UINT64_C(100000000)
#define CLOCKS_APART_NS UINT64_C(1000000)

static struct os_run_queue queue;
static atomic_bool done;

/* The thread that competes with another one for the CPU, and what it has used in the end. */
static _Atomic os_thread competitor;
static _Atomic uint64_t competitor_cpu_ns;

/* The thread whose account is read. */
static _Atomic os_thread looked_at;
static atomic_bool rests;
static atomic_bool looked;

static void set_up(void)
{
	atomic_store(&done, false);
	atomic_store(&competitor, 0);
	atomic_store(&looked_at, 0);
	atomic_store(&rests, false);
	atomic_store(&looked, false);
	ck_assert_int_eq(os_run_queue_open(&queue, os_self_thread()), 0);
}

static void tear_down(void)
{
	os_run_queue_close(&queue);
}

static uint64_t waited_ns(void)
{
	uint64_t ns = 0;
	ck_assert(os_run_queue_waited(&queue, &ns));
	return ns;
}

static void *compete(void *argument)
{
	(void)argument;
	atomic_store(&competitor, os_self_thread());
	while (!atomic_load(&done))
		continue;
	atomic_store(&competitor_cpu_ns, os_self_cpu_ns());
	return NULL;
}

static uint64_t cpu_ns_of(os_thread thread)
{
	uint64_t ns = 0;
	(void)os_thread_cpu_ns(thread, &ns);
	return ns;
}

/* The account and the CPU clocks may go by clocks that differ a little. */
static void check_at_least(uint64_t ns, uint64_t least_ns)
{
	CHECK_TIME(ns + least_ns / 1000 + CLOCKS_APART_NS >= least_ns,
	           "waited for %.3f ms, not for at least %.3f ms", (double)ns / 1e6,
	           (double)least_ns / 1e6);
}

static void check_at_most(uint64_t ns, uint64_t most_ns)
{
	CHECK_TIME(ns <= most_ns + most_ns / 1000 + CLOCKS_APART_NS,
	           "waited for %.3f ms, not for at most %.3f ms", (double)ns / 1e6,
	           (double)most_ns / 1e6);
}

/* Threads that are started later inherit it. */
static void stay_on_one_cpu(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
}

/* This thread waits whenever the other one has the CPU, and may wait while neither has it. */
START_TEST(two_busy_threads_on_one_cpu_wait_for_it)
{
	pthread_t other;

	stay_on_one_cpu();
	ck_assert_int_eq(pthread_create(&other, NULL, compete, NULL), 0);
	while (atomic_load(&competitor) == 0)
		continue;
	uint64_t wall_ns = os_monotonic_ns();
	uint64_t queued_ns = waited_ns();
	uint64_t cpu_ns = os_self_cpu_ns();
	uint64_t others_ns = cpu_ns_of(competitor);
	while (cpu_ns_of(competitor) - others_ns < BUSY_NS / 2 ||
	       os_self_cpu_ns() - cpu_ns < BUSY_NS / 2)
		continue;
	others_ns = cpu_ns_of(competitor) - others_ns;
	cpu_ns = os_self_cpu_ns() - cpu_ns;
	queued_ns = waited_ns() - queued_ns;
	wall_ns = os_monotonic_ns() - wall_ns;
	atomic_store(&done, true);
	ck_assert_int_eq(pthread_join(other, NULL), 0);
	check_at_least(queued_ns, others_ns);
	check_at_most(queued_ns, wall_ns - cpu_ns);
}
END_TEST

START_TEST(a_sleep_is_a_voluntary_switch_and_no_wait_for_a_cpu)
{
	struct os_self_waits before;
	struct os_self_waits after;
	uint64_t wall_ns = os_monotonic_ns();
	uint64_t queued_ns = waited_ns();

	ck_assert(os_self_waits(&before));
	os_sleep_until(os_monotonic_ns() + BUSY_NS);
	ck_assert(os_self_waits(&after));
	ck_assert_uint_ge(after.voluntary_switches - before.voluntary_switches, 1);
	queued_ns = waited_ns() - queued_ns;
	wall_ns = os_monotonic_ns() - wall_ns;
	/* It may wait for a CPU before and after its sleep. */
	check_at_most(queued_ns, wall_ns - BUSY_NS / 2);
}
END_TEST

/* Competes, and then sleeps, so that its waits have ended when they are read. */
static void *be_looked_at(void *argument)
{
	(void)argument;
	atomic_store(&looked_at, os_self_thread());
	while (!atomic_load(&done))
		continue;
	atomic_store(&rests, true);
	while (!atomic_load(&looked))
		sleep_ms(1);
	return NULL;
}

/* Two others compete while the caller sleeps: each waits whenever the other one has the CPU. */
START_TEST(the_account_of_another_thread_has_its_waits_not_those_of_the_caller)
{
	struct os_run_queue its_queue;
	pthread_t its_thread;
	pthread_t other;
	uint64_t before_ns = 0;
	uint64_t after_ns = 0;

	stay_on_one_cpu();
	ck_assert_int_eq(pthread_create(&its_thread, NULL, be_looked_at, NULL), 0);
	while (atomic_load(&looked_at) == 0)
		sleep_ms(1);
	ck_assert_int_eq(os_run_queue_open(&its_queue, atomic_load(&looked_at)), 0);
	ck_assert(os_run_queue_waited(&its_queue, &before_ns));
	ck_assert_int_eq(pthread_create(&other, NULL, compete, NULL), 0);
	uint64_t own_ns = waited_ns();
	do {
		sleep_ms(400);
	} while (atomic_load(&competitor) == 0 || cpu_ns_of(competitor) < BUSY_NS);
	own_ns = waited_ns() - own_ns;
	atomic_store(&done, true);
	ck_assert_int_eq(pthread_join(other, NULL), 0);
	while (!atomic_load(&rests))
		sleep_ms(1);
	ck_assert(os_run_queue_waited(&its_queue, &after_ns));
	atomic_store(&looked, true);
	ck_assert_int_eq(pthread_join(its_thread, NULL), 0);
	check_at_least(after_ns - before_ns, competitor_cpu_ns);
	CHECK_TIME(own_ns < after_ns - before_ns, "the caller waited for %.3f ms, it for %.3f ms",
	           (double)own_ns / 1e6, (double)(after_ns - before_ns) / 1e6);
	/* The system has the thread for a moment after the join. */
	while (os_run_queue_waited(&its_queue, &after_ns))
		sleep_ms(1);
	os_run_queue_close(&its_queue);
}
END_TEST

START_TEST(a_descriptor_from_the_upper_half_is_not_kept)
{
	struct rlimit limit = {.rlim_cur = 16, .rlim_max = 16};
	struct os_run_queue other;
	int first = open("/dev/null", O_RDONLY);

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	while (first >= 0 && first < 8)
		first = open("/dev/null", O_RDONLY);
	int next = open("/dev/null", O_RDONLY);
	ck_assert_int_gt(next, 8);
	ck_assert_int_eq(close(next), 0);
	ck_assert_int_eq(os_run_queue_open(&other, os_self_thread()), EMFILE);
	os_run_queue_close(&other);
	ck_assert_int_eq(open("/dev/null", O_RDONLY), next);
}
END_TEST

/* The program may close all descriptors, and open its own. */
START_TEST(another_file_with_the_number_is_noticed_and_stays_open)
{
	uint64_t ns;
	int pipes[2];

	ck_assert_int_eq(pipe(pipes), 0);
	ck_assert_int_eq(dup2(pipes[0], queue.fd), queue.fd);
	ck_assert(!os_run_queue_waited(&queue, &ns));
	int null = open("/dev/zero", O_RDONLY);
	ck_assert_int_eq(dup2(null, queue.fd), queue.fd);
	ck_assert(!os_run_queue_waited(&queue, &ns));
	int fd = queue.fd;
	os_run_queue_close(&queue);
	ck_assert_int_eq(close(fd), 0); /* it was not closed */
}
END_TEST

static Suite *run_queue_suite(void)
{
	Suite *suite = suite_create("os_run_queue");
	TCase *tc = tcase_create("run_queue");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	if (times_are_judged())
		tcase_add_test(tc, two_busy_threads_on_one_cpu_wait_for_it);
	tcase_add_test(tc, a_sleep_is_a_voluntary_switch_and_no_wait_for_a_cpu);
	tcase_add_test(tc, the_account_of_another_thread_has_its_waits_not_those_of_the_caller);
	tcase_add_test(tc, a_descriptor_from_the_upper_half_is_not_kept);
	tcase_add_test(tc, another_file_with_the_number_is_noticed_and_stays_open);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(run_queue_suite());
}
