/* marks: timed, posix */
/*
 * Tests of the clocks: their rates against each other, CPU time of this and of
 * other threads, and calendar time as text.
 */
#include "judged_times.h"
#include "os_load_posix.h"
#include "run_suite.h"
#include "tick_rate.h"

#include <errno.h>
#include <locale.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

START_TEST(monotonic_clock_and_ticks_never_go_back)
{
	uint64_t ns = os_monotonic_ns();
	uint64_t ticks = os_ticks();
	for (int i = 0; i < 100000; i++) {
		uint64_t next_ns = os_monotonic_ns();
		uint64_t next_ticks = os_ticks();
		ck_assert_uint_ge(next_ns, ns);
		ck_assert_uint_ge(next_ticks, ticks);
		ns = next_ns;
		ticks = next_ticks;
	}
}
END_TEST

START_TEST(ticks_advance_at_the_stated_rate)
{
	struct tick_reading first = read_ticks();
	sleep_ms(200);
	struct tick_reading last = read_ticks();
	check_tick_rate(&first, &last);
}
END_TEST

START_TEST(clock_names_are_reported)
{
	ck_assert_uint_gt(strlen(os_clock_names()), 0);
}
END_TEST

START_TEST(sleep_does_not_end_early)
{
	uint64_t when = os_monotonic_ns() + 30 * NS_PER_MS;
	os_sleep_until(when);
	uint64_t now = os_monotonic_ns();
	CHECK_TIME(now >= when, "%.3f ms too early", (double)(when - now) / 1e6);
	os_sleep_until(0);
}
END_TEST

START_TEST(sleep_costs_no_cpu_time)
{
	uint64_t before = os_self_cpu_ns();
	sleep_ms(100);
	ck_assert_uint_lt(os_self_cpu_ns() - before, 20 * NS_PER_MS);
}
END_TEST

struct worker {
	struct os_thread_handle handle;
	_Atomic os_thread thread;
	atomic_bool done;
	atomic_bool quit;
	uint64_t burn_ns;
	uint64_t own_cpu_ns; /* once it is done */
	uint64_t end_cpu_ns;
};

static void work(void *arg)
{
	struct worker *worker = arg;
	burn_cpu(worker->burn_ns);
	worker->own_cpu_ns = os_self_cpu_ns();
	atomic_store(&worker->thread, os_self_thread());
	atomic_store(&worker->done, true);
	while (!atomic_load(&worker->quit))
		sleep_ms(5);
	worker->end_cpu_ns = os_self_cpu_ns();
}

static void start_worker(struct worker *worker, uint64_t burn_ns)
{
	memset(worker, 0, sizeof(*worker));
	worker->burn_ns = burn_ns;
	ck_assert_int_eq(os_thread_start(&worker->handle, work, worker), 0);
	while (!atomic_load(&worker->done))
		sleep_ms(1);
}

static void end_worker(struct worker *worker)
{
	atomic_store(&worker->quit, true);
	os_thread_join(&worker->handle);
}

static void check_between(const struct worker *worker, uint64_t cpu_ns)
{
	ck_assert_uint_ge(cpu_ns, worker->own_cpu_ns);
	ck_assert_uint_le(cpu_ns, worker->end_cpu_ns);
}

/* By its own readings before and after. */
START_TEST(cpu_time_of_another_thread_is_what_it_used)
{
	struct worker busy;
	struct worker idle;
	start_worker(&busy, 150 * NS_PER_MS);
	start_worker(&idle, 0);
	uint64_t busy_ns = 0;
	uint64_t idle_ns = 0;
	ck_assert_int_eq(os_thread_cpu_ns(busy.thread, &busy_ns), 0);
	ck_assert_int_eq(os_thread_cpu_ns(idle.thread, &idle_ns), 0);
	end_worker(&busy);
	end_worker(&idle);
	check_between(&busy, busy_ns);
	check_between(&idle, idle_ns);
}
END_TEST

START_TEST(cpu_time_of_this_thread_by_its_name_is_the_same)
{
	uint64_t before = os_self_cpu_ns();
	uint64_t named = 0;
	ck_assert_int_eq(os_thread_cpu_ns(os_self_thread(), &named), 0);
	uint64_t after = os_self_cpu_ns();
	ck_assert_uint_ge(named, before);
	ck_assert_uint_le(named, after);
}
END_TEST

START_TEST(cpu_time_of_an_ended_thread_is_an_error)
{
	struct worker worker;
	start_worker(&worker, 0);
	end_worker(&worker);
	uint64_t cpu_ns = 0;
	/* The kernel may take a moment to forget the thread. */
	int error;
	while ((error = os_thread_cpu_ns(worker.thread, &cpu_ns)) == 0)
		sleep_ms(1);
	ck_assert_int_eq(error, ESRCH);
}
END_TEST

