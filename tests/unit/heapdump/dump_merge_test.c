/*
 * Tests of the merge of a heap dump: a small dump gives known records in both formats; a dump
 * damaged at any place is refused, or read as far as it makes sense, without reading past its
 * end.
 */
#include "dump_merge_fixture.h"
#include "run_suite.h"

/* ---- valid dumps -------------------------------------------------------- */

START_TEST(a_dump_becomes_text)
{
	ck_assert_int_eq(merge_all(&record_format_text), 0);
	ck_assert_uint_eq(object_count, 5);
	/* 0x60000000 and the address in units of 8 bytes. */
	expect_text(memory->bytes + header, memory->length - header,
	            "TRACE 300000:\n"
	            "\t<empty>\n"
	            "TRACE 300001:\n"
	            "\tNode.run(Node.java:12)\n"
	            "HEAP DUMP BEGIN (5 objects, 121 bytes) Sat Nov 21 02:55:43 2026\n"
	            "CLS 50000010 (name=java/lang/Object, trace=300000)\n"
	            "CLS 50000011 (name=Node, trace=300000)\n"
	            "\tsuper\t\t50000010\n"
	            "\tstatic first\t60000400\n"
	            "CLS 50000012 (name=java/lang/Thread, trace=300000)\n"
	            "\tsuper\t\t50000011\n"
	            "CLS 50000013 (name=[Ljava/lang/Object;, trace=300000)\n"
	            "\tsuper\t\t50000010\n"
	            "OBJ 60000400 (sz=24, trace=300000, class=Node@50000011)\n"
	            "\tnext\t\t60000401\n"
	            "OBJ 60000401 (sz=24, trace=300001, class=Node@50000011)\n"
	            "OBJ 50000077 (sz=24, trace=300000, class=java/lang/Thread@50000012)\n"
	            "\tnext\t\t60000400\n"
	            "ARR 60000403 (sz=28, trace=300000, nelems=3, "
	            "elem type=[Ljava/lang/Object;@50000013)\n"
	            "\t[1]\t\t50000077\n"
	            "\t[2]\t\t50000011\n"
	            "ARR 60000404 (sz=21, trace=300000, nelems=5, elem type=byte[])\n"
	            "ROOT 50000077 (kind=<thread>, id=200007, trace=300001)\n"
	            "ROOT 60000403 (kind=<Java stack>, thread=200007, frame=0)\n"
	            "ROOT 50000011 (kind=<system class>, name=Node)\n"
	            "ROOT 60000404 (kind=<JNI global ref>, id=4, trace=300000)\n"
	            "HEAP DUMP END\n");
}
END_TEST

/* No record can name the thread, but its root keeps the object alive. */
START_TEST(a_root_of_an_unknown_thread_is_an_unknown_root)
{
	byte_buffer_truncate(&bytes, bytes.length - 9);
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_JAVA_FRAME);
	byte_buffer_add_u8(&bytes, O_ARRAY);
	byte_buffer_add_u4(&bytes, 8);
	byte_buffer_add_u4(&bytes, 0);
	end_record(&bytes, start);
	end_record(&bytes, begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_END));
	ck_assert_int_eq(merge_all(&record_format_text), 0);
	memory->bytes[memory->length] = '\0';
	ck_assert_ptr_nonnull(
	        strstr((const char *)memory->bytes + header, "ROOT 60000403 (kind=<unknown>)\n"));
}
END_TEST

enum { O_MORE = 0x2028, O_GONE = 0x7000 };

/* HotSpot has an array, a root by a JNI global reference, of class objects of classes that are
 * not loaded. Its dumper omits those objects. */
