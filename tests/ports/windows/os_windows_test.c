/*
 * Tests of what src/os/windows promises: clocks and CPU times, files and their
 * rights, names beyond ASCII, sockets, guarded calls, modules. Threads, mutexes and
 * events are in tests/unit/os_threads_test.c.
 */
#include "system.h"

#include "guard_fault.h"
#include "judged_times.h"
#include "os_load.h"
#include "os_machine.h"
#include "os_programs.h"
#include "owner.h"
#include "private_check.h"
#include "run_suite.h"
#include "thread_times.h"
#include "tick_rate.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define LONG_MS 20000
#define SHORT_MS 100

/* The system may count CPU time in ticks of so long. */
#define TICK_NS (16 * NS_PER_MS)

/* ---- clocks and threads ------------------------------------------------- */

START_TEST(clocks_never_go_back_and_agree)
{
	uint64_t ns = os_monotonic_ns();
	uint64_t ticks = os_ticks();
	struct tick_reading first = read_ticks();
	for (int i = 0; i < 20000; i++) {
		uint64_t next_ns = os_monotonic_ns();
		uint64_t next_ticks = os_ticks();
		ck_assert(next_ns >= ns && next_ticks >= ticks);
		ns = next_ns;
		ticks = next_ticks;
	}
	sleep_ms(100);
	struct tick_reading last = read_ticks();
	check_tick_rate(&first, &last);
}
END_TEST

START_TEST(sleep_ends_neither_early_nor_very_late)
{
	uint64_t before = os_monotonic_ns();
	os_sleep_until(before + 30 * NS_PER_MS);
	uint64_t slept = os_monotonic_ns() - before;
	CHECK_TIME(slept >= 30 * NS_PER_MS && slept < 5000 * NS_PER_MS, "slept for %.3f ms",
	           (double)slept / 1e6);
	os_sleep_until(0);
}
END_TEST

START_TEST(wall_clock_is_the_systems)
{
	int64_t before = (int64_t)_time64(NULL) - 2;
	int64_t now = os_wall_ms();
	int64_t after = (int64_t)_time64(NULL) + 2;
	ck_assert_int_ge(now, before * 1000);
	ck_assert_int_le(now, after * 1000);
}
END_TEST

/* The tests run in the zone UTC. */
START_TEST(local_time_is_written_as_asctime_does)
{
	char text[32];
	os_local_time_text(INT64_C(1795229743999), text, sizeof(text));
	ck_assert_str_eq(text, "Sat Nov 21 02:55:43 2026");
	os_local_time_text(INT64_MAX, text, sizeof(text));
	ck_assert_str_eq(text, "9223372036854775807 ms");
	os_local_time_text(-1, text, sizeof(text));
	ck_assert_str_eq(text, "Wed Dec 31 23:59:59 1969");
	os_local_time_stamp(INT64_C(1795229743999), text, sizeof(text));
	ck_assert_str_eq(text, "20261121-025543");
}
END_TEST

struct worker {
	struct os_thread_handle handle;
	_Atomic os_thread thread;
	atomic_bool quit;
	bool busy;
	uint64_t own_cpu_ns; /* once thread is set */
	uint64_t end_cpu_ns;
};

static void work(void *arg)
{
	struct worker *worker = arg;
	if (worker->busy)
		burn_cpu(200 * NS_PER_MS);
	worker->own_cpu_ns = os_self_cpu_ns();
	atomic_store(&worker->thread, os_self_thread());
	while (!atomic_load(&worker->quit))
		sleep_ms(5);
	worker->end_cpu_ns = os_self_cpu_ns();
}

static void start_worker(struct worker *worker, bool busy)
{
	memset(worker, 0, sizeof(*worker));
	worker->busy = busy;
	ck_assert_int_eq(os_thread_start(&worker->handle, work, worker), 0);
	while (atomic_load(&worker->thread) == 0)
		sleep_ms(1);
}

static void end_worker(struct worker *worker)
{
	atomic_store(&worker->quit, true);
	os_thread_join(&worker->handle);
}

static void check_between(const struct worker *worker, uint64_t cpu_ns)
{
	CHECK_TIME(cpu_ns + TICK_NS >= worker->own_cpu_ns && cpu_ns <= worker->end_cpu_ns + TICK_NS,
	           "%.3f ms, not %.3f to %.3f ms", (double)cpu_ns / 1e6,
	           (double)worker->own_cpu_ns / 1e6, (double)worker->end_cpu_ns / 1e6);
}

/* By its own readings before and after. */
START_TEST(cpu_time_of_another_thread_is_what_it_used)
{
	struct worker busy;
	struct worker idle;
	uint64_t busy_ns = 0;
	uint64_t idle_ns = 0;
	start_worker(&busy, true);
	start_worker(&idle, false);
	ck_assert_int_eq(os_thread_cpu_ns(busy.thread, &busy_ns), 0);
	ck_assert_int_eq(os_thread_cpu_ns(idle.thread, &idle_ns), 0);
	end_worker(&busy);
	end_worker(&idle);
	check_between(&busy, busy_ns);
	check_between(&idle, idle_ns);
}
END_TEST

