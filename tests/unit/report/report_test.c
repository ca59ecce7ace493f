/*
 * Tests of `hprof report`: known profiles, text and binary, become the expected tables,
 * collapsed stacks and pictures; files that are truncated or changed at random are read as far
 * as they go.
 */
#include "heap_fixture.h"
#include "run_suite.h"

#include "console/input.h"
#include "export/collapsed.h"
#include "export/flame.h"
#include "export/xml_text.h"
#include "report/report_table.h"
#include "report/stack_tree.h"
#include "report/state_sections.h"

#include <stdio.h>
#include <stdlib.h>

static const char preamble[] = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
                               "\n"
                               "  TRACE 7: is no record here\n"
                               "--------\n"
                               "\n";

static const char traces[] =
        "THREAD START (obj=5001, id = 200001, name=\"ma, \"in\", group=\"main\")\n"
        "TRACE 300000:\n"
        "\t<empty>\n"
        "TRACE 300001:\n"
        "\tA.inner(A.java:12)\n"
        "\tA.with (parens)(A.java:Unknown line)\n"
        "\tB.main(<Unknown Source>:Native method)\n"
        "TRACE 300002: (thread=200001)\n"
        "\tA.inner(A.java:13)\n"
        "\tA.with (parens)(A.java:4)\n"
        "\tB.main(B.java:1)\n";

static const char samples[] = "CPU SAMPLES BEGIN (total = 10) Sat Nov 21 02:55:44 2026\n"
                              "rank   self  accum   count trace method\n"
                              "   1 50.00% 50.00%       5 300001 A.inner\n"
                              "   2 30.00% 80.00%       3 300002 A.inner\n"
                              "   3 20.00% 100.00%       2 300000 <empty trace>\n"
                              "CPU SAMPLES END\n";

static const char times[] = "CPU TIME (ms) BEGIN (total = 2000) Sat Nov 21 02:55:44 2026\n"
                            "rank   self  accum   count trace method\n"
                            "   1 12.34% 12.34%    7777 300001 A.inner\n"
                            "CPU TIME (ms) END\n";

static const char sites[] = "SITES BEGIN (ordered by live bytes) Sat Nov 21 02:55:44 2026\n"
                            "          percent          live          alloc'ed  stack class\n"
                            " rank   self  accum     bytes objs     bytes  objs trace name\n"
                            "    1 60.00% 60.00%       600    6      6000    60 300001 byte[]\n"
                            "    2 40.00% 100.00%       400    4      4000    40 300000 a.B\n"
                            "SITES END\n";

static const char heap[] = "HEAP DUMP BEGIN (3 objects, 60 bytes) Sat Nov 21 02:55:44 2026\n"
                           "ROOT 5 (kind=<unknown>)\n"
                           "CLS 7 (name=a.B, trace=300000)\n"
                           "OBJ 8 (sz=16, trace=300000, class=a.B@7)\n"
                           "\tname\t\t9\n"
                           "ARR 9 (sz=20, trace=300000, nelems=3, elem type=a.B[]@6)\n"
                           "ARR a (sz=24, trace=300000, nelems=8, elem type=byte[])\n"
                           "HEAP DUMP END\n";

static struct byte_buffer file;
static struct output output;
static struct stack_tree tree;
static struct tree_visitor tree_visitor;
static struct table_visitor table_visitor;
static struct report_profile profile;
static struct report_error error;

static void set_up(void)
{
	byte_buffer_init(&file);
	output = (struct output){.file = {.handle = -1}};
	byte_buffer_init(&output.text);
	ck_assert(stack_tree_init(&tree));
	tree_visitor_init(&tree_visitor, &tree);
	table_visitor_init(&table_visitor, &output, 0);
	ck_assert(report_profile_init(&profile));
}

static void tear_down(void)
{
	report_profile_free(&profile);
	tree_visitor_free(&tree_visitor);
	stack_tree_free(&tree);
	byte_buffer_free(&output.text);
	byte_buffer_free(&file);
}

static void again(void)
{
	tear_down();
	set_up();
}

static void add(const char *text)
{
	byte_buffer_add_text(&file, text);
}

