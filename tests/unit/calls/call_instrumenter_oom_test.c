/*
 * Tests that each allocation of the instrumenter and of the method numbers can fail: the
 * class stays unchanged, and so do existing numbers. Leaks show under the address sanitizer.
 */
#include "class_builder.h"
#include "failing_allocation.h"
#include "calls/call_instrumenter.h"
#include "run_suite.h"

#include <stdio.h>

enum { FIRST_MAX = 2000 };

static struct model model;
static struct filter filter;
static struct call_instrumenter instrumenter;
static struct method_numbers *numbers;

static void set_up(void)
{
	ck_assert(model_init(&model));
	memset(&filter, 0, sizeof(filter));
	memset(&instrumenter, 0, sizeof(instrumenter));
	numbers = method_numbers_create();
	instrumenter.methods = instrumented_methods_create(&model, numbers);
	instrumenter.filter = &filter;
}

static void tear_down(void)
{
	intrinsics_clear(&instrumenter.intrinsics);
	instrumented_methods_destroy(instrumenter.methods);
	method_numbers_destroy(numbers);
	model_destroy(&model);
}

static uint8_t *make_class(size_t *length)
{
	struct class_builder *builder = new_builder();

	builder->major = 49;
	ADD_CODE(builder, OP_NOP, OP_RETURN, OP_POP, OP_RETURN);
	add_exception(builder, 0, 1, 2, 0);
	uint8_t *bytes = build_class(builder, length);
	free(builder);
	return bytes;
}

/* Instruments with the allocations from first to last failing; false when none failed. */
static bool try_once(const uint8_t *bytes, size_t length, unsigned first, unsigned last)
{
	struct classfile_error error;
	uint8_t *rewritten = NULL;
	size_t rewritten_length = 0;

	fail_allocations(first, last);
	bool changed = call_instrumenter_rewrite(&instrumenter, bytes, length, &rewritten,
	                                         &rewritten_length);
	bool failed = stop_failing();
	ck_assert(failed || changed);
	if (changed) {
		struct classfile *after =
		        classfile_parse(rewritten, rewritten_length, NULL, &error);
		ck_assert_msg(after != NULL, "%s", error.reason);
		classfile_free(after);
		free(rewritten);
	}
	return failed;
}

START_TEST(a_class_that_can_not_be_rewritten_stays_unchanged)
{
	size_t length;
	uint8_t *bytes = make_class(&length);
	bool failed = true;

	if (_i > 0)
		ck_assert(filter_add(&filter.include, "T", 1));
	for (unsigned first = 1; failed; first++) {
		tear_down();
		set_up();
		if (_i > 0)
			ck_assert(filter_add(&filter.include, "T", 1));
		failed = try_once(bytes, length, first, _i > 1 ? UINT32_MAX : first);
		ck_assert_uint_lt(first, FIRST_MAX);
		/* With memory the class is instrumented, with the first number. */
		ck_assert(!try_once(bytes, length, UINT32_MAX, UINT32_MAX));
		ck_assert_ptr_nonnull(instrumented_methods_get(instrumenter.methods, 0));
		ck_assert_ptr_null(instrumented_methods_get(instrumenter.methods, 1));
	}
	free(bytes);
}
END_TEST

static bool is_named(call_method number, int index)
{
	const struct method *method = instrumented_methods_get(instrumenter.methods, number);
	char name[16];

	(void)snprintf(name, sizeof(name), "m%d", index);
	return method != NULL && strcmp(method->name->text, name) == 0;
}

START_TEST(a_method_without_memory_gets_no_number_and_others_keep_theirs)
{
	enum { METHODS = 300 };
	static call_method given[METHODS];
	bool failed = true;

	for (unsigned first = 1; failed; first++) {
		unsigned refused = 0;
		tear_down();
		set_up();
		fail_allocations(first, first + 1);
		for (int i = 0; i < METHODS; i++) {
			char name[16];
			(void)snprintf(name, sizeof(name), "m%d", i);
			if (!instrumented_methods_intern(instrumenter.methods, "T", "T.java", name,
			                                 "()V", &given[i])) {
				given[i] = CALL_METHOD_NONE;
				refused++;
			}
		}
		failed = stop_failing();
		ck_assert_uint_le(refused, 2);
		ck_assert(failed || refused == 0);
		/* Only methods that got a number are in the table. */
		unsigned found = 0;
		for (call_method n = 0; n < METHODS; n++)
			found += instrumented_methods_get(instrumenter.methods, n) != NULL;
		ck_assert_uint_eq(found, METHODS - refused);
		for (int i = 0; i < METHODS; i++)
			ck_assert(given[i] == CALL_METHOD_NONE || is_named(given[i], i));
		ck_assert_uint_lt(first, FIRST_MAX);
	}
}
END_TEST

START_TEST(a_table_without_memory_is_null)
{
	fail_allocations(1, 1);
	struct instrumented_methods *methods = instrumented_methods_create(&model, numbers);
	ck_assert(stop_failing());
	ck_assert_ptr_null(methods);
	fail_allocations(1, 1);
	struct method_numbers *none = method_numbers_create();
	ck_assert(stop_failing());
	ck_assert_ptr_null(none);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("instrumenter_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, a_class_that_can_not_be_rewritten_stays_unchanged, 0, 3);
	tcase_add_test(tests, a_method_without_memory_gets_no_number_and_others_keep_theirs);
	tcase_add_test(tests, a_table_without_memory_is_null);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
