/*
 * Tests of the cache of frames by line: it returns what was put for the same line, or nothing.
 */
#include "run_suite.h"

#include "report/frame_cache.h"

#include <stdio.h>
#include <string.h>

static struct frame_cache cache;
static const struct string method = {.id = 1};
static const struct string place = {.id = 2};
static const struct report_frame frame = {&method, &place};
static struct report_frame got;

static void end(void)
{
	frame_cache_free(&cache);
}

static bool put(const char *line)
{
	return frame_cache_put(&cache, line, strlen(line), &frame);
}

static bool get(const char *line)
{
	got = (struct report_frame){NULL, NULL};
	return frame_cache_get(&cache, line, strlen(line), &got);
}

START_TEST(a_line_is_found_again)
{
	ck_assert(!get("Main.main(Main.java:3)"));
	ck_assert(put("Main.main(Main.java:3)"));
	ck_assert(get("Main.main(Main.java:3)"));
	ck_assert_ptr_eq(got.method, &method);
	ck_assert_ptr_eq(got.place, &place);
	ck_assert(!get("Main.main(Main.java:4)"));
	ck_assert(!get("Main.main(Main.java:3"));
	ck_assert(!get("Main.main(Main.java:3)x"));
}
END_TEST

/* More lines than the cache has entries: a line found has its own frame, whichever were put at the
 * same entry. */
START_TEST(lines_at_one_entry_are_not_mixed_up)
{
	static struct string methods[200000];
	char line[32];
	unsigned found = 0;

	for (unsigned i = 0; i < 200000; i++) {
		int length = snprintf(line, sizeof(line), "C.m(C.java:%u)", i);
		struct report_frame own = {&methods[i], &place};
		ck_assert(frame_cache_put(&cache, line, (size_t)length, &own));
	}
	for (unsigned i = 0; i < 200000; i++) {
		snprintf(line, sizeof(line), "C.m(C.java:%u)", i);
		if (!get(line))
			continue;
		found++;
		if (got.method != &methods[i])
			ck_abort_msg("%s has the frame of another line", line);
	}
	ck_assert_uint_gt(found, 30000);
	ck_assert_uint_le(found, 65536);
}
END_TEST

START_TEST(empty_and_long_lines_are_not_remembered)
{
	char line[200];

	memset(line, 'a', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	ck_assert(put(""));
	ck_assert(put(line));
	ck_assert(!get(""));
	ck_assert(!get(line));
	line[108] = '\0';
	ck_assert(put(line));
	ck_assert(get(line));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("frame_cache");
	TCase *tests = tcase_create("lines");
	tcase_add_checked_fixture(tests, NULL, end);
	tcase_add_test(tests, a_line_is_found_again);
	tcase_add_test(tests, lines_at_one_entry_are_not_mixed_up);
	tcase_add_test(tests, empty_and_long_lines_are_not_remembered);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
