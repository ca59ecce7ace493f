/* marks: not_emulated */
/*
 * Tests that each allocation of the model may fail: the caller gets NULL, earlier
 * entries stay, and the tables are consistent afterwards. The address sanitizer detects
 * leaks.
 */
#include "failing_allocation.h"
#include "model/model.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS = 200, LONG_NAME = 400 };

/* The results of one round; NULL where an allocation failed. */
struct results {
	const struct string *strings[ITEMS];
	const struct string *converted[ITEMS];
	const struct class_record *classes[ITEMS];
	const struct method *methods[ITEMS];
	const struct frame *frames[ITEMS];
	const struct trace *traces[ITEMS];
	struct thread_record *threads[ITEMS];
};

static struct model model;
static struct results tried;
static struct results again;

static const struct method frame_method = {.vm_id = 1};
static const struct frame stack_frame = {.id = 1, .method = &frame_method};
static const struct frame *const stack[] = {&stack_frame, &stack_frame};

static void intern_names(struct results *results, uint32_t i)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "name %u", i);

	results->strings[i] = string_table_intern(model.strings, text, (size_t)length);
	(void)snprintf(text, sizeof(text), "\xed\xa0\xbd\xed\xb8\x80%u", i);
	results->converted[i] = string_table_intern_jvm(model.strings, text);
}

static void add_class(struct results *results, uint32_t i)
{
	char signature[LONG_NAME + 3];

	/* Some names need an allocation of their own. */
	size_t length = i % 8 == 0 ? LONG_NAME : 3 + i % 40;
	memset(signature, 'c', sizeof(signature));
	signature[0] = 'L';
	signature[length + 1] = ';';
	signature[length + 2] = '\0';
	results->classes[i] = class_table_add(model.classes, signature);
}

/* One item of every kind. */
static void use_tables(struct results *results, uint32_t i)
{
	const struct line_entry lines[] = {{5, 2}, {0, 1}};
	const struct method method = {.vm_id = 100 + i, .line_count = i % 3, .lines = lines};
	bool created = false;

	intern_names(results, i);
	add_class(results, i);
	results->methods[i] = method_table_add(model.methods, &method);
	results->frames[i] = frame_table_intern(model.frames, &frame_method, (int32_t)i);
	results->traces[i] = trace_table_intern(model.traces, stack, 1 + i % 2, 1 + i, &created);
	results->threads[i] = thread_table_add(model.threads, THREAD_SERIAL_BASE + 1 + i, 0,
	                                       "thread", "\xc3\xa4", NULL);
}

#define CHECK(condition, i) QUICK_CHECK(condition, "item %u: not so: %s", i, #condition)

/* Entries that were added during failures are found now. */
static void expect_same(uint32_t i)
{
	CHECK(again.strings[i] == tried.strings[i] || tried.strings[i] == NULL, i);
	CHECK(again.converted[i] == tried.converted[i] || tried.converted[i] == NULL, i);
	CHECK(again.methods[i] == tried.methods[i] || tried.methods[i] == NULL, i);
	CHECK(again.frames[i] == tried.frames[i] || tried.frames[i] == NULL, i);
	CHECK(again.traces[i] == tried.traces[i] || tried.traces[i] == NULL, i);
	CHECK(tried.threads[i] == NULL ||
	              (tried.threads[i]->name != NULL && tried.threads[i]->group != NULL &&
	               tried.threads[i]->parent_group != NULL),
	      i);
	CHECK(tried.classes[i] == NULL ||
	              class_table_find(model.classes, tried.classes[i]->serial) == tried.classes[i],
	      i);
}

/* All entries are found now, with the right contents. */
static void expect_right(uint32_t i)
{
	char text[32];

	CHECK(again.strings[i] != NULL && again.converted[i] != NULL, i);
	(void)snprintf(text, sizeof(text), "name %u", i);
	CHECK(strcmp(again.strings[i]->text, text) == 0, i);
	(void)snprintf(text, sizeof(text), "\xf0\x9f\x98\x80%u", i);
	CHECK(strcmp(again.converted[i]->text, text) == 0, i);
	CHECK(again.classes[i] != NULL, i);
	CHECK(again.classes[i]->name->length == (i % 8 == 0 ? LONG_NAME : 3 + i % 40), i);
	CHECK(again.methods[i] != NULL && again.methods[i]->vm_id == 100 + i, i);
	CHECK(method_table_find(model.methods, 100 + i) == again.methods[i], i);
	CHECK(again.frames[i] != NULL && again.frames[i]->line == (int32_t)i, i);
	CHECK(again.traces[i] != NULL && again.traces[i]->depth == 1 + i % 2, i);
	CHECK(trace_table_find(model.traces, again.traces[i]->serial) == again.traces[i], i);
	CHECK(again.threads[i] != NULL, i);
	CHECK(strcmp(again.threads[i]->group->text, "\xc3\xa4") == 0, i);
}

