/*
 * Tests of what the instrumenters share: names, and counts of methods and classes that
 * could not be rewritten.
 */
#include "class_builder.h"
#include "vm/class_rewriting.h"
#include "run_suite.h"

static struct class_rewriting rewriting;
static uint8_t *rewritten;
static size_t rewritten_length;

static void set_up(void)
{
	memset(&rewriting, 0, sizeof(rewriting));
	rewritten = NULL;
}

static void tear_down(void)
{
	free(rewritten);
}

static void insert_nop(void *context, const struct classfile *classfile,
                       const struct classfile_method *method, struct method_edit *edit)
{
	(void)context;
	(void)classfile;
	(void)method;
	emit_op(method_edit_entry(edit), OP_NOP);
}

static void insert_nothing(void *context, const struct classfile *classfile,
                           const struct classfile_method *method, struct method_edit *edit)
{
	(void)context;
	(void)classfile;
	(void)method;
	(void)edit;
}

/* Applies a plan with that edit to a method of code_length instructions of one byte. */
static bool apply(uint32_t code_length,
                  void (*edit)(void *, const struct classfile *, const struct classfile_method *,
                               struct method_edit *))
{
	const struct rewrite_plan plan = {.edit = edit};
	struct class_builder *builder = new_builder();
	size_t length;

	put_repeated(&builder->code, OP_NOP, code_length - 1);
	ADD_CODE(builder, OP_RETURN);
	uint8_t *bytes = build_class(builder, &length);
	free(builder);
	struct classfile *classfile = class_rewriting_parse(&rewriting, bytes, length);
	ck_assert_ptr_nonnull(classfile);
	bool changed =
	        class_rewriting_apply(&rewriting, classfile, &plan, &rewritten, &rewritten_length);
	classfile_free(classfile);
	free(bytes);
	return changed;
}

START_TEST(a_rewritten_class_is_returned_and_not_counted)
{
	ck_assert(apply(1, insert_nop));
	ck_assert_ptr_nonnull(rewritten);
	ck_assert_uint_eq(rewriting.methods_skipped, 0);
	ck_assert_uint_eq(rewriting.methods_grown_huge, 0);
	ck_assert_uint_eq(rewriting.classes_refused, 0);
}
END_TEST

START_TEST(a_class_that_the_plan_does_not_edit_stays_unchanged)
{
	ck_assert(!apply(1, insert_nothing));
	ck_assert_ptr_null(rewritten);
	ck_assert_uint_eq(rewriting.methods_skipped, 0);
}
END_TEST

START_TEST(methods_that_can_not_grow_add_up)
{
	enum { CODE_MAX = 65535 };

	ck_assert(!apply(CODE_MAX, insert_nop));
	ck_assert(!apply(CODE_MAX, insert_nop));
	ck_assert_uint_eq(rewriting.methods_skipped, 2);
}
END_TEST

START_TEST(methods_that_grow_past_what_the_vm_compiles_add_up)
{
	enum { COMPILED_MAX = REWRITE_HUGE_METHOD_BYTES };

	ck_assert(apply(COMPILED_MAX - 1, insert_nop));
	ck_assert_uint_eq(rewriting.methods_grown_huge, 0);
	free(rewritten);
	ck_assert(apply(COMPILED_MAX, insert_nop));
	ck_assert_uint_eq(rewriting.methods_grown_huge, 1);
}
END_TEST

START_TEST(a_malformed_class_is_refused)
{
	const uint8_t bytes[] = {0xCA, 0xFE, 0xBA, 0xBE};

	ck_assert_ptr_null(class_rewriting_parse(&rewriting, bytes, sizeof(bytes)));
	ck_assert_uint_eq(rewriting.classes_refused, 1);
}
END_TEST

START_TEST(names_are_copied_as_they_are_and_in_source_form)
{
	const char text[] = "java/lang/Object?";
	const struct classfile_name name = {.bytes = (const uint8_t *)text, .length = 16};
	char *internal = class_rewriting_name(name);
	char *dotted = class_rewriting_dotted_name(name);

	ck_assert_str_eq(internal, "java/lang/Object");
	ck_assert_str_eq(dotted, "java.lang.Object");
	free(internal);
	free(dotted);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("class_rewriting");
	TCase *tests = tcase_create("class_rewriting");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_rewritten_class_is_returned_and_not_counted);
	tcase_add_test(tests, a_class_that_the_plan_does_not_edit_stays_unchanged);
	tcase_add_test(tests, methods_that_can_not_grow_add_up);
	tcase_add_test(tests, methods_that_grow_past_what_the_vm_compiles_add_up);
	tcase_add_test(tests, a_malformed_class_is_refused);
	tcase_add_test(tests, names_are_copied_as_they_are_and_in_source_form);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
