/*
 * Tests of the page: the data of a profile, read back from a written page, has all its costs; names
 * with markup are text; kinds of code; numbers for readers without JavaScript.
 */
#include "quick_check.h"
#include "run_suite.h"

#include "console/input.h"
#include "page/page.h"
#include "page/page_kinds.h"
#include "page/page_methods.h"
#include "page/page_numbers.h"
#include "page/page_pack.h"

#include <stdlib.h>
#include <zlib.h>

static const char preamble[] = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
                               "\n"
                               "--------\n"
                               "\n";

static const char traces[] =
        "THREAD START (obj=5001, id = 200001, name=\"</script><b>\", group=\"main\")\n"
        "TRACE 300001: (thread=200001)\n"
        "\tcom.acme.A.inner(A.java:12)\n"
        "\tcom.acme.A.<img src=x onerror=alert(1)>(A.java:3)\n"
        "\tcom.acme.Main.main(Main.java:1)\n"
        "TRACE 300002: (thread=200001)\n"
        "\tcom.acme.A.inner(A.java:13)\n"
        "\tcom.acme.A.<img src=x onerror=alert(1)>(A.java:4)\n"
        "\tcom.acme.Main.main(Main.java:1)\n"
        "TRACE 300003: (thread=200001)\n"
        "\tjava.lang.Object.wait(Object.java:Native method)\n"
        "\tcom.acme.Main.main(Main.java:2)\n"
        "\tcom.acme.Main.main(Main.java:2)\n";

static const char samples[] = "CPU SAMPLES BEGIN (total = 20) Sat Nov 21 02:55:44 2026\n"
                              "rank   self  accum   count trace method\n"
                              "   1 25.00% 25.00%       5 300001 com.acme.A.inner\n"
                              "   2 15.00% 40.00%       3 300002 com.acme.A.inner\n"
                              "   3 10.00% 50.00%       2 300003 java.lang.Object.wait\n"
                              "CPU SAMPLES END\n";

static const char sample_times[] =
        "SAMPLE TIMES BEGIN (bucket = 100 ms, start = 1795543828123) Sat Nov 21 02:55:44 2026\n"
        "300001 0:1 3:4\n"
        "300002 17:3\n"
        "300003 1:2\n"
        "SAMPLE TIMES END\n";

static const char sites[] = "SITES BEGIN (ordered by live bytes) Sat Nov 21 02:55:44 2026\n"
                            "          percent          live          alloc'ed  stack class\n"
                            " rank   self  accum     bytes objs     bytes  objs trace name\n"
                            "    1 60.00% 60.00%       600    6      6000    60 300001 byte[]\n"
                            "    2 40.00% 100.00%       400    4      4000    40 300000 a.B\n"
                            "SITES END\n";

static struct report_profile profile;
static struct page_visitor visitor;
static struct output output;
static char *html;
static size_t html_length;

static void set_up(void)
{
	ck_assert(report_profile_init(&profile));
	ck_assert(page_visitor_init(&visitor, &profile, &(struct page_selection){.last = false}));
	html = NULL;
}

static void tear_down(void)
{
	page_visitor_free(&visitor);
	report_profile_free(&profile);
	free(html);
}

/* Reads a profile of these parts and closes its list with NULL. */
static void read_profile(const char *const *parts)
{
	struct byte_buffer text;
	struct report_error error;

	byte_buffer_init(&text);
	byte_buffer_add_text(&text, preamble);
	for (; *parts != NULL; parts++)
		byte_buffer_add_text(&text, *parts);
	struct input *input = input_of_bytes(text.bytes, text.length);
	ck_assert_ptr_nonnull(input);
	ck_assert(report_read_text(input_source(input), &profile, &visitor.base, &error));
	input_close(input);
	byte_buffer_free(&text);
}