/* Ids of frames and serials of traces and classes have no gaps. */
static void expect_dense(void)
{
	bool frame_seen[ITEMS] = {false};
	bool trace_seen[ITEMS] = {false};
	uint32_t class_count = 0;

	for (uint32_t i = 0; i < ITEMS; i++) {
		uint32_t frame = again.frames[i]->id - 1;
		uint32_t trace = again.traces[i]->serial - TRACE_SERIAL_EMPTY - 1;
		CHECK(frame < ITEMS && !frame_seen[frame], i);
		CHECK(trace < ITEMS && !trace_seen[trace], i);
		frame_seen[frame] = trace_seen[trace] = true;
		class_count += tried.classes[i] != NULL ? 2 : 1;
	}
	ck_assert_uint_eq(trace_table_count(model.traces), ITEMS + 1);
	ck_assert_ptr_nonnull(class_table_find(model.classes, CLASS_SERIAL_BASE + class_count));
	ck_assert_ptr_null(class_table_find(model.classes, CLASS_SERIAL_BASE + class_count + 1));
}

/* Fills the tables while the allocations first to last fail, and again without.
 * False when no allocation was left to fail. */
static bool fill_failing(unsigned first, unsigned last)
{
	ck_assert(model_init(&model));
	fail_allocations(first, last);
	for (uint32_t i = 0; i < ITEMS; i++)
		use_tables(&tried, i);
	bool failed = stop_failing();

	for (uint32_t i = 0; i < ITEMS; i++)
		use_tables(&again, i);
	for (uint32_t i = 0; i < ITEMS; i++) {
		expect_same(i);
		expect_right(i);
	}
	expect_dense();
	for (uint32_t i = 0; i < ITEMS; i += 2) {
		if (tried.threads[i] != NULL)
			thread_table_remove(model.threads, tried.threads[i]);
	}
	model_destroy(&model);
	return failed;
}

START_TEST(each_allocation_may_fail_alone)
{
	unsigned allocation = 1;

	while (fill_failing(allocation, allocation))
		allocation++;
	ck_assert_uint_gt(allocation, 7 * ITEMS);
}
END_TEST

START_TEST(all_allocations_from_any_on_may_fail)
{
	unsigned allocation = 1;

	while (fill_failing(allocation, UINT32_MAX))
		allocation++;
	ck_assert_uint_gt(allocation, 7 * ITEMS);
}
END_TEST

START_TEST(a_failed_allocation_is_returned_as_null)
{
	static const struct results none;

	ck_assert(model_init(&model));
	fail_allocations(1, UINT32_MAX);
	for (uint32_t i = 0; i < ITEMS; i++)
		use_tables(&tried, i);
	ck_assert(stop_failing());
	ck_assert_mem_eq(&tried, &none, sizeof(none));
	model_destroy(&model);
}
END_TEST

START_TEST(existing_entries_are_found_without_memory)
{
	ck_assert(model_init(&model));
	for (uint32_t i = 0; i < ITEMS; i++)
		use_tables(&tried, i);
	fail_allocations(1, UINT32_MAX);
	for (uint32_t i = 0; i < ITEMS; i++)
		use_tables(&again, i);
	stop_failing();
	for (uint32_t i = 0; i < ITEMS; i++) {
		ck_assert_ptr_eq(again.strings[i], tried.strings[i]);
		ck_assert_ptr_eq(again.methods[i], tried.methods[i]);
		ck_assert_ptr_eq(again.frames[i], tried.frames[i]);
		ck_assert_ptr_eq(again.traces[i], tried.traces[i]);
		/* These add something new each time. */
		ck_assert_ptr_null(again.converted[i]);
		ck_assert_ptr_null(again.classes[i]);
		ck_assert_ptr_null(again.threads[i]);
	}
	model_destroy(&model);
}
END_TEST

START_TEST(a_model_without_memory_leaves_nothing)
{
	static const struct model nothing;
	unsigned allocation = 0;
	bool failed = false;

	do {
		memset(&model, 0xa5, sizeof(model));
		allocation++;
		fail_allocations(allocation, allocation);
		bool initialized = model_init(&model);
		failed = stop_failing();
		ck_assert_int_eq(initialized, !failed);
		if (!initialized)
			ck_assert_mem_eq(&model, &nothing, sizeof(model));
	} while (failed);
	ck_assert_uint_gt(allocation, 6);
	model_destroy(&model);
	ck_assert_mem_eq(&model, &nothing, sizeof(model));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("model_oom");
	TCase *oom = tcase_create("oom");

	tcase_set_timeout(oom, 120);
	tcase_add_test(oom, each_allocation_may_fail_alone);
	tcase_add_test(oom, all_allocations_from_any_on_may_fail);
	tcase_add_test(oom, a_failed_allocation_is_returned_as_null);
	tcase_add_test(oom, existing_entries_are_found_without_memory);
	tcase_add_test(oom, a_model_without_memory_leaves_nothing);
	suite_add_tcase(suite, oom);
	return run_suite(suite);
}