START_TEST(cpu_time_of_what_is_no_thread_of_ours_is_an_error)
{
	uint64_t cpu_ns = 0;
	struct worker worker;
	start_worker(&worker, false);
	os_thread ended = worker.thread;
	end_worker(&worker);
	ck_assert_int_eq(os_thread_cpu_ns(ended, &cpu_ns), ERROR_INVALID_THREAD_ID);
	ck_assert_int_eq(os_thread_cpu_ns(0, &cpu_ns), ERROR_INVALID_THREAD_ID);
	ck_assert_int_eq(os_thread_cpu_ns(UINT64_MAX, &cpu_ns), ERROR_INVALID_THREAD_ID);
	ck_assert_int_eq(os_thread_cpu_ns((UINT64_C(1) << 32) + os_self_thread(), &cpu_ns),
	                 ERROR_INVALID_THREAD_ID);
}
END_TEST

START_TEST(cpu_clock_is_the_threads_and_never_goes_back)
{
	struct os_cpu_clock clock;
	uint64_t wall_ns = 0;
	uint64_t last_wall_ns = 0;
	os_cpu_clock_start(&clock, OS_CPU_CLOCK_ANY);
	uint64_t first = os_cpu_clock_read(&clock, &wall_ns);
	uint64_t last = first;
	uint64_t end = os_self_cpu_ns() + 100 * NS_PER_MS;
	while (os_self_cpu_ns() < end) {
		uint64_t now = os_cpu_clock_read(&clock, &wall_ns);
		ck_assert(now >= last && wall_ns >= last_wall_ns);
		last = now;
		last_wall_ns = wall_ns;
	}
	last = os_cpu_clock_read(&clock, &wall_ns);
	CHECK_TIME(last - first + TICK_NS >= 100 * NS_PER_MS, "%.3f ms of CPU time",
	           (double)(last - first) / 1e6);
	ck_assert_uint_ne(*os_cpu_clock_mark(&clock).word, os_run_mark_value());
}
END_TEST

START_TEST(clocks_are_reported_in_words)
{
	ck_assert_ptr_nonnull(strstr(os_clock_names(), "performance counter"));
	ck_assert_uint_gt(strlen(os_cpu_clock_name()), 0);
	(void)printf("here: %s; refined by cycles: %s\n", os_clock_names(),
	             thread_times_refined() ? "yes" : "no, the system does not count them");
}
END_TEST

static void on_expiry(void *user, void *context)
{
	(void)user;
	(void)context;
}

START_TEST(cpu_timers_are_said_to_be_missing)
{
	struct os_cpu_timer timer;
	ck_assert_int_eq(os_cpu_timers_install(OS_CPU_TIMER_ANY, on_expiry), OS_UNSUPPORTED);
	ck_assert_int_eq(os_cpu_timer_start(&timer, 1, 1, NULL), OS_UNSUPPORTED);
	ck_assert(!os_cpu_timer_stop(&timer));
	ck_assert(os_cpu_timers_end(1));
	ck_assert_str_eq(os_cpu_timers_name(1000000), "none");
}
END_TEST

#define BIT(state) (1U << (state))

START_TEST(microstates_sum_to_the_life_and_tell_what_is_known)
{
	struct worker worker;
	struct os_microstates states;
	uint64_t before = os_monotonic_ns();
	start_worker(&worker, true);
	sleep_ms(100);
	ck_assert_int_eq(os_microstates_enable(), 0);
	int error = os_thread_microstates(worker.thread, &states);
	uint64_t lived = os_monotonic_ns() - before;
	os_thread ended = worker.thread;
	end_worker(&worker);
	ck_assert_int_eq(error, 0);
	uint64_t sum = 0;
	for (int i = 0; i < OS_MICROSTATES; i++)
		sum += (states.known & BIT(i)) != 0 ? states.ns[i] : 0;
	ck_assert_uint_eq(sum, states.life_ns);
	uint64_t used = states.ns[OS_USR] + states.ns[OS_SYS];
	CHECK_TIME(states.life_ns <= lived + TICK_NS && states.life_ns + TICK_NS >= 300 * NS_PER_MS,
	           "life of %.3f ms", (double)states.life_ns / 1e6);
	CHECK_TIME(used + TICK_NS >= 200 * NS_PER_MS, "%.3f ms of CPU time", (double)used / 1e6);
	CHECK_TIME(states.ns[OS_SLP] + 2 * TICK_NS >= 100 * NS_PER_MS, "%.3f ms of sleep",
	           (double)states.ns[OS_SLP] / 1e6);
	const uint32_t untold = BIT(OS_TRP) | BIT(OS_TFL) | BIT(OS_DFL) | BIT(OS_LCK) | BIT(OS_LAT);
	ck_assert_uint_eq(states.known & untold, 0);
	ck_assert(!states.switches_known);
	ck_assert_int_eq(os_thread_microstates(ended, &states), ERROR_INVALID_THREAD_ID);
}
END_TEST

