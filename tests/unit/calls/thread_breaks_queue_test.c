/* marks: posix */
/*
 * Tests of breaks whose waits for a CPU are read from an account of our own: all breaks end with a
 * voluntary switch, and a reading of the account can fail.
 */
#include "calls/thread_breaks.h"
#include "os/time_units.h"
#include "run_suite.h"

#include <string.h>

enum { NODE = 5 };

/* ---- the account ----------------------------------------------------------- */

static uint64_t waited_ns;
static bool read_fails;

int os_run_queue_open(struct os_run_queue *queue, os_thread thread)
{
	(void)queue;
	(void)thread;
	return 0;
}

void os_run_queue_close(struct os_run_queue *queue)
{
	(void)queue;
}

bool os_run_queue_waited(const struct os_run_queue *queue, uint64_t *ns)
{
	(void)queue;
	*ns = waited_ns;
	return !read_fails;
}

static struct os_self_waits waits;
static bool waits_fail;

bool os_self_waits(struct os_self_waits *read)
{
	waits.voluntary_switches++;
	*read = waits;
	return !waits_fail;
}

/* ---- tests ------------------------------------------------------------------- */

static struct vm_pauses pauses;
static struct thread_breaks breaks;
static uint64_t states_ns[OFF_CPU_STATES];

static void set_up(void)
{
	memset(&pauses, 0, sizeof(pauses));
	memset(&breaks, 0, sizeof(breaks));
	waited_ns = 70 * NS_PER_MS;
	read_fails = false;
	waits = (struct os_self_waits){
	        .faults_known = true, .text_fault_ns = 5, .data_fault_ns = 7};
	waits_fail = false;
	thread_breaks_start(&breaks, &pauses);
}

/* A break of that many ms in a read; of these the thread waited for a CPU. */
static void explain(uint64_t ms, uint64_t waited_ms)
{
	struct break_charge charge = {.breaks = &breaks, .node = NODE};

	thread_breaks_announce(&breaks, NODE, WAIT_IO);
	waited_ns += waited_ms * NS_PER_MS;
	memset(states_ns, 0, sizeof(states_ns));
	thread_breaks_explain(&charge, ms * NS_PER_MS, states_ns);
}

static void check_states(uint64_t io_ms, uint64_t lat_ms)
{
	ck_assert_uint_eq(states_ns[OFF_IO], io_ms * NS_PER_MS);
	ck_assert_uint_eq(states_ns[OFF_LAT], lat_ms * NS_PER_MS);
}

START_TEST(a_break_has_its_wait_for_a_cpu)
{
	explain(20, 3);
	check_states(17, 3);
	explain(20, 0);
	check_states(20, 0);
}
END_TEST

START_TEST(a_wait_that_is_longer_than_its_break_is_also_of_the_next)
{
	explain(20, 25);
	check_states(0, 20);
	explain(20, 0);
	check_states(15, 5);
}
END_TEST

START_TEST(a_wait_that_was_not_read_is_of_no_later_break)
{
	read_fails = true;
	explain(20, 10);
	check_states(20, 0);
	read_fails = false;
	explain(20, 3);
	check_states(20, 0);
	explain(20, 3);
	check_states(17, 3);
}
END_TEST

START_TEST(an_account_that_goes_back_is_another_one)
{
	waited_ns = 10 * NS_PER_MS;
	explain(20, 0);
	check_states(20, 0);
	waited_ns = 90 * NS_PER_MS;
	explain(20, 0);
	check_states(20, 0);
}
END_TEST

static void check_faults(uint64_t text_ms, uint64_t data_ms)
{
	ck_assert_uint_eq(states_ns[OFF_TFL], text_ms * NS_PER_MS);
	ck_assert_uint_eq(states_ns[OFF_DFL], data_ms * NS_PER_MS);
}

START_TEST(a_break_has_its_waits_for_pages)
{
	waits.text_fault_ns += 2 * NS_PER_MS;
	waits.data_fault_ns += 4 * NS_PER_MS;
	explain(20, 3);
	check_faults(2, 4);
	check_states(11, 3);
	explain(20, 0);
	check_faults(0, 0);
	check_states(20, 0);
}
END_TEST

START_TEST(waits_for_pages_that_are_longer_than_their_break_are_also_of_the_next)
{
	waits.text_fault_ns += 12 * NS_PER_MS;
	waits.data_fault_ns += 18 * NS_PER_MS;
	explain(20, 1);
	check_faults(12, 8);
	check_states(0, 0);
	explain(20, 0);
	check_faults(0, 10);
	check_states(9, 1);
}
END_TEST

START_TEST(waits_for_pages_that_were_not_read_are_of_the_next_break)
{
	waits.text_fault_ns += 12 * NS_PER_MS;
	waits_fail = true;
	explain(20, 0);
	check_faults(0, 0);
	waits_fail = false;
	explain(20, 0);
	check_faults(12, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("thread_breaks_queue");
	TCase *tests = tcase_create("queue");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, a_break_has_its_wait_for_a_cpu);
	tcase_add_test(tests, a_wait_that_is_longer_than_its_break_is_also_of_the_next);
	tcase_add_test(tests, a_wait_that_was_not_read_is_of_no_later_break);
	tcase_add_test(tests, an_account_that_goes_back_is_another_one);
	tcase_add_test(tests, a_break_has_its_waits_for_pages);
	tcase_add_test(tests,
	               waits_for_pages_that_are_longer_than_their_break_are_also_of_the_next);
	tcase_add_test(tests, waits_for_pages_that_were_not_read_are_of_the_next_break);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
