/*
 * Tests of the sizes of objects in a heap dump. The sizes expected are those that VMs report
 * (GetObjectSize) for classes with such fields.
 */
#include "run_suite.h"

#include "report/heap_layout.h"

#include <stdio.h>
#include <string.h>

enum { OBJECT = 1, FIRST_ID = 100 };

/* Ids of names are offsets in names, which ends the one before with a zero. */
static char names[1024];
static size_t names_used;
static struct heap_layout layout;
static struct hprof_field fields[16];
static struct hprof_field statics[16];

static uint64_t name(const char *text)
{
	size_t at = names_used;
	strcpy(names + at, text);
	names_used += strlen(text) + 1;
	return at;
}

static const char *name_of(void *context, uint64_t id)
{
	(void)context;
	ck_assert_uint_lt(id, names_used);
	return names + id;
}

/* Adds a class with fields of these types, as in signatures. */
static void add(uint64_t id, uint64_t super, const char *class_name, const char *types)
{
	struct hprof_class class = {.super_id = super, .fields = fields};
	for (; *types != '\0'; types++) {
		fields[class.field_count].name_id = name("field");
		fields[class.field_count++].type = heap_type_of(*types);
	}
	ck_assert(heap_layout_add_class(&layout, id, class_name, &class, name_of, NULL));
}

static void add_constant(struct hprof_class *class, const char *text, uint64_t value)
{
	statics[class->static_count++] = (struct hprof_field){
	        .name_id = name(text), .type = HPROF_TYPE_LONG, .value = value};
}

/* A VM by its constants; long_base: of elements of 8 bytes. */
static void begin(uint64_t base, uint64_t long_base, uint64_t reference, bool fills_gaps)
{
	struct hprof_class unsafe = {.super_id = OBJECT, .statics = statics};
	struct hprof_class class = {.super_id = OBJECT, .fields = fields};

	names_used = 0;
	heap_layout_init(&layout);
	add(OBJECT, 0, "java.lang.Object", "");
	static const char *const kinds[] = {"BOOLEAN", "CHAR", "FLOAT", "BYTE", "SHORT", "INT"};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char text[64];
		(void)snprintf(text, sizeof(text), "ARRAY_%s_BASE_OFFSET", kinds[i]);
		add_constant(&unsafe, text, base);
	}
	add_constant(&unsafe, "ARRAY_OBJECT_BASE_OFFSET", reference == 4 ? base : long_base);
	add_constant(&unsafe, "ARRAY_LONG_BASE_OFFSET", long_base);
	add_constant(&unsafe, "ARRAY_DOUBLE_BASE_OFFSET", long_base);
	add_constant(&unsafe, "ARRAY_OBJECT_INDEX_SCALE", reference);
	ck_assert(heap_layout_add_class(&layout, 2, "jdk.internal.misc.Unsafe", &unsafe, name_of,
	                                NULL));
	if (fills_gaps) {
		fields[0] = (struct hprof_field){.name_id = name("classData"),
		                                 .type = HPROF_TYPE_OBJECT};
		class.field_count = 1;
	}
	ck_assert(heap_layout_add_class(&layout, 3, "java.lang.Class", &class, name_of, NULL));
}

static void settle(uint64_t header, uint64_t alignment)
{
	ck_assert(heap_layout_settle(&layout));
	ck_assert_uint_eq(layout.header, header);
	ck_assert_uint_eq(layout.alignment, alignment);
}

static uint64_t size(uint64_t id)
{
	return heap_layout_instance(&layout, id, 0);
}

/* Classes as in a test program: A, B extends A, C extends B, and a chain of gaps. */
static void add_classes(void)
{
	add(FIRST_ID, OBJECT, "A", "BJL");
	add(FIRST_ID + 1, FIRST_ID, "B", "BI");
	add(FIRST_ID + 2, FIRST_ID + 1, "C", "SZDL");
	add(FIRST_ID + 3, OBJECT, "Z", "Z");
	add(FIRST_ID + 4, FIRST_ID + 3, "ZI", "ZI");
	add(FIRST_ID + 5, FIRST_ID + 3, "ZJ", "JB");
}

