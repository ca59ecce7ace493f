/*
 * Tests of what a thread knows of its breaks, with the system's own accounts.
 */
#include "calls/thread_breaks.h"
#include "run_suite.h"

#include <string.h>

#define SLEEP_NS UINT64_C(30000000)
#define HOUR_NS UINT64_C(3600000000000)

static struct vm_pauses pauses;
enum { NODE = 5 };

static struct thread_breaks breaks;
static struct break_charge charge;
static uint64_t states_ns[OFF_CPU_STATES];
static uint64_t queued_ns; /* for a CPU, since the explanation before the last one */

static void set_up(void)
{
	memset(&pauses, 0, sizeof(pauses));
	memset(&breaks, 0, sizeof(breaks));
	thread_breaks_start(&breaks, &pauses);
	charge = (struct break_charge){.breaks = &breaks, .node = NODE};
}

static void tear_down(void)
{
	thread_breaks_end(&breaks);
	thread_breaks_end(&breaks);
}

/* Sleeps, and explains the time off the CPU; returns it. */
static uint64_t explain_sleep(void)
{
	uint64_t wall_ns = os_monotonic_ns();
	uint64_t cpu_ns = os_self_cpu_ns();

	os_sleep_until(wall_ns + SLEEP_NS);
	uint64_t ns = os_monotonic_ns() - wall_ns - (os_self_cpu_ns() - cpu_ns);
	memset(states_ns, 0, sizeof(states_ns));
	uint64_t before_ns = breaks.queued_ns;
	thread_breaks_explain(&charge, ns, states_ns);
	queued_ns = breaks.queued_ns - before_ns;
	uint64_t sum_ns = 0;
	for (int i = 0; i < OFF_CPU_STATES; i++)
		sum_ns += states_ns[i];
	ck_assert_uint_eq(sum_ns, ns);
	return ns;
}

/* At the end of its sleep the thread can wait for a CPU, as before it, and on a busy machine for
 * longer than it sleeps. */
static void check_rest(enum off_cpu_state state, uint64_t ns)
{
	ck_assert_uint_eq(states_ns[state] + states_ns[OFF_LAT], ns);
	ck_assert_uint_eq(states_ns[OFF_LAT], queued_ns < ns ? queued_ns : ns);
}

START_TEST(a_break_has_the_cause_that_was_announced)
{
	check_rest(OFF_SLP, explain_sleep());
	thread_breaks_announce(&breaks, NODE, WAIT_IO);
	ck_assert_int_eq(thread_breaks_cause(&breaks, NODE), WAIT_IO);
	ck_assert_int_eq(thread_breaks_cause(&breaks, NODE + 1), WAIT_NONE);
	check_rest(OFF_IO, explain_sleep());
	thread_breaks_announce(&breaks, NODE, WAIT_LOCK);
	check_rest(OFF_LCK, explain_sleep());
	check_rest(OFF_SLP, explain_sleep());
	thread_breaks_announce(&breaks, NODE, WAIT_LOCK);
	thread_breaks_announce(&breaks, NODE, WAIT_NONE);
	check_rest(OFF_SLP, explain_sleep());
}
END_TEST

START_TEST(breaks_of_other_nodes_leave_an_announced_one)
{
	thread_breaks_announce(&breaks, NODE, WAIT_IO);
	charge.node = NODE + 1;
	check_rest(OFF_SLP, explain_sleep());
	charge.node = NODE;
	check_rest(OFF_IO, explain_sleep());
}
END_TEST

START_TEST(all_breaks_of_a_call_have_its_cause)
{
	thread_breaks_calls(&breaks, NODE, WAIT_IO);
	ck_assert_int_eq(thread_breaks_cause(&breaks, NODE), WAIT_IO);
	ck_assert_int_eq(thread_breaks_cause(&breaks, NODE + 1), WAIT_NONE);
	check_rest(OFF_IO, explain_sleep());
	check_rest(OFF_IO, explain_sleep());
	thread_breaks_returned(&breaks, NODE);
	ck_assert_int_eq(thread_breaks_cause(&breaks, NODE), WAIT_NONE);
	check_rest(OFF_SLP, explain_sleep());
}
END_TEST