/* Writes the page and reads it back. */
static void write_page(void)
{
	uint8_t block[4096];
	struct byte_buffer text;
	size_t got = 1;

	output = (struct output){.name = NULL};
	byte_buffer_init(&output.text);
	ck_assert_int_eq(os_file_temporary(NULL, &output.file), 0);
	ck_assert(page_write(&visitor, &profile, "a&b.txt", &output));
	ck_assert(output_raw(&output, NULL, 0));
	ck_assert_int_eq(os_file_rewind(&output.file), 0);
	byte_buffer_init(&text);
	while (got > 0) {
		ck_assert_int_eq(os_file_read(&output.file, block, sizeof(block), &got), 0);
		byte_buffer_add(&text, block, got);
	}
	ck_assert_int_eq(os_file_close(&output.file), 0);
	byte_buffer_free(&output.text);
	html_length = text.length;
	byte_buffer_add_u1(&text, 0);
	html = (char *)text.bytes;
}

static unsigned digit_value(char digit)
{
	static const char digits[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found = digit == '\0' ? NULL : strchr(digits, digit);
	QUICK_CHECK(found != NULL, "'%c' is no digit of base 64", digit);
	return (unsigned)(found - digits);
}

/* Unpacks the data between from and to, with other code than that which packed it. */
static struct byte_buffer unpack(const char *from, const char *to)
{
	struct byte_buffer packed;
	struct byte_buffer bytes;
	uint8_t block[1000];
	z_stream stream = {.next_in = NULL};
	int status = Z_OK;

	byte_buffer_init(&packed);
	byte_buffer_init(&bytes);
	ck_assert_uint_eq((size_t)(to - from) % 4, 0);
	for (; from < to; from += 4) {
		unsigned padding = (from[2] == '=' ? 1U : 0U) + (from[3] == '=' ? 1U : 0U);
		uint32_t bits = digit_value(from[0]) << 18 | digit_value(from[1]) << 12 |
		                (padding < 2 ? digit_value(from[2]) << 6 : 0) |
		                (padding < 1 ? digit_value(from[3]) : 0);
		for (unsigned i = 0; i < 3 - padding; i++)
			byte_buffer_add_u1(&packed, (uint8_t)(bits >> (16 - 8 * i)));
	}
	ck_assert_int_eq(inflateInit2(&stream, 31), Z_OK);
	stream.next_in = packed.bytes;
	stream.avail_in = (uInt)packed.length;
	while (status == Z_OK) {
		stream.next_out = block;
		stream.avail_out = sizeof(block);
		status = inflate(&stream, Z_NO_FLUSH);
		byte_buffer_add(&bytes, block, sizeof(block) - stream.avail_out);
	}
	ck_assert_int_eq(status, Z_STREAM_END);
	ck_assert_int_eq(inflateEnd(&stream), Z_OK);
	byte_buffer_free(&packed);
	return bytes;
}

/* The text after mark, which occurs once. */
static char *after(const char *mark)
{
	char *at = strstr(html, mark);
	ck_assert_msg(at != NULL, "%s is not in the page", mark);
	ck_assert_ptr_null(strstr(at + 1, mark));
	return at + strlen(mark);
}

struct bytes {
	const uint8_t *at;
	const uint8_t *end;
};

static uint64_t number(struct bytes *bytes)
{
	uint64_t value = 0;
	for (unsigned shift = 0;; shift += 7) {
		QUICK_CHECK(bytes->at < bytes->end, "a number is cut off");
		uint8_t byte = *bytes->at++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			return value;
	}
}

START_TEST(the_data_has_all_costs)
{
	read_profile((const char *const[]){traces, samples, NULL});
	write_page();
	char *data = after("id=\"data\">");
	struct byte_buffer unpacked = unpack(data, strstr(data, "</script>"));
	struct bytes bytes = {unpacked.bytes, unpacked.bytes + unpacked.length};

	ck_assert_uint_eq(number(&bytes), 2);
	ck_assert_uint_eq(number(&bytes), 0); /* nothing is compared */
	/* The root, what is below the cutoff, and main, its callees; in preorder. */
	ck_assert_uint_eq(number(&bytes), 7);
	for (int i = 0; i < 12; i++)
		(void)number(&bytes);
	uint64_t methods = number(&bytes);
	ck_assert_uint_eq(methods, 5);
	bytes.at += methods;
	ck_assert_uint_eq(number(&bytes), 1); /* sections */
	ck_assert_uint_eq(number(&bytes), PAGE_SAMPLES);
	(void)number(&bytes);
	ck_assert_uint_eq(number(&bytes), 20);
	(void)number(&bytes);
	uint64_t entries = number(&bytes);
	ck_assert_uint_eq(entries, 4);
	for (uint64_t i = 0; i < 3 * entries; i++)
		(void)number(&bytes);
	uint64_t sum = 0;
	for (uint64_t i = 0; i < entries; i++)
		sum += number(&bytes);
	ck_assert_uint_eq(sum, 20);
	byte_buffer_free(&unpacked);
}
END_TEST

START_TEST(names_are_never_markup)
{
	read_profile((const char *const[]){traces, samples, sites, NULL});
	write_page();
	ck_assert_ptr_null(strstr(html, "<img"));
	ck_assert_ptr_null(strstr(html, "<b>"));
	ck_assert_ptr_nonnull(strstr(html, "com.acme.A.&lt;img src=x onerror=alert(1)&gt;"));
	(void)after("<h1>a&amp;b.txt</h1>");
	/* The end of the script element is the page's own, twice: that of the data, of the script.
	 */
	char *first = strstr(html, "</script>");
	ck_assert_ptr_nonnull(first);
	char *second = strstr(first + 1, "</script>");
	ck_assert_ptr_nonnull(second);
	ck_assert_ptr_null(strstr(second + 1, "</script>"));
}
END_TEST

START_TEST(no_part_of_the_page_is_missing)
{
	read_profile((const char *const[]){traces, samples, NULL});
	write_page();
	ck_assert_ptr_null(strstr(html, "{{"));
	ck_assert_uint_eq(strlen(html), html_length);
	(void)after("default-src 'none'; script-src 'sha256-");
	(void)after("; style-src 'sha256-");
}
END_TEST

START_TEST(data_is_in_preorder_with_the_costliest_first)
{
	read_profile((const char *const[]){traces, samples, NULL});
	ck_assert(page_data_finish(&visitor.data));
	const struct page_data *data = &visitor.data;

	ck_assert_uint_eq(data->primary, PAGE_SAMPLES);
	ck_assert_uint_eq(data->total[PAGE_NEW][0], 20);
	ck_assert_str_eq(data->tree.nodes[data->order[1]].name->text, "[below the cutoff]");
	ck_assert_str_eq(data->tree.nodes[data->order[2]].name->text, "com.acme.Main.main");
	ck_assert_uint_eq(data->total[PAGE_NEW][2], 10);
	ck_assert_uint_eq(data->total[PAGE_NEW][3], 8);
	ck_assert_uint_eq(data->self[PAGE_NEW][4], 8);
	ck_assert_uint_eq(data->thread_count, 1);
	ck_assert_uint_eq(data->threads[0], 200001);
}
END_TEST

START_TEST(times_belong_to_entries)
{
	read_profile((const char *const[]){traces, samples, sample_times, NULL});
	ck_assert(page_data_finish(&visitor.data));
	const struct page_data *data = &visitor.data;
	uint64_t sum = 0;

	ck_assert_uint_eq(data->bucket_ms, 100);
	ck_assert_uint_eq(data->bucket_count, 18);
	ck_assert_uint_eq(data->moment_count, 4);
	for (size_t i = 0; i < data->moment_count; i++) {
		ck_assert_uint_lt(data->moments[i].ms, 18);
		sum += data->moments[i].samples;
	}
	ck_assert_uint_eq(sum, 10);
}
END_TEST

START_TEST(times_far_apart_need_few_buckets)
{
	read_profile((const char *const[]){
	        traces, samples,
	        "SAMPLE TIMES BEGIN (bucket = 1 ms, start = 0) Sat Nov 21 02:55:44 2026\n"
	        "300001 0:1 4294967295:4\n"
	        "SAMPLE TIMES END\n",
	        NULL});
	ck_assert(page_data_finish(&visitor.data));
	ck_assert_uint_le(visitor.data.bucket_count, 16384);
	ck_assert_uint_eq(visitor.data.moments[1].ms, visitor.data.bucket_count - 1);
}
END_TEST

START_TEST(states_of_traces_are_sets_if_there_is_such_time)
{
	read_profile((const char *const[]){
	        traces,
	        "TRACE MICROSTATES (ms) BEGIN (total = 9, exact) x\n"
	        "   1   6.000   1.000   -   -   -   5.000   0.000   0.000   -   0.000   4 300001 "
	        "A.a\n"
	        "   2   3.000   0.000   -   -   -   0.000   0.000   3.000   -   0.000   2 300002 "
	        "A.b\n"
	        "TRACE MICROSTATES (ms) END\n",
	        NULL});
	ck_assert(page_data_finish(&visitor.data));
	const struct page_data *data = &visitor.data;

	ck_assert_uint_eq(data->primary, PAGE_LCK);
	ck_assert_uint_eq(data->sets[PAGE_LCK].count, 1);
	ck_assert_uint_eq(data->sets[PAGE_LCK].total, 5000000);
	ck_assert_uint_eq(data->sets[PAGE_LCK].entries[0].values[PAGE_NEW][0], 5000000);
	ck_assert_str_eq(data->sets[PAGE_LCK].title, "TRACE MICROSTATES, lck");
	ck_assert_uint_eq(data->sets[PAGE_IO].total, 3000000);
	ck_assert(!page_set_is_shown(data, PAGE_SLP));
	ck_assert(!page_set_is_shown(data, PAGE_LAT));
	ck_assert(!page_set_is_shown(data, PAGE_TIMES));
}
END_TEST

START_TEST(sites_have_their_class_on_top)
{
	read_profile((const char *const[]){traces, sites, NULL});
	ck_assert(page_data_finish(&visitor.data));
	const struct page_data *data = &visitor.data;
	const struct page_set *set = &data->sets[PAGE_SITES];

	ck_assert_uint_eq(set->count, 2);
	ck_assert_uint_eq(data->total[PAGE_NEW][0], 1000);
	ck_assert_uint_eq(set->entries[0].values[PAGE_NEW][3], 60);
	ck_assert_str_eq(data->tree.nodes[data->order[set->entries[0].place.node]].name->text,
	                 "byte[]");
	ck_assert_uint_eq(set->entries[0].place.line, 12);
	/* Objects without a stack are below a frame that says so. */
	uint32_t other = data->order[set->entries[1].place.node];
	ck_assert_str_eq(data->tree.nodes[data->tree.nodes[other].parent].name->text,
	                 "<empty trace>");
}
END_TEST

START_TEST(recursion_counts_once)
{
	struct page_method *methods;
	size_t count;

	read_profile((const char *const[]){traces, samples, NULL});
	ck_assert(page_data_finish(&visitor.data));
	ck_assert(page_methods_count(&visitor.data, &methods, &count));
	ck_assert_uint_eq(count, 5);
	ck_assert_str_eq(methods[0].name->text, "[below the cutoff]");
	ck_assert_str_eq(methods[1].name->text, "com.acme.A.inner");
	ck_assert_uint_eq(methods[1].self[PAGE_NEW], 8);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(methods[i].name->text, "com.acme.Main.main") == 0)
			ck_assert_uint_eq(methods[i].total[PAGE_NEW], 10);
	}
	free(methods);
}
END_TEST

