/* marks: tsan */
/*
 * Tests of the numbers of instrumented methods.
 */
#include "calls/instrumented_methods.h"
#include "quick_check.h"
#include "run_suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct model model;
static struct method_numbers *numbers_of_vm;
static struct instrumented_methods *methods;

static void set_up(void)
{
	ck_assert(model_init(&model));
	numbers_of_vm = method_numbers_create();
	ck_assert_ptr_nonnull(numbers_of_vm);
	methods = instrumented_methods_create(&model, numbers_of_vm);
	ck_assert_ptr_nonnull(methods);
}

static void tear_down(void)
{
	instrumented_methods_destroy(methods);
	method_numbers_destroy(numbers_of_vm);
	model_destroy(&model);
}

static call_method intern(const char *class_name, const char *source, const char *name,
                          const char *descriptor)
{
	call_method number = CALL_METHOD_NONE;
	ck_assert(instrumented_methods_intern(methods, class_name, source, name, descriptor,
	                                      &number));
	return number;
}

START_TEST(numbers_start_at_0_and_lead_to_the_method)
{
	ck_assert_ptr_null(instrumented_methods_get(methods, 0));
	ck_assert_uint_eq(intern("com/foo/Bar", "Bar.java", "baz", "(I)V"), 0);
	ck_assert_uint_eq(intern("com/foo/Bar", NULL, "<init>", "()V"), 1);

	const struct method *baz = instrumented_methods_get(methods, 0);
	ck_assert_str_eq(baz->class->name->text, "com.foo.Bar");
	ck_assert_str_eq(baz->name->text, "baz");
	ck_assert_str_eq(baz->signature->text, "(I)V");
	ck_assert_str_eq(baz->source->text, "Bar.java");
	const struct method *init = instrumented_methods_get(methods, 1);
	ck_assert_ptr_eq(init->class, baz->class);
	ck_assert_ptr_null(init->source);
	ck_assert_ptr_null(instrumented_methods_get(methods, 2));
	ck_assert_ptr_null(instrumented_methods_get(methods, CALL_METHOD_NONE));
}
END_TEST

START_TEST(only_methods_that_are_asked_for_get_into_the_model)
{
	call_method first = intern("A", "A.java", "m", "()V");
	call_method second = intern("B", "B.java", "m", "()V");

	ck_assert(instrumented_methods_has(methods, first));
	ck_assert(!instrumented_methods_has(methods, second + 1));
	ck_assert_uint_eq(class_table_count(model.classes), 0);
	ck_assert_str_eq(instrumented_methods_get(methods, second)->class->name->text, "B");
	ck_assert_uint_eq(class_table_count(model.classes), 1);
}
END_TEST

START_TEST(a_method_keeps_its_number_when_its_class_is_loaded_again)
{
	call_method first = intern("A", "A.java", "m", "()V");
	const struct method *method = instrumented_methods_get(methods, first);

	(void)intern("B", "B.java", "m", "()V");
	ck_assert_uint_eq(intern("A", "A.java", "m", "()V"), first);
	ck_assert_uint_eq(intern("A", "Other.java", "m", "()V"), first);
	ck_assert_ptr_eq(instrumented_methods_get(methods, first), method);
	ck_assert_str_eq(method->source->text, "A.java");
}
END_TEST

START_TEST(a_method_has_the_same_number_in_each_profile)
{
	(void)intern("A", NULL, "m", "()V");
	call_method b = intern("B", NULL, "m", "()V");
	struct instrumented_methods *later = instrumented_methods_create(&model, numbers_of_vm);
	call_method c = CALL_METHOD_NONE;
	call_method b_again = CALL_METHOD_NONE;

	ck_assert_ptr_nonnull(later);
	ck_assert(instrumented_methods_intern(later, "C", NULL, "m", "()V", &c));
	ck_assert_uint_eq(c, b + 1);
	ck_assert_ptr_null(instrumented_methods_get(later, b));
	ck_assert(instrumented_methods_intern(later, "B", NULL, "m", "()V", &b_again));
	ck_assert_uint_eq(b_again, b);
	ck_assert_str_eq(instrumented_methods_get(later, b)->class->name->text, "B");
	ck_assert_str_eq(instrumented_methods_get(later, c)->class->name->text, "C");
	/* A method that this profile has not instrumented is not in its table. */
	ck_assert_ptr_null(instrumented_methods_get(later, b - 1));
	ck_assert_ptr_null(instrumented_methods_get(later, c + 1));
	ck_assert_ptr_null(instrumented_methods_get(methods, c));
	instrumented_methods_destroy(later);
}
END_TEST