START_TEST(the_usual_layout_fills_gaps)
{
	begin(16, 16, 4, true);
	add_classes();
	settle(12, 8);
	ck_assert_uint_eq(size(OBJECT), 16);
	ck_assert_uint_eq(size(FIRST_ID), 32);     /* b at 24, l at 16, o at 12 */
	ck_assert_uint_eq(size(FIRST_ID + 1), 32); /* i at 28, b at 25 */
	ck_assert_uint_eq(size(FIRST_ID + 2), 48);
	ck_assert_uint_eq(size(FIRST_ID + 3), 16);
	ck_assert_uint_eq(size(FIRST_ID + 4), 24);
	ck_assert_uint_eq(size(FIRST_ID + 5), 24);
	ck_assert_uint_eq(heap_layout_base(&layout, HPROF_TYPE_BYTE), 16);
	ck_assert_uint_eq(heap_layout_element(&layout, HPROF_TYPE_OBJECT), 4);
	ck_assert_uint_eq(heap_layout_element(&layout, HPROF_TYPE_CHAR), 2);
}
END_TEST

START_TEST(the_layout_before_jdk_15_appends)
{
	begin(16, 16, 4, false);
	add_classes();
	add(200, OBJECT, "java.util.HashMap$Node", "ILLL");
	add(201, OBJECT, "java.lang.Long", "J");
	settle(12, 8);
	ck_assert_uint_eq(size(FIRST_ID), 32);     /* b at 12, l at 16, o at 24 */
	ck_assert_uint_eq(size(FIRST_ID + 1), 40); /* from 28: i at 28, b at 32 */
	ck_assert_uint_eq(size(FIRST_ID + 4), 24); /* from 16: i at 16, z at 20 */
	ck_assert_uint_eq(size(FIRST_ID + 5), 32); /* from 16: l at 16, b at 24 */
	ck_assert_uint_eq(size(200), 32);
	ck_assert_uint_eq(size(201), 24);
}
END_TEST

/* With references of 4 bytes and headers of 12, and with either wide. */
START_TEST(some_classes_have_an_order_of_their_own_before_jdk_15)
{
	static const struct {
		uint64_t base, reference, header, loader, throwable, failure;
	} vms[] = {{16, 4, 12, 88, 40, 40}, {24, 4, 16, 88, 40, 48}, {16, 8, 12, 144, 64, 72}};

	for (size_t i = 0; i < sizeof(vms) / sizeof(vms[0]); i++) {
		begin(vms[i].base, vms[i].base, vms[i].reference, false);
		add(FIRST_ID, OBJECT, "java.lang.ClassLoader", "LLLLLLLLLLLLLLZ");
		add(FIRST_ID + 1, OBJECT, "java.lang.Throwable", "LLLLLI");
		add(FIRST_ID + 2, FIRST_ID + 1, "java.lang.InternalError", "");
		add(FIRST_ID + 3, FIRST_ID + 2, "Failure", "B");
		settle(vms[i].header, 8);
		ck_assert_uint_eq(size(FIRST_ID), vms[i].loader);
		ck_assert_uint_eq(size(FIRST_ID + 1), vms[i].throwable);
		ck_assert_uint_eq(size(FIRST_ID + 2), vms[i].throwable);
		ck_assert_uint_eq(size(FIRST_ID + 3), vms[i].failure);
		heap_layout_free(&layout);
	}
	begin(16, 16, 4, true);
}
END_TEST

/* With headers of 16 bytes; JDK 21 adds a reference more than JDK 17. */
START_TEST(classes_of_jdk_19_and_later_have_another_reference)
{
	static const char *const thread_fields[] = {"eetop", "holder"};
	for (size_t i = 0; i < sizeof(thread_fields) / sizeof(thread_fields[0]); i++) {
		struct hprof_class thread = {.super_id = OBJECT, .fields = fields};
		begin(24, 24, 4, true);
		add(FIRST_ID, OBJECT, "java.lang.Class", "LLLLLLLLLLLLLLI");
		fields[thread.field_count++] = (struct hprof_field){
		        .name_id = name(thread_fields[i]), .type = HPROF_TYPE_OBJECT};
		ck_assert(heap_layout_add_class(&layout, FIRST_ID + 1, "java.lang.Thread", &thread,
		                                name_of, NULL));
		layout.fills_gaps = true;
		settle(16, 8);
		ck_assert_uint_eq(size(FIRST_ID), i == 0 ? 112 : 120);
		heap_layout_free(&layout);
	}
	begin(16, 16, 4, true);
}
END_TEST

START_TEST(other_headers_and_references)
{
	static const struct {
		uint64_t base, long_base, reference, header, object, a;
	} layouts[] = {
	        {12, 16, 4, 8, 8, 24},   /* compact object headers */
	        {20, 24, 4, 16, 16, 32}, /* class pointers of 8 bytes, from JDK 23 on */
	        {24, 24, 4, 16, 16, 32}, /* the same before */
	        {16, 16, 8, 12, 16, 32}, /* references of 8 bytes: b at 12, l at 16, o at 24 */
	};
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		begin(layouts[i].base, layouts[i].long_base, layouts[i].reference, true);
		add_classes();
		settle(layouts[i].header, 8);
		ck_assert_uint_eq(size(OBJECT), layouts[i].object);
		ck_assert_uint_eq(size(FIRST_ID), layouts[i].a);
		heap_layout_free(&layout);
	}
	begin(16, 16, 4, true);
}
END_TEST