START_TEST(elements_that_are_not_in_the_dump_are_null)
{
	byte_buffer_truncate(&bytes, bytes.length - 9);
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_object_array_head(&bytes, O_MORE, C_ARRAY, 4);
	byte_buffer_add_u8(&bytes, O_FIRST);
	byte_buffer_add_u8(&bytes, O_GONE);
	byte_buffer_add_u8(&bytes, O_THREAD);
	byte_buffer_add_u8(&bytes, C_NODE);
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_JNI_GLOBAL);
	byte_buffer_add_u8(&bytes, O_MORE);
	byte_buffer_add_u8(&bytes, 0x7f08);
	end_record(&bytes, start);
	end_record(&bytes, begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_END));
	ck_assert_int_eq(merge_all(&record_format_text), 0);
	memory->bytes[memory->length] = '\0';
	ck_assert_ptr_nonnull(strstr((const char *)memory->bytes + header,
	                             "ARR 60000405 (sz=32, trace=300000, nelems=4, "
	                             "elem type=[Ljava/lang/Object;@50000013)\n"
	                             "\t[0]\t\t60000400\n"
	                             "\t[2]\t\t50000077\n"
	                             "\t[3]\t\t50000011\n"));
}
END_TEST

enum { C_OLD = 0x1020 };

/* Its dumper writes LOAD CLASS and roots, but no CLASS DUMP, for the old versions of a
 * retransformed class. */
START_TEST(roots_that_are_not_in_the_dump_are_omitted)
{
	byte_buffer_truncate(&bytes, bytes.length - 9);
	add_load_class(&bytes, 6, C_OLD, NODE);
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_node(O_MORE, C_OLD, 5);
	static const uint64_t sticky[] = {C_OLD, O_GONE, C_THREAD};
	for (size_t i = 0; i < sizeof(sticky) / sizeof(sticky[0]); i++) {
		byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_STICKY_CLASS);
		byte_buffer_add_u8(&bytes, sticky[i]);
	}
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_JNI_GLOBAL);
	byte_buffer_add_u8(&bytes, C_OLD);
	byte_buffer_add_u8(&bytes, 0x7f08);
	end_record(&bytes, start);
	end_record(&bytes, begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_END));
	ck_assert_int_eq(merge_all(&record_format_text), 0);
	memory->bytes[memory->length] = '\0';
	ck_assert_ptr_nonnull(strstr((const char *)memory->bytes + header,
	                             "OBJ 60000405 (sz=24, trace=300000, class=Node@50000011)\n"
	                             "ROOT 50000012 (kind=<system class>, "
	                             "name=java/lang/Thread)\n"
	                             "HEAP DUMP END\n"));
}
END_TEST

/* Length of the file, and how much each step adds to it. */
static size_t file_length;
static size_t step;

static bool add_a_step(void *context)
{
	static uint8_t scratch[1 << 16];
	size_t read_before = file_length;
	(void)context;

	if (file_length == bytes.length)
		return false;
	file_length = bytes.length - file_length < step ? bytes.length : file_length + step;
	change_input(&file, bytes.bytes, file_length);
	while (read_before > 0) {
		size_t count;
		size_t size = read_before < sizeof(scratch) ? read_before : sizeof(scratch);
		ck_assert_int_eq(os_file_read(&file, scratch, size, &count), 0);
		read_before -= count;
	}
	return true;
}

/* These steps end inside heads, numbers and values. */
START_TEST(a_dump_that_is_still_being_written_is_read_to_its_end)
{
	static uint8_t whole[1 << 16];

	ck_assert_int_eq(merge_all(&record_format_text), 0);
	size_t length = memory->length;
	ck_assert_uint_le(length, sizeof(whole));
	memcpy(whole, memory->bytes, length);
	for (step = 1; step <= 40; step += 13) {
		/* Serials must start again, so the model must be new. */
		model_destroy(&model);
		ck_assert(model_init(&model));
		file_length = 0;
		more = add_a_step;
		ck_assert_int_eq(merge_first(&record_format_text, 0), 0);
		more = NULL;
		ck_assert_uint_eq(file_length, bytes.length);
		ck_assert_uint_eq(memory->length, length);
		ck_assert_mem_eq(memory->bytes, whole, length);
	}
}
END_TEST

/* Fails unless the bytes occur in the output. */
static void expect_somewhere(const void *expected, size_t length)
{
	for (size_t at = header; at + length <= memory->length; at++) {
		if (memcmp(memory->bytes + at, expected, length) == 0)
			return;
	}
	ck_abort_msg("not in the output");
}