START_TEST(class_name_and_descriptor_distinguish_methods)
{
	call_method m = intern("A", NULL, "m", "()V");

	ck_assert_uint_ne(intern("B", NULL, "m", "()V"), m);
	ck_assert_uint_ne(intern("A", NULL, "n", "()V"), m);
	ck_assert_uint_ne(intern("A", NULL, "m", "(I)V"), m);
	ck_assert_uint_ne(intern("A", NULL, "m()V", ""), m);
}
END_TEST

START_TEST(names_can_have_any_characters)
{
	/* U+1F600 and NUL in modified UTF-8. */
	call_method odd = intern("a/\xed\xa0\xbd\xed\xb8\x80", NULL, "m\xc0\x80", "()V");
	const struct method *method = instrumented_methods_get(methods, odd);

	ck_assert_str_eq(method->class->name->text, "a.\xf0\x9f\x98\x80");
	ck_assert_uint_eq(method->name->length, 2);
	ck_assert_str_eq(method->name->text, "m");
	ck_assert_int_eq(method->name->text[1], '\0');
}
END_TEST

START_TEST(a_method_of_the_vm_is_found_by_its_names)
{
	call_method number = CALL_METHOD_NONE;
	call_method known = intern("A", NULL, "m", "()V");
	struct method vm_method = *instrumented_methods_get(methods, known);
	call_method absent = intern("B", NULL, "m", "()V");

	vm_method.vm_id = 0x7f0012345678;
	ck_assert(instrumented_methods_find(methods, &vm_method, &number));
	ck_assert_uint_eq(number, known);
	/* It finds those that nobody has asked for, too. */
	struct method other = {
	        .class = class_table_add(model.classes, "LB;"),
	        .name = vm_method.name,
	        .signature = vm_method.signature,
	};
	ck_assert(instrumented_methods_find(methods, &other, &number));
	ck_assert_uint_eq(number, absent);
	vm_method.name = string_table_intern_jvm(model.strings, "other");
	ck_assert(!instrumented_methods_find(methods, &vm_method, &number));
}
END_TEST

enum { AT_ONCE = 6, CLASSES = 40, EACH = 30 };

static void *intern_all(void *argument)
{
	call_method *numbers = argument;
	char class_name[16];
	char name[16];

	for (int i = 0; i < CLASSES * EACH; i++) {
		(void)snprintf(class_name, sizeof(class_name), "C%d", i / EACH);
		(void)snprintf(name, sizeof(name), "m%d", i % EACH);
		if (!instrumented_methods_intern(methods, class_name, "S", name, "()V",
		                                 &numbers[i]))
			numbers[i] = CALL_METHOD_NONE;
	}
	return NULL;
}

START_TEST(concurrent_threads_get_the_same_numbers)
{
	static call_method numbers[AT_ONCE][CLASSES * EACH];
	pthread_t threads[AT_ONCE];
	bool is_used[CLASSES * EACH] = {false};

	for (int i = 0; i < AT_ONCE; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, intern_all, numbers[i]), 0);
	for (int i = 0; i < AT_ONCE; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	for (int i = 1; i < AT_ONCE; i++)
		ck_assert_int_eq(memcmp(numbers[i], numbers[0], sizeof(numbers[0])), 0);
	for (int i = 0; i < CLASSES * EACH; i++) {
		QUICK_CHECK(numbers[0][i] < CLASSES * EACH && !is_used[numbers[0][i]],
		            "number %u is not dense or not alone", numbers[0][i]);
		is_used[numbers[0][i]] = true;
	}
}
END_TEST

START_TEST(destroying_null_has_no_effect)
{
	instrumented_methods_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("instrumented_methods");
	TCase *tests = tcase_create("instrumented_methods");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, numbers_start_at_0_and_lead_to_the_method);
	tcase_add_test(tests, only_methods_that_are_asked_for_get_into_the_model);
	tcase_add_test(tests, a_method_keeps_its_number_when_its_class_is_loaded_again);
	tcase_add_test(tests, a_method_has_the_same_number_in_each_profile);
	tcase_add_test(tests, class_name_and_descriptor_distinguish_methods);
	tcase_add_test(tests, names_can_have_any_characters);
	tcase_add_test(tests, a_method_of_the_vm_is_found_by_its_names);
	tcase_add_test(tests, concurrent_threads_get_the_same_numbers);
	tcase_add_test(tests, destroying_null_has_no_effect);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