START_TEST(methods_of_other_sections_alone_have_no_row)
{
	struct page_method *methods;
	size_t count;

	read_profile((const char *const[]){traces, samples, sites, NULL});
	ck_assert(page_data_finish(&visitor.data));
	ck_assert(page_methods_count(&visitor.data, &methods, &count));
	ck_assert_uint_eq(count, 5);
	for (size_t i = 0; i < count; i++)
		ck_assert_str_ne(methods[i].name->text, "byte[]");
	free(methods);
}
END_TEST

/* Two profiles: costs are by stack, without threads, lines, times and the numbers of lambdas. */
START_TEST(profiles_are_compared_by_stack)
{
	struct report_profile old;
	struct report_error error;
	struct byte_buffer text;

	ck_assert(report_profile_init(&old));
	byte_buffer_init(&text);
	byte_buffer_printf(&text,
	                   "%sTRACE 300009: (thread=200007)\n"
	                   "\tcom.acme.A$$Lambda$7/0x00f1.run(A.java:99)\n"
	                   "\tcom.acme.Main.main(Main.java:99)\n"
	                   "CPU SAMPLES BEGIN (total = 7) Sat Nov 21 02:55:44 2026\n"
	                   "rank   self  accum   count trace method\n"
	                   "   1 100.00%% 100.00%%       7 300009 com.acme.A.run\n"
	                   "CPU SAMPLES END\n%s",
	                   preamble, sites);
	struct input *input = input_of_bytes(text.bytes, text.length);
	ck_assert_ptr_nonnull(input);
	page_visitor_begin_old(&visitor, &old, "<old>", false);
	ck_assert(report_read_text(input_source(input), &old, &visitor.base, &error));
	input_close(input);
	byte_buffer_free(&text);
	page_visitor_begin_new(&visitor);
	read_profile(
	        (const char *const[]){traces, samples, sample_times,
	                              "TRACE 300011: (thread=200008)\n"
	                              "\tcom.acme.A$$Lambda$11/0x00f2.run(A.java:98)\n"
	                              "\tcom.acme.Main.main(Main.java:98)\n"
	                              "CPU SAMPLES BEGIN (total = 4) Sat Nov 21 02:55:44 2026\n"
	                              "rank   self  accum   count trace method\n"
	                              "   1 100.00% 100.00%       4 300011 com.acme.A.run\n"
	                              "CPU SAMPLES END\n",
	                              NULL});
	ck_assert(page_has_data(&visitor));
	write_page();
	const struct page_data *data = &visitor.data;
	const struct page_set *set = &data->sets[PAGE_SAMPLES];
	size_t found = 0;

	ck_assert_uint_eq(data->total[PAGE_OLD][0], 7);
	ck_assert_uint_eq(data->total[PAGE_NEW][0], 24);
	ck_assert_uint_eq(data->moment_count, 0);
	ck_assert_uint_eq(data->thread_count, 0);
	for (size_t i = 0; i < set->count; i++) {
		const struct page_entry *entry = &set->entries[i];
		uint32_t node = data->order[entry->place.node];
		ck_assert_uint_eq(entry->place.line, 0);
		if (strcmp(data->tree.nodes[node].name->text, "com.acme.A$$Lambda.run") != 0)
			continue;
		found++;
		ck_assert_uint_eq(entry->values[PAGE_OLD][0], 7);
		ck_assert_uint_eq(entry->values[PAGE_NEW][0], 4);
	}
	ck_assert_uint_eq(found, 1);
	/* Only the old one has sites. */
	ck_assert(!page_set_is_shown(data, PAGE_SITES));
	ck_assert_uint_eq(data->sets[PAGE_SITES].count, 0);
	(void)after("<h1>&lt;old&gt; → a&amp;b.txt</h1>");
	report_profile_free(&old);
}
END_TEST