/* ---- guarded calls ------------------------------------------------------ */

static void do_nothing(void *arg)
{
	*(int *)arg = 1;
}

START_TEST(call_that_touches_nothing_returns)
{
	int ran = 0;
	ck_assert(os_call_guarded(do_nothing, &ran));
	ck_assert_int_eq(ran, 1);
}
END_TEST

START_TEST(fault_in_a_guarded_call_is_survived)
{
	for (int i = 0; i < 1000; i++) {
		ck_assert(!os_call_guarded(fault_reading, NULL));
		ck_assert(!os_call_guarded(fault_writing, NULL));
		ck_assert(!os_call_guarded(fault_deeply, NULL));
	}
}
END_TEST

static void guard_inside(void *arg)
{
	bool *outer_ran_on = arg;
	if (!os_call_guarded(fault_reading, NULL))
		*outer_ran_on = true;
	fault_writing(NULL);
}

START_TEST(guarded_calls_nest)
{
	bool outer_ran_on = false;
	ck_assert(!os_call_guarded(guard_inside, &outer_ran_on));
	ck_assert(outer_ran_on);
	ck_assert(!os_call_guarded(fault_reading, NULL));
}
END_TEST

static LONG CALLBACK count_and_pass(EXCEPTION_POINTERS *exception);
static atomic_int passed_faults;

/* Stands for the program's handler: mends the fault by leaving the thread. */
static LONG CALLBACK count_and_pass(EXCEPTION_POINTERS *exception)
{
	if (exception->ExceptionRecord->ExceptionCode != EXCEPTION_ACCESS_VIOLATION)
		return EXCEPTION_CONTINUE_SEARCH;
	atomic_fetch_add(&passed_faults, 1);
	exception->ContextRecord->Rip = (DWORD64)(uintptr_t)ExitThread;
	exception->ContextRecord->Rcx = 0;
	exception->ContextRecord->Rsp = (exception->ContextRecord->Rsp & ~(DWORD64)15) - 8;
	return EXCEPTION_CONTINUE_EXECUTION;
}

static unsigned long __stdcall fault_unguarded(void *arg)
{
	(void)arg;
	fault_reading(NULL);
	return 1;
}

START_TEST(faults_elsewhere_go_to_the_programs_handler)
{
	int ran = 0;
	ck_assert(os_call_guarded(do_nothing, &ran)); /* our handler is in place */
	void *handler = AddVectoredExceptionHandler(0, count_and_pass);
	ck_assert_ptr_nonnull(handler);
	HANDLE thread = CreateThread(NULL, 0, fault_unguarded, NULL, 0, NULL);
	ck_assert_ptr_nonnull(thread);
	ck_assert_uint_eq(WaitForSingleObject(thread, LONG_MS), WAIT_OBJECT_0);
	(void)CloseHandle(thread);
	ck_assert_int_eq(atomic_load(&passed_faults), 1);
	ck_assert(!os_call_guarded(fault_reading, NULL));
	(void)RemoveVectoredExceptionHandler(handler);
	ck_assert_int_eq(atomic_load(&passed_faults), 1);
}
END_TEST

START_TEST(guarded_call_keeps_the_programs_last_error)
{
	int ran = 0;
	SetLastError(4711);
	(void)os_call_guarded(do_nothing, &ran);
	ck_assert_uint_eq(GetLastError(), 4711);
}
END_TEST

START_TEST(address_behind_a_call_is_found_and_contexts_are_said_to_be_missing)
{
	void *stack[2] = {&stack, NULL};
	void *address = NULL;
	struct os_context returned;
	struct os_frame caller;
	const struct os_code_range code = {0, UINTPTR_MAX};
	unsigned place = 0;
	ck_assert(os_call_return_address(stack + 1, &address));
	ck_assert_ptr_eq(address, stack[0]);
	ck_assert(!os_context_return(stack, &code, &place, &returned));
	ck_assert(!os_frame_caller(stack, &caller));
}
END_TEST

/* ---- files -------------------------------------------------------------- */

static wchar_t directory[MAX_PATH];
static wchar_t path[MAX_PATH];
static char path_utf8[3 * MAX_PATH];

/* A name that is in no code page at once. */
#define NAME_WIDE L"gr\x00fc\x00df-\x65e5\x672c-\x03b5.txt"

static void set_up(void)
{
	wchar_t parent[MAX_PATH];
	ck_assert_uint_gt(GetTempPathW(MAX_PATH, parent), 0);
	static unsigned number; /* a failed test leaves its directory */
	(void)_snwprintf(directory, MAX_PATH, L"%lshprof-%llu-%u", parent, GetTickCount64(),
	                 number++);
	ck_assert(CreateDirectoryW(directory, NULL));
	(void)_snwprintf(path, MAX_PATH, L"%ls\\%ls", directory, NAME_WIDE);
	ck_assert_int_gt(
	        WideCharToMultiByte(CP_UTF8, 0, path, -1, path_utf8, sizeof(path_utf8), NULL, NULL),
	        0);
}

