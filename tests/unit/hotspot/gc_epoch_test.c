/*
 * Tests of the number that garbage collections change.
 */
#include "hotspot/gc_epoch.h"
#include "run_suite.h"

static struct gc_epoch epoch;
static uint32_t collections;
static uint8_t active;

static void set_up(void)
{
	collections = 0;
	active = 0;
	gc_epoch_init(&epoch);
}

/* What a VM has whose counts can be read. */
static void count_collections(void)
{
	epoch.collections = &collections;
	epoch.active = &active;
}

START_TEST(a_number_holds_from_one_collection_to_the_next)
{
	uint32_t number = gc_epoch_now(&epoch);
	ck_assert_uint_ne(number, 0);
	ck_assert(gc_epoch_holds(&epoch, number));
	gc_epoch_event(&epoch);
	ck_assert(!gc_epoch_holds(&epoch, number));
	ck_assert(!gc_epoch_holds(&epoch, gc_epoch_now(&epoch)));
	gc_epoch_event(&epoch);
	ck_assert(!gc_epoch_holds(&epoch, number));
	ck_assert(gc_epoch_holds(&epoch, gc_epoch_now(&epoch)));
}
END_TEST

START_TEST(a_number_holds_from_one_counted_collection_to_the_next)
{
	count_collections();
	uint32_t number = gc_epoch_now(&epoch);
	ck_assert(gc_epoch_holds(&epoch, number));
	active = 1;
	ck_assert(!gc_epoch_holds(&epoch, number));
	collections++;
	ck_assert(!gc_epoch_holds(&epoch, gc_epoch_now(&epoch)));
	active = 0;
	ck_assert(!gc_epoch_holds(&epoch, number));
	ck_assert(gc_epoch_holds(&epoch, gc_epoch_now(&epoch)));
}
END_TEST

START_TEST(each_collection_that_is_reported_is_new_once)
{
	uint32_t seen = 0;
	ck_assert(gc_epoch_is_new(&epoch, &seen));
	ck_assert(!gc_epoch_is_new(&epoch, &seen));
	gc_epoch_event(&epoch);
	ck_assert(gc_epoch_is_new(&epoch, &seen));
	gc_epoch_event(&epoch);
	ck_assert(gc_epoch_is_new(&epoch, &seen));
	ck_assert(!gc_epoch_is_new(&epoch, &seen));
}
END_TEST

/* Who looks while one is under way has to look again, though nothing reports its end. */
START_TEST(a_collection_that_is_only_counted_is_new_until_it_is_over)
{
	uint32_t seen = 0;
	count_collections();
	ck_assert(gc_epoch_is_new(&epoch, &seen));
	ck_assert(!gc_epoch_is_new(&epoch, &seen));
	active = 1;
	collections++;
	ck_assert(gc_epoch_is_new(&epoch, &seen));
	ck_assert(gc_epoch_is_new(&epoch, &seen));
	active = 0;
	ck_assert(gc_epoch_is_new(&epoch, &seen));
	ck_assert(!gc_epoch_is_new(&epoch, &seen));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gc_epoch");
	TCase *numbers = tcase_create("numbers");

	tcase_add_checked_fixture(numbers, set_up, NULL);
	tcase_add_test(numbers, a_number_holds_from_one_collection_to_the_next);
	tcase_add_test(numbers, a_number_holds_from_one_counted_collection_to_the_next);
	tcase_add_test(numbers, each_collection_that_is_reported_is_new_once);
	tcase_add_test(numbers, a_collection_that_is_only_counted_is_new_until_it_is_over);
	suite_add_tcase(suite, numbers);
	return run_suite(suite);
}
