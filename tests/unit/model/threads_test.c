/*
 * Tests of the thread table.
 */
#include "model/threads.h"
#include "run_suite.h"

#include <stdlib.h>
#include <string.h>

static struct object_ids ids;
static struct string_table *strings;
static struct thread_table *threads;

static void make_tables(void)
{
	object_ids_init(&ids);
	strings = string_table_create();
	ck_assert_ptr_nonnull(strings);
	threads = thread_table_create(strings, &ids);
	ck_assert_ptr_nonnull(threads);
}

static void destroy_tables(void)
{
	thread_table_destroy(threads);
	string_table_destroy(strings);
}

START_TEST(serials_count_up_from_the_first)
{
	for (uint32_t i = 1; i <= 100; i++)
		ck_assert_uint_eq(thread_table_next_serial(threads), THREAD_SERIAL_BASE + i);
}
END_TEST

START_TEST(a_record_has_the_fields_of_the_thread)
{
	struct thread_record *thread =
	        thread_table_add(threads, 200007, 0, "main", "workers", "system");

	ck_assert_ptr_nonnull(thread);
	ck_assert_uint_eq(thread->serial, 200007);
	ck_assert_uint_eq(thread->object_id, OBJECT_ID_BASE + 1);
	ck_assert_str_eq(thread->name->text, "main");
	ck_assert_str_eq(thread->group->text, "workers");
	ck_assert_str_eq(thread->parent_group->text, "system");
}
END_TEST

START_TEST(a_thread_can_have_another_name)
{
	struct thread_record *thread =
	        thread_table_add(threads, 200007, 0, "main", "workers", "system");

	ck_assert(!thread_table_rename(threads, thread, "main"));
	ck_assert(thread_table_rename(threads, thread, "task"));
	ck_assert_str_eq(thread->name->text, "task");
	ck_assert(!thread_table_rename(threads, thread, "task"));
	ck_assert(thread_table_rename(threads, thread, NULL));
	ck_assert_str_eq(thread->name->text, "");
	ck_assert_uint_eq(thread->serial, 200007);
	ck_assert_uint_eq(thread->object_id, OBJECT_ID_BASE + 1);
	ck_assert_str_eq(thread->group->text, "workers");
}
END_TEST

/* So a dump knows the id of an ended thread's object. */
START_TEST(the_object_id_is_derived_from_the_thread_id)
{
	static const uint64_t tids[] = {1, 42, 0x0fffffff};

	for (size_t i = 0; i < 3; i++) {
		struct thread_record *thread =
		        thread_table_add(threads, 200001, tids[i], NULL, NULL, NULL);
		ck_assert_ptr_nonnull(thread);
		ck_assert_uint_eq(thread->object_id, 0x40000000 + tids[i]);
		ck_assert_uint_eq(object_id_of_thread(tids[i]), thread->object_id);
	}
	ck_assert_uint_eq(object_id_of_thread(0), 0);
	ck_assert_uint_eq(object_id_of_thread(0x10000000), 0);
	ck_assert_uint_eq(object_id_of_thread(UINT64_MAX), 0);
	ck_assert_uint_eq(thread_table_add(threads, 200002, 0x10000000, "t", NULL, NULL)->object_id,
	                  OBJECT_ID_BASE + 1);
}
END_TEST

START_TEST(names_that_are_missing_are_empty)
{
	struct thread_record *thread = thread_table_add(threads, 200001, 0, NULL, NULL, NULL);

	ck_assert_ptr_nonnull(thread);
	ck_assert_str_eq(thread->name->text, "");
	ck_assert_ptr_eq(thread->group, thread->name);
	ck_assert_ptr_eq(thread->parent_group, thread->name);
}
END_TEST

START_TEST(names_are_plain_utf8)
{
	struct thread_record *thread = thread_table_add(
	        threads, 200001, 0, "\xed\xa0\xbd\xed\xb8\x80", "\xff", "a\xc0\x80");

	ck_assert_ptr_nonnull(thread);
	ck_assert_str_eq(thread->name->text, "\xf0\x9f\x98\x80");
	ck_assert_str_eq(thread->group->text, "\xef\xbf\xbd");
	ck_assert_uint_eq(thread->parent_group->length, 2);
}
END_TEST

START_TEST(threads_of_one_name_stay_apart)
{
	struct thread_record *a = thread_table_add(threads, 200001, 0, "pool", "main", "system");
	struct thread_record *b = thread_table_add(threads, 200002, 0, "pool", "main", "system");

	ck_assert_ptr_ne(a, b);
	ck_assert_uint_ne(a->object_id, b->object_id);
	ck_assert_ptr_eq(a->name, b->name);
}
END_TEST

/* Removes the first, last and middle entries; the others stay unchanged, and destroying the
 * table frees them. */
START_TEST(threads_may_end_in_any_order)
{
	struct thread_record *added[5];

	for (uint32_t i = 0; i < 5; i++)
		added[i] = thread_table_add(threads, 200001 + i, 0, "t", NULL, NULL);
	thread_table_remove(threads, added[0]);
	thread_table_remove(threads, added[4]);
	thread_table_remove(threads, added[2]);
	ck_assert_uint_eq(added[1]->serial, 200002);
	ck_assert_uint_eq(added[3]->serial, 200004);
	thread_table_remove(threads, added[1]);
	thread_table_remove(threads, added[3]);
	struct thread_record *late = thread_table_add(threads, 200006, 0, "late", NULL, NULL);
	ck_assert_uint_eq(late->object_id, OBJECT_ID_BASE + 6);
	ck_assert_ptr_nonnull(thread_table_add(threads, 200007, 0, "later", NULL, NULL));
}
END_TEST

START_TEST(serials_and_object_ids_are_not_used_again)
{
	uint32_t serial = thread_table_next_serial(threads);
	struct thread_record *thread = thread_table_add(threads, serial, 0, "t", NULL, NULL);
	uint64_t object_id = thread->object_id;

	thread_table_remove(threads, thread);
	ck_assert_uint_eq(thread_table_next_serial(threads), serial + 1);
	ck_assert_uint_eq(thread_table_add(threads, serial + 1, 0, "t", NULL, NULL)->object_id,
	                  object_id + 1);
}
END_TEST

START_TEST(no_table_is_nothing_to_destroy)
{
	thread_table_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("model_threads");
	TCase *tests = tcase_create("threads");

	tcase_add_checked_fixture(tests, make_tables, destroy_tables);
	tcase_add_test(tests, serials_count_up_from_the_first);
	tcase_add_test(tests, a_record_has_the_fields_of_the_thread);
	tcase_add_test(tests, a_thread_can_have_another_name);
	tcase_add_test(tests, the_object_id_is_derived_from_the_thread_id);
	tcase_add_test(tests, names_that_are_missing_are_empty);
	tcase_add_test(tests, names_are_plain_utf8);
	tcase_add_test(tests, threads_of_one_name_stay_apart);
	tcase_add_test(tests, threads_may_end_in_any_order);
	tcase_add_test(tests, serials_and_object_ids_are_not_used_again);
	tcase_add_test(tests, no_table_is_nothing_to_destroy);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
