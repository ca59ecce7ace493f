/*
 * Tests of how objects are followed, with weak references of a pretended VM: a slot
 * each, which the test clears.
 */
#include "alloc/live_objects.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdatomic.h>
#include <string.h>

enum { OBJECTS = 50000, SIZE = 24 };

static uintptr_t slots[OBJECTS];
static uint32_t made;
static uint32_t deleted;
static uint32_t fail_from; /* references that can't be made */
static bool thrown;

static jweak JNICALL new_weak(JNIEnv *jni, jobject object)
{
	(void)jni;
	if (made >= fail_from) {
		thrown = true;
		return NULL;
	}
	slots[made] = (uintptr_t)object;
	return (jweak)((uintptr_t)&slots[made++] | 1);
}

static void JNICALL delete_weak(JNIEnv *jni, jweak reference)
{
	(void)jni;
	ck_assert_uint_eq(*(uintptr_t *)((uintptr_t)reference & ~(uintptr_t)7), 0);
	deleted++;
}

static jboolean JNICALL is_same(JNIEnv *jni, jobject left, jobject right)
{
	(void)jni;
	ck_assert_ptr_null(right);
	return live_object_address((uintptr_t)left) == 0;
}

static void JNICALL clear_exception(JNIEnv *jni)
{
	(void)jni;
	thrown = false;
}

static const struct JNINativeInterface_ functions = {
        .NewWeakGlobalRef = new_weak,
        .DeleteWeakGlobalRef = delete_weak,
        .IsSameObject = is_same,
        .ExceptionClear = clear_exception,
};
static JNIEnv jni = &functions;

static struct live_objects *objects;
static uint64_t collected_bytes;
static uint32_t collected[4];

static void set_up(void)
{
	made = 0;
	deleted = 0;
	fail_from = OBJECTS;
	collected_bytes = 0;
	memset(collected, 0, sizeof(collected));
	objects = live_objects_create(NULL);
	ck_assert_ptr_nonnull(objects);
	live_objects_read_addresses(objects, true);
}

static void tear_down(void)
{
	live_objects_destroy(objects);
}

static void add(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		QUICK_CHECK(live_objects_add(objects, &jni, i, (jobject)(uintptr_t)(8 * made + 8),
		                             made % 4, SIZE),
		            "object %u could not be added", i);
}

static void on_collected(void *argument, uint32_t site, uint64_t size)
{
	QUICK_CHECK(argument == &collected_bytes, "the argument is another");
	collected[site]++;
	collected_bytes += size;
}

static void sweep(void)
{
	live_objects_sweep(objects, &jni, on_collected, &collected_bytes);
}

START_TEST(objects_are_reported_once_when_they_are_collected)
{
	live_objects_read_addresses(objects, _i == 0);
	add(OBJECTS);
	sweep();
	ck_assert_uint_eq(collected_bytes, 0);
	ck_assert_uint_eq(live_objects_count(objects), OBJECTS);

	for (uint32_t i = 0; i < OBJECTS; i++) {
		if (i % 4 == 1 || i % 8 == 2)
			slots[i] = 0;
	}
	sweep();
	sweep();
	ck_assert_uint_eq(collected[0], 0);
	ck_assert_uint_eq(collected[1], OBJECTS / 4);
	ck_assert_uint_eq(collected[2], OBJECTS / 8);
	ck_assert_uint_eq(collected_bytes, (OBJECTS / 4 + OBJECTS / 8) * SIZE);
	ck_assert_uint_eq(deleted, OBJECTS / 4 + OBJECTS / 8);
	ck_assert_uint_eq(live_objects_count(objects), OBJECTS - deleted);
}
END_TEST

START_TEST(few_that_live_long_are_kept_together)
{
	uint32_t kept = 0;

	for (int round = 0; round < 10; round++) {
		uint32_t before = made;
		add(OBJECTS / 10);
		for (uint32_t i = before; i < made; i++) {
			if (i % 100 != 0)
				slots[i] = 0;
			else
				kept++;
		}
		sweep();
		ck_assert_uint_eq(live_objects_count(objects), kept);
	}
	memset(slots, 0, sizeof(slots));
	sweep();
	ck_assert_uint_eq(deleted, OBJECTS);
	ck_assert_uint_eq(live_objects_count(objects), 0);
}
END_TEST

static void check_visited(void *argument, const struct live_object *object)
{
	uint64_t *sum = argument;
	*sum += live_object_address(object->reference);
	QUICK_CHECK(object->size_units == SIZE / LIVE_SIZE_UNIT, "%u units", object->size_units);
}

START_TEST(all_that_are_followed_are_visited)
{
	uint64_t sum = 0;
	uint64_t right = 0;

	add(OBJECTS);
	slots[3] = 0;
	sweep();
	for (uint32_t i = 0; i < OBJECTS; i++)
		right += slots[i];
	live_objects_visit(objects, check_visited, &sum);
	ck_assert_uint_eq(sum, right);
}
END_TEST

START_TEST(a_vm_without_memory_is_reported_and_throws_nothing)
{
	fail_from = 10;
	add(10);
	ck_assert(!live_objects_add(objects, &jni, 0, (jobject)8, 0, SIZE));
	ck_assert(!thrown);
	ck_assert_uint_eq(live_objects_count(objects), 10);
}
END_TEST

START_TEST(huge_sizes_are_kept)
{
	const uint64_t size = UINT64_C(8) << 30;
	ck_assert(live_objects_add(objects, &jni, 0, (jobject)8, 0, size));
	slots[0] = 0;
	sweep();
	ck_assert_uint_eq(collected_bytes, size);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("live_objects");
	TCase *tests = tcase_create("live objects");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, objects_are_reported_once_when_they_are_collected, 0, 2);
	tcase_add_test(tests, few_that_live_long_are_kept_together);
	tcase_add_test(tests, all_that_are_followed_are_visited);
	tcase_add_test(tests, a_vm_without_memory_is_reported_and_throws_nothing);
	tcase_add_test(tests, huge_sizes_are_kept);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
