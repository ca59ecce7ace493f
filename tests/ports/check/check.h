/*
 * check.h: the part of the unit-test framework Check (libcheck) that this project's
 * tests use, for systems that have no such package. The same tests compile with
 * either. Tests run one after the other in one process: a failed assertion leaves
 * its test, a crash or a test that takes too long ends the program as failed.
 */
#ifndef HPROF_TESTS_PORTS_CHECK_H
#define HPROF_TESTS_PORTS_CHECK_H

#include "os/os.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct suite Suite;
typedef struct tcase TCase;
typedef struct srunner SRunner;

/* Runs with the loop tests' index. */
typedef void check_test(int _i);
typedef void check_fixture(void);

enum fork_status { CK_FORK_GETENV, CK_FORK, CK_NOFORK };
enum print_output { CK_ENV, CK_SILENT, CK_MINIMAL, CK_NORMAL, CK_VERBOSE };

#define START_TEST(name) static void name(int _i __attribute__((unused)))
#define END_TEST

Suite *suite_create(const char *name);
void suite_add_tcase(Suite *suite, TCase *tcase);
TCase *tcase_create(const char *name);
void tcase_set_timeout(TCase *tcase, double seconds);
void tcase_add_checked_fixture(TCase *tcase, check_fixture *set_up, check_fixture *tear_down);

/* Runs test(i) for i from start to below end. */
void check_add_test(TCase *tcase, const char *name, check_test *test, int start, int end);
#define tcase_add_test(tcase, test) check_add_test(tcase, #test, test, 0, 1)
#define tcase_add_loop_test(tcase, test, start, end) check_add_test(tcase, #test, test, start, end)

SRunner *srunner_create(Suite *suite);
void srunner_set_fork_status(SRunner *runner, enum fork_status status);
void srunner_run_all(SRunner *runner, enum print_output mode);
int srunner_ntests_failed(SRunner *runner);
void srunner_free(SRunner *runner);

/* Says where and why the running test has failed, and leaves it. */
void check_fail(const char *file, int line, const char *format, ...)
        __attribute__((noreturn, format(OS_PRINTF_ARCHETYPE, 3, 4)));

#define ck_abort_msg(...) check_fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_assert_msg(condition, ...)                                \
	do {                                                         \
		if (!(condition))                                    \
			check_fail(__FILE__, __LINE__, __VA_ARGS__); \
	} while (0)
#define ck_assert(condition) ck_assert_msg(condition, "%s", #condition)

#define CHECK_COMPARE(type, format, a, op, b)                                                  \
	do {                                                                                   \
		type check_a = (a);                                                            \
		type check_b = (b);                                                            \
		if (!(check_a op check_b))                                                     \
			check_fail(__FILE__, __LINE__, "%s %s %s: " format " and " format, #a, \
			           #op, #b, check_a, check_b);                                 \
	} while (0)

#define ck_assert_int_eq(a, b) CHECK_COMPARE(long long, "%lld", a, ==, b)
#define ck_assert_int_ne(a, b) CHECK_COMPARE(long long, "%lld", a, !=, b)
#define ck_assert_int_lt(a, b) CHECK_COMPARE(long long, "%lld", a, <, b)
#define ck_assert_int_le(a, b) CHECK_COMPARE(long long, "%lld", a, <=, b)
#define ck_assert_int_gt(a, b) CHECK_COMPARE(long long, "%lld", a, >, b)
#define ck_assert_int_ge(a, b) CHECK_COMPARE(long long, "%lld", a, >=, b)
#define ck_assert_uint_eq(a, b) CHECK_COMPARE(unsigned long long, "%llu", a, ==, b)
#define ck_assert_uint_ne(a, b) CHECK_COMPARE(unsigned long long, "%llu", a, !=, b)
#define ck_assert_uint_lt(a, b) CHECK_COMPARE(unsigned long long, "%llu", a, <, b)
#define ck_assert_uint_le(a, b) CHECK_COMPARE(unsigned long long, "%llu", a, <=, b)
#define ck_assert_uint_gt(a, b) CHECK_COMPARE(unsigned long long, "%llu", a, >, b)
#define ck_assert_uint_ge(a, b) CHECK_COMPARE(unsigned long long, "%llu", a, >=, b)
#define ck_assert_double_eq(a, b) CHECK_COMPARE(double, "%.17g", a, ==, b)
#define ck_assert_double_le(a, b) CHECK_COMPARE(double, "%.17g", a, <=, b)
#define ck_assert_double_ge(a, b) CHECK_COMPARE(double, "%.17g", a, >=, b)
#define ck_assert_ptr_eq(a, b) CHECK_COMPARE(const volatile void *, "%p", a, ==, b)
#define ck_assert_ptr_ne(a, b) CHECK_COMPARE(const volatile void *, "%p", a, !=, b)
#define ck_assert_ptr_null(a) ck_assert_ptr_eq(a, NULL)
#define ck_assert_ptr_nonnull(a) ck_assert_ptr_ne(a, NULL)

#define CHECK_COMPARE_TEXT(a, op, b)                                                               \
	do {                                                                                       \
		const char *check_a = (a);                                                         \
		const char *check_b = (b);                                                         \
		if (check_a == NULL || check_b == NULL || !(strcmp(check_a, check_b) op 0))        \
			check_fail(__FILE__, __LINE__, "%s %s %s: \"%s\" and \"%s\"", #a, #op, #b, \
			           check_a != NULL ? check_a : "(null)",                           \
			           check_b != NULL ? check_b : "(null)");                          \
	} while (0)

#define ck_assert_str_eq(a, b) CHECK_COMPARE_TEXT(a, ==, b)
#define ck_assert_str_ne(a, b) CHECK_COMPARE_TEXT(a, !=, b)

#define ck_assert_mem_eq(a, b, length)                                                          \
	do {                                                                                    \
		if (memcmp((a), (b), (length)) != 0)                                            \
			check_fail(__FILE__, __LINE__, "%s == %s: their bytes differ", #a, #b); \
	} while (0)

#endif