START_TEST(ids_show_the_alignment)
{
	static const struct {
		uint64_t first, step, alignment;
	} ids[] = {
	        {0x100000000, 8, 8},                       /* addresses */
	        {0x100000000, 16, 16},                     /* with another alignment */
	        {0x100000000, 32, 32}, {0x20000000, 1, 8}, /* divided by 8, or numbers */
	        {0x20000000, 2, 16},
	};
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		begin(16, 16, 4, true);
		for (uint64_t j = 0; j < 1000; j++)
			heap_layout_note_id(&layout, ids[i].first + j * ids[i].step);
		heap_layout_note_id(&layout, 0x50000001); /* not by its address */
		settle(12, ids[i].alignment);
		heap_layout_free(&layout);
	}
	begin(16, 16, 4, true);
	for (uint64_t j = 0; j < 1000; j++)
		heap_layout_note_id(&layout, j * 64);
	ck_assert(!heap_layout_settle(&layout));
}
END_TEST

START_TEST(what_the_vm_adds_counts)
{
	begin(16, 16, 4, true);
	add(FIRST_ID, OBJECT, "java.lang.Module", "LLLLLLZ");
	add(FIRST_ID + 1, OBJECT, "other.Module", "LLLLLLZ");
	settle(12, 8);
	ck_assert_uint_eq(size(FIRST_ID), 48);
	ck_assert_uint_eq(size(FIRST_ID + 1), 40);
}
END_TEST

START_TEST(padded_fields_of_threads_are_counted_once)
{
	begin(16, 16, 4, true);
	/* The three fields of JDK 17 among others. */
	add(FIRST_ID, OBJECT, "java.lang.Thread", "JIIL");
	add(FIRST_ID + 1, FIRST_ID, "MyThread", "Z");
	add(FIRST_ID + 2, OBJECT, "java.lang.Thread", "L"); /* none of them: left alone */
	settle(12, 8);
	ck_assert_uint_eq(size(FIRST_ID), 16 + 128 + 16 + 128);
	ck_assert_uint_eq(size(FIRST_ID + 1), 16 + 128 + 16 + 128 + 8);
	ck_assert_uint_eq(size(FIRST_ID + 2), 16);
}
END_TEST

START_TEST(dumps_without_constants_have_no_layout)
{
	heap_layout_init(&layout);
	add(OBJECT, 0, "java.lang.Object", "");
	ck_assert(!heap_layout_settle(&layout));
	heap_layout_free(&layout);
	begin(16, 1u << 20, 4, true);
	ck_assert(!heap_layout_settle(&layout));
	heap_layout_free(&layout);
	begin(16, 16, 3, true);
	ck_assert(!heap_layout_settle(&layout));
}
END_TEST

START_TEST(broken_superclasses_are_survived)
{
	begin(16, 16, 4, true);
	add(FIRST_ID, FIRST_ID + 1, "Cycle", "I");
	add(FIRST_ID + 1, FIRST_ID, "Cycle", "I");
	add(FIRST_ID + 2, 999, "Orphan", "I");
	settle(12, 8);
	ck_assert_uint_eq(heap_layout_instance(&layout, FIRST_ID, 8), 24);
	ck_assert_uint_eq(heap_layout_instance(&layout, FIRST_ID + 2, 20), 32);
	ck_assert_uint_eq(heap_layout_instance(&layout, 12345, 4), 16);
}
END_TEST

static void end(void)
{
	heap_layout_free(&layout);
}

int main(void)
{
	Suite *suite = suite_create("heap_layout");
	TCase *tests = tcase_create("layouts");
	tcase_add_checked_fixture(tests, NULL, end);
	tcase_add_test(tests, the_usual_layout_fills_gaps);
	tcase_add_test(tests, the_layout_before_jdk_15_appends);
	tcase_add_test(tests, some_classes_have_an_order_of_their_own_before_jdk_15);
	tcase_add_test(tests, classes_of_jdk_19_and_later_have_another_reference);
	tcase_add_test(tests, other_headers_and_references);
	tcase_add_test(tests, ids_show_the_alignment);
	tcase_add_test(tests, what_the_vm_adds_counts);
	tcase_add_test(tests, padded_fields_of_threads_are_counted_once);
	tcase_add_test(tests, dumps_without_constants_have_no_layout);
	tcase_add_test(tests, broken_superclasses_are_survived);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
