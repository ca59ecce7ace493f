/* marks: timed, tsan */
/*
 * Tests of active callbacks: a wait ends only when every callback that was active has left.
 */
#include "vm/active_callbacks.h"
#include "rounds.h"
#include "run_suite.h"

#include "os/os.h"

#include <stdatomic.h>

static atomic_bool inside;
static atomic_bool leave;

static void stay(void *argument)
{
	(void)argument;
	active_callbacks_enter(&inside);
	active_callbacks_enter(&inside); /* it may nest */
	active_callbacks_leave(&inside);
	atomic_store(&inside, true);
	while (!atomic_load(&leave))
		os_sleep_until(os_monotonic_ns() + 100000);
	active_callbacks_leave(&inside);
}

START_TEST(nobody_is_waited_for_when_nobody_is_inside)
{
	ck_assert(active_callbacks_wait(0));
	active_callbacks_enter(&inside);
	active_callbacks_leave(&inside);
	ck_assert(active_callbacks_wait(0));
}
END_TEST

START_TEST(who_is_inside_is_waited_for)
{
	struct os_thread_handle thread;

	ck_assert_int_eq(os_thread_start(&thread, stay, NULL), 0);
	while (!atomic_load(&inside))
		os_sleep_until(os_monotonic_ns() + 100000);
	bool too_soon = active_callbacks_wait(5);
	atomic_store(&leave, true);
	bool in_time = active_callbacks_wait(10000);
	os_thread_join(&thread);
	ck_assert(!too_soon);
	ck_assert(in_time);
}
END_TEST

static void come_and_go(void *argument)
{
	for (int i = 0; i < 100000; i++) {
		active_callbacks_enter(argument);
		active_callbacks_leave(argument);
	}
}

START_TEST(many_threads_that_come_and_go_leave_nobody_behind)
{
	enum { THREADS = 8 };
	struct os_thread_handle threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(
		        os_thread_start(&threads[i], come_and_go, i % 2 == 0 ? &threads[i] : NULL),
		        0);
	for (int i = 0; i < THREADS; i++)
		os_thread_join(&threads[i]);
	ck_assert(active_callbacks_wait(0));
}
END_TEST

/* ---- a thread whose callbacks are counted without atomic additions ------------- */

static struct {
	_Atomic uint32_t begun;
	_Atomic uint32_t ended;
	_Atomic uint32_t reachable; /* the round whose profile callbacks find, 0 for none */
	_Atomic uint32_t freed;     /* the last round whose profile is freed */
	_Atomic uint32_t wrong;     /* callbacks that used a freed profile */
} rounds;

static void use_profile(uint32_t round)
{
	active_callbacks_enter(&rounds);
	uint32_t found = atomic_load_explicit(&rounds.reachable, memory_order_relaxed);
	rounds_wait(ROUNDS_STEPS);
	if (found != 0 && atomic_load(&rounds.freed) == round)
		atomic_fetch_add(&rounds.wrong, 1);
	active_callbacks_leave(&rounds);
}

static void use_profiles(void *argument)
{
	uint32_t round = 0;
	(void)argument;
	while ((round = rounds_next(&rounds.begun, round)) != ROUNDS_LAST) {
		use_profile(round);
		atomic_store(&rounds.ended, round);
	}
}

static void prepare(void *argument)
{
	(void)argument;
	os_prepare_thread_fence();
}

/* The thread becomes the owner of its count when threads can be fenced, during the rounds. */
START_TEST(no_callback_of_an_owner_uses_what_is_freed_after_the_wait)
{
	enum { ROUNDS_UNOWNED = 100 };
	struct os_thread_handle thread;
	struct os_thread_handle preparer;
	uint32_t round = 0;
	uint32_t late = 0;

	ck_assert_int_eq(os_thread_start(&thread, use_profiles, NULL), 0);
	uint64_t end_ns = os_monotonic_ns() + ROUNDS_NS;
	while (os_monotonic_ns() < end_ns) {
		round++;
		atomic_store(&rounds.reachable, round);
		atomic_store(&rounds.begun, round);
		rounds_wait(round % ROUNDS_STEPS);
		atomic_store_explicit(&rounds.reachable, 0, memory_order_relaxed);
		if (round == ROUNDS_UNOWNED)
			ck_assert_int_eq(os_thread_start(&preparer, prepare, NULL), 0);
		late += !active_callbacks_wait(10000);
		atomic_store(&rounds.freed, round);
		while (atomic_load(&rounds.ended) != round)
			;
	}
	atomic_store(&rounds.begun, ROUNDS_LAST);
	os_thread_join(&thread);
	os_thread_join(&preparer);
	ck_assert_uint_gt(round, ROUNDS_UNOWNED);
	ck_assert_uint_eq(late, 0);
	ck_assert_uint_eq(atomic_load(&rounds.wrong), 0);
}
END_TEST

/* The first callback makes the thread the owner; those within it and after it are counted
 * elsewhere than its beginning. */
START_TEST(a_first_callback_with_others_inside_is_waited_for_to_its_end)
{
	os_prepare_thread_fence();
	active_callbacks_enter(&inside);
	ck_assert(!active_callbacks_wait(0));
	active_callbacks_enter(&inside);
	active_callbacks_leave(&inside);
	ck_assert(!active_callbacks_wait(0));
	active_callbacks_leave(&inside);
	ck_assert(active_callbacks_wait(0));
	active_callbacks_enter(&inside);
	ck_assert(!active_callbacks_wait(0));
	active_callbacks_leave(&inside);
	ck_assert(active_callbacks_wait(0));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("active_callbacks");
	TCase *tests = tcase_create("active_callbacks");

	tcase_add_test(tests, nobody_is_waited_for_when_nobody_is_inside);
	tcase_add_test(tests, who_is_inside_is_waited_for);
	tcase_add_test(tests, many_threads_that_come_and_go_leave_nobody_behind);
	tcase_add_test(tests, no_callback_of_an_owner_uses_what_is_freed_after_the_wait);
	tcase_add_test(tests, a_first_callback_with_others_inside_is_waited_for_to_its_end);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
