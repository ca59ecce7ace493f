/*
 * Tests of the registry of classes over the fake VM: one record for a class, the trace of
 * LOAD CLASS, tags of other objects, and unloading.
 */
#include "vm/class_registry.h"

#include "profile_fixture.h"
#include "run_suite.h"

enum { TRACE_SERIAL = 300007 };

static struct class_registry *registry;
static struct fake_object first, second;

static void set_up(void)
{
	profile_set_up();
	first = (struct fake_object){.name = "Ldemo/First;"};
	second = (struct fake_object){.name = "[I"};
	registry = class_registry_create(&profile);
	ck_assert_ptr_nonnull(registry);
}

static void tear_down(void)
{
	class_registry_destroy(registry);
	profile_tear_down();
	ck_assert_int_eq(atomic_load(&fake_counts.allocated), 0);
}

static jclass of(struct fake_object *object)
{
	return (jclass)(void *)object;
}

START_TEST(class_has_one_record)
{
	ck_assert(!class_registry_has(registry, of(&first)));
	const struct class_record *record = class_registry_find(registry, of(&first));
	ck_assert_ptr_nonnull(record);
	ck_assert_str_eq(record->name->text, "demo.First");
	ck_assert(class_registry_has(registry, of(&first)));
	ck_assert_ptr_eq(class_registry_find(registry, of(&first)), record);
	ck_assert_uint_eq(written.classes_loaded, 1);
	ck_assert_ptr_eq(written.loaded, record);
	ck_assert_ptr_eq(class_registry_by_tag(first.tag), record);
}
END_TEST

START_TEST(classes_have_different_records)
{
	const struct class_record *record = class_registry_find(registry, of(&first));
	ck_assert_ptr_ne(class_registry_find(registry, of(&second)), record);
	ck_assert_int_ne(first.tag, second.tag);
	ck_assert_uint_eq(written.classes_loaded, 2);
}
END_TEST

START_TEST(first_trace_stays)
{
	const struct class_record *record = class_registry_add(registry, of(&first), TRACE_SERIAL);
	ck_assert_uint_eq(record->trace_serial, TRACE_SERIAL);
	ck_assert_ptr_eq(class_registry_add(registry, of(&first), TRACE_SERIAL + 1), record);
	ck_assert_uint_eq(record->trace_serial, TRACE_SERIAL);
}
END_TEST

START_TEST(tag_of_another_object_is_no_class)
{
	first.tag = (jlong)CLASS_TAG_END;
	ck_assert(!class_registry_has(registry, of(&first)));
	ck_assert_ptr_null(class_registry_by_tag(first.tag));
	ck_assert_ptr_null(class_registry_by_tag(0));
	class_registry_freed(registry, first.tag);
	class_registry_write_unloads(registry);
	ck_assert_uint_eq(written.classes_unloaded, 0);
}
END_TEST

START_TEST(freed_class_is_written_once)
{
	const struct class_record *record = class_registry_find(registry, of(&first));
	(void)class_registry_find(registry, of(&second));
	class_registry_freed(registry, first.tag);
	ck_assert_uint_eq(written.classes_unloaded, 0);
	class_registry_write_unloads(registry);
	class_registry_write_unloads(registry);
	ck_assert_uint_eq(written.classes_unloaded, 1);
	ck_assert_ptr_eq(written.unloaded, record);
}
END_TEST

static Suite *class_registry_suite(void)
{
	Suite *suite = suite_create("class_registry");
	TCase *tests = tcase_create("classes");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, class_has_one_record);
	tcase_add_test(tests, classes_have_different_records);
	tcase_add_test(tests, first_trace_stays);
	tcase_add_test(tests, tag_of_another_object_is_no_class);
	tcase_add_test(tests, freed_class_is_written_once);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(class_registry_suite());
}
