/*
 * Tests of finding counters in HotSpot's performance data, which other programs of the
 * process could have damaged.
 */
#include "hotspot/perf_counters.h"
#include "perf_data.h"
#include "run_suite.h"

static struct perf_data data;

static void set_up(void)
{
	perf_data_init(&data);
	perf_data_add(&data, "sun.a", 17);
	perf_data_add(&data, "sun.ab", 23);
}

/* The value, as the VM changes it; NULL if there is none. */
static const uint64_t *find_in(const char *memory, size_t length, const char *name)
{
	static uint64_t value;
	const volatile uint64_t *counter = perf_counters_find(memory, length, name);
	if (counter == NULL)
		return NULL;
	value = *counter;
	return &value;
}

static const uint64_t *find(const char *name)
{
	return find_in(data.bytes, PERF_BYTES, name);
}

START_TEST(counters_are_found_by_their_name)
{
	ck_assert_ptr_nonnull(find("sun.a"));
	ck_assert_uint_eq(*find("sun.a"), 17);
	ck_assert_uint_eq(*find("sun.ab"), 23);
	ck_assert_ptr_null(find("sun"));
	ck_assert_ptr_null(find("sun.abc"));
}
END_TEST

START_TEST(other_entries_are_no_counters)
{
	data.bytes[PERF_HEADER_BYTES + PERF_TYPE] = 'B';
	ck_assert_ptr_null(find("sun.a"));
	data.bytes[PERF_HEADER_BYTES + PERF_TYPE] = 'J';
	perf_data_put(&data, PERF_HEADER_BYTES + 8, 3);
	ck_assert_ptr_null(find("sun.a"));
}
END_TEST

START_TEST(other_memory_has_none)
{
	ck_assert_ptr_null(find_in(NULL, 0, "sun.a"));
	ck_assert_ptr_null(find_in(data.bytes, PERF_HEADER_BYTES - 1, "sun.a"));
	data.bytes[PERF_VERSION] = 3;
	ck_assert_ptr_null(find("sun.a"));
	data.bytes[PERF_VERSION] = 2;
	data.bytes[0] = 0;
	ck_assert_ptr_null(find("sun.a"));
}
END_TEST

START_TEST(offsets_stay_in_the_memory)
{
	static const struct {
		size_t at;
		uint32_t number;
	} damages[] = {{PERF_FIRST, PERF_BYTES - 8},
	               {PERF_FIRST, UINT32_MAX},
	               {PERF_HEADER_BYTES, 0},
	               {PERF_HEADER_BYTES, PERF_BYTES},
	               {PERF_HEADER_BYTES, UINT32_MAX},
	               {PERF_HEADER_BYTES + 4, PERF_ENTRY_BYTES - 3},
	               {PERF_HEADER_BYTES + 4, UINT32_MAX},
	               {PERF_HEADER_BYTES + PERF_VALUE_PLACE, PERF_ENTRY_BYTES - 7},
	               {PERF_HEADER_BYTES + PERF_VALUE_PLACE, PERF_VALUE - 1},
	               {PERF_HEADER_BYTES + PERF_VALUE_PLACE, UINT32_MAX}};
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		set_up();
		perf_data_put(&data, damages[i].at, damages[i].number);
		ck_assert_ptr_null(find("sun.a"));
	}
	set_up();
	perf_data_put(&data, PERF_COUNT, UINT32_MAX);
	ck_assert_ptr_null(find("sun.abc"));
}
END_TEST

static Suite *perf_counters_suite(void)
{
	Suite *suite = suite_create("perf_counters");
	TCase *tc = tcase_create("perf_counters");
	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, counters_are_found_by_their_name);
	tcase_add_test(tc, other_entries_are_no_counters);
	tcase_add_test(tc, other_memory_has_none);
	tcase_add_test(tc, offsets_stay_in_the_memory);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(perf_counters_suite());
}