/* The VM links the native method: stops the thread, and runs Java code that waits for a lock. */
START_TEST(breaks_before_its_wait_leave_the_cause_of_a_call)
{
	thread_breaks_calls(&breaks, NODE, WAIT_IO);
	(void)explain_sleep();
	charge.node = NODE + 1;
	check_rest(OFF_SLP, explain_sleep());
	thread_breaks_announce(&breaks, NODE + 1, WAIT_LOCK);
	check_rest(OFF_LCK, explain_sleep());
	thread_breaks_announce(&breaks, NODE + 1, WAIT_NONE);
	thread_breaks_returned(&breaks, NODE + 1);
	charge.node = NODE;
	check_rest(OFF_IO, explain_sleep());
}
END_TEST

/* As a virtual thread takes along to another carrier. */
START_TEST(waits_that_leave_are_of_other_breaks)
{
	struct thread_breaks other = {0};
	uint32_t node;

	thread_breaks_calls(&breaks, NODE, WAIT_IO);
	thread_breaks_announce(&breaks, NODE, WAIT_LOCK);
	struct thread_waits waits = thread_breaks_leave(&breaks);
	ck_assert_int_eq(thread_breaks_cause(&breaks, NODE), WAIT_NONE);
	thread_breaks_resume(&other, &waits);
	ck_assert_int_eq(thread_breaks_cause(&other, NODE), WAIT_LOCK);
	ck_assert_int_eq(thread_breaks_called(&other, &node), WAIT_IO);
	ck_assert_uint_eq(node, NODE);
	thread_breaks_returned(&other, NODE);
	ck_assert_int_eq(thread_breaks_called(&other, &node), WAIT_NONE);
}
END_TEST

START_TEST(a_monitor_in_a_call_has_the_next_break)
{
	thread_breaks_calls(&breaks, NODE, WAIT_IO);
	thread_breaks_announce(&breaks, NODE, WAIT_LOCK);
	check_rest(OFF_LCK, explain_sleep());
	check_rest(OFF_IO, explain_sleep());
}
END_TEST

START_TEST(a_collection_explains_the_break_in_which_it_ended)
{
	vm_pauses_collection_started(&pauses);
	vm_pauses_collection_finished(&pauses);
	/* Longer than the sleep, however late that ends. */
	atomic_fetch_add(&pauses.collected_ns, HOUR_NS);
	check_rest(OFF_STW, explain_sleep());
	check_rest(OFF_SLP, explain_sleep());
}
END_TEST

START_TEST(breaks_that_are_skipped_explain_nothing)
{
	vm_pauses_collection_started(&pauses);
	vm_pauses_collection_finished(&pauses);
	os_sleep_until(os_monotonic_ns() + SLEEP_NS);
	thread_breaks_skip(&breaks);
	check_rest(OFF_SLP, explain_sleep());
	ck_assert_uint_eq(states_ns[OFF_STW], 0);
}
END_TEST

START_TEST(the_time_of_interrupts_is_not_looked_at)
{
	thread_breaks_announce(&breaks, NODE, WAIT_IO);
	memset(states_ns, 0, sizeof(states_ns));
	thread_breaks_explain(&charge, 500, states_ns);
	ck_assert_uint_eq(states_ns[breaks.has_queue ? OFF_LAT : OFF_SLP], 500);
}
END_TEST

static Suite *thread_breaks_suite(void)
{
	Suite *suite = suite_create("thread_breaks");
	TCase *tc = tcase_create("thread_breaks");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_break_has_the_cause_that_was_announced);
	tcase_add_test(tc, breaks_of_other_nodes_leave_an_announced_one);
	tcase_add_test(tc, all_breaks_of_a_call_have_its_cause);
	tcase_add_test(tc, breaks_before_its_wait_leave_the_cause_of_a_call);
	tcase_add_test(tc, a_monitor_in_a_call_has_the_next_break);
	tcase_add_test(tc, waits_that_leave_are_of_other_breaks);
	tcase_add_test(tc, a_collection_explains_the_break_in_which_it_ended);
	tcase_add_test(tc, breaks_that_are_skipped_explain_nothing);
	tcase_add_test(tc, the_time_of_interrupts_is_not_looked_at);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(thread_breaks_suite());
}
