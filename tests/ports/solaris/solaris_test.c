/*
 * Tests of what src/os/solaris makes of the files under /proc, of clocks that are not
 * there, and of signals that tell nothing, and src/os/posix of connections that are late.
 * They run on the shim, which they give faults and files of their own. One is of the agent
 * as the runtime linker sees it.
 */
#include "guard.h"
#include "judged_times.h"
#include "libbsd.h"
#include "os_load_posix.h"
#include "os_machine.h"
#include "run_suite.h"
#include "shim/shim.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <procfs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define BIT(state) (1U << (state))

static void tear_down(void)
{
	atomic_store(&shim.proc_error, 0);
	atomic_store(&shim.proc_bytes, -1);
	atomic_store(&shim.usage, NULL);
	atomic_store(&shim.control_error, 0);
	atomic_store(&shim.no_thread_clock, false);
	atomic_store(&shim.connects_later, false);
}

/* ---- microstates --------------------------------------------------------- */

/* Each state a number of its own, so that none can stand for another. */
static const prusage_t known_usage = {
        .pr_utime = {1, 100},
        .pr_stime = {2, 200},
        .pr_ttime = {3, 300},
        .pr_tftime = {5, 500},
        .pr_dftime = {7, 700},
        .pr_kftime = {11, 1100},
        .pr_ltime = {13, 1300},
        .pr_slptime = {17, 1700},
        .pr_wtime = {19, 1900},
        .pr_stoptime = {23, 23},
        .pr_vctx = 41,
        .pr_ictx = 43,
};

#define SECONDS(s, ns) ((s)*UINT64_C(1000000000) + (ns))

START_TEST(each_field_of_lwpusage_is_in_its_state)
{
	static const uint64_t wanted[OS_MICROSTATES] = {
	        [OS_USR] = SECONDS(1, 100),   [OS_SYS] = SECONDS(2, 200),
	        [OS_TRP] = SECONDS(3, 300),   [OS_TFL] = SECONDS(5, 500),
	        [OS_DFL] = SECONDS(18, 1800), [OS_LCK] = SECONDS(13, 1300),
	        [OS_SLP] = SECONDS(40, 1723), [OS_LAT] = SECONDS(19, 1900),
	};
	struct os_microstates states;
	uint64_t sum = 0;
	atomic_store(&shim.usage, &known_usage);
	ck_assert_int_eq(os_thread_microstates(os_self_thread(), &states), 0);
	for (int i = 0; i < OS_MICROSTATES; i++) {
		ck_assert_uint_eq(states.ns[i], wanted[i]);
		sum += wanted[i];
	}
	ck_assert_uint_eq(states.known, BIT(OS_MICROSTATES) - 1);
	ck_assert_uint_eq(states.life_ns, sum);
	ck_assert(states.switches_known);
	ck_assert_uint_eq(states.voluntary_switches, 41);
	ck_assert_uint_eq(states.involuntary_switches, 43);
}
END_TEST

START_TEST(cpu_time_is_user_system_and_trap_time)
{
	uint64_t cpu_ns = 0;
	atomic_store(&shim.usage, &known_usage);
	ck_assert_int_eq(os_thread_cpu_ns(os_self_thread(), &cpu_ns), 0);
	ck_assert_uint_eq(cpu_ns, SECONDS(6, 600));
}
END_TEST

START_TEST(waits_for_a_cpu_and_pages_and_switches_are_lwpusages)
{
	struct os_run_queue queue;
	uint64_t ns = 0;
	struct os_self_waits waits;

	ck_assert_int_eq(os_run_queue_open(&queue, os_self_thread()), 0);
	atomic_store(&shim.usage, &known_usage);
	ck_assert(os_run_queue_waited(&queue, &ns));
	ck_assert_uint_eq(ns, SECONDS(19, 1900));
	ck_assert(os_self_waits(&waits));
	ck_assert_uint_eq(waits.voluntary_switches, 41);
	ck_assert(waits.faults_known);
	ck_assert_uint_eq(waits.text_fault_ns, SECONDS(5, 500));
	ck_assert_uint_eq(waits.data_fault_ns, SECONDS(18, 1800));
	atomic_store(&shim.proc_error, EACCES);
	ck_assert(!os_run_queue_waited(&queue, &ns));
	ck_assert(!os_self_waits(&waits));
	os_run_queue_close(&queue);
	ck_assert_int_eq(os_run_queue_open(&queue, os_self_thread()), EACCES);
}
END_TEST

START_TEST(accounting_is_asked_for_by_a_message_to_the_process)
{
	ck_assert(!atomic_load(&shim.accounting));
	ck_assert_int_eq(os_microstates_enable(), 0);
	ck_assert(atomic_load(&shim.accounting));
}
END_TEST

