/* marks: timed */
/*
 * Tests of the fence on all threads: of two threads that each store and then load what the other
 * stores, at least one sees the other's store, although only one of them has a fence.
 */
#include "os/os.h"
#include "rounds.h"
#include "run_suite.h"

enum { LINE_BYTES = 64 };

static struct line {
	_Alignas(LINE_BYTES) _Atomic uint32_t value;
} here, there, begun, ended;

/* What the other thread has seen of here. */
static _Atomic uint32_t seen_there;

/* Stores and loads without a fence. */
static void do_without(void *argument)
{
	uint32_t round = 0;
	(void)argument;
	while ((round = rounds_next(&begun.value, round)) != ROUNDS_LAST) {
		atomic_store_explicit(&there.value, round, memory_order_relaxed);
		atomic_signal_fence(memory_order_seq_cst);
		uint32_t seen = atomic_load_explicit(&here.value, memory_order_relaxed);
		atomic_store_explicit(&seen_there, seen, memory_order_relaxed);
		atomic_store(&ended.value, round);
	}
}

START_TEST(a_thread_without_a_fence_is_seen_or_sees)
{
	struct os_thread_handle thread;
	uint32_t missed = 0;
	uint32_t refused = 0;
	uint32_t round = 0;

	ck_assert(!os_can_fence_threads());
	os_prepare_thread_fence();
	if (!os_can_fence_threads())
		return;
	ck_assert_int_eq(os_thread_start(&thread, do_without, NULL), 0);
	uint64_t end_ns = os_monotonic_ns() + ROUNDS_NS;
	while (os_monotonic_ns() < end_ns) {
		round++;
		atomic_store(&begun.value, round);
		rounds_wait(round % ROUNDS_STEPS);
		atomic_store_explicit(&here.value, round, memory_order_relaxed);
		refused += !os_fence_threads();
		uint32_t seen = atomic_load_explicit(&there.value, memory_order_relaxed);
		while (atomic_load(&ended.value) != round)
			;
		missed += seen != round &&
		          atomic_load_explicit(&seen_there, memory_order_relaxed) != round;
	}
	atomic_store(&begun.value, ROUNDS_LAST);
	os_thread_join(&thread);
	ck_assert_uint_eq(refused, 0);
	ck_assert_uint_eq(missed, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("thread_fence");
	TCase *tests = tcase_create("thread_fence");

	tcase_add_test(tests, a_thread_without_a_fence_is_seen_or_sees);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
