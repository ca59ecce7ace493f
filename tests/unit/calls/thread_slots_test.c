/* marks: tsan */
/*
 * Tests of the table of thread states, which is probed in the same way as by the Java code
 * of the tracker.
 */
#include "calls/thread_slots.h"
#include "quick_check.h"
#include "run_suite.h"

#include <pthread.h>
#include <stdatomic.h>

#define HASH_FACTOR UINT64_C(0x9E3779B97F4A7C15)

struct java_slot {
	_Atomic uint64_t key;
	_Atomic uint64_t state;
};

static struct thread_slots *slots;

static void set_up(void)
{
	slots = thread_slots_create();
	ck_assert_ptr_nonnull(slots);
}

static void tear_down(void)
{
	thread_slots_destroy(slots);
}

static struct java_slot *table(void)
{
	return (struct java_slot *)(uintptr_t)thread_slots_address(slots);
}

static size_t slot_count(void)
{
	return (thread_slots_end_address(slots) - thread_slots_address(slots)) /
	       sizeof(struct java_slot);
}

static size_t first_slot(uint64_t key)
{
	return (size_t)((key * HASH_FACTOR) >> thread_slots_shift(slots));
}

/* As HprofTracker.state(); 0 when that would attach the thread. */
static uint64_t find(uint64_t key)
{
	for (size_t i = first_slot(key); i < slot_count(); i++) {
		uint64_t found = atomic_load_explicit(&table()[i].key, memory_order_relaxed);
		if (found == key)
			return atomic_load_explicit(&table()[i].state, memory_order_relaxed);
		if (found == 0)
			break;
	}
	return 0;
}

/* The nth key, from 0, with the given first slot. */
static uint64_t key_at(size_t slot, unsigned nth)
{
	for (uint64_t key = 0x7f0000000000;; key += 16) {
		if (first_slot(key) == slot && nth-- == 0)
			return key;
	}
}

static void *state_of(uint64_t key)
{
	return (void *)(uintptr_t)(key + 8);
}

static bool enter(uint64_t key)
{
	return thread_slots_enter(slots, key, state_of(key));
}

static bool is_found(uint64_t key)
{
	return find(key) == (uint64_t)(uintptr_t)state_of(key);
}

START_TEST(every_hash_is_a_slot_of_the_table)
{
	ck_assert_uint_eq(slot_count(), UINT64_C(1) << (64 - thread_slots_shift(slots)));
	ck_assert_uint_lt(UINT64_MAX >> thread_slots_shift(slots), slot_count());
}
END_TEST

START_TEST(a_thread_is_found_from_enter_to_leave)
{
	uint64_t key = 0x7f1234567890;

	ck_assert_uint_eq(find(key), 0);
	ck_assert(enter(key));
	ck_assert(is_found(key));
	thread_slots_leave(slots, key);
	ck_assert_uint_eq(find(key), 0);
}
END_TEST

START_TEST(leaving_without_entering_has_no_effect)
{
	ck_assert(enter(0x7f0000001000));
	thread_slots_leave(slots, 0x7f0000002000);
	ck_assert(is_found(0x7f0000001000));
}
END_TEST

START_TEST(threads_with_the_same_hash_are_found_after_others_leave)
{
	uint64_t keys[4];

	for (unsigned i = 0; i < 4; i++) {
		keys[i] = key_at(77, i);
		ck_assert(enter(keys[i]));
	}
	thread_slots_leave(slots, keys[0]);
	thread_slots_leave(slots, keys[2]);
	ck_assert_uint_eq(find(keys[0]), 0);
	ck_assert(is_found(keys[1]));
	ck_assert_uint_eq(find(keys[2]), 0);
	ck_assert(is_found(keys[3]));
	/* Vacant slots are used again. */
	ck_assert(enter(keys[2]));
	ck_assert_uint_eq(table()[77].key, keys[2]);
	ck_assert(is_found(keys[2]));
	ck_assert(is_found(keys[3]));
}
END_TEST

START_TEST(a_reused_address_has_the_state_of_the_new_thread)
{
	uint64_t key = 0x7f0000003000;
	int other;

	ck_assert(enter(key));
	thread_slots_leave(slots, key);
	ck_assert(thread_slots_enter(slots, key, &other));
	ck_assert_uint_eq(find(key), (uint64_t)(uintptr_t)&other);
}
END_TEST