static bool read_bytes(const void *bytes, size_t length, struct report_visitor *visitor)
{
	struct input *input = input_of_bytes(bytes, length);
	ck_assert_ptr_nonnull(input);
	bool text = input_begins_with(input, "JAVA PROFILE 1.0.1, created ");
	bool whole = text ? report_read_text(input_source(input), &profile, visitor, &error)
	                  : report_read_binary(input_source(input), &profile, visitor, &error);
	input_close(input);
	return whole;
}

static bool read_file(struct report_visitor *visitor)
{
	return read_bytes(file.bytes, file.length, visitor);
}

static void read_tree(void)
{
	ck_assert_msg(read_file(&tree_visitor.base), "%s", error.text);
	ck_assert(tree_visitor_finish(&tree_visitor, &profile));
}

static const char *written(void)
{
	byte_buffer_add_u1(&output.text, 0);
	ck_assert_int_eq(output.text.error, 0);
	return (const char *)output.text.bytes;
}

static const char *collapsed(void)
{
	ck_assert(stack_tree_write_collapsed(&tree, &output));
	return written();
}

/* ---- text ------------------------------------------------------------------------ */

START_TEST(stacks_of_text_are_collapsed_whatever_their_lines)
{
	add(preamble);
	add(traces);
	add(samples);
	read_tree();
	ck_assert_str_eq(collapsed(), "<empty trace> 2\nB.main;A.with (parens);A.inner 8\n");
}
END_TEST

START_TEST(sections_of_one_kind_are_added_up_unless_only_the_last_is_selected)
{
	for (int last = 0; last < 2; last++) {
		again();
		tree_visitor.last = last != 0;
		add(preamble);
		add(traces);
		add(samples);
		add(times);
		add(samples);
		read_tree();
		ck_assert_uint_eq(tree.nodes[0].total, last != 0 ? 10 : 20);
	}
}
END_TEST

START_TEST(threads_are_the_outermost_frames_on_request)
{
	tree_visitor.threads = true;
	add(preamble);
	add(traces);
	add(samples);
	read_tree();
	ck_assert_str_eq(collapsed(), "<empty trace> 2\n"
	                              "B.main;A.with (parens);A.inner 5\n"
	                              "thread ma, \"in;B.main;A.with (parens);A.inner 3\n");
}
END_TEST

START_TEST(times_are_reported_in_nanoseconds)
{
	add(preamble);
	add(traces);
	add(times);
	read_tree();
	ck_assert_str_eq(collapsed(), "B.main;A.with (parens);A.inner 246800000\n"
	                              "[below the cutoff] 1753200000\n");
}
END_TEST

START_TEST(what_was_allocated_is_on_top_of_its_stack_and_the_last_section_counts)
{
	add(preamble);
	add(traces);
	add(sites);
	add(sites);
	read_tree();
	ck_assert_str_eq(collapsed(), "<empty trace>;a.B 400\n"
	                              "B.main;A.with (parens);A.inner;byte[] 600\n");
}
END_TEST

START_TEST(tables_have_the_rows_and_their_frames)
{
	add(preamble);
	add(traces);
	add("NOTE: 2 of 10 samples\n");
	add(samples);
	ck_assert_msg(read_file(&table_visitor.base), "%s", error.text);
	ck_assert_str_eq(written(), "NOTE: 2 of 10 samples\n"
	                            "CPU SAMPLES (total = 10) Sat Nov 21 02:55:44 2026\n"
	                            " rank    self   accum     samples   trace method\n"
	                            "    1  50.00%  50.00%           5  300001 A.inner\n"
	                            "\t\tA.inner(A.java:12)\n"
	                            "\t\tA.with (parens)(A.java:Unknown line)\n"
	                            "\t\tB.main(<Unknown Source>:Native method)\n"
	                            "    2  30.00%  80.00%           3  300002 A.inner\n"
	                            "\t\tthread 200001 \"ma, \"in\"\n"
	                            "\t\tA.inner(A.java:13)\n"
	                            "\t\tA.with (parens)(A.java:4)\n"
	                            "\t\tB.main(B.java:1)\n"
	                            "    3  20.00% 100.00%           2  300000 <empty trace>\n");
}
END_TEST

