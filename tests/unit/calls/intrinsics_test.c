/*
 * Tests of the table of intrinsics, and of the search for their annotation.
 */
#include "classfile/opcodes.h"
#include "calls/intrinsics.h"
#include "run_suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct intrinsics methods;

static void tear_down(void)
{
	intrinsics_clear(&methods);
}

static struct classfile_name name_of(const char *text)
{
	return (struct classfile_name){.bytes = (const uint8_t *)text,
	                               .length = (uint16_t)strlen(text)};
}

static struct classfile_member member(const char *class_name, const char *name,
                                      const char *descriptor)
{
	return (struct classfile_member){.class_name = name_of(class_name),
	                                 .name = name_of(name),
	                                 .descriptor = name_of(descriptor)};
}

static bool found(uint8_t opcode, const char *class_name, const char *name, const char *descriptor,
                  call_method *number)
{
	struct classfile_member called = member(class_name, name, descriptor);
	return intrinsics_find(&methods, opcode, &called, number);
}

START_TEST(a_method_is_found_by_class_name_and_descriptor)
{
	char class_name[] = "java/lang/Math";
	struct classfile_member max = member(class_name, "max", "(II)I");
	call_method number = 0;

	ck_assert(!methods.any);
	ck_assert(!found(OP_INVOKESTATIC, "java/lang/Math", "max", "(II)I", &number));
	ck_assert(intrinsics_add(&methods, &max, false, 7));
	class_name[0] = 'x'; /* names are copied */
	ck_assert(methods.any);
	ck_assert(found(OP_INVOKESTATIC, "java/lang/Math", "max", "(II)I", &number));
	ck_assert_uint_eq(number, 7);
	ck_assert(!found(OP_INVOKESTATIC, "java/lang/Math", "max", "(JJ)J", &number));
	ck_assert(!found(OP_INVOKESTATIC, "java/lang/Math", "min", "(II)I", &number));
	ck_assert(!found(OP_INVOKESTATIC, "my/Math", "max", "(II)I", &number));
}
END_TEST

START_TEST(a_method_keeps_its_number)
{
	struct classfile_member max = member("java/lang/Math", "max", "(II)I");
	call_method number = 0;

	ck_assert(intrinsics_add(&methods, &max, false, 7));
	ck_assert(intrinsics_add(&methods, &max, false, 8));
	ck_assert(found(OP_INVOKESTATIC, "java/lang/Math", "max", "(II)I", &number));
	ck_assert_uint_eq(number, 7);
}
END_TEST

START_TEST(virtual_calls_are_certain_only_for_final_methods)
{
	struct classfile_member closed = member("C", "closed", "()V");
	struct classfile_member open = member("C", "open", "()V");
	call_method number;

	ck_assert(intrinsics_add(&methods, &closed, true, 1));
	ck_assert(intrinsics_add(&methods, &open, false, 2));
	ck_assert(found(OP_INVOKEVIRTUAL, "C", "closed", "()V", &number));
	ck_assert(!found(OP_INVOKEVIRTUAL, "C", "open", "()V", &number));
	ck_assert(found(OP_INVOKESPECIAL, "C", "open", "()V", &number));
	ck_assert(!found(OP_INVOKEINTERFACE, "C", "closed", "()V", &number));
	ck_assert(!found(OP_INVOKEDYNAMIC, "C", "closed", "()V", &number));
}
END_TEST

START_TEST(the_annotation_is_found_anywhere_in_the_bytes)
{
	static const char mark[] = "IntrinsicCandidate;";
	uint8_t bytes[64];
	const size_t length = sizeof(mark) - 1;

	for (size_t at = 0; at + length <= sizeof(bytes); at++) {
		memset(bytes, 'I', sizeof(bytes));
		memcpy(bytes + at, mark, length);
		ck_assert(intrinsics_may_be_marked(bytes, sizeof(bytes)));
		ck_assert(intrinsics_may_be_marked(bytes + at, length));
		ck_assert(!intrinsics_may_be_marked(bytes, at + length - 1));
	}
	ck_assert(!intrinsics_may_be_marked(bytes, 0));
}
END_TEST

enum { AT_ONCE = 4, METHODS = 3000 };

static void *add_all(void *argument)
{
	char name[16];

	for (int i = 0; i < METHODS; i++) {
		(void)snprintf(name, sizeof(name), "m%d", i);
		struct classfile_member method = member("C", name, "()V");
		if (!intrinsics_add(&methods, &method, false, (call_method)i))
			return argument;
	}
	return NULL;
}

START_TEST(concurrent_additions_are_all_kept)
{
	pthread_t threads[AT_ONCE];
	char name[16];

	for (int i = 0; i < AT_ONCE; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, add_all, name), 0);
	for (int i = 0; i < AT_ONCE; i++) {
		void *failed;
		ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
		ck_assert_ptr_null(failed);
	}
	for (int i = 0; i < METHODS; i++) {
		call_method number = CALL_METHOD_NONE;
		(void)snprintf(name, sizeof(name), "m%d", i);
		ck_assert(found(OP_INVOKESTATIC, "C", name, "()V", &number));
		ck_assert_uint_eq(number, (call_method)i);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("intrinsics");
	TCase *tests = tcase_create("intrinsics");

	tcase_add_checked_fixture(tests, NULL, tear_down);
	tcase_add_test(tests, a_method_is_found_by_class_name_and_descriptor);
	tcase_add_test(tests, a_method_keeps_its_number);
	tcase_add_test(tests, virtual_calls_are_certain_only_for_final_methods);
	tcase_add_test(tests, the_annotation_is_found_anywhere_in_the_bytes);
	tcase_add_test(tests, concurrent_additions_are_all_kept);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
