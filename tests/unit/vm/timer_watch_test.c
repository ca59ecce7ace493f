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
static bool taken_at_end;
static char printed[1024]; /* one line per message */

void os_cpu_timers_watch(struct os_cpu_timers_findings *findings)
{
	*findings = next;
}

bool os_cpu_timers_taken(const char **signal)
{
	*signal = next.signal;
	return taken_at_end;
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

#define TAKEN(signal) "the program has taken the signal " signal "; "
#define ENDED TAKEN("SIGPROF") "an agent thread counts instead"
#define CHANGED TAKEN("SIGPROF") "the agent's timers use SIGURG instead"
#define AT_END TAKEN("SIGPROF") "CPU time at the end of the profile may be missing"
#define SLOWED(period)                                                                        \
	"expirations of CPU timers took more than a quarter of a thread's time: some timers " \
	"now expire every " period " ms; the unit of the counts is unchanged"
#define REFUSED(count)                                                                         \
	count " threads have no CPU timer: the system refuses it (error 11); an agent thread " \
	      "counts instead"

static struct timer_watch watch;

static void set_up(void)
{
	memset(&watch, 0, sizeof(watch));
	watch.instead = "an agent thread counts instead";
	memset(&next, 0, sizeof(next));
	next.signal = "SIGPROF";
	taken_at_end = false;
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

START_TEST(timers_that_end_with_the_signal_are_printed_once)
{
	static const char *const notes[] = {ENDED};

	next.taken = true;
	ck_assert(timer_watch_poll(&watch));
	next.taken = false;
	ck_assert(!timer_watch_poll(&watch));
	ck_assert_str_eq(printed, ENDED "\n");
	expect_notes(notes, 1);
}
END_TEST

START_TEST(timers_that_change_their_signal_need_nothing_else)
{
	static const char *const notes[] = {CHANGED};

	next.taken = true;
	next.next_signal = "SIGURG";
	ck_assert(!timer_watch_poll(&watch));
	next.signal = "SIGURG";
	next.next_signal = "SIGPROF";
	ck_assert(!timer_watch_poll(&watch));
	ck_assert_str_eq(printed, CHANGED "\n");
	expect_notes(notes, 1);
}
END_TEST

START_TEST(timers_end_with_the_last_signal)
{
	static const char *const notes[] = {CHANGED,
	                                    TAKEN("SIGURG") "an agent thread counts instead"};

	next.taken = true;
	next.next_signal = "SIGURG";
	ck_assert(!timer_watch_poll(&watch));
	next.signal = "SIGURG";
	next.next_signal = NULL;
	ck_assert(timer_watch_poll(&watch));
	expect_notes(notes, 2);
}
END_TEST

START_TEST(a_signal_that_is_taken_at_the_end_is_reported)
{
	static const char *const notes[] = {AT_END};

	ck_assert(!timer_watch_last_look(&watch));
	ck_assert_str_eq(printed, "");
	taken_at_end = true;
	ck_assert(timer_watch_last_look(&watch));
	ck_assert_str_eq(printed, AT_END "\n");
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
	static const char *const notes[] = {REFUSED("5")};

	next.lost = 2;
	next.lost_error = 11;
	ck_assert(timer_watch_poll(&watch));
	next.lost = 3;
	next.lost_error = 12;
	ck_assert(timer_watch_poll(&watch));
	ck_assert_str_eq(printed, REFUSED("some") "\n");
	expect_notes(notes, 1);
}
END_TEST

START_TEST(refused_timers_are_printed_once_and_counted)
{
	static const char *const notes[] = {REFUSED("400")};

	for (int i = 0; i < 400; i++)
		timer_watch_refused(&watch, i == 0 ? 11 : 12);
	ck_assert_str_eq(printed, REFUSED("some") "\n");
	ck_assert(!timer_watch_poll(&watch));
	expect_notes(notes, 1);
}
END_TEST

START_TEST(kinds_are_reported_independently)
{
	static const char *const notes[] = {ENDED, SLOWED("20"), REFUSED("2")};

	next.lost = 2;
	next.lost_error = 11;
	(void)timer_watch_poll(&watch);
	next.lost = 0;
	next.slowed = 1;
	next.longest_period_ns = 20000000;
	(void)timer_watch_poll(&watch);
	next.slowed = 0;
	next.taken = true;
	(void)timer_watch_poll(&watch);
	ck_assert_str_eq(printed, REFUSED("some") "\n" SLOWED("20") "\n" ENDED "\n");
	expect_notes(notes, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timer_watch");
	TCase *tests = tcase_create("timer watch");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, nothing_found_is_not_reported);
	tcase_add_test(tests, timers_that_end_with_the_signal_are_printed_once);
	tcase_add_test(tests, timers_that_change_their_signal_need_nothing_else);
	tcase_add_test(tests, timers_end_with_the_last_signal);
	tcase_add_test(tests, a_signal_that_is_taken_at_the_end_is_reported);
	tcase_add_test(tests, the_note_has_the_longest_period);
	tcase_add_test(tests, the_note_has_the_sum_of_lost_timers);
	tcase_add_test(tests, refused_timers_are_printed_once_and_counted);
	tcase_add_test(tests, kinds_are_reported_independently);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