START_TEST(an_empty_profile_has_no_data)
{
	read_profile((const char *const[]){NULL});
	ck_assert(!page_has_data(&visitor));
	write_page();
}
END_TEST

static enum page_kind kind_of(const char *program, const char *outermost, const char *method)
{
	struct page_application application;
	const struct string *names[3] = {NULL};
	const char *const texts[3] = {program, outermost, method};

	for (size_t i = 0; i < 3; i++) {
		if (texts[i] != NULL)
			names[i] = string_table_intern(profile.strings, texts[i], strlen(texts[i]));
	}
	page_application_init(&application, names[0], names[1]);
	return page_kind_of(&application, names[2], false);
}

START_TEST(kinds_follow_the_program)
{
	ck_assert_int_eq(kind_of(NULL, NULL, "java.util.HashMap.get"), PAGE_JDK);
	ck_assert_int_eq(kind_of(NULL, NULL, "com.sun.jna.Native.call"), PAGE_LIBRARY);
	ck_assert_int_eq(kind_of(NULL, NULL, "org.slf4j.Logger.info"), PAGE_LIBRARY);
	ck_assert_int_eq(kind_of(NULL, NULL, "com.acme.A.b"), PAGE_APPLICATION);
	ck_assert_int_eq(kind_of("com.acme.App x", NULL, "com.acme.util.A.b"), PAGE_APPLICATION);
	ck_assert_int_eq(kind_of("com.acme.App x", NULL, "com.acmesoft.A.b"), PAGE_LIBRARY);
	ck_assert_int_eq(kind_of("com.acme.App x", NULL, "Unnamed.b"), PAGE_APPLICATION);
	ck_assert_int_eq(kind_of("app.jar", "com.acme.App.main", "net.other.A.b"), PAGE_LIBRARY);
	ck_assert_int_eq(kind_of("org.apache.foo.Main", NULL, "org.apache.foo.A.b"),
	                 PAGE_APPLICATION);
	ck_assert_int_eq(kind_of("org.apache.foo.Main", NULL, "org.apache.bar.A.b"), PAGE_LIBRARY);
	ck_assert_int_eq(kind_of("jdk.compiler/com.sun.tools.javac.Main", NULL,
	                         "com.sun.tools.javac.comp.Attr.attrib"),
	                 PAGE_APPLICATION);
	ck_assert_int_eq(kind_of("jdk.compiler/com.sun.tools.javac.Main", NULL,
	                         "com.sun.source.util.TreePath.get"),
	                 PAGE_JDK);
	ck_assert_int_eq(kind_of(NULL, NULL, "<no_stack>.not_walkable"), PAGE_NO_CODE);
	ck_assert_int_eq(kind_of(NULL, NULL, "[below the cutoff]"), PAGE_NO_CODE);
	ck_assert_int_eq(kind_of(NULL, NULL, "byte[]"), PAGE_JDK);
}
END_TEST

