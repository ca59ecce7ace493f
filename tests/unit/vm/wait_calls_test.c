/*
 * Tests of the native methods that are known to wait.
 */
#include "vm/wait_calls.h"
#include "run_suite.h"

#include <string.h>

static struct classfile_name name_of(const char *text)
{
	return (struct classfile_name){.bytes = (const uint8_t *)text,
	                               .length = (uint16_t)strlen(text)};
}

static enum wait_cause find(const char *class_name, const char *name)
{
	const struct classfile_member called = {.class_name = name_of(class_name),
	                                        .name = name_of(name),
	                                        .descriptor = name_of("()V")};
	return wait_calls_find(&called);
}

START_TEST(waits_have_their_cause)
{
	ck_assert_int_eq(find("jdk/internal/misc/Unsafe", "park"), WAIT_PARK);
	ck_assert_int_eq(find("java/lang/Runtime", "gc"), WAIT_VM);
	ck_assert_int_eq(find("java/lang/Thread", "sleep"), WAIT_SLEEP);
	ck_assert_int_eq(find("java/lang/Thread", "sleepNanos0"), WAIT_SLEEP);
	ck_assert_int_eq(find("java/io/FileInputStream", "readBytes"), WAIT_IO);
	ck_assert_int_eq(find("sun/nio/ch/SocketDispatcher", "read0"), WAIT_IO);
	ck_assert_int_eq(find("java/io/FileDescriptor", "sync"), WAIT_IO);
	ck_assert_int_eq(find("sun/nio/ch/Poller", "poll"), WAIT_IO);
	ck_assert_int_eq(find("sun/nio/ch/FileDispatcherImpl", "transferTo0"), WAIT_IO);
}
END_TEST

START_TEST(other_methods_and_classes_have_none)
{
	ck_assert_int_eq(find("jdk/internal/misc/Unsafe", "unpark"), WAIT_NONE);
	ck_assert_int_eq(find("sun/misc/Unsafe", "park"), WAIT_NONE);
	ck_assert_int_eq(find("com/foo/Thread", "sleep"), WAIT_NONE);
	ck_assert_int_eq(find("java/io/FileInputStream", "skip0"), WAIT_NONE);
	ck_assert_int_eq(find("sun/nio/ch/Other", "read0"), WAIT_NONE);
	ck_assert_int_eq(find("sun/nio/ch/SocketDispatcher", "preClose0"), WAIT_NONE);
}
END_TEST

static Suite *wait_calls_suite(void)
{
	Suite *suite = suite_create("wait_calls");
	TCase *tc = tcase_create("wait_calls");
	tcase_add_test(tc, waits_have_their_cause);
	tcase_add_test(tc, other_methods_and_classes_have_none);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(wait_calls_suite());
}