#define STATES_ROW                                                         \
	"   1       1.000       1.000           -           -           -" \
	"       0.000       0.000       0.000           -       0.000        7 300000 <empty>\n"

/* A section of one state counts what the section of all states counts. */
START_TEST(tables_of_states_have_calls_or_samples)
{
	static const char *const kinds[] = {"exact", "sampled"};
	static const char *const counts[] = {"    calls", "  samples"};
	static const char *const state_counts[] = {"       calls", "     samples"};

	for (size_t i = 0; i < 2; i++) {
		char text[1024];
		struct state_sections sections;

		again();
		add(preamble);
		add(traces);
		(void)snprintf(text, sizeof(text),
		               "TRACE MICROSTATES (ms) BEGIN (total = 1, %s) x\n" STATES_ROW
		               "TRACE MICROSTATES (ms) END\n",
		               kinds[i]);
		add(text);
		state_sections_init(&sections, &table_visitor.base);
		ck_assert_msg(read_file(&sections.base), "%s", error.text);
		(void)snprintf(text, sizeof(text),
		               "TRACE MICROSTATES (ms) (total = 1, %s) x\n"
		               "rank        wall         usr         sys         tfl         dfl"
		               "         lck         slp         i/o         lat         stw"
		               "%s trace method\n" STATES_ROW "\n"
		               "TRACE MICROSTATES, usr\n"
		               " rank    self   accum%s   trace method\n"
		               "    1 100.00%% 100.00%%           7  300000 usr\n",
		               kinds[i], counts[i], state_counts[i]);
		ck_assert_str_eq(written(), text);
	}
}
END_TEST

START_TEST(a_heap_dump_becomes_a_histogram)
{
	add(preamble);
	add(heap);
	ck_assert_msg(read_file(&table_visitor.base), "%s", error.text);
	ck_assert_str_eq(written(), "HEAP DUMP (3 objects, 60 bytes) Sat Nov 21 02:55:44 2026\n"
	                            " rank    self   accum     objects          bytes class\n"
	                            "    1  40.00%  40.00%           1             24 byte[]\n"
	                            "    2  33.33%  73.33%           1             20 a.B[]\n"
	                            "    3  26.67% 100.00%           1             16 a.B\n");
}
END_TEST

START_TEST(tables_can_be_cut_off)
{
	table_visitor.rows_max = 1;
	add(preamble);
	add(samples);
	ck_assert_msg(read_file(&table_visitor.base), "%s", error.text);
	ck_assert_ptr_nonnull(strstr(written(), "\n... and 2 more; --top 0 shows all\n"));
}
END_TEST

START_TEST(broken_text_is_reported_with_its_line)
{
	static const char *const broken[] = {
	        "TRACE x:\n",
	        "TRACE 99999999999:\n",
	        "THREAD START (nothing)\n",
	        "CPU SAMPLES BEGIN\n   1 50.00% 50.00%       5\nCPU SAMPLES END\n",
	        "CPU SAMPLES BEGIN\n   1 50.0% 50.00%       5 300001 x\nCPU SAMPLES END\n",
	        "CPU SAMPLES BEGIN\n   1 50.00% 50.00% 99999999999999999999999 300001 x\n",
	        "SITES BEGIN (ordered by live bytes) x\n 1 1.00% 1.00% 1 1 1 x\n",
	        "CPU SAMPLES BEGIN (total = 1)\n",
	        "HEAP DUMP BEGIN\nOBJ 5\nHEAP DUMP END\n",
	        "HEAP DUMP BEGIN\nARR 5 (sz=1, elem type=\nHEAP DUMP END\n",
	        "HEAP DUMP BEGIN\n",
	        "MONITOR DUMP BEGIN\n    THREAD 1, trace x\nMONITOR DUMP END\n",
	};
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		again();
		add(preamble);
		add(broken[i]);
		ck_assert_msg(!read_file(&table_visitor.base), "%s", broken[i]);
		ck_assert_int_eq(error.code, 0);
		ck_assert_msg(strncmp(error.text, "line ", 5) == 0, "%s: %s", broken[i],
		              error.text);
	}
}
END_TEST