static void check_cost(enum page_set_kind kind, uint64_t cost, const char *expected)
{
	struct byte_buffer text;
	byte_buffer_init(&text);
	page_add_cost(&text, kind, cost);
	byte_buffer_add_u1(&text, 0);
	ck_assert_str_eq((const char *)text.bytes, expected);
	byte_buffer_free(&text);
}

START_TEST(numbers_have_separators_and_units)
{
	check_cost(PAGE_SAMPLES, 1, "1 sample");
	check_cost(PAGE_SAMPLES, 1234567, "1,234,567 samples");
	check_cost(PAGE_TIMES, 1234567890, "1,234.5 ms");
	check_cost(PAGE_SITES, 999, "999 B");
	check_cost(PAGE_SITES, 12345678, "12.3 MB");
	check_cost(PAGE_SITES, UINT64_MAX, "18,446,744.0 TB");
}
END_TEST

/* Data of any length comes back as it was. */
START_TEST(packed_bytes_come_back)
{
	for (size_t length = 0; length < 300000; length = length * 3 + 1) {
		struct byte_buffer bytes;
		byte_buffer_init(&bytes);
		for (size_t i = 0; i < length; i++)
			byte_buffer_add_u1(&bytes, (uint8_t)(rand() >> 7));
		output = (struct output){.name = NULL};
		byte_buffer_init(&output.text);
		ck_assert_int_eq(os_file_temporary(NULL, &output.file), 0);
		ck_assert(pack_write(&bytes, &output));
		ck_assert(output_raw(&output, NULL, 0));
		ck_assert_int_eq(os_file_rewind(&output.file), 0);
		size_t got;
		char *text = malloc(length * 2 + 1000);
		size_t used = 0;
		do {
			ck_assert_int_eq(os_file_read(&output.file, text + used,
			                              length * 2 + 1000 - used, &got),
			                 0);
			used += got;
		} while (got > 0);
		struct byte_buffer back = unpack(text, text + used);
		ck_assert_uint_eq(back.length, length);
		if (length > 0)
			ck_assert_mem_eq(back.bytes, bytes.bytes, length);
		ck_assert_int_eq(os_file_close(&output.file), 0);
		byte_buffer_free(&output.text);
		byte_buffer_free(&back);
		byte_buffer_free(&bytes);
		free(text);
	}
}
END_TEST

