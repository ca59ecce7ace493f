/*
 * Tests of what is reported of CPU timers, with timers and messages of our own: each kind
 * of finding is printed once, and is in the notes with all that was ever found.
 */
#include "vm/timer_watch.h"
#include "run_suite.h"
#include "writer_fixture.h"

#include <stdarg.h>

/* ---- what timer_watch uses ---------------------------------------------- */

static struct os_cpu_timers_findings next; /* of the next poll */
static char printed[1024];                 /* one line per message */

void os_cpu_timers_watch(struct os_cpu_timers_findings *findings)
{
	*findings = next;
}

void message_print(const char *format, ...)
{
	size_t length = strlen(printed);
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(printed + length, sizeof(printed) - length, format, arguments);
	va_end(arguments);
	ck_assert_uint_lt(strlen(printed) + 1, sizeof(printed));
	strcat(printed, "\n");
}

void os_error_text(int error, char *text, size_t size)
{
	(void)snprintf(text, size, "error %d", error);
}

/* ---- tests --------------------------------------------------------------- */

#define TAKEN                                                                                \
	"CPU samples end here: the program has taken the signal SIGPROF, which the agent's " \
	"timers use"
#define SLOWED(period)                                                                        \
	"expirations of CPU timers took more than a quarter of a thread's time: some timers " \
	"now expire every " period " ms; the unit of the counts is unchanged"
#define LOST(count) "the CPU time of " count " threads is incomplete: the system refuses a timer"

#define REFUSED(count) count " threads are not sampled: the system refuses a timer (error 11)"

static struct timer_watch watch;

static void set_up(void)
{
	memset(&watch, 0, sizeof(watch));
	watch.consequence = "CPU samples end here";
	memset(&next, 0, sizeof(next));
	next.signal = "SIGPROF";
	printed[0] = '\0';
}

/* Checks that the notes of the watch are exactly these, in this order. */
static void expect_notes(const char *const *notes, size_t count)
{
	struct memory_sink *memory = memory_sink_reset();
	struct record_writer *writer =
	        writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	size_t seen = 0;

	ck_assert_ptr_nonnull(writer);
	writer_thread_start(writer, &thread_main);
	timer_watch_write_notes(&watch, writer);
	ck_assert_int_eq(writer_close(writer), 0);
	memory->bytes[memory->length] = '\0';
	/* The preamble explains notes, too. */
	const char *records = strstr((const char *)memory->bytes, "THREAD START (");
	ck_assert_ptr_nonnull(records);
	for (const char *at = records; (at = strstr(at, "NOTE: ")) != NULL; seen++) {
		at += strlen("NOTE: ");
		ck_assert_uint_lt(seen, count);
		ck_assert_msg(strncmp(at, notes[seen], strlen(notes[seen])) == 0,
		              "expected: %s\nsaw: %s", notes[seen], at);
		ck_assert_int_eq(at[strlen(notes[seen])], '\n');
	}
	ck_assert_uint_eq(seen, count);
}

START_TEST(nothing_found_is_not_reported)
{
	ck_assert(!timer_watch_poll(&watch));
	ck_assert_str_eq(printed, "");
	expect_notes(NULL, 0);
}
END_TEST

START_TEST(a_taken_signal_is_printed_once)
{
	static const char *const notes[] = {TAKEN};

	next.taken = true;
	ck_assert(timer_watch_poll(&watch));
	next.taken = false;
	ck_assert(!timer_watch_poll(&watch));
	next.taken = true;
	(void)timer_watch_poll(&watch);
	ck_assert_str_eq(printed, TAKEN "\n");
	expect_notes(notes, 1);
}
END_TEST

START_TEST(the_note_has_the_longest_period)
{
	static const char *const notes[] = {SLOWED("40.5")};

	next.slowed = 1;
	next.longest_period_ns = 20000000;
	(void)timer_watch_poll(&watch);
	next.longest_period_ns = 40500000;
	(void)timer_watch_poll(&watch);
	next.longest_period_ns = 30000000;
	(void)timer_watch_poll(&watch);
	ck_assert_str_eq(printed, SLOWED("20") "\n");
	expect_notes(notes, 1);
}
END_TEST

START_TEST(the_note_has_the_sum_of_lost_timers)
{
	static const char *const notes[] = {LOST("5")};

	next.lost = 2;
	(void)timer_watch_poll(&watch);
	next.lost = 3;
	(void)timer_watch_poll(&watch);
	ck_assert_str_eq(printed, LOST("2") "\n");
	expect_notes(notes, 1);
}
END_TEST

START_TEST(refused_timers_are_printed_once_and_counted)
{
	static const char *const notes[] = {REFUSED("400")};

	for (int i = 0; i < 400; i++)
		timer_watch_refused(&watch, i == 0 ? 11 : 12);
	ck_assert_str_eq(printed, "some threads are not sampled: the system refuses a timer "
	                          "(error 11); write engine=clock\n");
	ck_assert(!timer_watch_poll(&watch));
	expect_notes(notes, 1);
}
END_TEST

START_TEST(kinds_are_reported_independently)
{
	static const char *const notes[] = {TAKEN, SLOWED("20"), LOST("2")};

	next.lost = 2;
	(void)timer_watch_poll(&watch);
	next.lost = 0;
	next.slowed = 1;
	next.longest_period_ns = 20000000;
	(void)timer_watch_poll(&watch);
	next.slowed = 0;
	next.taken = true;
	(void)timer_watch_poll(&watch);
	ck_assert_str_eq(printed, LOST("2") "\n" SLOWED("20") "\n" TAKEN "\n");
	expect_notes(notes, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timer_watch");
	TCase *tests = tcase_create("timer watch");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, nothing_found_is_not_reported);
	tcase_add_test(tests, a_taken_signal_is_printed_once);
	tcase_add_test(tests, the_note_has_the_longest_period);
	tcase_add_test(tests, the_note_has_the_sum_of_lost_timers);
	tcase_add_test(tests, refused_timers_are_printed_once_and_counted);
	tcase_add_test(tests, kinds_are_reported_independently);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