START_TEST(a_dump_becomes_binary_with_ids_of_4_bytes)
{
	static const uint8_t objects[] = {
	        0x21, 0x60, 0, 4, 0,    0,    4,    0x93, 0xe0, 0x50, 0, 0, 0x11, 0, 0, 0, 8,
	        0x60, 0,    4, 1, 0x11, 0x22, 0x33, 0x44, /* the second: */
	        0x21, 0x60, 0, 4, 1,    0,    4,    0x93, 0xe1, 0x50, 0, 0, 0x11, 0, 0, 0, 8,
	        0,    0,    0, 0, 0,    0,    0,    2, /* the thread, its own field first: */
	        0x21, 0x50, 0, 0, 0x77, 0,    4,    0x93, 0xe0, 0x50, 0, 0, 0x12, 0, 0, 0, 16,
	        0,    0,    0, 0, 0,    0,    0,    42,   0x60, 0,    4, 0, 0,    0, 0, 3};
	static const uint8_t arrays[] = {
	        0x22, 0x60, 0, 4, 3,    0,    4, 0x93, 0xe0, 0,    0, 0,   3,    0x50, 0,    0,
	        0x13, 0,    0, 0, 0,    0x50, 0, 0,    0x77, 0x50, 0, 0,   0x11, 0x23, 0x60, 0,
	        4,    4,    0, 4, 0x93, 0xe0, 0, 0,    0,    5,    8, 'h', 'e',  'l',  'l',  'o'};
	ck_assert_int_eq(merge_all(&record_format_binary_segments), 0);
	expect_somewhere(objects, sizeof(objects));
	expect_somewhere(arrays, sizeof(arrays));
}
END_TEST

START_TEST(progress_is_reported_for_both_readings)
{
	byte_buffer_truncate(&bytes, 0);
	add_header(&bytes, "JAVA PROFILE 1.0.2", 8);
	add_names();
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_classes();
	for (int i = 0; i < 3; i++) {
		add_primitive_array_head(&bytes, O_BYTES, HPROF_TYPE_BYTE, 4 << 20);
		for (int j = 0; j < (4 << 20) / 8; j++)
			byte_buffer_add_u8(&bytes, 0);
	}
	end_record(&bytes, start);
	ck_assert_int_eq(merge_all(&record_format_text), 0);
	ck_assert_uint_eq(reported_read, 3);
	ck_assert_uint_eq(reported_written, 3);
	ck_assert_uint_eq(reported_total, 3);
}
END_TEST

/* ---- refused dumps ------------------------------------------------------ */

/* Every place is tried, but some under the address sanitizer, which marks and unmarks an index's
 * 64 MB of bits each time; merge_fuzz.c tries any. */
#ifdef __SANITIZE_ADDRESS__
enum { STEP = 7 };
#else
enum { STEP = 1 };
#endif

START_TEST(a_truncated_dump_is_refused_or_ends_with_a_record)
{
	unsigned accepted = 0;
	for (size_t length = 0; length < bytes.length; length += STEP) {
		int error = merge_first(&record_format_text, length);
		ck_assert_msg(error == 0 || error == HPROF_BROKEN, "error %d at %zu", error,
		              length);
		accepted += error == 0;
	}
	/* After the header and after each record except the last: strings, classes, the frame,
	 * the trace, two segments. */
	if (STEP == 1)
		ck_assert_uint_eq(accepted, 1 + 11 + 4 + 2 + 2);
}
END_TEST

START_TEST(a_dump_with_any_one_byte_changed_does_no_harm)
{
	static const uint8_t others[] = {0x01, 0xff};
	for (size_t at = 0; at < bytes.length; at += STEP) {
		uint8_t right = bytes.bytes[at];
		for (size_t i = 0; i < sizeof(others); i++) {
			bytes.bytes[at] = others[i];
			int error = merge_all(&record_format_text);
			/* Changed addresses may be too large for ids of 4 bytes. */
			ck_assert_msg(error == 0 || error == HPROF_BROKEN ||
			                      error == BYTES_TOO_LARGE,
			              "error %d at %zu", error, at);
		}
		bytes.bytes[at] = right;
	}
}
END_TEST

