/* marks: timed, posix, not_shimmed */
/*
 * Tests of what an expiration is said to cost, with clocks and a scheduler of our own: reading a
 * clock takes time, a timer expires, and the thread may leave its CPU meanwhile.
 */
#include "cpu_timer_cost.h"
#include "run_suite.h"

#include "os.h"

#include <string.h>
#include <sys/resource.h>

#define READING_NS 25
#define PERIOD_NS UINT64_C(1000000)
#define COST_NS UINT64_C(3000)
#define SWITCH_NS UINT64_C(4000000)

static uint64_t now_ns;
static uint64_t expires_ns;
static volatile unsigned expirations;
static unsigned switched; /* how often the thread has left its CPU */
static unsigned (*switches_at)(unsigned expiration);

static unsigned never(unsigned expiration)
{
	(void)expiration;
	return 0;
}

static unsigned always(unsigned expiration)
{
	(void)expiration;
	return 1;
}

static unsigned at_three_of_five(unsigned expiration)
{
	return expiration % 5 < 3;
}

uint64_t os_monotonic_ns(void)
{
	now_ns += READING_NS;
	if (now_ns >= expires_ns) {
		unsigned leaves = switches_at(expirations);
		now_ns += COST_NS + leaves * SWITCH_NS;
		switched += leaves;
		expirations++;
		expires_ns = now_ns + PERIOD_NS;
	}
	return now_ns;
}

uint64_t os_self_cpu_ns(void)
{
	return now_ns - switched * SWITCH_NS;
}

int __wrap_getrusage(int who, struct rusage *usage);
int __wrap_getrusage(int who, struct rusage *usage)
{
	ck_assert_int_eq(who, RUSAGE_THREAD);
	memset(usage, 0, sizeof(*usage));
	usage->ru_nivcsw = switched;
	return 0;
}

static void set_up(void)
{
	now_ns = 0;
	expires_ns = PERIOD_NS;
	expirations = 0;
	switched = 0;
}

static void check_cost(uint64_t cost_ns)
{
	uint64_t measured_ns = cpu_timer_cost_measure(&expirations);
	ck_assert_uint_ge(measured_ns, cost_ns);
	ck_assert_uint_le(measured_ns, cost_ns + 2 * READING_NS);
}

START_TEST(the_cost_is_that_of_an_expiration)
{
	switches_at = never;
	check_cost(COST_NS);
	ck_assert_uint_eq(expirations, 5);
}
END_TEST

START_TEST(an_estimate_takes_one_expiration)
{
	switches_at = never;
	uint64_t estimate_ns = cpu_timer_cost_estimate(&expirations);
	ck_assert_uint_ge(estimate_ns, COST_NS);
	ck_assert_uint_le(estimate_ns, COST_NS + 2 * READING_NS);
	ck_assert_uint_eq(expirations, 1);
	switches_at = always;
	ck_assert_uint_eq(cpu_timer_cost_estimate(&expirations), 0);
}
END_TEST

START_TEST(time_on_no_cpu_is_not_of_an_expiration)
{
	switches_at = at_three_of_five;
	check_cost(COST_NS);
}
END_TEST

START_TEST(the_cost_is_unknown_when_the_thread_always_leaves_its_cpu)
{
	switches_at = always;
	ck_assert_uint_eq(cpu_timer_cost_measure(&expirations), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cpu_timer_cost");
	TCase *tests = tcase_create("cost");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, the_cost_is_that_of_an_expiration);
	tcase_add_test(tests, an_estimate_takes_one_expiration);
	tcase_add_test(tests, time_on_no_cpu_is_not_of_an_expiration);
	tcase_add_test(tests, the_cost_is_unknown_when_the_thread_always_leaves_its_cpu);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