START_TEST(cpu_time_is_refused_for_threads_of_others)
{
	uint64_t cpu_ns = 0;
	ck_assert_int_eq(os_thread_cpu_ns(0, &cpu_ns), ESRCH);
	ck_assert_int_eq(os_thread_cpu_ns(1, &cpu_ns), ESRCH);
	ck_assert_int_eq(os_thread_cpu_ns((os_thread)getppid(), &cpu_ns), ESRCH);
	ck_assert_int_eq(os_thread_cpu_ns(UINT64_C(1) << 29, &cpu_ns), ESRCH);
	ck_assert_int_eq(os_thread_cpu_ns((UINT64_C(1) << 32) + os_self_thread(), &cpu_ns), ESRCH);
	ck_assert_int_eq(os_thread_cpu_ns(UINT64_MAX, &cpu_ns), ESRCH);
}
END_TEST

static void use_zone(const char *zone)
{
	ck_assert_int_eq(setenv("TZ", zone, 1), 0);
	tzset();
}

START_TEST(local_time_is_written_as_asctime_does)
{
	char text[32];
	use_zone("UTC");
	(void)setlocale(LC_ALL, "");
	os_local_time_text(0, text, sizeof(text));
	ck_assert_str_eq(text, "Thu Jan  1 00:00:00 1970");
	os_local_time_text(INT64_C(1795229743999), text, sizeof(text));
	ck_assert_str_eq(text, "Sat Nov 21 02:55:43 2026");
	os_local_time_text(-1, text, sizeof(text));
	ck_assert_str_eq(text, "Wed Dec 31 23:59:59 1969");
}
END_TEST

START_TEST(local_time_is_of_the_local_zone)
{
	char text[32];
	use_zone("XYZ-05:30");
	os_local_time_text(0, text, sizeof(text));
	ck_assert_str_eq(text, "Thu Jan  1 05:30:00 1970");
	os_local_time_stamp(0, text, sizeof(text));
	ck_assert_str_eq(text, "19700101-053000");
}
END_TEST

START_TEST(local_time_is_cut_to_the_room_there_is)
{
	char text[8];
	use_zone("UTC");
	os_local_time_text(0, text, sizeof(text));
	ck_assert_str_eq(text, "Thu Jan");
	os_local_time_stamp(0, text, sizeof(text));
	ck_assert_str_eq(text, "1970010");
}
END_TEST

START_TEST(a_time_that_no_calendar_holds_is_a_number)
{
	char text[32];
	os_local_time_text(INT64_MAX, text, sizeof(text));
	ck_assert_uint_gt(strlen(text), 0);
	os_local_time_stamp(INT64_MIN, text, sizeof(text));
	ck_assert_uint_gt(strlen(text), 0);
}
END_TEST

START_TEST(wall_clock_is_the_systems)
{
	int64_t before = (int64_t)time(NULL) - 2;
	int64_t now = os_wall_ms();
	int64_t after = (int64_t)time(NULL) + 2;
	ck_assert_int_ge(now, before * 1000);
	ck_assert_int_le(now, after * 1000);
}
END_TEST

START_TEST(every_error_has_words)
{
	static const int codes[] = {
	        OS_TIMED_OUT, OS_UNSUPPORTED, OS_CLOSED, OS_NOT_OURS, OS_NO_SUCH_HOST,
	        ENOENT,       ENOSPC,         -99,       99999,       0};
	char text[OS_ERROR_TEXT_MAX];
	char other[OS_ERROR_TEXT_MAX];
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		os_error_text(codes[i], text, sizeof(text));
		ck_assert_uint_gt(strlen(text), 3);
	}
	os_error_text(ENOENT, text, sizeof(text));
	ck_assert_str_eq(text, strerror(ENOENT));
	os_error_text(OS_TIMED_OUT, text, sizeof(text));
	os_error_text(OS_CLOSED, other, sizeof(other));
	ck_assert_str_ne(text, other);
	os_error_text(ENOENT, text, 4);
	ck_assert_uint_eq(strlen(text), 3);
	os_error_text(ENOENT, NULL, 0);
}
END_TEST

static Suite *os_clocks_suite(void)
{
	Suite *suite = suite_create("os_clocks");
	TCase *tc = tcase_create("clocks");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, monotonic_clock_and_ticks_never_go_back);
	tcase_add_test(tc, clock_names_are_reported);
	tcase_add_test(tc, sleep_does_not_end_early);
	tcase_add_test(tc, cpu_time_of_another_thread_is_what_it_used);
	tcase_add_test(tc, cpu_time_of_this_thread_by_its_name_is_the_same);
	tcase_add_test(tc, cpu_time_of_an_ended_thread_is_an_error);
	tcase_add_test(tc, cpu_time_is_refused_for_threads_of_others);
	tcase_add_test(tc, local_time_is_written_as_asctime_does);
	tcase_add_test(tc, local_time_is_of_the_local_zone);
	tcase_add_test(tc, local_time_is_cut_to_the_room_there_is);
	tcase_add_test(tc, a_time_that_no_calendar_holds_is_a_number);
	tcase_add_test(tc, wall_clock_is_the_systems);
	tcase_add_test(tc, every_error_has_words);
	if (times_are_judged()) {
		tcase_add_test(tc, ticks_advance_at_the_stated_rate);
		tcase_add_test(tc, sleep_costs_no_cpu_time);
	}
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(os_clocks_suite());
}
