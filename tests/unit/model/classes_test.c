/*
 * Tests of class names and of the class table.
 */
#include "model/classes.h"
#include "run_suite.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ------------------------------------------------------------ */

static const struct {
	const char *signature;
	const char *name;
} names[] = {
        {"Ljava/lang/String;", "java.lang.String"},
        {"LMain;", "Main"},
        {"Ljava/util/Map$Entry;", "java.util.Map$Entry"},
        {"La/b/C$1$D;", "a.b.C$1$D"},
        /* primitive types */
        {"Z", "boolean"},
        {"B", "byte"},
        {"C", "char"},
        {"S", "short"},
        {"I", "int"},
        {"J", "long"},
        {"F", "float"},
        {"D", "double"},
        {"V", "void"},
        /* arrays */
        {"[I", "int[]"},
        {"[[[J", "long[][][]"},
        {"[Ljava/util/Map$Entry;", "java.util.Map$Entry[]"},
        {"[[LMain;", "Main[][]"},
        /* classes that look like primitive types */
        {"LI;", "I"},
        {"[LZ;", "Z[]"},
        /* hidden classes */
        {"LA$$Lambda.0x1f;", "A$$Lambda/0x1f"},
        {"La/b/A$$Lambda.0x00007f0001001a08;", "a.b.A$$Lambda/0x00007f0001001a08"},
        {"[La/A.1;", "a.A/1[]"},
        /* modified UTF-8 stays as it is */
        {"L\xc3\xa4/\xed\xa0\xbd\xed\xb8\x80;", "\xc3\xa4.\xed\xa0\xbd\xed\xb8\x80"},
        /* invalid signatures */
        {"", ""},
        {"[", "[]"},
        {"L;", ""},
        {"L", "L"},
        {";", ";"},
        {"Lx", "Lx"},
        {"x;", "x;"},
        {"X", "X"},
        {"II", "II"},
        {"a/b", "a.b"},
        {"[L;", "[]"},
        {"I[", "I["},
};

START_TEST(signatures_become_names_of_the_source)
{
	char name[64];
	size_t length = class_name_from_signature(names[_i].signature, name, sizeof(name));

	ck_assert_str_eq(name, names[_i].name);
	ck_assert_uint_eq(length, strlen(names[_i].name));
}
END_TEST

START_TEST(a_name_is_cut_to_its_room)
{
	size_t full = strlen(names[_i].name);

	for (size_t size = 1; size <= full + 2; size++) {
		char *room = malloc(size);
		ck_assert_ptr_nonnull(room);
		memset(room, '#', size);
		ck_assert_uint_eq(class_name_from_signature(names[_i].signature, room, size), full);
		size_t shown = size - 1 < full ? size - 1 : full;
		ck_assert_uint_eq(strlen(room), shown);
		ck_assert_int_eq(strncmp(room, names[_i].name, shown), 0);
		free(room);
	}
}
END_TEST

START_TEST(without_room_the_length_is_returned)
{
	char untouched = '#';

	ck_assert_uint_eq(class_name_from_signature(names[_i].signature, &untouched, 0),
	                  strlen(names[_i].name));
	ck_assert_int_eq(untouched, '#');
}
END_TEST

/* ---- the table -------------------------------------------------------- */

static struct object_ids ids;
static struct string_table *strings;
static struct class_table *classes;

static void make_tables(void)
{
	object_ids_init(&ids);
	strings = string_table_create();
	ck_assert_ptr_nonnull(strings);
	classes = class_table_create(strings, &ids);
	ck_assert_ptr_nonnull(classes);
}

static void destroy_tables(void)
{
	class_table_destroy(classes);
	string_table_destroy(strings);
}

START_TEST(serials_and_object_ids_are_dense)
{
	for (uint32_t i = 1; i <= 1000; i++) {
		const struct class_record *class = class_table_add(classes, "Lx/Y;");
		ck_assert_ptr_nonnull(class);
		ck_assert_uint_eq(class->serial, CLASS_SERIAL_BASE + i);
		ck_assert_uint_eq(class->object_id, OBJECT_ID_BASE + i);
		ck_assert_str_eq(class->name->text, "x.Y");
	}
}
END_TEST

START_TEST(classes_of_one_name_stay_apart)
{
	const struct class_record *a = class_table_add(classes, "LX;");
	const struct class_record *b = class_table_add(classes, "LX;");

	ck_assert_ptr_ne(a, b);
	ck_assert_uint_ne(a->serial, b->serial);
	ck_assert_uint_ne(a->object_id, b->object_id);
	ck_assert_ptr_eq(a->name, b->name);
}
END_TEST