START_TEST(refused_accounting_is_reported)
{
	atomic_store(&shim.control_error, EPERM);
	ck_assert_int_eq(os_microstates_enable(), EPERM);
	atomic_store(&shim.control_error, -1);
	ck_assert_int_eq(os_microstates_enable(), EIO);
	atomic_store(&shim.proc_error, EACCES);
	ck_assert_int_eq(os_microstates_enable(), EACCES);
	ck_assert(!atomic_load(&shim.accounting));
}
END_TEST

/* ---- /proc that fails ---------------------------------------------------- */

static void check_no_lwp(int error)
{
	struct os_microstates states;
	uint64_t cpu_ns = 4711;
	ck_assert_int_eq(os_thread_cpu_ns(os_self_thread(), &cpu_ns), error);
	ck_assert_uint_eq(cpu_ns, 4711);
	ck_assert_int_eq(os_thread_microstates(os_self_thread(), &states), error);
	ck_assert_uint_eq(states.known, 0);
	ck_assert_int_eq(os_thread_running(os_self_thread()), OS_UNKNOWN);
}

START_TEST(missing_privilege_is_reported)
{
	atomic_store(&shim.proc_error, EACCES);
	check_no_lwp(EACCES);
	atomic_store(&shim.proc_error, EMFILE);
	check_no_lwp(EMFILE);
}
END_TEST

START_TEST(proc_that_is_not_there_is_no_thread)
{
	atomic_store(&shim.proc_error, ENOENT);
	check_no_lwp(ESRCH);
}
END_TEST

START_TEST(lwp_that_ends_while_it_is_read_is_no_thread)
{
	atomic_store(&shim.proc_bytes, 0);
	check_no_lwp(ESRCH);
}
END_TEST

START_TEST(file_of_another_size_is_an_error)
{
	atomic_store(&shim.proc_bytes, 40);
	check_no_lwp(EIO);
}
END_TEST

START_TEST(failures_leave_no_descriptor_open)
{
	struct os_microstates states;
	int before = open_descriptors();
	for (int bytes = -1; bytes < 64; bytes += 13) {
		atomic_store(&shim.proc_bytes, bytes);
		(void)os_thread_microstates(os_self_thread(), &states);
		(void)os_thread_running(os_self_thread());
		(void)os_microstates_enable();
	}
	ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

/* ---- clocks -------------------------------------------------------------- */

/* The truth, whether the shim has that clock or not. */
static uint64_t linux_cpu_ns(void)
{
	struct timespec now = {0};
	bool before = atomic_exchange(&shim.no_thread_clock, false);
	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	atomic_store(&shim.no_thread_clock, before);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

START_TEST(cpu_time_is_lwpusages_where_there_is_no_clock)
{
	burn_cpu(20 * NS_PER_MS);
	atomic_store(&shim.no_thread_clock, true);
	for (int i = 0; i < 100; i++) {
		uint64_t least = linux_cpu_ns();
		errno = 17;
		uint64_t cpu_ns = os_self_cpu_ns();
		ck_assert_int_eq(errno, 17);
		ck_assert_uint_ge(cpu_ns, least);
		ck_assert_uint_le(cpu_ns, linux_cpu_ns());
	}
}
END_TEST

START_TEST(cpu_time_without_any_source_is_0_and_no_crash)
{
	atomic_store(&shim.no_thread_clock, true);
	atomic_store(&shim.proc_error, EACCES);
	ck_assert_uint_eq(os_self_cpu_ns(), 0);
}
END_TEST

START_TEST(time_in_the_kernel_is_cpu_time_though_gethrvtime_leaves_it_out)
{
	struct os_cpu_clock clock;
	uint64_t wall_ns;
	hrtime_t user_ns = gethrvtime();
	os_cpu_clock_start(&clock, _i == 0 ? OS_CPU_CLOCK_ANY : OS_CPU_CLOCK_SYSTEM);
	uint64_t most_ns = linux_cpu_ns();
	uint64_t used_ns = os_cpu_clock_read(&clock, &wall_ns);
	uint64_t least_ns = linux_cpu_ns();
	/* Linux tells user from system time by its ticks, few of which meet a thread on a busy
	 * machine. */
	do {
		ck_assert(burn_system_cpu(300 * NS_PER_MS));
	} while ((gethrvtime() - user_ns) * 3 > (hrtime_t)(linux_cpu_ns() - least_ns) * 2);
	least_ns = linux_cpu_ns() - least_ns;
	used_ns = os_cpu_clock_read(&clock, &wall_ns) - used_ns;
	most_ns = linux_cpu_ns() - most_ns;
	/* Less the time of interrupts in the last millisecond. */
	CHECK_TIME(used_ns + NS_PER_MS >= least_ns && used_ns <= most_ns + NS_PER_MS,
	           "%.6f ms of CPU time, not %.6f to %.6f ms", (double)used_ns / 1e6,
	           (double)least_ns / 1e6, (double)most_ns / 1e6);
}
END_TEST

/* ---- signals ------------------------------------------------------------- */

static atomic_int foreign_faults;

static void on_foreign_fault(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	atomic_fetch_add(&foreign_faults, 1);
}

static void raise_without_info(void *unused)
{
	struct sigaction ours;
	siginfo_t info;
	(void)unused;
	memset(&info, 0, sizeof(info));
	info.si_signo = SIGSEGV;
	info.si_code = SI_NOINFO;
	(void)sigaction(SIGSEGV, NULL, &ours);
	ours.sa_sigaction(SIGSEGV, &info, NULL);
}

START_TEST(signal_that_tells_nothing_is_no_fault_of_the_call)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_foreign_fault;
	action.sa_flags = SA_SIGINFO;
	ck_assert_int_eq(sigaction(SIGSEGV, &action, NULL), 0);
	ck_assert(os_call_guarded(raise_without_info, NULL));
	ck_assert_int_eq(atomic_load(&foreign_faults), 1);
}
END_TEST

static atomic_uint calls;

static void on_expiry(void *user, void *context)
{
	(void)user;
	(void)context;
	atomic_fetch_add(&calls, 1);
}

struct timed_worker {
	struct os_thread_handle handle;
	struct os_cpu_timer timer;
	_Atomic os_thread thread;
	atomic_bool started;
	atomic_bool quit;
};

static void work_timed(void *argument)
{
	struct timed_worker *w = argument;
	sigset_t set;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGPROF);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	atomic_store(&w->thread, os_self_thread());
	(void)os_cpu_timer_start(&w->timer, 0, 4 * NS_PER_MS, w);
	atomic_store(&w->started, true);
	while (!atomic_load(&w->quit))
		burn_cpu(NS_PER_MS);
}