/* Whatever a file has, what could be read of it becomes a page. */
START_TEST(changed_files_become_pages)
{
	srand((unsigned)_i);
	struct byte_buffer text;
	struct report_error error;

	byte_buffer_init(&text);
	byte_buffer_add_text(&text, preamble);
	size_t kept = text.length;
	byte_buffer_add_text(&text, traces);
	byte_buffer_add_text(&text, samples);
	byte_buffer_add_text(&text, sample_times);
	byte_buffer_add_text(&text, sites);
	for (int i = 0; i < 8; i++)
		text.bytes[kept + (size_t)rand() % (text.length - kept)] =
		        (uint8_t) "\n 09:(,%ATabc"[rand() % 13];
	struct input *input = input_of_bytes(text.bytes, text.length);
	ck_assert_ptr_nonnull(input);
	(void)report_read_text(input_source(input), &profile, &visitor.base, &error);
	ck_assert(!visitor.out_of_memory);
	input_close(input);
	byte_buffer_free(&text);
	write_page();
	char *data = after("id=\"data\">");
	struct byte_buffer unpacked = unpack(data, strstr(data, "</script>"));
	ck_assert_uint_gt(unpacked.length, 0);
	byte_buffer_free(&unpacked);
}
END_TEST

static Suite *page_suite(void)
{
	Suite *suite = suite_create("page");
	TCase *cases = tcase_create("page");

	tcase_add_checked_fixture(cases, set_up, tear_down);
	tcase_add_test(cases, the_data_has_all_costs);
	tcase_add_test(cases, names_are_never_markup);
	tcase_add_test(cases, no_part_of_the_page_is_missing);
	tcase_add_test(cases, data_is_in_preorder_with_the_costliest_first);
	tcase_add_test(cases, times_belong_to_entries);
	tcase_add_test(cases, times_far_apart_need_few_buckets);
	tcase_add_test(cases, states_of_traces_are_sets_if_there_is_such_time);
	tcase_add_test(cases, sites_have_their_class_on_top);
	tcase_add_test(cases, recursion_counts_once);
	tcase_add_test(cases, methods_of_other_sections_alone_have_no_row);
	tcase_add_test(cases, profiles_are_compared_by_stack);
	tcase_add_test(cases, an_empty_profile_has_no_data);
	tcase_add_test(cases, kinds_follow_the_program);
	tcase_add_test(cases, numbers_have_separators_and_units);
	tcase_add_test(cases, packed_bytes_come_back);
	tcase_add_loop_test(cases, changed_files_become_pages, 0, 200);
	suite_add_tcase(suite, cases);
	return suite;
}

int main(void)
{
	return run_suite(page_suite());
}