/* Begins one more segment, which the caller fills. */
static size_t begin_more(void)
{
	return begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
}

static void expect_refused(size_t start)
{
	end_record(&bytes, start);
	ck_assert_int_eq(merge_all(&record_format_text), HPROF_BROKEN);
	ck_assert_int_eq(merge_all(&record_format_binary_segments), HPROF_BROKEN);
}

START_TEST(instances_with_a_wrong_length_are_refused)
{
	static const uint32_t lengths[] = {0, 11, 13, 20};
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		make_dump();
		size_t start = begin_more();
		add_instance_head(&bytes, 0x3000, C_NODE, lengths[i]);
		for (uint32_t j = 0; j < lengths[i]; j++)
			byte_buffer_add_u1(&bytes, 0);
		expect_refused(start);
	}
}
END_TEST

START_TEST(objects_and_dumps_of_undefined_classes_are_refused)
{
	size_t start = begin_more();
	add_instance_head(&bytes, 0x3000, 0x4000, 0);
	expect_refused(start);

	make_dump();
	start = begin_more();
	add_object_array_head(&bytes, 0x3000, 0x4000, 0);
	expect_refused(start);

	make_dump();
	start = begin_more();
	add_class_head(&bytes, 0x4000, C_OBJECT, 0);
	for (int i = 0; i < 3; i++)
		add_list(&bytes, 0);
	expect_refused(start);
}
END_TEST

START_TEST(classes_that_are_their_own_superclass_are_refused)
{
	add_string(&bytes, 100, "Circle");
	add_load_class(&bytes, 50, 0x1020, 100);
	size_t start = begin_more();
	add_class_head(&bytes, 0x1020, 0x1020, 0);
	add_list(&bytes, 0);
	add_list(&bytes, 0);
	add_list(&bytes, 1);
	add_field(&bytes, COUNT, HPROF_TYPE_BYTE);
	add_instance_head(&bytes, 0x3000, 0x1020, 1);
	byte_buffer_add_u1(&bytes, 0);
	expect_refused(start);
}
END_TEST

START_TEST(a_trace_of_undefined_frames_or_classes_is_refused)
{
	for (int missing = 0; missing < 2; missing++) {
		make_dump();
		size_t start = begin_record(&bytes, HPROF_RECORD_STACK_FRAME);
		byte_buffer_add_u8(&bytes, 78);
		for (int i = 0; i < 3; i++)
			byte_buffer_add_u8(&bytes, RUN);
		byte_buffer_add_u4(&bytes, 4711);
		byte_buffer_add_u4(&bytes, 1);
		end_record(&bytes, start);
		start = begin_record(&bytes, HPROF_RECORD_STACK_TRACE);
		byte_buffer_add_u4(&bytes, 6);
		byte_buffer_add_u4(&bytes, 10);
		byte_buffer_add_u4(&bytes, 1);
		byte_buffer_add_u8(&bytes, missing == 0 ? 78 : 79);
		end_record(&bytes, start);
		start = begin_more();
		byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_THREAD_OBJECT);
		byte_buffer_add_u8(&bytes, O_SECOND);
		byte_buffer_add_u4(&bytes, 10);
		byte_buffer_add_u4(&bytes, 6);
		expect_refused(start);
	}
}
END_TEST

START_TEST(a_trace_that_claims_a_huge_depth_is_refused)
{
	size_t start = begin_record(&bytes, HPROF_RECORD_STACK_TRACE);
	byte_buffer_add_u4(&bytes, 6);
	byte_buffer_add_u4(&bytes, 10);
	byte_buffer_add_u4(&bytes, UINT32_MAX);
	expect_refused(start);
}
END_TEST

/* The lists of the index grow at powers of 2. */
enum { LIST_MOST = 300 };

