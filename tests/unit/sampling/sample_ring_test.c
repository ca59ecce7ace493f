/* marks: timed, loops, not_emulated */
/*
 * Tests of the sample ring: in one thread at every position, and between a producer and a
 * consumer thread.
 */
#include "os_load.h"
#include "sampling/sample_ring.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The guaranteed capacity in samples of full depth. */
#define FULL_DEPTH_SAMPLES 32

/* ---- samples whose contents can be checked ----------------------------- */

/* A sample's depth and contents are computed from its number. */
static uint32_t depth_of(uint64_t number, uint32_t max_frames)
{
	return (uint32_t)(number * 2654435761u % (max_frames + 1));
}

static void fill_sample(struct raw_sample *sample, uint64_t number, uint32_t depth)
{
	sample->weight = number;
	sample->frame_count = (int32_t)depth;
	for (uint32_t i = 0; i < depth; i++) {
		sample->frames[i].bci = (int32_t)(number + i);
		sample->frames[i].method = (void *)(uintptr_t)(number * 31 + i);
	}
}

static bool is_whole(const struct raw_sample *sample, uint64_t number, uint32_t depth)
{
	if (sample->weight != number || sample->frame_count != (int32_t)depth)
		return false;
	for (uint32_t i = 0; i < depth; i++) {
		if (sample->frames[i].bci != (int32_t)(number + i) ||
		    sample->frames[i].method != (void *)(uintptr_t)(number * 31 + i))
			return false;
	}
	return true;
}

static size_t record_bytes(uint32_t frames)
{
	return sizeof(struct raw_sample) + frames * sizeof(struct raw_frame);
}

static bool produce(struct sample_ring *ring, uint64_t number, uint32_t depth)
{
	struct raw_sample *sample = sample_ring_reserve(ring);
	if (sample == NULL)
		return false;
	QUICK_CHECK((uintptr_t)sample % _Alignof(struct raw_sample) == 0, "sample at %p",
	            (void *)sample);
	fill_sample(sample, number, depth);
	sample_ring_commit(ring, sample);
	return true;
}

static void consume(struct sample_ring *ring, uint64_t number, uint32_t depth)
{
	const struct raw_sample *sample = sample_ring_peek(ring);

	QUICK_CHECK(sample != NULL, "sample %llu is missing", (unsigned long long)number);
	QUICK_CHECK(is_whole(sample, number, depth),
	            "sample %llu has other contents than it was written with",
	            (unsigned long long)number);
	sample_ring_pop(ring, sample);
}

/* ---- one thread ------------------------------------------------------- */

#define MAX_FRAMES 100u

static struct sample_ring ring;

static void make_ring(void)
{
	ck_assert(sample_ring_init(&ring, MAX_FRAMES));
}

static void destroy_ring(void)
{
	sample_ring_destroy(&ring);
}

START_TEST(a_new_ring_is_empty)
{
	ck_assert_ptr_null(sample_ring_peek(&ring));
}
END_TEST

START_TEST(a_sample_is_visible_only_after_its_commit)
{
	struct raw_sample *sample = sample_ring_reserve(&ring);

	ck_assert_ptr_nonnull(sample);
	ck_assert_ptr_null(sample_ring_peek(&ring));
	fill_sample(sample, 7, 3);
	ck_assert_ptr_null(sample_ring_peek(&ring));
	sample_ring_commit(&ring, sample);
	consume(&ring, 7, 3);
	ck_assert_ptr_null(sample_ring_peek(&ring));
}
END_TEST

START_TEST(a_sample_stays_until_it_is_popped)
{
	ck_assert(produce(&ring, 1, 5));
	ck_assert(produce(&ring, 2, 5));
	const struct raw_sample *first = sample_ring_peek(&ring);
	ck_assert_ptr_eq(sample_ring_peek(&ring), first);
	consume(&ring, 1, 5);
	consume(&ring, 2, 5);
}
END_TEST