static void tear_down(void)
{
	(void)DeleteFileW(path);
	(void)RemoveDirectoryW(directory);
}

static void write_old_file(void)
{
	DWORD written = 0;
	HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
	ck_assert(file != INVALID_HANDLE_VALUE);
	ck_assert(WriteFile(file, "old contents", 12, &written, NULL));
	(void)CloseHandle(file);
}

static void check_content(const char *text)
{
	char got[64] = "";
	DWORD length = 0;
	HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
	                          OPEN_EXISTING, 0, NULL);
	ck_assert_msg(file != INVALID_HANDLE_VALUE, "error %lu", GetLastError());
	ck_assert(ReadFile(file, got, sizeof(got) - 1, &length, NULL));
	(void)CloseHandle(file);
	ck_assert_str_eq(got, text);
}

START_TEST(file_has_its_name_in_any_script_and_is_private)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_EXCLUSIVE, &file), 0);
	ck_assert_int_eq(os_file_write(&file, "hello", 5), 0);
	check_content("hello"); /* while it is open */
	ck_assert(os_file_seekable(&file));
	ck_assert_int_eq(os_file_close(&file), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
	check_private(path);
}
END_TEST

START_TEST(overwriting_empties_and_takes_others_rights_away)
{
	struct os_file file;
	write_old_file();
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_OVERWRITE, &file), 0);
	ck_assert_int_eq(os_file_write(&file, "new", 3), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
	check_content("new");
	check_private(path);
}
END_TEST

START_TEST(appending_keeps_what_is_there)
{
	struct os_file file;
	write_old_file();
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_APPEND, &file), 0);
		ck_assert_int_eq(os_file_write(&file, ", new", 5), 0);
		ck_assert_int_eq(os_file_close(&file), 0);
	}
	check_content("old contents, new, new");
	check_private(path);
}
END_TEST

START_TEST(what_two_append_to_has_the_writes_of_both)
{
	struct os_file first;
	struct os_file second;
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_APPEND, &first), 0);
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_APPEND, &second), 0);
	ck_assert_int_eq(os_file_write(&first, "one ", 4), 0);
	ck_assert_int_eq(os_file_write(&second, "two ", 4), 0);
	ck_assert_int_eq(os_file_write(&first, "three", 5), 0);
	ck_assert_int_eq(os_file_close(&first), 0);
	ck_assert_int_eq(os_file_close(&second), 0);
	check_content("one two three");
	check_private(path);
}
END_TEST

START_TEST(exclusive_leaves_an_existing_file_alone)
{
	struct os_file file;
	write_old_file();
	int error = os_file_create(path_utf8, OS_FILE_EXCLUSIVE, &file);
	ck_assert(os_file_exists_error(error));
	ck_assert_int_eq(file.handle, -1);
	ck_assert(!os_file_exists_error(0));
	ck_assert(!os_file_exists_error(ERROR_FILE_NOT_FOUND));
	check_content("old contents");
}
END_TEST

START_TEST(file_with_another_name_is_refused)
{
	struct os_file file;
	wchar_t other[MAX_PATH];
	write_old_file();
	(void)_snwprintf(other, MAX_PATH, L"%ls\\other", directory);
	ck_assert(CreateHardLinkW(other, path, NULL));
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_OVERWRITE, &file), OS_HARD_LINK);
	check_content("old contents");
	ck_assert(DeleteFileW(other));
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_OVERWRITE, &file), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(truncation_moves_the_position_too)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_OVERWRITE, &file), 0);
	ck_assert_int_eq(os_file_write(&file, "head-and-tail", 13), 0);
	ck_assert_int_eq(os_file_truncate(&file, 4), 0);
	ck_assert_int_eq(os_file_write(&file, "!", 1), 0);
	ck_assert_int_eq(os_file_truncate(&file, UINT64_MAX), ERROR_FILE_TOO_LARGE);
	/* Beyond what a 32-bit long can count. */
	ck_assert_int_eq(os_file_truncate(&file, UINT64_C(5) << 30), 0);
	ck_assert_int_eq(os_file_truncate(&file, 5), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
	check_content("head!");
}
END_TEST

START_TEST(handle_is_not_inherited)
{
	struct os_file file;
	DWORD flags = HANDLE_FLAG_INHERIT;
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_OVERWRITE, &file), 0);
	ck_assert(GetHandleInformation((HANDLE)file.handle, &flags));
	ck_assert_int_eq(os_file_close(&file), 0);
	ck_assert_uint_eq(flags & HANDLE_FLAG_INHERIT, 0);
}
END_TEST