START_TEST(a_truncated_record_leaves_its_list_unchanged)
{
	static const uint8_t tags[] = {HPROF_RECORD_LOAD_CLASS, HPROF_RECORD_STACK_FRAME,
	                               HPROF_RECORD_STACK_TRACE};
	for (size_t i = 0; i < sizeof(tags); i++) {
		byte_buffer_truncate(&bytes, 0);
		add_header(&bytes, "JAVA PROFILE 1.0.2", 8);
		add_string(&bytes, OBJECT, "java/lang/Object");
		for (uint32_t at = 1; at <= LIST_MOST; at++) {
			size_t start = begin_record(&bytes, tags[i]);
			if (tags[i] == HPROF_RECORD_LOAD_CLASS)
				byte_buffer_add_u4(&bytes, at);
			if (tags[i] == HPROF_RECORD_STACK_TRACE) {
				byte_buffer_add_u4(&bytes, at);
				byte_buffer_add_u8(&bytes, 1); /* thread 0, one frame */
			}
			byte_buffer_add_u8(&bytes, C_OBJECT + 8 * (uint64_t)at);
			if (tags[i] == HPROF_RECORD_LOAD_CLASS)
				byte_buffer_add_u4(&bytes, 0);
			for (int j = 0; tags[i] == HPROF_RECORD_STACK_FRAME && j < 4; j++)
				byte_buffer_add_u8(&bytes, OBJECT);
			if (tags[i] == HPROF_RECORD_LOAD_CLASS)
				byte_buffer_add_u8(&bytes, OBJECT);
			end_record(&bytes, start);
			/* The list is full at powers of 2. */
			if ((at & (at - 1)) == 0 || ((at - 1) & (at - 2)) == 0)
				ck_assert_int_eq(merge_first(&record_format_text, bytes.length - 1),
				                 HPROF_BROKEN);
		}
		ck_assert_int_eq(merge_all(&record_format_text), 0);
	}
}
END_TEST

START_TEST(unknown_records_are_skipped)
{
	size_t start = begin_record(&bytes, 0x99);
	byte_buffer_add_text(&bytes, "of another version");
	end_record(&bytes, start);
	ck_assert_int_eq(merge_all(&record_format_text), 0);
	ck_assert_uint_eq(object_count, 5);
}
END_TEST

/* HotSpot also writes LOAD CLASS for classes that another thread is loading. */
START_TEST(classes_without_an_object_are_omitted)
{
	add_string(&bytes, 100, "Unborn");
	add_load_class(&bytes, 50, 0, 100);
	add_load_class(&bytes, 51, 0, 100);
	ck_assert_int_eq(merge_all(&record_format_text), 0);
	ck_assert_uint_eq(object_count, 5);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dump_merge");
	TCase *valid = tcase_create("valid");
	TCase *refused = tcase_create("refused");

	tcase_add_checked_fixture(valid, set_up, tear_down);
	tcase_add_test(valid, a_dump_becomes_text);
	tcase_add_test(valid, elements_that_are_not_in_the_dump_are_null);
	tcase_add_test(valid, roots_that_are_not_in_the_dump_are_omitted);
	tcase_add_test(valid, a_root_of_an_unknown_thread_is_an_unknown_root);
	tcase_add_test(valid, a_dump_becomes_binary_with_ids_of_4_bytes);
	tcase_add_test(valid, a_dump_that_is_still_being_written_is_read_to_its_end);
	tcase_add_test(valid, progress_is_reported_for_both_readings);
	tcase_add_test(valid, unknown_records_are_skipped);
	tcase_add_test(valid, classes_without_an_object_are_omitted);
	tcase_add_checked_fixture(refused, set_up, tear_down);
	tcase_set_timeout(refused, 120);
	tcase_add_test(refused, a_truncated_dump_is_refused_or_ends_with_a_record);
	tcase_add_test(refused, a_dump_with_any_one_byte_changed_does_no_harm);
	tcase_add_test(refused, instances_with_a_wrong_length_are_refused);
	tcase_add_test(refused, objects_and_dumps_of_undefined_classes_are_refused);
	tcase_add_test(refused, classes_that_are_their_own_superclass_are_refused);
	tcase_add_test(refused, a_trace_of_undefined_frames_or_classes_is_refused);
	tcase_add_test(refused, a_truncated_record_leaves_its_list_unchanged);
	tcase_add_test(refused, a_trace_that_claims_a_huge_depth_is_refused);
	suite_add_tcase(suite, valid);
	suite_add_tcase(suite, refused);
	return run_suite(suite);
}