START_TEST(a_class_is_found_by_its_serial)
{
	const struct class_record *added[300];

	for (uint32_t i = 0; i < 300; i++)
		added[i] = class_table_add(classes, "LX;");
	for (uint32_t i = 0; i < 300; i++)
		ck_assert_ptr_eq(class_table_find(classes, CLASS_SERIAL_BASE + 1 + i), added[i]);
}
END_TEST

START_TEST(an_unused_serial_finds_nothing)
{
	ck_assert_ptr_null(class_table_find(classes, CLASS_SERIAL_BASE + 1));
	ck_assert_ptr_nonnull(class_table_add(classes, "LX;"));
	ck_assert_ptr_null(class_table_find(classes, 0));
	ck_assert_ptr_null(class_table_find(classes, 1));
	ck_assert_ptr_null(class_table_find(classes, CLASS_SERIAL_BASE));
	ck_assert_ptr_nonnull(class_table_find(classes, CLASS_SERIAL_BASE + 1));
	ck_assert_ptr_null(class_table_find(classes, CLASS_SERIAL_BASE + 2));
	ck_assert_ptr_null(class_table_find(classes, UINT32_MAX));
}
END_TEST

/* Names about as long as the buffer that needs no allocation, and much longer ones. */
START_TEST(a_name_of_any_length_is_whole)
{
	static const size_t lengths[] = {254, 255, 256, 257, 65535};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t length = lengths[i];
		char *signature = malloc(length + 3);
		ck_assert_ptr_nonnull(signature);
		memset(signature, 'n', length + 2);
		signature[0] = 'L';
		signature[length + 1] = ';';
		signature[length + 2] = '\0';
		const struct class_record *class = class_table_add(classes, signature);
		ck_assert_ptr_nonnull(class);
		ck_assert_uint_eq(class->name->length, length);
		ck_assert_int_eq(strncmp(class->name->text, signature + 1, length), 0);
		free(signature);
	}
}
END_TEST

START_TEST(names_are_plain_utf8)
{
	const struct class_record *class = class_table_add(classes, "La/\xed\xa0\xbd\xed\xb8\x80;");

	ck_assert_ptr_nonnull(class);
	ck_assert_str_eq(class->name->text, "a.\xf0\x9f\x98\x80");
}
END_TEST

START_TEST(object_ids_are_one_series_for_all)
{
	ck_assert_uint_eq(object_id_next(&ids), OBJECT_ID_BASE + 1);
	ck_assert_uint_eq(class_table_add(classes, "LX;")->object_id, OBJECT_ID_BASE + 2);
	ck_assert_uint_eq(object_id_next(&ids), OBJECT_ID_BASE + 3);
}
END_TEST

START_TEST(a_signature_is_that_of_its_class_alone)
{
	ck_assert(class_signature_is("Lp/C;", "p/C"));
	ck_assert(!class_signature_is("Lp/CD;", "p/C"));
	ck_assert(!class_signature_is("Lp/C;", "p/CD"));
	ck_assert(!class_signature_is("[Lp/C;", "p/C"));
	ck_assert(!class_signature_is("", "p/C"));
	ck_assert(!class_signature_is("I", ""));
}
END_TEST

START_TEST(no_table_is_nothing_to_destroy)
{
	class_table_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("model_classes");
	TCase *naming = tcase_create("names");
	TCase *table = tcase_create("classes");
	int count = (int)(sizeof(names) / sizeof(names[0]));

	tcase_add_loop_test(naming, signatures_become_names_of_the_source, 0, count);
	tcase_add_loop_test(naming, a_name_is_cut_to_its_room, 0, count);
	tcase_add_loop_test(naming, without_room_the_length_is_returned, 0, count);
	tcase_set_timeout(table, 60);
	tcase_add_checked_fixture(table, make_tables, destroy_tables);
	tcase_add_test(table, serials_and_object_ids_are_dense);
	tcase_add_test(table, classes_of_one_name_stay_apart);
	tcase_add_test(table, a_class_is_found_by_its_serial);
	tcase_add_test(table, an_unused_serial_finds_nothing);
	tcase_add_test(table, a_name_of_any_length_is_whole);
	tcase_add_test(table, names_are_plain_utf8);
	tcase_add_test(table, object_ids_are_one_series_for_all);
	tcase_add_test(table, a_signature_is_that_of_its_class_alone);
	tcase_add_test(table, no_table_is_nothing_to_destroy);
	suite_add_tcase(suite, naming);
	suite_add_tcase(suite, table);
	return run_suite(suite);
}
