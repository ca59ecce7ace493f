/*
 * Tests of the counts and sizes of objects by class.
 */
#include "run_suite.h"

#include "report/heap_objects.h"

#include <stdio.h>
#include <string.h>

enum { CLASS = 77, IDS = 8 };

static struct heap_objects objects;
static struct heap_histogram histogram;
static struct string_table *strings;

static const struct string *name_of(void *context, uint64_t class_id, uint8_t type)
{
	char text[32];
	(void)context;
	(void)snprintf(text, sizeof(text), "%u/%u", (unsigned)class_id, type);
	return string_table_intern(strings, text, strlen(text));
}

static void add(uint8_t tag, uint64_t class_id, uint8_t type, uint32_t length)
{
	struct hprof_sub_record sub = {.tag = tag,
	                               .object_id = 8 * (objects.count + 1),
	                               .class_id = class_id,
	                               .type = type,
	                               .length = length};
	ck_assert(heap_objects_add(&objects, &sub));
}

static void check_row(const char *name, uint64_t count, uint64_t bytes)
{
	const struct report_section *section = heap_histogram_section(&histogram);
	for (size_t i = 0; i < section->row_count; i++) {
		if (strcmp(section->rows[i].name->text, name) != 0)
			continue;
		ck_assert_uint_eq(section->rows[i].count, count);
		ck_assert_uint_eq(section->rows[i].cost, bytes);
		return;
	}
	ck_abort_msg("no row %s", name);
}

static void begin(void)
{
	strings = string_table_create();
	heap_objects_init(&objects, IDS);
	heap_histogram_begin(&histogram, "x", 1);
}

static void end(void)
{
	heap_histogram_free(&histogram);
	heap_objects_free(&objects);
	string_table_destroy(strings);
}

/* A layout as if the dump had stated it. */
static void know_layout(uint64_t base, uint64_t long_base, uint64_t reference, uint64_t alignment)
{
	for (int i = 0; i < HEAP_LAYOUT_TYPES; i++)
		objects.layout.bases[i] = base;
	objects.layout.bases[HPROF_TYPE_LONG] = long_base;
	objects.layout.reference = reference;
	objects.layout.alignment = alignment;
	objects.layout.header = 12;
}

START_TEST(without_a_layout_bytes_are_those_of_values)
{
	add(HPROF_SUB_INSTANCE_DUMP, CLASS, 0, 17);
	add(HPROF_SUB_INSTANCE_DUMP, CLASS, 0, 17);
	add(HPROF_SUB_OBJECT_ARRAY_DUMP, CLASS + 1, 0, 3);
	add(HPROF_SUB_PRIMITIVE_ARRAY_DUMP, 0, HPROF_TYPE_CHAR, 5);
	ck_assert(heap_objects_list(&objects, false, &histogram, name_of, NULL));
	check_row("77/0", 2, 34);
	check_row("78/0", 1, 24);
	check_row("0/5", 1, 10);
}
END_TEST

/* The sum is that of each array's own size, for all lengths and layouts. */
START_TEST(every_array_is_padded_by_itself)
{
	static const uint64_t layouts[][4] = {
	        {16, 16, 4, 8}, {12, 16, 4, 8}, {20, 24, 8, 8}, {16, 16, 4, 16}, {16, 16, 8, 32}};
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		const uint64_t *it = layouts[i];
		uint64_t shorts = 0;
		uint64_t longs = 0;
		uint64_t references = 0;
		know_layout(it[0], it[1], it[2], it[3]);
		for (uint32_t length = 0; length < 100; length++) {
			add(HPROF_SUB_PRIMITIVE_ARRAY_DUMP, 0, HPROF_TYPE_SHORT, length);
			add(HPROF_SUB_PRIMITIVE_ARRAY_DUMP, 0, HPROF_TYPE_LONG, length);
			add(HPROF_SUB_OBJECT_ARRAY_DUMP, CLASS, 0, length);
			shorts += (it[0] + 2 * length + it[3] - 1) / it[3] * it[3];
			longs += (it[1] + 8 * length + it[3] - 1) / it[3] * it[3];
			references += (it[0] + it[2] * length + it[3] - 1) / it[3] * it[3];
		}
		ck_assert(heap_objects_list(&objects, true, &histogram, name_of, NULL));
		check_row("0/9", 100, shorts);
		check_row("0/11", 100, longs);
		check_row("77/0", 100, references);
		end();
		begin();
	}
}
END_TEST

START_TEST(broken_dumps_are_counted)
{
	know_layout(16, 16, 4, 8);
	add(HPROF_SUB_INSTANCE_DUMP, 0, 0, 4); /* of no class */
	add(HPROF_SUB_PRIMITIVE_ARRAY_DUMP, 0, 200, 4);
	for (int i = 0; i < 5; i++)
		add(HPROF_SUB_OBJECT_ARRAY_DUMP, CLASS, 0, UINT32_MAX);
	ck_assert(heap_objects_list(&objects, true, &histogram, name_of, NULL));
	ck_assert_uint_eq(heap_histogram_section(&histogram)->row_count, 2);
	check_row("77/0", 5, 5 * ((uint64_t)16 + (uint64_t)UINT32_MAX * 4 + 4));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heap_objects");
	TCase *tests = tcase_create("objects");
	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, without_a_layout_bytes_are_those_of_values);
	tcase_add_test(tests, every_array_is_padded_by_itself);
	tcase_add_test(tests, broken_dumps_are_counted);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
