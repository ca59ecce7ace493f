/*
 * Tests of addresses in the words that Java code reads, over those that the systems give to
 * programs.
 */
#include "calls/tracker_words.h"
#include "run_suite.h"

#include <stddef.h>

/* Memory of programs: from here, or up to here. */
static const uint64_t addresses[] = {
        UINT64_C(0x0000000000010000), /* the lowest */
        UINT64_C(0x000000007ffffff8), /* a program's data without PIE */
        UINT64_C(0x00007ffffffffff8), /* x86-64: 47 bits */
        UINT64_C(0x0000aaaad0001000), /* 64-bit ARM: a program, 48 bits */
        UINT64_C(0x0000fffff7ff0008), /* 64-bit ARM: mapped memory */
        UINT64_C(0x0003fffffffffff8), /* the highest that fits */
        UINT64_C(0xfffffc7fffdf0008), /* Solaris on x86-64: mapped memory */
        UINT64_C(0xffffffff7f000010), /* Solaris on SPARC */
        UINT64_C(0xfffc000000000000), /* the lowest with the upper bits set that fits */
};
enum { ADDRESSES = sizeof(addresses) / sizeof(addresses[0]), PLACES_MAX = 1 << 16 };

/* As HprofTracker.node(). */
static int64_t table_in_java(int64_t word)
{
	return (int64_t)((uint64_t)word << 16) >> 13;
}

START_TEST(a_table_of_callees_is_found_at_each_address)
{
	for (size_t i = 0; i < ADDRESSES; i++) {
		for (uint32_t places = 1; places <= PLACES_MAX; places *= 2) {
			uint64_t word = callees_word(addresses[i], places);
			ck_assert_uint_eq(callees_word_table(word), addresses[i]);
			ck_assert_uint_eq((uint64_t)table_in_java((int64_t)word), addresses[i]);
			ck_assert_uint_eq(callees_word_mask(word), places - 1);
		}
	}
}
END_TEST

START_TEST(a_table_whose_address_does_not_fit_is_elsewhere)
{
	uint64_t high = UINT64_C(1) << 51;
	ck_assert_uint_ne(callees_word_table(callees_word(high, 1)), high);
	ck_assert_uint_ne(callees_word_table(callees_word(high - 8, 1)), high - 8);
	ck_assert_uint_ne(callees_word_table(callees_word(-high - 8, 1)), -high - 8);
	ck_assert_uint_ne(callees_word_table(callees_word(1, 1)), 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tracker_words");
	TCase *tests = tcase_create("tracker_words");

	tcase_add_test(tests, a_table_of_callees_is_found_at_each_address);
	tcase_add_test(tests, a_table_whose_address_does_not_fit_is_elsewhere);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