START_TEST(the_last_slot_is_used_and_nothing_past_it)
{
	size_t last = slot_count() - 1;

	ck_assert(enter(key_at(last, 0)));
	ck_assert_uint_eq(table()[last].key, key_at(last, 0));
	ck_assert(!enter(key_at(last, 1)));
	ck_assert_uint_eq(find(key_at(last, 1)), 0);
	ck_assert(is_found(key_at(last, 0)));
}
END_TEST

START_TEST(entering_fails_without_a_slot_and_others_stay)
{
	enum { CROWD = 600 };
	uint64_t keys[CROWD];
	unsigned entered = 0;

	for (uint64_t key = 0x7f0000000000, n = 0; n < CROWD; key += 16) {
		if (first_slot(key) == 100)
			keys[n++] = key;
	}
	while (entered < CROWD && enter(keys[entered]))
		entered++;
	ck_assert_uint_gt(entered, 100);
	ck_assert_uint_lt(entered, CROWD);
	for (unsigned i = 0; i < entered; i++)
		ck_assert(is_found(keys[i]));
	thread_slots_leave(slots, keys[50]);
	ck_assert(enter(keys[entered]));
	ck_assert(is_found(keys[entered]));
}
END_TEST

START_TEST(thousands_of_threads_are_found)
{
	enum { THREADS = 4000 };

	for (uint64_t i = 0; i < THREADS; i++)
		ck_assert(enter(0x7f0000000000 + i * 0x2000));
	for (uint64_t i = 0; i < THREADS; i++)
		QUICK_CHECK(is_found(0x7f0000000000 + i * 0x2000), "thread %u", (unsigned)i);
}
END_TEST

/* ---- many threads ----------------------------------------------------- */

enum { AT_ONCE = 8, ROUNDS = 20000 };

static _Atomic unsigned lost;

/* All keys are near one slot, so that they collide. */
static void *come_and_go(void *argument)
{
	const uint64_t *key = argument;

	for (int i = 0; i < ROUNDS; i++) {
		if (find(*key) != 0 || !enter(*key) || !is_found(*key))
			atomic_fetch_add(&lost, 1);
		thread_slots_leave(slots, *key);
	}
	return NULL;
}

START_TEST(concurrent_threads_find_their_own_state)
{
	pthread_t threads[AT_ONCE];
	uint64_t keys[AT_ONCE];

	for (unsigned i = 0; i < AT_ONCE; i++)
		keys[i] = key_at(5000, i);
	for (unsigned i = 0; i < AT_ONCE; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, come_and_go, &keys[i]), 0);
	for (unsigned i = 0; i < AT_ONCE; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_uint_eq(lost, 0);
}
END_TEST

START_TEST(a_cleared_table_is_empty_and_usable)
{
	static uint64_t anybody;
	for (uint64_t i = 0; i < 4000; i++)
		ck_assert(enter(0x7f0000000000 + i * 0x2000));
	thread_slots_clear(slots, &anybody);
	for (uint64_t i = 0; i < 4000; i++)
		QUICK_CHECK(find(0x7f0000000000 + i * 0x2000) == 0, "thread %u", (unsigned)i);
	for (uint64_t i = 0; i < 4000; i++)
		ck_assert(enter(0x7f8000000000 + i * 0x2000));
	ck_assert(is_found(0x7f8000000000));
}
END_TEST

START_TEST(destroying_null_has_no_effect)
{
	thread_slots_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("thread_slots");
	TCase *tests = tcase_create("thread_slots");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, every_hash_is_a_slot_of_the_table);
	tcase_add_test(tests, a_thread_is_found_from_enter_to_leave);
	tcase_add_test(tests, leaving_without_entering_has_no_effect);
	tcase_add_test(tests, threads_with_the_same_hash_are_found_after_others_leave);
	tcase_add_test(tests, a_reused_address_has_the_state_of_the_new_thread);
	tcase_add_test(tests, the_last_slot_is_used_and_nothing_past_it);
	tcase_add_test(tests, entering_fails_without_a_slot_and_others_stay);
	tcase_add_test(tests, thousands_of_threads_are_found);
	tcase_add_test(tests, concurrent_threads_find_their_own_state);
	tcase_add_test(tests, a_cleared_table_is_empty_and_usable);
	tcase_add_test(tests, destroying_null_has_no_effect);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