START_TEST(a_reservation_without_commit_is_returned_again)
{
	struct raw_sample *sample = sample_ring_reserve(&ring);

	fill_sample(sample, 1, MAX_FRAMES);
	ck_assert_ptr_eq(sample_ring_reserve(&ring), sample);
	ck_assert(produce(&ring, 2, 1));
	consume(&ring, 2, 1);
	ck_assert_ptr_null(sample_ring_peek(&ring));
}
END_TEST

START_TEST(a_sample_without_a_stack_keeps_its_reason)
{
	for (int32_t reason = 0; reason >= -10; reason--) {
		struct raw_sample *sample = sample_ring_reserve(&ring);
		ck_assert_ptr_nonnull(sample);
		sample->weight = 3;
		sample->frame_count = reason;
		sample_ring_commit(&ring, sample);
	}
	for (int32_t reason = 0; reason >= -10; reason--) {
		const struct raw_sample *sample = sample_ring_peek(&ring);
		ck_assert_ptr_nonnull(sample);
		ck_assert_int_eq(sample->frame_count, reason);
		ck_assert_uint_eq(sample->weight, 3);
		ck_assert_uint_eq(sample->bytes, sizeof(struct raw_sample));
		sample_ring_pop(&ring, sample);
	}
}
END_TEST

START_TEST(a_sample_takes_only_the_space_of_its_frames)
{
	uint64_t shallow = 0;
	uint64_t deep = 0;

	while (produce(&ring, shallow, 1))
		shallow++;
	for (uint64_t i = 0; i < shallow; i++)
		consume(&ring, i, 1);
	while (produce(&ring, deep, MAX_FRAMES))
		deep++;
	ck_assert_uint_gt(shallow, 32 * deep);
}
END_TEST

START_TEST(a_full_ring_refuses_samples_and_keeps_its_contents)
{
	uint64_t produced = 0;

	while (produce(&ring, produced, depth_of(produced, MAX_FRAMES)))
		produced++;
	ck_assert_uint_ge(produced, FULL_DEPTH_SAMPLES);
	for (int i = 0; i < 10; i++)
		ck_assert_ptr_null(sample_ring_reserve(&ring));
	for (uint64_t i = 0; i < produced; i++)
		consume(&ring, i, depth_of(i, MAX_FRAMES));
	ck_assert_ptr_null(sample_ring_peek(&ring));
	ck_assert(produce(&ring, produced, MAX_FRAMES));
	consume(&ring, produced, MAX_FRAMES);
}
END_TEST

START_TEST(a_ring_reports_when_it_is_more_than_half_full)
{
	uint64_t produced = 0;
	uint64_t consumed = 0;

	while (!sample_ring_is_half_full(&ring)) {
		ck_assert_uint_le(produced * record_bytes(1), ring.size / 2);
		ck_assert(produce(&ring, produced++, 1));
	}
	ck_assert_uint_gt(produced * record_bytes(1), ring.size / 2);
	consume(&ring, consumed++, 1);
	ck_assert(!sample_ring_is_half_full(&ring));
	while (produce(&ring, produced, 1))
		produced++;
	ck_assert(sample_ring_is_half_full(&ring));
	while (consumed < produced)
		consume(&ring, consumed++, 1);
	ck_assert(!sample_ring_is_half_full(&ring));
}
END_TEST

/* Samples are consumed in order at any fill level. */
START_TEST(order_is_kept_at_every_fill_level)
{
	uint64_t produced = 0;
	uint64_t consumed = 0;

	for (uint32_t level = 0; level < 60; level++) {
		while (produced - consumed < level &&
		       produce(&ring, produced, depth_of(produced, MAX_FRAMES)))
			produced++;
		for (int i = 0; i < 3000; i++) {
			if (produce(&ring, produced, depth_of(produced, MAX_FRAMES)))
				produced++;
			consume(&ring, consumed, depth_of(consumed, MAX_FRAMES));
			consumed++;
		}
	}
	while (consumed < produced) {
		consume(&ring, consumed, depth_of(consumed, MAX_FRAMES));
		consumed++;
	}
	ck_assert_ptr_null(sample_ring_peek(&ring));
	ck_assert_uint_gt(produced, 100000);
}
END_TEST