/* Waits until the thread has used so much CPU time. */
static void let_use(const struct timed_worker *w, uint64_t ns)
{
	uint64_t start_ns = 0;
	uint64_t now_ns = 0;
	ck_assert_int_eq(os_thread_cpu_ns(w->thread, &start_ns), 0);
	do {
		sleep_ms(1);
		ck_assert_int_eq(os_thread_cpu_ns(w->thread, &now_ns), 0);
	} while (now_ns - start_ns < ns);
}

/* Nobody can stop another LWP's timer: its signals go on, to nobody. */
START_TEST(timer_that_another_thread_has_stopped_calls_nobody)
{
	static struct timed_worker worker;
	ck_assert_int_eq(os_cpu_timers_install(OS_CPU_TIMER_PERF, on_expiry), OS_UNSUPPORTED);
	ck_assert_int_eq(os_cpu_timers_install(OS_CPU_TIMER_ANY, on_expiry), 0);
	ck_assert_int_eq(os_thread_start(&worker.handle, work_timed, &worker), 0);
	while (!atomic_load(&worker.started) || atomic_load(&calls) < 2)
		sleep_ms(1);
	os_cpu_timer_stop(&worker.timer);
	let_use(&worker, NS_PER_MS); /* to the end of a call that is under way */
	unsigned before = atomic_load(&calls);
	let_use(&worker, 60 * NS_PER_MS);
	ck_assert_uint_eq(atomic_load(&calls), before);
	atomic_store(&worker.quit, true);
	os_thread_join(&worker.handle);
}
END_TEST

/* ---- sockets -------------------------------------------------------------- */

#define LONG_MS 20000

START_TEST(local_connection_may_be_made_or_refused_after_the_call)
{
	char directory[] = "/tmp/os_solaris_test.XXXXXX";
	char path[64];
	struct os_socket listener;
	struct os_socket client;
	struct os_socket server;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/s", directory);
	atomic_store(&shim.connects_later, true);
	ck_assert_int_eq(os_socket_listen_local(path, &listener), 0);
	ck_assert_int_eq(os_socket_connect_local(path, LONG_MS, &client), 0);
	ck_assert_int_eq(os_socket_accept(&listener, LONG_MS, &server), 0);
	os_socket_close(&server);
	ck_assert_int_eq(os_socket_listen_local(path, &server), EADDRINUSE);
	os_socket_close(&client);
	os_socket_close(&listener);
	ck_assert_int_eq(os_socket_connect_local(path, LONG_MS, &client), ECONNREFUSED);
	/* A name that nobody listens at any more is free. */
	ck_assert_int_eq(os_socket_listen_local(path, &listener), 0);
	os_socket_close(&listener);
	(void)unlink(path);
	(void)rmdir(directory);
}
END_TEST