START_TEST(where_no_file_can_be_the_reason_is_reported)
{
	struct os_file file;
	char text[OS_ERROR_TEXT_MAX];
	int error = os_file_create("C:\\no-such-directory\\out", OS_FILE_OVERWRITE, &file);
	ck_assert_int_eq(error, ERROR_PATH_NOT_FOUND);
	os_error_text(error, text, sizeof(text));
	ck_assert_uint_gt(strlen(text), 0);
	ck_assert_ptr_null(strpbrk(text, "\r\n"));
	ck_assert_int_ne(os_file_create("", OS_FILE_OVERWRITE, &file), 0);
	ck_assert_int_eq(file.handle, -1);
}
END_TEST

START_TEST(name_may_be_longer_than_the_old_limit)
{
	char deep[4096];
	wchar_t wide[4096];
	struct os_file file;
	(void)snprintf(deep, sizeof(deep), "%s", path_utf8);
	strcpy(strrchr(deep, '\\'), "\\");
	/* Directories of 100 letters until 300 are exceeded. */
	int depth = 0;
	for (; strlen(deep) < 400; depth++) {
		for (int i = 0; i < 100; i++)
			strcat(deep, "d");
		(void)MultiByteToWideChar(CP_UTF8, 0, deep, -1, wide + 4, 4000);
		memcpy(wide, L"\\\\?\\", 4 * sizeof(wchar_t));
		ck_assert_msg(CreateDirectoryW(wide, NULL), "error %lu", GetLastError());
		strcat(deep, "\\");
	}
	strcat(deep, "out");
	int error = os_file_create(deep, OS_FILE_EXCLUSIVE, &file);
	(void)os_file_close(&file);
	(void)MultiByteToWideChar(CP_UTF8, 0, deep, -1, wide + 4, 4000);
	(void)DeleteFileW(wide);
	for (; depth > 0; depth--) {
		*wcsrchr(wide, L'\\') = L'\0';
		(void)RemoveDirectoryW(wide);
	}
	ck_assert_int_eq(error, 0);
}
END_TEST

START_TEST(device_takes_bytes_and_is_no_file)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create("NUL", OS_FILE_EXCLUSIVE, &file), 0);
	ck_assert_int_eq(os_file_write(&file, "gone", 4), 0);
	ck_assert(!os_file_seekable(&file));
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(redirected_output_is_shared_and_not_written_over)
{
	struct os_file file;
	DWORD written = 0;
	HANDLE saved = GetStdHandle(STD_OUTPUT_HANDLE);
	HANDLE mine = CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
	                          CREATE_NEW, 0, NULL);
	ck_assert(mine != INVALID_HANDLE_VALUE);
	(void)SetStdHandle(STD_OUTPUT_HANDLE, mine);
	(void)WriteFile(mine, "one ", 4, &written, NULL);
	int created = os_file_create(path_utf8, OS_FILE_OVERWRITE, &file);
	bool shared = created == 0 && file.shared && !os_file_seekable(&file);
	int wrote = created == 0 ? os_file_write(&file, "two ", 4) : -1;
	(void)WriteFile(mine, "three", 5, &written, NULL);
	(void)os_file_close(&file);
	(void)SetStdHandle(STD_OUTPUT_HANDLE, saved);
	(void)CloseHandle(mine);
	ck_assert_int_eq(created, 0);
	ck_assert(shared);
	ck_assert_int_eq(wrote, 0);
	check_content("one two three");
}
END_TEST

START_TEST(owner_of_our_file_is_us)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(path_utf8, OS_FILE_EXCLUSIVE, &file), 0);
	ck_assert(owner_is_us((HANDLE)file.handle));
	ck_assert(owner_is_us_or_system((HANDLE)file.handle));
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

/* ---- sockets ------------------------------------------------------------ */

static struct os_socket listener;
static struct os_socket client;
static struct os_socket server;
static uint16_t port;

static void open_listener(void)
{
	listener.handle = client.handle = server.handle = -1;
	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	ck_assert_uint_ne(port, 0);
}

static void close_all(void)
{
	os_socket_close(&client);
	os_socket_close(&server);
	os_socket_close(&listener);
	os_socket_close(&listener);
}

static void connect_pair(const char *host)
{
	ck_assert_int_eq(os_socket_connect(host, port, LONG_MS, &client), 0);
	ck_assert_int_eq(os_socket_accept(&listener, LONG_MS, &server), 0);
}

static void check_took(uint64_t ns, uint64_t least_ms, uint64_t most_ms)
{
	CHECK_TIME(ns >= least_ms * NS_PER_MS && ns < most_ms * NS_PER_MS, "took %.3f ms",
	           (double)ns / 1e6);
}

static void check_passes(struct os_socket *from, struct os_socket *to, const char *text)
{
	char got[64];
	size_t length = 0;
	ck_assert_int_eq(os_socket_write(from, text, strlen(text), LONG_MS), 0);
	ck_assert_int_eq(os_socket_read(to, got, sizeof(got), LONG_MS, &length), 0);
	ck_assert_uint_eq(length, strlen(text));
	ck_assert_mem_eq(got, text, length);
}

