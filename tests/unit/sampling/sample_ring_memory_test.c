/* marks: timed, loops, posix, not_emulated */
/*
 * Test of the sample ring without memory.
 */
#include "sampling/sample_ring.h"
#include "run_suite.h"

#include <sys/resource.h>

START_TEST(without_memory_initialization_fails)
{
	struct sample_ring none;
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
	const struct rlimit little = {.rlim_cur = 1024 * 1024, .rlim_max = limit.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &little), 0);
	bool is_initialized = sample_ring_init(&none, 65535);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert(!is_initialized);
	sample_ring_destroy(&none);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sample_ring_memory");
	TCase *tc = tcase_create("memory");

	tcase_add_test(tc, without_memory_initialization_fails);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
