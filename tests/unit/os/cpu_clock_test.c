/* marks: timed, posix, not_emulated */
/*
 * Tests of the cheap CPU clock: it says what the kernel's says, whatever happened
 * to the thread between two readings, and it is cheap.
 */
#include "judged_times.h"
#include "os_load_posix.h"
#include "run_suite.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

/* ---- both clocks, side by side ------------------------------------------ */

struct pair {
	struct os_cpu_clock clock;
	uint64_t clock_ns;
	uint64_t kernel_ns;
	uint64_t clock_wall_ns;
	uint64_t monotonic_ns;
};

/* Reads all at one moment: another thread may come between two readings, or another
 * virtual machine, whose time the kernel counts as the thread's. */
static void read_pair(struct pair *pair)
{
	uint64_t before_ns;
	uint64_t wall_before_ns;
	do {
		wall_before_ns = os_monotonic_ns();
		before_ns = os_self_cpu_ns();
		pair->clock_ns = os_cpu_clock_read(&pair->clock, &pair->clock_wall_ns);
		pair->kernel_ns = os_self_cpu_ns();
		pair->monotonic_ns = os_monotonic_ns();
	} while (pair->kernel_ns - before_ns > NS_PER_MS / 10 ||
	         pair->monotonic_ns - wall_before_ns > NS_PER_MS / 10);
}

static void start_pair(struct pair *pair, enum os_cpu_clock_kind kind)
{
	os_cpu_clock_start(&pair->clock, kind);
	read_pair(pair);
}

static void check_within(uint64_t got, uint64_t wanted, const char *what)
{
	const uint64_t slack = wanted / 100 + NS_PER_MS;
	ck_assert_msg(got + slack >= wanted && got <= wanted + slack,
	              "%s: %.3f ms, should be %.3f ms", what, (double)got / 1e6,
	              (double)wanted / 1e6);
}

/* Both clocks have advanced alike since the pair was started. */
static void check_pair(const struct pair *since, struct pair *now)
{
	*now = *since;
	read_pair(now);
	check_within(now->clock_ns - since->clock_ns, now->kernel_ns - since->kernel_ns,
	             "CPU time");
	check_within(now->clock_wall_ns - since->clock_wall_ns,
	             now->monotonic_ns - since->monotonic_ns, "wall time");
}

/* Works for as long, reading the clock all the time as instrumented code would. */
static void work(struct os_cpu_clock *clock, uint64_t cpu_ns)
{
	uint64_t end = os_self_cpu_ns() + cpu_ns;
	volatile unsigned sink = 0;
	uint64_t wall_ns;
	while (os_self_cpu_ns() < end) {
		for (unsigned i = 0; i < 100; i++) {
			for (unsigned j = 0; j < 50; j++)
				sink = sink + j;
			(void)os_cpu_clock_read(clock, &wall_ns);
		}
	}
}

/* ---- competitors --------------------------------------------------------- */

enum { COMPETITORS = 2 };

static void start_competitors(pid_t *pids)
{
	for (int i = 0; i < COMPETITORS; i++) {
		pids[i] = fork();
		ck_assert_int_ge(pids[i], 0);
		if (pids[i] == 0) {
			alarm(60);
			for (volatile unsigned x = 0;; x = x + 1)
				;
		}
	}
}

static void end_competitors(const pid_t *pids)
{
	for (int i = 0; i < COMPETITORS; i++) {
		(void)kill(pids[i], SIGKILL);
		(void)waitpid(pids[i], NULL, 0);
	}
}

/* ---- tests --------------------------------------------------------------- */

static const enum os_cpu_clock_kind kinds[] = {OS_CPU_CLOCK_ANY, OS_CPU_CLOCK_SYSTEM};