/* ---- every position --------------------------------------------------- */

/* Moves an empty ring to a position that occurs in use. */
static void move_to(struct sample_ring *moved, size_t position)
{
	atomic_store(&moved->head, position);
	atomic_store(&moved->tail, position);
}

/* Fills and empties the ring; returns the number of samples it held. */
static uint64_t fill_and_empty(struct sample_ring *filled, uint64_t first, uint32_t max_frames,
                               bool full_depth)
{
	uint64_t produced = first;
	uint64_t consumed = first;

	while (produce(filled, produced, full_depth ? max_frames : depth_of(produced, max_frames)))
		produced++;
	for (; consumed < produced; consumed++)
		consume(filled, consumed, full_depth ? max_frames : depth_of(consumed, max_frames));
	ck_assert_ptr_null(sample_ring_peek(filled));
	return produced - first;
}

static const uint32_t wrapping_depths[] = {1, 4, 100, 1024};

START_TEST(a_ring_wraps_at_every_position)
{
	uint32_t depth = wrapping_depths[_i];
	struct sample_ring tried;

	ck_assert(sample_ring_init(&tried, depth));
	/* A record starts only where the largest record fits. */
	size_t last = tried.size - record_bytes(depth);
	for (size_t at = 0; at <= last; at += sizeof(struct raw_frame)) {
		move_to(&tried, at);
		ck_assert_uint_ge(fill_and_empty(&tried, at, depth, false), FULL_DEPTH_SAMPLES);
		move_to(&tried, at + 3 * tried.size);
		ck_assert_uint_ge(fill_and_empty(&tried, at, depth, true), FULL_DEPTH_SAMPLES);
	}
	sample_ring_destroy(&tried);
}
END_TEST

START_TEST(a_reservation_across_the_end_is_not_visible)
{
	size_t short_of_end = ring.size - record_bytes(MAX_FRAMES) + sizeof(struct raw_frame);

	move_to(&ring, short_of_end);
	struct raw_sample *sample = sample_ring_reserve(&ring);
	ck_assert_ptr_eq(sample, ring.memory);
	ck_assert_ptr_null(sample_ring_peek(&ring));
	ck_assert_ptr_eq(sample_ring_reserve(&ring), sample);
	fill_sample(sample, 9, MAX_FRAMES);
	sample_ring_commit(&ring, sample);
	consume(&ring, 9, MAX_FRAMES);
}
END_TEST

/* ---- depths ----------------------------------------------------------- */

static const uint32_t depths[] = {0,    1,    2,    3,    7,     64,    255,  1023,
                                  1024, 1025, 4095, 4096, 32767, 65534, 65535};

START_TEST(a_ring_of_any_depth_holds_its_deepest_samples)
{
	struct sample_ring deep;

	ck_assert(sample_ring_init(&deep, depths[_i]));
	for (uint64_t round = 0; round < 6; round++) {
		ck_assert_uint_ge(fill_and_empty(&deep, round, depths[_i], true),
		                  FULL_DEPTH_SAMPLES);
		ck_assert_uint_ge(fill_and_empty(&deep, round, depths[_i], false),
		                  FULL_DEPTH_SAMPLES);
	}
	sample_ring_destroy(&deep);
}
END_TEST

START_TEST(a_ring_may_be_destroyed_twice)
{
	struct sample_ring short_lived;

	ck_assert(sample_ring_init(&short_lived, 4));
	sample_ring_destroy(&short_lived);
	sample_ring_destroy(&short_lived);
}
END_TEST

/* ---- two threads ------------------------------------------------------ */

struct producer {
	struct sample_ring ring;
	uint32_t max_frames;
	uint64_t samples; /* to produce */
	uint64_t refused; /* number of times that the ring was full */
	atomic_bool done;
};

