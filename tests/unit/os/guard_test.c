/* marks: timed, posix */
/*
 * Tests of guarded calls: they survive faults, in and out of signal handlers,
 * and leave all other faults to the handlers that were there before.
 */
#include "guard.h"
#include "os_load_posix.h"
#include "os_machine.h"
#include "run_suite.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

static size_t page_size;
static volatile unsigned char *forbidden; /* a page that nobody may touch */

/* What the program's own handler saw. */
static atomic_uint faults_seen;
static void *_Atomic fault_address;
static void *_Atomic fault_context;
static atomic_bool mask_was_right;

/* As a JVM does with some of its faults: makes the access possible and returns
 * to it. */
static void permit_and_go_on(int signal, siginfo_t *info, void *context)
{
	sigset_t blocked;
	(void)pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	atomic_store(&fault_context, context);
	atomic_store(&mask_was_right, sigismember(&blocked, SIGUSR1) == 1 &&
	                                      sigismember(&blocked, signal) == 1 &&
	                                      sigismember(&blocked, SIGUSR2) == 0);
	atomic_store(&fault_address, info->si_addr);
	atomic_fetch_add(&faults_seen, 1);
	(void)mprotect((void *)(uintptr_t)forbidden, page_size, PROT_READ);
}

/* The program's handler first (none for SIGBUS), then ours. Where all tests run in one process,
 * ours stays and the program must not replace it. */
static void install_once(void)
{
	static bool done;
	if (done)
		return;
	done = true;
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = permit_and_go_on;
	action.sa_flags = SA_SIGINFO;
	(void)sigaddset(&action.sa_mask, SIGUSR1);
	ck_assert_int_eq(sigaction(SIGSEGV, &action, NULL), 0);
	struct sigaction none;
	memset(&none, 0, sizeof(none));
	none.sa_handler = SIG_DFL;
	ck_assert_int_eq(sigaction(SIGBUS, &none, NULL), 0);
	ck_assert_int_eq(guard_install(), 0);
}

static void set_up(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	forbidden = mmap(NULL, page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)(uintptr_t)forbidden, MAP_FAILED);
	faults_seen = 0;
	install_once();
}

static void read_forbidden(void *arg)
{
	(void)arg;
	(void)forbidden[8];
}

static void set_flag(void *arg)
{
	*(bool *)arg = true;
}

START_TEST(call_without_fault_is_made)
{
	bool called = false;
	ck_assert(os_call_guarded(set_flag, &called));
	ck_assert(called);
}
END_TEST

START_TEST(fault_ends_the_call_and_nothing_else)
{
	for (int i = 0; i < 1000; i++)
		ck_assert(!os_call_guarded(read_forbidden, NULL));
	ck_assert_uint_eq(faults_seen, 0);
}
END_TEST

START_TEST(signal_mask_is_as_before_the_fault)
{
	sigset_t blocked;
	(void)sigemptyset(&blocked);
	(void)sigaddset(&blocked, SIGALRM);
	(void)pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	ck_assert(!os_call_guarded(read_forbidden, NULL));
	(void)pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	for (int signal = 1; signal < 32; signal++)
		ck_assert_int_eq(sigismember(&blocked, signal), signal == SIGALRM);
}
END_TEST

static void read_beyond_the_file(void *arg)
{
	(void)*(volatile unsigned char *)arg;
}

START_TEST(bus_error_is_survived_too)
{
	char path[] = "/tmp/os_guard_test.XXXXXX";
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	(void)unlink(path);
	void *beyond = mmap(NULL, page_size, PROT_READ, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(beyond, MAP_FAILED);
	bool survived = os_call_guarded(read_beyond_the_file, beyond);
	(void)munmap(beyond, page_size);
	(void)close(fd);
	ck_assert(!survived);
}
END_TEST

static void fault_inside_and_out(void *arg)
{
	*(bool *)arg = os_call_guarded(read_forbidden, NULL);
	read_forbidden(NULL);
}

START_TEST(inner_fault_ends_the_inner_call_only)
{
	bool inner = true;
	ck_assert(!os_call_guarded(fault_inside_and_out, &inner));
	ck_assert(!inner);
	ck_assert_uint_eq(faults_seen, 0);
}
END_TEST

START_TEST(fault_outside_goes_to_the_program_as_the_kernel_would_have_sent_it)
{
	ck_assert(!os_call_guarded(read_forbidden, NULL));
	read_forbidden(NULL);
	ck_assert_uint_eq(faults_seen, 1);
	ck_assert_ptr_eq(fault_address, (void *)(uintptr_t)(forbidden + 8));
	ck_assert_ptr_nonnull(fault_context);
	ck_assert(mask_was_right);
}
END_TEST

static void send_signal(void *arg)
{
	(void)arg;
	(void)pthread_kill(pthread_self(), SIGSEGV);
}

START_TEST(signal_that_was_sent_is_no_fault_of_the_call)
{
	ck_assert(os_call_guarded(send_signal, NULL));
	ck_assert_uint_eq(faults_seen, 1);
}
END_TEST

/* Raises SIGBUS, which the program does not handle. */
static void die_unguarded(bool by_fault)
{
	(void)os_call_guarded(read_forbidden, NULL);
	char path[] = "/tmp/os_guard_test.XXXXXX";
	int fd = mkstemp(path);
	(void)unlink(path);
	if (by_fault)
		read_beyond_the_file(mmap(NULL, page_size, PROT_READ, MAP_SHARED, fd, 0));
	else
		(void)pthread_kill(pthread_self(), SIGBUS);
	_exit(0);
}

START_TEST(fault_that_nobody_handles_kills_as_ever)
{
	pid_t child = fork();
	if (child == 0)
		die_unguarded(_i == 0);
	int status = 0;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGBUS);
}
END_TEST