START_TEST(clock_is_the_kernels_while_the_thread_works)
{
	struct pair start;
	struct pair now;
	start_pair(&start, kinds[_i]);
	now = start;
	for (int i = 0; i < 3; i++) {
		work(&now.clock, (kinds[_i] == OS_CPU_CLOCK_ANY ? 1000 : 100) * NS_PER_MS);
		struct pair later;
		start.clock = now.clock;
		check_pair(&start, &later);
		now = later;
	}
}
END_TEST

START_TEST(clock_is_the_kernels_beside_two_busy_processes)
{
	struct pair start;
	struct pair now;
	pid_t pids[COMPETITORS];
	start_competitors(pids);
	start_pair(&start, kinds[_i]);
	work(&start.clock, (kinds[_i] == OS_CPU_CLOCK_ANY ? 1000 : 100) * NS_PER_MS);
	end_competitors(pids);
	check_pair(&start, &now);
}
END_TEST

START_TEST(clock_stands_still_while_the_thread_sleeps)
{
	struct pair start;
	struct pair now;
	start_pair(&start, kinds[_i]);
	for (int i = 0; i < 100; i++) {
		sleep_ms((uint32_t)(i % 7));
		work(&start.clock, NS_PER_MS);
	}
	sleep_ms(300);
	check_pair(&start, &now);
	ck_assert_uint_ge(now.clock_wall_ns - start.clock_wall_ns, 500 * NS_PER_MS);
}
END_TEST

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
	for (volatile unsigned i = 0; i < 20000; i = i + 1)
		;
}

START_TEST(clock_counts_what_signal_handlers_use)
{
	struct sigaction action = {.sa_handler = on_signal};
	const struct itimerval often = {{0, 1000}, {0, 1000}};
	const struct itimerval never = {{0, 0}, {0, 0}};
	struct pair start;
	struct pair now;
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	start_pair(&start, kinds[_i]);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
	work(&start.clock, 500 * NS_PER_MS);
	while (signals < 50)
		work(&start.clock, 10 * NS_PER_MS);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &never, NULL), 0);
	check_pair(&start, &now);
}
END_TEST

START_TEST(clock_follows_the_thread_to_other_processors)
{
	cpu_set_t all;
	struct pair start;
	struct pair now;
	ck_assert_int_eq(sched_getaffinity(0, sizeof(all), &all), 0);
	start_pair(&start, kinds[_i]);
	for (int round = 0; round < 20; round++) {
		for (size_t processor = 0; processor < CPU_SETSIZE; processor++) {
			cpu_set_t one;
			if (!CPU_ISSET(processor, &all))
				continue;
			CPU_ZERO(&one);
			CPU_SET(processor, &one);
			ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
			work(&start.clock, 2 * NS_PER_MS);
		}
	}
	check_pair(&start, &now);
}
END_TEST

/* Two threads that wake each other by turns, for some microseconds each. */
struct player {
	int in;
	int out;
	bool first;
	enum os_cpu_clock_kind kind;
	struct pair start;
	struct pair end;
};

enum { ROUNDS = 20000 };

static void *play(void *argument)
{
	struct player *player = argument;
	char ball = 0;
	uint64_t wall_ns;
	start_pair(&player->start, player->kind);
	if (player->first)
		ck_assert_int_eq(write(player->out, &ball, 1), 1);
	for (int i = 0; i < ROUNDS && read(player->in, &ball, 1) == 1; i++) {
		(void)os_cpu_clock_read(&player->start.clock, &wall_ns);
		if (write(player->out, &ball, 1) != 1)
			break;
	}
	player->end = player->start;
	read_pair(&player->end);
	return NULL;
}

START_TEST(clock_leaves_out_the_shortest_waits)
{
	int there[2];
	int back[2];
	pthread_t thread;
	ck_assert_int_eq(pipe(there), 0);
	ck_assert_int_eq(pipe(back), 0);
	struct player one = {.in = there[0], .out = back[1], .first = true, .kind = kinds[_i]};
	struct player two = {.in = back[0], .out = there[1], .kind = kinds[_i]};
	ck_assert_int_eq(pthread_create(&thread, NULL, play, &one), 0);
	(void)play(&two);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	check_within(one.end.clock_ns - one.start.clock_ns, one.end.kernel_ns - one.start.kernel_ns,
	             "the one");
	check_within(two.end.clock_ns - two.start.clock_ns, two.end.kernel_ns - two.start.kernel_ns,
	             "the other");
}
END_TEST