static void run_producer(void *arg)
{
	struct producer *producer = arg;

	for (uint64_t number = 0; number < producer->samples;) {
		struct raw_sample *sample = sample_ring_reserve(&producer->ring);
		if (sample == NULL) {
			producer->refused++;
			os_sleep_until(os_monotonic_ns() + 1000);
			continue;
		}
		fill_sample(sample, number, depth_of(number, producer->max_frames));
		sample_ring_commit(&producer->ring, sample);
		number++;
	}
	atomic_store(&producer->done, true);
}

/* Consumes samples until the producer has ended, with pauses so that the ring fills up.
 * Returns the number of samples. */
static uint64_t drain_all(struct producer *producer)
{
	uint64_t consumed = 0;

	while (true) {
		bool done = atomic_load(&producer->done);
		const struct raw_sample *sample = sample_ring_peek(&producer->ring);
		if (sample == NULL) {
			if (done)
				return consumed;
			continue;
		}
		QUICK_CHECK(is_whole(sample, consumed, depth_of(consumed, producer->max_frames)),
		            "sample %llu has other contents than it was written with",
		            (unsigned long long)consumed);
		sample_ring_pop(&producer->ring, sample);
		consumed++;
		if (consumed % 50000 == 0)
			sleep_ms(2);
	}
}

static const uint32_t shared_depths[] = {1, 8, 128, 1500};

START_TEST(one_thread_produces_and_another_consumes_in_order)
{
	static struct producer producer;
	struct os_thread_handle handle;

	memset(&producer, 0, sizeof(producer));
	producer.max_frames = shared_depths[_i];
	producer.samples = 2000000 / (producer.max_frames + 10);
	ck_assert(sample_ring_init(&producer.ring, producer.max_frames));
	ck_assert_int_eq(os_thread_start(&handle, run_producer, &producer), 0);
	uint64_t consumed = drain_all(&producer);
	os_thread_join(&handle);
	ck_assert_uint_eq(consumed, producer.samples);
	sample_ring_destroy(&producer.ring);
}
END_TEST

#define COUNT(cases) ((int)(sizeof(cases) / sizeof((cases)[0])))

int main(void)
{
	Suite *suite = suite_create("sample_ring");
	TCase *alone = tcase_create("one thread");
	TCase *positions = tcase_create("positions and depths");
	TCase *shared = tcase_create("two threads");

	tcase_set_timeout(alone, 60);
	tcase_add_checked_fixture(alone, make_ring, destroy_ring);
	tcase_add_test(alone, a_new_ring_is_empty);
	tcase_add_test(alone, a_sample_is_visible_only_after_its_commit);
	tcase_add_test(alone, a_sample_stays_until_it_is_popped);
	tcase_add_test(alone, a_reservation_without_commit_is_returned_again);
	tcase_add_test(alone, a_sample_without_a_stack_keeps_its_reason);
	tcase_add_test(alone, a_sample_takes_only_the_space_of_its_frames);
	tcase_add_test(alone, a_full_ring_refuses_samples_and_keeps_its_contents);
	tcase_add_test(alone, a_ring_reports_when_it_is_more_than_half_full);
	tcase_add_test(alone, order_is_kept_at_every_fill_level);
	tcase_add_test(alone, a_reservation_across_the_end_is_not_visible);
	tcase_set_timeout(positions, 120);
	tcase_add_loop_test(positions, a_ring_wraps_at_every_position, 0, COUNT(wrapping_depths));
	tcase_add_loop_test(positions, a_ring_of_any_depth_holds_its_deepest_samples, 0,
	                    COUNT(depths));
	tcase_add_test(positions, a_ring_may_be_destroyed_twice);
	tcase_set_timeout(shared, 60);
	tcase_add_loop_test(shared, one_thread_produces_and_another_consumes_in_order, 0,
	                    COUNT(shared_depths));
	suite_add_tcase(suite, alone);
	suite_add_tcase(suite, positions);
	suite_add_tcase(suite, shared);
	return run_suite(suite);
}
