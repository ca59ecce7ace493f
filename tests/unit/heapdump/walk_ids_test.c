/*
 * Tests of the ids of a heap walk: an object keeps its id and its trace, an array its length,
 * and tags of a walk are distinct from those of traces.
 */
#include "alloc/initial_objects.h"
#include "heapdump/walk_ids.h"
#include "model/traces.h"
#include "run_suite.h"
#include "vm/class_registry.h"

static struct object_ids source;
static struct walk_ids ids;

static void set_up(void)
{
	object_ids_init(&source);
	walk_ids_init(&ids, &source);
}

static void tear_down(void)
{
	walk_ids_free(&ids);
}

START_TEST(an_object_keeps_its_id)
{
	jlong first = 0;
	jlong second = 0;
	uint64_t id = walk_ids_assign(&ids, &first, -1);

	ck_assert_uint_ne(id, 0);
	ck_assert(walk_ids_is_tag(first));
	ck_assert_uint_eq(walk_ids_of_tag(first), id);
	ck_assert_uint_eq(walk_ids_assign(&ids, &first, -1), id);
	ck_assert_uint_ne(walk_ids_assign(&ids, &second, -1), id);
	ck_assert_uint_eq(ids.count, 2);
}
END_TEST

START_TEST(an_object_keeps_the_trace_of_its_tag)
{
	jlong traced = TRACE_TAG_BIT | 300042;
	jlong plain = 0;

	ck_assert(!walk_ids_is_tag(traced));
	uint64_t id = walk_ids_assign(&ids, &traced, -1);
	ck_assert(walk_ids_is_tag(traced));
	ck_assert_uint_eq(walk_ids_trace(&ids, id), 300042);
	id = walk_ids_assign(&ids, &plain, -1);
	ck_assert_uint_eq(walk_ids_trace(&ids, id), TRACE_SERIAL_EMPTY);
}
END_TEST

/* Other tags are those of other work on the heap, such as a count by class and size. */
START_TEST(only_the_tag_of_a_trace_becomes_a_trace)
{
	const jlong others[] = {
	        INITIAL_OBJECTS_TAG,
	        INITIAL_OBJECTS_TAG | (jlong)17 << 32 | 3,
	        TRACE_TAG_BIT | INITIAL_OBJECTS_TAG | 3,
	        TRACE_TAG_BIT | (jlong)1 << 32 | 3,
	        (jlong)CLASS_TAG_END | 3,
	        INT64_MIN,
	        INT64_MIN | 3,
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		jlong tag = others[i];
		ck_assert(!is_trace_tag(tag));
		uint64_t id = walk_ids_assign(&ids, &tag, -1);
		ck_assert(walk_ids_is_tag(tag));
		ck_assert_uint_eq(walk_ids_trace(&ids, id), TRACE_SERIAL_EMPTY);
	}
	ck_assert(is_trace_tag(TRACE_TAG_BIT | TRACE_SERIAL_EMPTY));
	ck_assert(!is_trace_tag(walk_ids_tag(3)));
}
END_TEST

START_TEST(an_array_keeps_its_length)
{
	jlong array = 0;
	jlong object = 0;
	uint64_t id = walk_ids_assign(&ids, &array, 7);

	ck_assert_uint_eq(walk_ids_length(&ids, id), 7);
	(void)walk_ids_assign(&ids, &array, 9);
	ck_assert_uint_eq(walk_ids_length(&ids, id), 7);
	id = walk_ids_assign(&ids, &object, -1);
	ck_assert_uint_eq(walk_ids_length(&ids, id), 0);
}
END_TEST

/* Ids of threads are given by their number and lie below all others. */
START_TEST(an_id_that_is_not_in_the_table_has_the_empty_trace)
{
	uint64_t thread = object_id_of_thread(42);

	ck_assert_uint_eq(walk_ids_of_tag(walk_ids_tag(thread)), thread);
	ck_assert_uint_eq(walk_ids_trace(&ids, thread), TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(walk_ids_length(&ids, thread), 0);
	ck_assert_uint_eq(walk_ids_trace(&ids, ids.first + 5), TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(walk_ids_trace(&ids, UINT64_MAX), TRACE_SERIAL_EMPTY);
}
END_TEST

START_TEST(the_table_grows_by_pieces)
{
	jlong tag = 0;
	uint64_t last = 0;

	for (int i = 0; i < WALK_PIECE_OBJECTS + 2; i++) {
		tag = TRACE_TAG_BIT | (300001 + i % 3);
		last = walk_ids_assign(&ids, &tag, i);
		ck_assert_uint_ne(last, 0);
	}
	ck_assert_uint_eq(walk_ids_length(&ids, last), WALK_PIECE_OBJECTS + 1);
	ck_assert_uint_eq(walk_ids_trace(&ids, last), 300001 + (WALK_PIECE_OBJECTS + 1) % 3);
	ck_assert_uint_eq(walk_ids_length(&ids, last - WALK_PIECE_OBJECTS), 1);
}
END_TEST

START_TEST(a_full_table_gives_no_id)
{
	jlong tag = 0;

	atomic_store(&source.last, ids.first + (uint64_t)WALK_PIECE_OBJECTS * WALK_PIECES_MAX - 1);
	ck_assert_uint_eq(walk_ids_assign(&ids, &tag, -1), 0);
	ck_assert_int_eq(tag, 0);
	ck_assert_uint_eq(ids.count, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("walk ids");
	TCase *tests = tcase_create("ids");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, an_object_keeps_its_id);
	tcase_add_test(tests, an_object_keeps_the_trace_of_its_tag);
	tcase_add_test(tests, only_the_tag_of_a_trace_becomes_a_trace);
	tcase_add_test(tests, an_array_keeps_its_length);
	tcase_add_test(tests, an_id_that_is_not_in_the_table_has_the_empty_trace);
	tcase_add_test(tests, the_table_grows_by_pieces);
	tcase_add_test(tests, a_full_table_gives_no_id);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