START_TEST(clock_stands_still_during_each_of_the_shortest_waits)
{
	enum { WAITS = 1000, SLACK_NS = 10000 };
	struct pair before;
	struct pair after;
	uint64_t clock_ns = 0;
	uint64_t kernel_ns = 0;
	start_pair(&before, kinds[_i]);
	for (int i = 0; i < WAITS; i++) {
		uint64_t start_ns = os_self_cpu_ns();
		read_pair(&before);
		os_sleep_until(os_monotonic_ns() + 100000);
		after = before;
		read_pair(&after);
		clock_ns += after.clock_ns - before.clock_ns;
		kernel_ns += after.kernel_ns - start_ns;
		before = after;
		work(&before.clock, 100000);
	}
	ck_assert_msg(clock_ns <= kernel_ns + (uint64_t)WAITS * SLACK_NS,
	              "%.3f ms while asleep, should be %.3f ms", (double)clock_ns / 1e6,
	              (double)kernel_ns / 1e6);
}
END_TEST

START_TEST(clock_and_its_wall_clock_never_go_back)
{
	struct os_cpu_clock clock;
	uint64_t wall_ns = 0;
	pid_t pids[COMPETITORS];
	start_competitors(pids);
	os_cpu_clock_start(&clock, kinds[_i]);
	uint64_t cpu_ns = os_cpu_clock_read(&clock, &wall_ns);
	for (int i = 0; i < 3000000; i++) {
		uint64_t next_wall_ns;
		uint64_t next_ns = os_cpu_clock_read(&clock, &next_wall_ns);
		if (next_ns < cpu_ns || next_wall_ns < wall_ns)
			break;
		cpu_ns = next_ns;
		wall_ns = next_wall_ns;
	}
	end_competitors(pids);
	uint64_t last_wall_ns;
	ck_assert_uint_ge(os_cpu_clock_read(&clock, &last_wall_ns), cpu_ns);
	ck_assert_uint_ge(last_wall_ns, wall_ns);
}
END_TEST

static bool is_cheap_here(void)
{
	return strncmp(os_cpu_clock_name(), "CLOCK_MONOTONIC", 15) == 0;
}

/* The least of some tries, in nanoseconds for this many readings. */
static uint64_t cost_of_readings(enum os_cpu_clock_kind kind, unsigned count)
{
	struct os_cpu_clock clock;
	uint64_t best = UINT64_MAX;
	uint64_t wall_ns;
	os_cpu_clock_start(&clock, kind);
	for (int i = 0; i < 50; i++) {
		uint64_t start = os_monotonic_ns();
		for (unsigned j = 0; j < count; j++)
			(void)os_cpu_clock_read(&clock, &wall_ns);
		uint64_t took = os_monotonic_ns() - start;
		if (took < best)
			best = took;
	}
	return best;
}

/* Whatever interrupts the thread between a reading and the look at the word. */
START_TEST(a_break_clears_the_mark_and_a_reading_sets_it)
{
	enum { TRIES = 1000 };
	struct os_cpu_clock clock;
	uint64_t wall_ns;
	bool was_marked = false;

	os_cpu_clock_start(&clock, OS_CPU_CLOCK_ANY);
	const volatile uint64_t *word = os_cpu_clock_mark(&clock).word;
	for (int i = 0; i < TRIES && !was_marked; i++) {
		(void)os_cpu_clock_read(&clock, &wall_ns);
		was_marked = *word == os_run_mark_value();
	}
	ck_assert(was_marked == os_run_marks_work());
	sleep_ms(1);
	ck_assert_uint_ne(*word, os_run_mark_value());
}
END_TEST