START_TEST(bytes_pass_both_ways)
{
	static const char *const hosts[] = {"127.0.0.1", "localhost"};
	connect_pair(hosts[_i]);
	check_passes(&client, &server, "ping");
	check_passes(&server, &client, "pong");
}
END_TEST

START_TEST(what_can_not_be_reached_is_reported)
{
	os_socket_close(&listener);
	ck_assert_int_eq(os_socket_connect("127.0.0.1", port, LONG_MS, &client), WSAECONNREFUSED);
	ck_assert_int_eq(client.handle, -1);
	int error = os_socket_connect("no-such-host.invalid", port, LONG_MS, &client);
	/* Wine can take the resolver's answer for a want of memory. */
	ck_assert_msg(error == OS_NO_SUCH_HOST || error == WSA_NOT_ENOUGH_MEMORY, "error %d",
	              error);
}
END_TEST

START_TEST(port_in_use_is_reported)
{
	struct os_socket second;
	uint16_t second_port = 0;
	int error = os_socket_listen(port, &second, &second_port);
	ck_assert_msg(error == WSAEADDRINUSE || error == WSAEACCES, "error %d", error);
}
END_TEST

START_TEST(reads_and_accepts_time_out)
{
	char byte;
	size_t got = 1;
	uint64_t before = os_monotonic_ns();
	ck_assert_int_eq(os_socket_accept(&listener, SHORT_MS, &server), OS_TIMED_OUT);
	connect_pair("127.0.0.1");
	ck_assert_int_eq(os_socket_read(&client, &byte, 1, SHORT_MS, &got), OS_TIMED_OUT);
	ck_assert_uint_eq(got, 0);
	check_took(os_monotonic_ns() - before, 2 * SHORT_MS, LONG_MS);
	ck_assert_int_eq(os_socket_read(&client, &byte, 0, SHORT_MS, &got),
	                 ERROR_INVALID_PARAMETER);
}
END_TEST

START_TEST(end_of_the_peer_is_reported)
{
	char byte;
	size_t got = 1;
	connect_pair("127.0.0.1");
	os_socket_close(&server);
	ck_assert_int_eq(os_socket_read(&client, &byte, 1, LONG_MS, &got), OS_CLOSED);
	int error = 0;
	for (int i = 0; i < 1000 && error == 0; i++) {
		error = os_socket_write(&client, "x", 1, LONG_MS);
		sleep_ms(1);
	}
	ck_assert_msg(error == WSAECONNRESET || error == WSAECONNABORTED, "error %d", error);
}
END_TEST

START_TEST(write_times_out_when_the_peer_takes_nothing)
{
	static char bytes[1 << 20];
	connect_pair("127.0.0.1");
	int error = 0;
	for (int i = 0; i < 1000 && error == 0; i++)
		error = os_socket_write(&client, bytes, sizeof(bytes), SHORT_MS);
	ck_assert_int_eq(error, OS_TIMED_OUT);
}
END_TEST

START_TEST(a_write_of_some_says_how_many)
{
	static char bytes[1 << 20];
	size_t sent = 0;
	int error = 0;
	connect_pair("127.0.0.1");
	ck_assert_int_eq(os_socket_write_some(&client, "x", 1, SHORT_MS, &sent), 0);
	ck_assert_uint_eq(sent, 1);
	ck_assert_int_ne(os_socket_write_some(&client, "x", 0, SHORT_MS, &sent), 0);
	for (int i = 0; i < 1000 && error == 0; i++) {
		error = os_socket_write_some(&client, bytes, sizeof(bytes), SHORT_MS, &sent);
		ck_assert((error == 0) == (sent > 0));
	}
	ck_assert_int_eq(error, OS_TIMED_OUT);
}
END_TEST

START_TEST(the_end_of_writing_leaves_reading)
{
	char byte = 0;
	size_t got = 0;
	connect_pair("127.0.0.1");
	ck_assert_int_eq(os_socket_write(&client, "x", 1, LONG_MS), 0);
	os_socket_end_writing(&client);
	ck_assert_int_eq(os_socket_read(&server, &byte, 1, LONG_MS, &got), 0);
	ck_assert_int_eq(os_socket_read(&server, &byte, 1, LONG_MS, &got), OS_CLOSED);
	ck_assert_int_eq(os_socket_write(&server, "y", 1, LONG_MS), 0);
	ck_assert_int_eq(os_socket_read(&client, &byte, 1, LONG_MS, &got), 0);
	ck_assert_int_eq(byte, 'y');
}
END_TEST

static void shut_down_soon(void *arg)
{
	sleep_ms(50);
	os_socket_shutdown(arg);
}