/* ---- the runtime linker --------------------------------------------------- */

static int find_thread_locals(struct dl_phdr_info *object, size_t size, void *data)
{
	const ElfW(Phdr) **found = data;
	(void)size;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		if (object->dlpi_phdr[i].p_type == PT_TLS)
			*found = &object->dlpi_phdr[i];
	}
	return 1; /* the first object is this program, with all of the agent */
}

/* Solaris keeps that much of each thread's static memory for libraries that are loaded late,
 * and refuses a library whose variables there have initial values. */
#define KEPT_BYTES 512

START_TEST(thread_local_variables_fit_a_library_that_is_loaded_late)
{
	const ElfW(Phdr) *found = NULL;
	(void)dl_iterate_phdr(find_thread_locals, &found);
	ck_assert_ptr_nonnull(found);
	ck_assert_uint_eq(found->p_filesz, 0);
	ck_assert_uint_le(found->p_memsz, KEPT_BYTES);
}
END_TEST

/* ---- the C library --------------------------------------------------------- */

START_TEST(numbers_are_parsed_as_by_strtonum)
{
	static const struct {
		const char *text;
		long long minimum;
		long long maximum;
		long long number;
		const char *problem;
	} cases[] = {
	        {"0", 0, 9, 0, NULL},
	        {"-5", -5, 5, -5, NULL},
	        {"9223372036854775807", 0, LLONG_MAX, LLONG_MAX, NULL},
	        {"-9223372036854775808", LLONG_MIN, 0, LLONG_MIN, NULL},
	        {"10", 0, 9, 0, "too large"},
	        {"-1", 0, 9, 0, "too small"},
	        {"9223372036854775808", 0, LLONG_MAX, 0, "too large"},
	        {"-9223372036854775809", LLONG_MIN, 0, 0, "too small"},
	        {"", 0, 9, 0, "invalid"},
	        {"x", 0, 9, 0, "invalid"},
	        {"3x", 0, 9, 0, "invalid"},
	        {"3", 9, 0, 0, "invalid"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *problem = "none";
		errno = 0;
		long long number =
		        strtonum(cases[i].text, cases[i].minimum, cases[i].maximum, &problem);
		ck_assert_msg(number == cases[i].number, "%s is %lld", cases[i].text, number);
		if (cases[i].problem == NULL) {
			ck_assert_ptr_null(problem);
			ck_assert_int_eq(errno, 0);
			continue;
		}
		ck_assert_str_eq(problem, cases[i].problem);
		ck_assert_int_eq(errno, problem[0] == 'i' ? EINVAL : ERANGE);
	}
}
END_TEST

static Suite *solaris_suite(void)
{
	Suite *suite = suite_create("solaris");
	TCase *tc = tcase_create("solaris");
	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, NULL, tear_down);
	tcase_add_test(tc, each_field_of_lwpusage_is_in_its_state);
	tcase_add_test(tc, cpu_time_is_user_system_and_trap_time);
	tcase_add_test(tc, waits_for_a_cpu_and_pages_and_switches_are_lwpusages);
	tcase_add_test(tc, accounting_is_asked_for_by_a_message_to_the_process);
	tcase_add_test(tc, refused_accounting_is_reported);
	tcase_add_test(tc, missing_privilege_is_reported);
	tcase_add_test(tc, proc_that_is_not_there_is_no_thread);
	tcase_add_test(tc, lwp_that_ends_while_it_is_read_is_no_thread);
	tcase_add_test(tc, file_of_another_size_is_an_error);
	tcase_add_test(tc, failures_leave_no_descriptor_open);
	tcase_add_test(tc, cpu_time_is_lwpusages_where_there_is_no_clock);
	tcase_add_test(tc, cpu_time_without_any_source_is_0_and_no_crash);
	tcase_add_loop_test(tc, time_in_the_kernel_is_cpu_time_though_gethrvtime_leaves_it_out, 0,
	                    2);
	tcase_add_test(tc, signal_that_tells_nothing_is_no_fault_of_the_call);
	tcase_add_test(tc, timer_that_another_thread_has_stopped_calls_nobody);
	tcase_add_test(tc, local_connection_may_be_made_or_refused_after_the_call);
	tcase_add_test(tc, thread_local_variables_fit_a_library_that_is_loaded_late);
	tcase_add_test(tc, numbers_are_parsed_as_by_strtonum);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(solaris_suite());
}