START_TEST(cheap_clock_costs_much_less_than_the_kernels)
{
	if (!is_cheap_here())
		return;
	const unsigned count = 1000;
	uint64_t cheap_ns = cost_of_readings(OS_CPU_CLOCK_ANY, count);
	uint64_t system_ns = cost_of_readings(OS_CPU_CLOCK_SYSTEM, count);
	ck_assert_msg(cheap_ns * 3 < system_ns, "a reading costs %.1f ns, a system call's %.1f ns",
	              (double)cheap_ns / count, (double)system_ns / count);
}
END_TEST

/* What the program does when it is run anew without registered areas. */
static int be_without_areas(void)
{
	struct pair start;
	struct pair now;
	start_pair(&start, OS_CPU_CLOCK_ANY);
	work(&start.clock, 50 * NS_PER_MS);
	sleep_ms(50);
	now = start;
	read_pair(&now);
	bool right = now.clock_ns - start.clock_ns + NS_PER_MS > now.kernel_ns - start.kernel_ns &&
	             now.clock_ns - start.clock_ns < now.kernel_ns - start.kernel_ns + NS_PER_MS;
	return !is_cheap_here() && (right || !times_are_judged()) ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define WITHOUT_AREAS "without-areas"

enum { CAN_NOT_RUN = 127 };

START_TEST(clock_falls_back_where_the_c_library_registers_no_areas)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int status = 0;
	ck_assert_int_gt(length, 0);
	path[length] = '\0';
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		(void)setenv("GLIBC_TUNABLES", "glibc.pthread.rseq=0", 1);
		(void)execl(path, path, WITHOUT_AREAS, (char *)NULL);
		_exit(CAN_NOT_RUN);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CAN_NOT_RUN) {
		(void)printf("skipped: an emulator runs this program, which can't be run anew\n");
		return;
	}
	ck_assert_int_eq(status, 0);
}
END_TEST

/* The tests of a clock of one kind. */
static TCase *clock_tests(const char *name, int kind)
{
	const int after = kind + 1;
	TCase *tc = tcase_create(name);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, clock_and_its_wall_clock_never_go_back, kind, after);
	if (!times_are_judged())
		return tc;
	tcase_add_loop_test(tc, clock_is_the_kernels_while_the_thread_works, kind, after);
	tcase_add_loop_test(tc, clock_is_the_kernels_beside_two_busy_processes, kind, after);
	tcase_add_loop_test(tc, clock_stands_still_while_the_thread_sleeps, kind, after);
	tcase_add_loop_test(tc, clock_counts_what_signal_handlers_use, kind, after);
	tcase_add_loop_test(tc, clock_follows_the_thread_to_other_processors, kind, after);
	tcase_add_loop_test(tc, clock_leaves_out_the_shortest_waits, kind, after);
	tcase_add_loop_test(tc, clock_stands_still_during_each_of_the_shortest_waits, kind, after);
	return tc;
}

static Suite *os_cpu_clock_suite(void)
{
	Suite *suite = suite_create("os_cpu_clock");
	suite_add_tcase(suite, clock_tests("cheapest", 0));
	TCase *system = clock_tests("system", 1);
	tcase_set_tags(system, "system_clock");
	suite_add_tcase(suite, system);
	TCase *tc = tcase_create("cost");
	tcase_set_timeout(tc, 120);
	if (times_are_judged())
		tcase_add_test(tc, cheap_clock_costs_much_less_than_the_kernels);
	tcase_add_test(tc, a_break_clears_the_mark_and_a_reading_sets_it);
	tcase_add_test(tc, clock_falls_back_where_the_c_library_registers_no_areas);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], WITHOUT_AREAS) == 0)
		return be_without_areas();
	return run_suite(os_cpu_clock_suite());
}