START_TEST(shutdown_ends_a_read_on_another_thread)
{
	struct os_thread_handle handle;
	char byte;
	size_t got = 1;
	connect_pair("127.0.0.1");
	uint64_t before = os_monotonic_ns();
	ck_assert_int_eq(os_thread_start(&handle, shut_down_soon, &client), 0);
	int error = os_socket_read(&client, &byte, 1, LONG_MS, &got);
	os_thread_join(&handle);
	ck_assert_int_eq(error, OS_CLOSED);
	check_took(os_monotonic_ns() - before, 0, LONG_MS);
}
END_TEST

START_TEST(shutdown_ends_an_accept_on_another_thread)
{
	struct os_thread_handle handle;
	uint64_t before = os_monotonic_ns();
	ck_assert_int_eq(os_thread_start(&handle, shut_down_soon, &listener), 0);
	int error = os_socket_accept(&listener, LONG_MS, &server);
	os_thread_join(&handle);
	ck_assert(error != 0 && error != OS_TIMED_OUT);
	check_took(os_monotonic_ns() - before, 0, LONG_MS);
}
END_TEST

START_TEST(child_processes_inherit_no_socket)
{
	DWORD flags = 0;
	connect_pair("127.0.0.1");
	const struct os_socket *const all[] = {&listener, &client, &server};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		ck_assert(GetHandleInformation((HANDLE)all[i]->handle, &flags));
		ck_assert_uint_eq(flags & HANDLE_FLAG_INHERIT, 0);
	}
}
END_TEST

/* ---- process ------------------------------------------------------------ */

START_TEST(process_knows_its_id_and_file)
{
	char own[3 * MAX_PATH];
	ck_assert_uint_eq(os_pid(), GetCurrentProcessId());
	ck_assert_int_eq(os_library_path(own, sizeof(own)), 0);
	ck_assert_ptr_nonnull(strstr(own, "os_windows_test"));
	ck_assert_int_ne(os_library_path(own, 3), 0);
}
END_TEST

/* In the code page of Western Europe, as under Wine. */
START_TEST(paths_that_a_jvm_reads_otherwise_are_known)
{
	ck_assert(os_program_passes_path("C:\\a b\\x.txt"));
	if (GetACP() != 1252)
		return;
	ck_assert(os_program_passes_path("C:\\Gr\xc3\xb6sse.txt"));
	ck_assert(!os_program_passes_path("C:\\\xd0\x96.txt"));
	/* Its two letters in that code page are one in UTF-8. */
	ck_assert(!os_program_passes_path("C:\\\xc3\x83\xc2\xa4.txt"));
}
END_TEST

