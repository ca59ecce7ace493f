/*
 * Tests of the set of native methods.
 */
#include "calls/native_calls.h"
#include "run_suite.h"

#include <string.h>

static struct native_calls calls;

static void set_up(void)
{
	memset(&calls, 0, sizeof(calls));
}

static struct classfile_name name_of(const char *text)
{
	return (struct classfile_name){.bytes = (const uint8_t *)text,
	                               .length = (uint16_t)strlen(text)};
}

static struct classfile_member method(const char *class, const char *name, const char *descriptor)
{
	return (struct classfile_member){name_of(class), name_of(name), name_of(descriptor)};
}

static bool has(const char *class, const char *name, const char *descriptor)
{
	const struct classfile_member called = method(class, name, descriptor);
	return native_calls_has(&calls, &called);
}

static void add(const char *class, const char *name, const char *descriptor)
{
	const struct classfile_member added = method(class, name, descriptor);
	native_calls_add(&calls, &added);
}

START_TEST(a_native_method_is_identified_by_name_and_descriptor)
{
	ck_assert(!has("java/lang/Thread", "sleep", "(J)V"));
	add("java/lang/Thread", "sleep", "(J)V");
	ck_assert(has("java/lang/Thread", "sleep", "(J)V"));
	ck_assert(has("MyThread", "sleep", "(J)V"));
	ck_assert(!has("java/lang/Thread", "sleep", "(JI)V"));
	ck_assert(!has("java/lang/Thread", "slee", "p(J)V"));
}
END_TEST

START_TEST(fast_native_methods_are_not_added)
{
	add("java/lang/Object", "hashCode", "()I");
	add("java/lang/Object", "getClass", "()Ljava/lang/Class;");
	add("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;");
	ck_assert(!has("java/lang/Object", "hashCode", "()I"));
	ck_assert(!has("java/lang/Object", "getClass", "()Ljava/lang/Class;"));
	ck_assert(!has("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;"));
	add("T", "hashCode", "(I)I");
	ck_assert(has("T", "hashCode", "(I)I"));
}
END_TEST

START_TEST(few_other_methods_share_a_bit)
{
	enum { NATIVES = 3000, OTHERS = 10000 };
	char name[32];
	int collected = 0;

	for (int i = 0; i < NATIVES; i++) {
		(void)snprintf(name, sizeof(name), "native%d", i);
		add("T", name, "()V");
	}
	for (int i = 0; i < NATIVES; i++) {
		(void)snprintf(name, sizeof(name), "native%d", i);
		ck_assert(has("T", name, "()V"));
	}
	for (int i = 0; i < OTHERS; i++) {
		(void)snprintf(name, sizeof(name), "other%d", i);
		collected += has("T", name, "()V");
	}
	ck_assert_int_lt(collected, OTHERS / 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("native_calls");
	TCase *tests = tcase_create("native_calls");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, a_native_method_is_identified_by_name_and_descriptor);
	tcase_add_test(tests, fast_native_methods_are_not_added);
	tcase_add_test(tests, few_other_methods_share_a_bit);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