START_TEST(a_text_without_records_is_refused)
{
	add("JAVA PROFILE 1.0.1, created Sat\n\nno end of the explanation");
	ck_assert(!read_file(&table_visitor.base));
}
END_TEST

START_TEST(control_characters_of_a_file_do_not_reach_the_terminal)
{
	add(preamble);
	add("TRACE 300001:\n\tA.\033[2J(A.java:1)\n");
	add("CPU SAMPLES BEGIN \033]0;x\007\n 1 1.00% 1.00% 5 300001 \033[1m\nCPU SAMPLES END\n");
	add("NOTE: \033[2J\n");
	ck_assert_msg(read_file(&table_visitor.base), "%s", error.text);
	ck_assert_ptr_null(strchr(written(), '\033'));
	ck_assert_ptr_null(strchr((const char *)output.text.bytes, '\007'));
}
END_TEST

/* ---- binary ---------------------------------------------------------------------- */

/* Strings, two classes, two frames, a trace, samples, a site, a heap dump. */
static void add_binary(void)
{
	static const uint8_t values[16];
	add_header(&file, "JAVA PROFILE 1.0.2", 8);
	add_string(&file, 1, "com/x/A");
	add_string(&file, 2, "run");
	add_string(&file, 3, "()V");
	add_string(&file, 4, "A.java");
	add_string(&file, 5, "[[I");
	add_load_class(&file, 1, 0x1000, 1);
	add_load_class(&file, 2, 0x2000, 5);
	for (uint64_t id = 10; id < 12; id++) {
		size_t frame = begin_record(&file, 0x04);
		byte_buffer_add_u8(&file, id);
		byte_buffer_add_u8(&file, 2);
		byte_buffer_add_u8(&file, 3);
		byte_buffer_add_u8(&file, id == 10 ? 4 : 0);
		byte_buffer_add_u4(&file, 1);
		byte_buffer_add_u4(&file, id == 10 ? 12 : (uint32_t)-3);
		end_record(&file, frame);
	}
	size_t trace = begin_record(&file, 0x05);
	byte_buffer_add_u4(&file, 7);
	byte_buffer_add_u4(&file, 0);
	byte_buffer_add_u4(&file, 2);
	byte_buffer_add_u8(&file, 10);
	byte_buffer_add_u8(&file, 11);
	end_record(&file, trace);
	size_t record = begin_record(&file, 0x0d);
	byte_buffer_add_u4(&file, 40);
	byte_buffer_add_u4(&file, 1);
	byte_buffer_add_u4(&file, 30);
	byte_buffer_add_u4(&file, 7);
	end_record(&file, record);
	size_t segment = begin_record(&file, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_instance_head(&file, 0x3000, 0x1000, 16);
	byte_buffer_add(&file, values, 16);
	add_object_array_head(&file, 0x3001, 0x2000, 1);
	byte_buffer_add(&file, values, 8);
	end_record(&file, segment);
	end_record(&file, begin_record(&file, HPROF_RECORD_HEAP_DUMP_END));
}

START_TEST(a_binary_profile_is_reported_like_text)
{
	add_binary();
	ck_assert_msg(read_file(&table_visitor.base), "%s", error.text);
	const char *text = written();
	ck_assert_ptr_nonnull(strstr(text, "    1  75.00%  75.00%          30       7 com.x.A.run\n"
	                                   "\t\tcom.x.A.run(A.java:12)\n"
	                                   "\t\tcom.x.A.run(<Unknown Source>:Native method)\n"));
	ck_assert_ptr_nonnull(strstr(text,
	                             "    1  66.67%  66.67%           1             16 com.x.A\n"
	                             "    2  33.33% 100.00%           1              8 int[][]\n"));
}
END_TEST

START_TEST(binary_that_is_cut_off_is_read_as_far_as_it_goes)
{
	add_binary();
	for (size_t length = FILE_HEADER_BYTES; length < file.length; length++) {
		uint8_t *cut = malloc(length);
		ck_assert_ptr_nonnull(cut);
		memcpy(cut, file.bytes, length);
		report_profile_free(&profile);
		ck_assert(report_profile_init(&profile));
		byte_buffer_truncate(&output.text, 0);
		bool whole = read_bytes(cut, length, &table_visitor.base);
		ck_assert(whole || error.text[0] != '\0');
		free(cut);
	}
}
END_TEST

/* Of a file in memory that ends where it does, for the address sanitizer. */
static void read_changed(uint32_t *random, int changes)
{
	uint8_t *changed = malloc(file.length);
	ck_assert_ptr_nonnull(changed);
	memcpy(changed, file.bytes, file.length);
	for (int i = 0; i < changes; i++) {
		*random = *random * 1664525 + 1013904223;
		changed[(*random >> 8) % file.length] = (uint8_t)(*random >> 3);
	}
	report_profile_free(&profile);
	ck_assert(report_profile_init(&profile));
	stack_tree_clear(&tree);
	tree_visitor_free(&tree_visitor);
	tree_visitor_init(&tree_visitor, &tree);
	byte_buffer_truncate(&output.text, 0);
	(void)read_bytes(changed, file.length, &table_visitor.base);
	report_profile_free(&profile);
	ck_assert(report_profile_init(&profile));
	(void)read_bytes(changed, file.length, &tree_visitor.base);
	ck_assert(tree_visitor_finish(&tree_visitor, &profile));
	byte_buffer_truncate(&output.text, 0);
	ck_assert(stack_tree_write_collapsed(&tree, &output));
	ck_assert(stack_tree_write_flame(&tree, NULL, "t", "u", &output));
	free(changed);
}

START_TEST(random_changes_are_read_to_the_end)
{
	uint32_t random = 4711;
	add_binary();
	for (int round = 0; round < 400; round++)
		read_changed(&random, 1 + round % 3);
	again();
	add(preamble);
	add(traces);
	add(samples);
	add(sites);
	add(heap);
	for (int round = 0; round < 400; round++)
		read_changed(&random, 1 + round % 4);
}
END_TEST

/* ---- pictures ---------------------------------------------------------------------- */

static void escapes_to(const char *text, size_t most, const char *expected)
{
	byte_buffer_truncate(&output.text, 0);
	xml_add_text(&output.text, text, strlen(text), most);
	ck_assert_str_eq(written(), expected);
}

#define REPLACEMENT "\xef\xbf\xbd"

START_TEST(names_can_not_end_what_they_are_in)
{
	escapes_to("a<b>&\"c'", 100, "a&lt;b&gt;&amp;&quot;c&#39;");
	escapes_to("]]></script>", 100, "]]&gt;&lt;/script&gt;");
	escapes_to("\001\x7f\t", 100, REPLACEMENT REPLACEMENT REPLACEMENT);
	escapes_to("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 100,
	           "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	/* Overlong, a surrogate, beyond Unicode, cut off, U+FFFE, NEXT LINE. */
	escapes_to("\xc0\xaf", 100, REPLACEMENT REPLACEMENT);
	escapes_to("\xed\xa0\x80", 100, REPLACEMENT REPLACEMENT REPLACEMENT);
	escapes_to("\xf5\x80\x80\x80", 100, REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT);
	escapes_to("a\xe2\x82", 100, "a" REPLACEMENT REPLACEMENT);
	escapes_to("\xef\xbf\xbe", 100, REPLACEMENT);
	escapes_to("\xc2\x85", 100, REPLACEMENT);
}
END_TEST

START_TEST(long_names_are_cut_between_characters)
{
	escapes_to("abcdef", 6, "abcdef");
	escapes_to("abcdefg", 6, "abcd..");
	escapes_to("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 3, "\xc3\xa4..");
	escapes_to("&&&&", 3, "&amp;..");
	escapes_to("ab", 0, "");
}
END_TEST

START_TEST(a_picture_has_a_frame_for_each_call)
{
	add(preamble);
	add(traces);
	add(samples);
	read_tree();
	ck_assert(stack_tree_write_flame(&tree, NULL, "a < b", "samples", &output));
	const char *svg = written();
	ck_assert_ptr_nonnull(strstr(svg, "a &lt; b</text>"));
	ck_assert_ptr_nonnull(strstr(svg, "<title>all (10 samples, 100.00%)</title>"));
	ck_assert_ptr_nonnull(strstr(svg, "<title>A.inner (8 samples, 80.00%)</title>"));
	ck_assert_ptr_nonnull(
	        strstr(svg, "<title>&lt;empty trace&gt; (2 samples, 20.00%)</title>"));
	int frames = 0;
	for (const char *at = svg; (at = strstr(at, "<g class=\"f\"")) != NULL; at++)
		frames++;
	ck_assert_int_eq(frames, 5);
}
END_TEST

static void add_call(const char *name, uint64_t cost)
{
	const struct string *interned = string_table_intern(profile.strings, name, strlen(name));
	ck_assert_ptr_nonnull(interned);
	uint32_t node = stack_tree_child(&tree, 0, interned);
	ck_assert_uint_ne(node, 0);
	stack_tree_add(&tree, node, cost);
}

START_TEST(a_frame_too_narrow_for_its_name_has_it_without_the_package)
{
	add_call("com.example.deep.wide.Some.method", 900);
	add_call("com.example.deep.narrow.Other.method", 90);
	add_call("com.example.deep.narrower.LongName.method", 60);
	add_call("short", 10);
	stack_tree_sum(&tree);
	ck_assert(stack_tree_write_flame(&tree, NULL, "t", "u", &output));
	const char *svg = written();
	ck_assert_ptr_nonnull(strstr(svg, ">com.example.deep.wide.Some.method</text>"));
	ck_assert_ptr_nonnull(strstr(svg, ">Other.method</text>"));
	ck_assert_ptr_nonnull(strstr(svg, ">LongNa..</text>"));
	ck_assert_ptr_nonnull(strstr(svg, "<title>com.example.deep.narrower.LongName.method ("));
}
END_TEST

START_TEST(a_stack_as_deep_as_it_likes_is_no_trap)
{
	const struct string *name = string_table_intern(profile.strings, "a", 1);
	uint32_t node = 0;
	ck_assert_ptr_nonnull(name);
	for (int i = 0; i < 100000; i++) {
		node = stack_tree_child(&tree, node, name);
		ck_assert_uint_ne(node, 0);
	}
	stack_tree_add(&tree, node, 1);
	stack_tree_sum(&tree);
	uint32_t *order = NULL;
	uint32_t count = 0;
	ck_assert(stack_tree_order(&tree, &order, &count));
	ck_assert_uint_eq(count, 100001);
	free(order);
}
END_TEST

static Suite *report_suite(void)
{
	Suite *suite = suite_create("report");
	TCase *tests = tcase_create("report");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, stacks_of_text_are_collapsed_whatever_their_lines);
	tcase_add_test(tests, sections_of_one_kind_are_added_up_unless_only_the_last_is_selected);
	tcase_add_test(tests, threads_are_the_outermost_frames_on_request);
	tcase_add_test(tests, times_are_reported_in_nanoseconds);
	tcase_add_test(tests,
	               what_was_allocated_is_on_top_of_its_stack_and_the_last_section_counts);
	tcase_add_test(tests, tables_have_the_rows_and_their_frames);
	tcase_add_test(tests, tables_of_states_have_calls_or_samples);
	tcase_add_test(tests, a_heap_dump_becomes_a_histogram);
	tcase_add_test(tests, tables_can_be_cut_off);
	tcase_add_test(tests, broken_text_is_reported_with_its_line);
	tcase_add_test(tests, a_text_without_records_is_refused);
	tcase_add_test(tests, control_characters_of_a_file_do_not_reach_the_terminal);
	tcase_add_test(tests, a_binary_profile_is_reported_like_text);
	tcase_add_test(tests, binary_that_is_cut_off_is_read_as_far_as_it_goes);
	tcase_add_test(tests, random_changes_are_read_to_the_end);
	tcase_add_test(tests, names_can_not_end_what_they_are_in);
	tcase_add_test(tests, long_names_are_cut_between_characters);
	tcase_add_test(tests, a_picture_has_a_frame_for_each_call);
	tcase_add_test(tests, a_frame_too_narrow_for_its_name_has_it_without_the_package);
	tcase_add_test(tests, a_stack_as_deep_as_it_likes_is_no_trap);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(report_suite());
}