START_TEST(only_a_console_that_obeys_sequences_is_a_terminal)
{
	HANDLE saved = GetStdHandle(STD_ERROR_HANDLE);
	HANDLE file = CreateFileW(L"NUL", GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
	ck_assert(file != INVALID_HANDLE_VALUE);
	(void)SetStdHandle(STD_ERROR_HANDLE, file);
	bool device = os_is_terminal(OS_STANDARD_ERROR);
	(void)SetStdHandle(STD_ERROR_HANDLE, NULL);
	bool nothing = os_is_terminal(OS_STANDARD_ERROR);
	(void)SetStdHandle(STD_ERROR_HANDLE, saved);
	(void)CloseHandle(file);
	ck_assert(!device);
	ck_assert(!nothing);
}
END_TEST

START_TEST(symbol_is_found_in_the_module_of_an_address_only)
{
	void *kernel = (void *)GetModuleHandleA("kernel32.dll");
	ck_assert_ptr_nonnull(os_symbol_beside(kernel, "CreateFileW"));
	ck_assert_ptr_null(os_symbol_beside(kernel, "no_such_symbol_anywhere"));
	ck_assert_ptr_null(os_symbol_beside(&port, "CreateFileW"));
	ck_assert_ptr_null(os_symbol_beside(NULL, "CreateFileW"));
}
END_TEST

START_TEST(errors_have_words)
{
	char text[OS_ERROR_TEXT_MAX];
	os_error_text(OS_TIMED_OUT, text, sizeof(text));
	ck_assert_str_eq(text, "timed out");
	os_error_text(WSAECONNREFUSED, text, sizeof(text));
	ck_assert_uint_gt(strlen(text), 0);
	os_error_text(123456789, text, sizeof(text));
	ck_assert_str_eq(text, "error 123456789");
	os_error_text(ERROR_ACCESS_DENIED, text, 4);
	ck_assert_uint_le(strlen(text), 3);
}
END_TEST

START_TEST(library_functions_of_other_systems_behave_as_there)
{
	char text[8] = "ab";
	const char *problem = NULL;
	ck_assert_uint_eq(strlcpy(text, "abcdefghij", sizeof(text)), 10);
	ck_assert_str_eq(text, "abcdefg");
	text[2] = '\0';
	ck_assert_uint_eq(strlcat(text, "cdefghij", sizeof(text)), 10);
	ck_assert_str_eq(text, "abcdefg");
	ck_assert_int_eq(strtonum("42", 1, 100, &problem), 42);
	ck_assert_ptr_null(problem);
	ck_assert_int_eq(strtonum("0", 1, 100, &problem), 0);
	ck_assert_str_eq(problem, "too small");
	ck_assert_int_eq(strtonum("99999999999999999999", 1, 100, &problem), 0);
	ck_assert_str_eq(problem, "too large");
	ck_assert_int_eq(strtonum("4x", 1, 100, &problem), 0);
	ck_assert_str_eq(problem, "invalid");
}
END_TEST

/* ---- the suite ---------------------------------------------------------- */

static TCase *clock_tests(void)
{
	TCase *tc = tcase_create("clocks");
	tcase_add_test(tc, clocks_never_go_back_and_agree);
	tcase_add_test(tc, sleep_ends_neither_early_nor_very_late);
	tcase_add_test(tc, wall_clock_is_the_systems);
	tcase_add_test(tc, local_time_is_written_as_asctime_does);
	tcase_add_test(tc, cpu_time_of_another_thread_is_what_it_used);
	tcase_add_test(tc, cpu_time_of_what_is_no_thread_of_ours_is_an_error);
	tcase_add_test(tc, cpu_clock_is_the_threads_and_never_goes_back);
	tcase_add_test(tc, clocks_are_reported_in_words);
	tcase_add_test(tc, cpu_timers_are_said_to_be_missing);
	tcase_add_test(tc, microstates_sum_to_the_life_and_tell_what_is_known);
	return tc;
}

static TCase *guard_tests(void)
{
	TCase *tc = tcase_create("guard");
	tcase_add_test(tc, call_that_touches_nothing_returns);
	tcase_add_test(tc, fault_in_a_guarded_call_is_survived);
	tcase_add_test(tc, guarded_calls_nest);
	tcase_add_test(tc, faults_elsewhere_go_to_the_programs_handler);
	tcase_add_test(tc, guarded_call_keeps_the_programs_last_error);
	tcase_add_test(tc, address_behind_a_call_is_found_and_contexts_are_said_to_be_missing);
	return tc;
}

static TCase *file_tests(void)
{
	TCase *tc = tcase_create("files");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, file_has_its_name_in_any_script_and_is_private);
	tcase_add_test(tc, overwriting_empties_and_takes_others_rights_away);
	tcase_add_test(tc, appending_keeps_what_is_there);
	tcase_add_test(tc, what_two_append_to_has_the_writes_of_both);
	tcase_add_test(tc, exclusive_leaves_an_existing_file_alone);
	tcase_add_test(tc, file_with_another_name_is_refused);
	tcase_add_test(tc, truncation_moves_the_position_too);
	tcase_add_test(tc, handle_is_not_inherited);
	tcase_add_test(tc, where_no_file_can_be_the_reason_is_reported);
	tcase_add_test(tc, name_may_be_longer_than_the_old_limit);
	tcase_add_test(tc, device_takes_bytes_and_is_no_file);
	tcase_add_test(tc, redirected_output_is_shared_and_not_written_over);
	tcase_add_test(tc, owner_of_our_file_is_us);
	return tc;
}

static TCase *socket_tests(void)
{
	TCase *tc = tcase_create("sockets");
	tcase_add_checked_fixture(tc, open_listener, close_all);
	tcase_add_loop_test(tc, bytes_pass_both_ways, 0, 2);
	tcase_add_test(tc, what_can_not_be_reached_is_reported);
	tcase_add_test(tc, port_in_use_is_reported);
	tcase_add_test(tc, reads_and_accepts_time_out);
	tcase_add_test(tc, end_of_the_peer_is_reported);
	tcase_add_test(tc, write_times_out_when_the_peer_takes_nothing);
	tcase_add_test(tc, a_write_of_some_says_how_many);
	tcase_add_test(tc, the_end_of_writing_leaves_reading);
	tcase_add_test(tc, shutdown_ends_a_read_on_another_thread);
	tcase_add_test(tc, shutdown_ends_an_accept_on_another_thread);
	tcase_add_test(tc, child_processes_inherit_no_socket);
	return tc;
}

static TCase *process_tests(void)
{
	TCase *tc = tcase_create("process");
	tcase_add_test(tc, process_knows_its_id_and_file);
	tcase_add_test(tc, paths_that_a_jvm_reads_otherwise_are_known);
	tcase_add_test(tc, only_a_console_that_obeys_sequences_is_a_terminal);
	tcase_add_test(tc, symbol_is_found_in_the_module_of_an_address_only);
	tcase_add_test(tc, errors_have_words);
	tcase_add_test(tc, library_functions_of_other_systems_behave_as_there);
	return tc;
}

int main(void)
{
	Suite *suite = suite_create("os_windows");
	suite_add_tcase(suite, clock_tests());
	suite_add_tcase(suite, guard_tests());
	suite_add_tcase(suite, file_tests());
	suite_add_tcase(suite, socket_tests());
	suite_add_tcase(suite, process_tests());
	return run_suite(suite);
}