static void fault_often(void *arg)
{
	atomic_uint *survived = arg;
	for (int i = 0; i < 500; i++)
		if (!os_call_guarded(read_forbidden, NULL))
			atomic_fetch_add(survived, 1);
}

START_TEST(threads_fault_at_the_same_time_independently)
{
	struct os_thread_handle handles[8];
	atomic_uint survived = 0;
	for (int i = 0; i < 8; i++)
		ck_assert_int_eq(os_thread_start(&handles[i], fault_often, &survived), 0);
	for (int i = 0; i < 8; i++)
		os_thread_join(&handles[i]);
	ck_assert_uint_eq(survived, 4000);
	ck_assert_uint_eq(faults_seen, 0);
}
END_TEST

/* ---- the virtual machine's own handler --------------------------------- */

static int vm_answer;
static atomic_uint vm_asked;

static int vm_handler(int signal, void *info, void *context, int abort_if_unrecognized)
{
	fault_address = ((siginfo_t *)info)->si_addr;
	fault_context = context;
	if (signal != SIGSEGV || abort_if_unrecognized != 0)
		return 0;
	atomic_fetch_add(&vm_asked, 1);
	if (vm_answer != 0)
		(void)mprotect((void *)(uintptr_t)forbidden, page_size, PROT_READ);
	return vm_answer;
}

START_TEST(fault_that_the_vm_recovers_from_does_not_end_the_call)
{
	guard_set_vm_handler(vm_handler);
	vm_answer = 0;
	vm_asked = 0;
	bool unknown_to_vm = os_call_guarded(read_forbidden, NULL);
	vm_answer = 1;
	bool known_to_vm = os_call_guarded(read_forbidden, NULL);
	guard_set_vm_handler(NULL);
	ck_assert(!unknown_to_vm);
	ck_assert(known_to_vm);
	ck_assert_uint_eq(vm_asked, 2);
	ck_assert_ptr_eq(fault_address, (void *)(uintptr_t)(forbidden + 8));
	ck_assert_ptr_nonnull(fault_context);
}
END_TEST

START_TEST(no_vm_is_found_where_there_is_none)
{
	ck_assert(!os_guard_ask_vm(&vm_answer));
	ck_assert(!os_call_guarded(read_forbidden, NULL));
}
END_TEST

/* ---- in the timer's callback ------------------------------------------ */

static atomic_uint callbacks;
static atomic_uint survivals;

static void on_expiry(void *user, void *context)
{
	(void)context;
	atomic_fetch_add(&callbacks, 1);
	if (*(bool *)user) {
		if (!os_call_guarded(read_forbidden, NULL))
			atomic_fetch_add(&survivals, 1);
	} else {
		(void)forbidden[0];
	}
}

/* The callback has come by the end, however late. */
static void burn(void *arg)
{
	(void)arg;
	burn_cpu(100 * NS_PER_MS);
	while (callbacks == 0)
		burn_cpu(NS_PER_MS);
}

/* Runs the timer over a guarded call. */
static bool burn_guarded_and_timed(bool *guard_in_callback)
{
	struct os_cpu_timer timer;
	callbacks = 0;
	survivals = 0;
	int error = os_cpu_timers_install(OS_CPU_TIMER_ANY, on_expiry);
	ck_assert_int_eq(error, 0);
	ck_assert_int_eq(
	        os_cpu_timer_start(&timer, 5 * NS_PER_MS, 5 * NS_PER_MS, guard_in_callback), 0);
	bool returned = os_call_guarded(burn, NULL);
	os_cpu_timer_stop(&timer);
	return returned;
}

START_TEST(fault_in_a_signal_handler_is_survived_there)
{
	bool guard_in_callback = true;
	ck_assert(burn_guarded_and_timed(&guard_in_callback));
	ck_assert_uint_eq(survivals, callbacks);
	ck_assert_uint_eq(faults_seen, 0);
}
END_TEST

START_TEST(call_is_not_ended_by_a_fault_of_the_handler_that_interrupted_it)
{
	bool guard_in_callback = false;
	ck_assert(burn_guarded_and_timed(&guard_in_callback));
	ck_assert_uint_eq(faults_seen, 1);
}
END_TEST

static Suite *os_guard_suite(void)
{
	Suite *suite = suite_create("os_guard");
	TCase *tc = tcase_create("guard");
	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, call_without_fault_is_made);
	tcase_add_test(tc, fault_ends_the_call_and_nothing_else);
	tcase_add_test(tc, signal_mask_is_as_before_the_fault);
	tcase_add_test(tc, bus_error_is_survived_too);
	tcase_add_test(tc, inner_fault_ends_the_inner_call_only);
	tcase_add_test(tc, fault_outside_goes_to_the_program_as_the_kernel_would_have_sent_it);
	tcase_add_test(tc, signal_that_was_sent_is_no_fault_of_the_call);
	tcase_add_loop_test(tc, fault_that_nobody_handles_kills_as_ever, 0, 2);
	tcase_add_test(tc, threads_fault_at_the_same_time_independently);
	tcase_add_test(tc, fault_that_the_vm_recovers_from_does_not_end_the_call);
	tcase_add_test(tc, no_vm_is_found_where_there_is_none);
	tcase_add_test(tc, fault_in_a_signal_handler_is_survived_there);
	tcase_add_test(tc, call_is_not_ended_by_a_fault_of_the_handler_that_interrupted_it);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(os_guard_suite());
}
