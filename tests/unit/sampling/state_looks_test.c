/* marks: posix */
/*
 * Tests of the looks at threads: at which of them, when, what is charged, and that all looks keep
 * to their budget of CPU time. The clocks, the ticks, what a thread waits for, and the VM are
 * fakes; the agent's thread is the test's.
 */
#include "looked_fixture.h"
#include "sampling/state_looks.h"
#include "sampling/ticks.h"
#include "vm/agent_thread.h"
#include "vm/frame_resolver.h"

enum { DEPTH = 4, PLACES = 6, NOWHERE = -1, VIRTUAL_SERIAL = 5, LOOKS_MAX = 32 };

#define INTERVAL (10 * MS)
#define US UINT64_C(1000)

static struct looked_threads threads;
static struct state_counts counts;
static struct sample_traces traces;
static struct state_looks looks;

/* What a look at a thread shows. */
static struct {
	bool waits;
	enum trace_state state;
	int place; /* the method that it is in; NOWHERE: no Java method */
	enum os_answer running;
	bool has_no_stack;
	uint64_t moves_ns; /* of its CPU clock, during the look */
	unsigned finds;
	unsigned stacks;
} seen[LOOKED_MAX];
static uint64_t look_cost_ns;  /* CPU time of a look at a stack, */
static uint64_t clock_cost_ns; /* at a clock, */
static uint64_t wake_cost_ns;  /* and of a tick */
static uint64_t tick_ns;       /* from one tick to the next */
static void (*during_look)(int number);
static unsigned runs_after; /* readings of its clock until a thread runs; 0: it does not */

/* Rounds, and what happens before each. */
static unsigned round_number;
static unsigned rounds;
static void (*before_round)(unsigned number);

/* The rounds in which the clock of thread 0 was read. */
static unsigned clock_rounds[LOOKS_MAX];
static unsigned clock_round_count;

/* The budget, as the test counts it. */
static int64_t budget_ns;
static uint64_t last_tick_ns;
static uint64_t last_self_ns;
static unsigned debts;

static struct {
	struct class_record class;
	struct string name;
	struct method method;
	struct frame frame;
} methods[PLACES];

static struct fake_object virtual_object;
static bool is_mounted;

/* ---- fakes ------------------------------------------------------------- */

static void on_clock_read(int number)
{
	self_ns += clock_cost_ns;
	if (runs_after > 0 && --runs_after == 0) {
		now_ns += 4 * MS;
		system_threads[number].cpu_ns += 4 * MS;
	}
	if (number == 0 && clock_round_count < LOOKS_MAX && round_number > 0 &&
	    (clock_round_count == 0 || clock_rounds[clock_round_count - 1] != round_number))
		clock_rounds[clock_round_count++] = round_number;
}

enum os_answer os_thread_running(os_thread id)
{
	return seen[number_of(id)].running;
}

const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method, int64_t bci)
{
	(void)resolver;
	(void)jni;
	ck_assert_ptr_eq(method, &methods[bci]);
	return &methods[bci].frame;
}

uint32_t java_threads_serial(struct java_threads *its_threads, JNIEnv *jni, jthread object)
{
	(void)its_threads;
	(void)jni;
	ck_assert_ptr_eq(object, &virtual_object);
	return VIRTUAL_SERIAL;
}

static jvmtiError JNICALL find_mounted(jvmtiEnv *jvmti, ...)
{
	va_list arguments;

	va_start(arguments, jvmti);
	(void)va_arg(arguments, jthread);
	*va_arg(arguments, jthread *) = is_mounted ? (jthread)(void *)&virtual_object : NULL;
	va_end(arguments);
	return JVMTI_ERROR_NONE;
}

bool agent_thread_start(struct profile *its_profile, JNIEnv *jni, const char *name,
                        jvmtiStartFunction run, void *argument)
{
	(void)name;
	run(its_profile->jvmti, jni, argument);
	return true;
}

void ticks_start(struct ticks *ticks, uint64_t interval_ns, const _Atomic bool *stopped)
{
	(void)ticks;
	ck_assert_uint_eq(interval_ns, INTERVAL);
	ck_assert_ptr_eq(stopped, &looks.stopped);
	budget_ns = 0;
	last_tick_ns = now_ns;
	last_self_ns = self_ns;
}

bool ticks_wait(struct ticks *ticks, uint64_t earliest_ns)
{
	uint64_t expected_ns = 0;
	(void)ticks;

	budget_ns -= (int64_t)(self_ns - last_self_ns);
	last_self_ns = self_ns;
	if (budget_ns < 0) {
		expected_ns = last_tick_ns + (uint64_t)-budget_ns * 100;
		debts++;
	}
	QUICK_CHECK(earliest_ns == expected_ns, "a tick from %llu on, not from %llu",
	            (unsigned long long)earliest_ns, (unsigned long long)expected_ns);
	if (atomic_load(&looks.stopped) || round_number == rounds)
		return false;
	round_number++;
	now_ns += tick_ns;
	if (now_ns < earliest_ns)
		now_ns = earliest_ns + INTERVAL / 3;
	self_ns += wake_cost_ns;
	if (before_round != NULL)
		before_round(round_number);
	budget_ns += (int64_t)(now_ns - last_tick_ns) / 100;
	if (budget_ns > (int64_t)(2 * MS))
		budget_ns = (int64_t)(2 * MS);
	last_tick_ns = now_ns;
	return true;
}

bool wait_finder_init(struct wait_finder *finder, struct profile *its_profile, uint32_t depth)
{
	ck_assert_ptr_eq(its_profile, &profile);
	ck_assert_uint_eq(depth, DEPTH);
	finder->profile = its_profile;
	return true;
}

void wait_finder_free(struct wait_finder *finder)
{
	finder->profile = NULL;
}

void wait_finder_live(struct wait_finder *finder, JNIEnv *jni)
{
	(void)jni;
	ck_assert_ptr_eq(finder, &looks.finder);
}

static void put_stack(int place, struct thread_wait *wait)
{
	wait->frame_count = place == NOWHERE ? 0 : 1;
	if (place != NOWHERE)
		wait->frames[0] = (struct raw_frame){.method = &methods[place], .bci = place};
}

void wait_finder_find(struct wait_finder *finder, JNIEnv *jni, jthread thread, os_thread id,
                      struct thread_wait *wait)
{
	int number = number_of(id);
	(void)finder;
	(void)jni;

	/* Deadlocks if a lock is held: the VM may need one that a thread has which waits for it. */
	os_mutex_lock(&profile.dump_lock);
	os_mutex_lock(&threads.lock);
	ck_assert_ptr_eq(threads.looking, thread_of(&threads, number));
	os_mutex_unlock(&threads.lock);
	os_mutex_unlock(&profile.dump_lock);
	ck_assert_int_eq(fake_counts.local_frames, 1);
	ck_assert_ptr_eq(thread, is_mounted ? (void *)&virtual_object : (void *)&objects[number]);
	seen[number].finds++;
	self_ns += look_cost_ns;
	wait->waits = seen[number].waits;
	wait->state = seen[number].state;
	wait->frame_count = 0;
	if (wait->waits)
		put_stack(seen[number].place, wait);
	system_threads[number].cpu_ns += seen[number].moves_ns;
	if (during_look != NULL)
		during_look(number);
}

bool wait_finder_stack(struct wait_finder *finder, JNIEnv *jni, jthread thread,
                       struct thread_wait *wait)
{
	int number = number_of(threads.looking->id);
	(void)finder;
	(void)jni;

	ck_assert_ptr_eq(thread, &objects[number]);
	seen[number].stacks++;
	put_stack(seen[number].place, wait);
	return !seen[number].has_no_stack;
}

/* ---- tests ------------------------------------------------------------- */

static void reset_fakes(void)
{
	memset(seen, 0, sizeof(seen));
	look_cost_ns = 0;
	clock_cost_ns = 0;
	wake_cost_ns = 0;
	tick_ns = INTERVAL;
	during_look = NULL;
	runs_after = 0;
	before_round = NULL;
	round_number = 0;
	clock_round_count = 0;
	debts = 0;
	is_mounted = false;
	for (uint32_t i = 0; i < PLACES; i++) {
		methods[i].class.name = string_table_intern_jvm(profile.model.strings, "demo.Work");
		methods[i].name = (struct string){.text = "work", .length = 4};
		methods[i].method =
		        (struct method){.class = &methods[i].class, .name = &methods[i].name};
		methods[i].frame = (struct frame){.id = i + 1, .method = &methods[i].method};
	}
}

static void set_up(void)
{
	looked_set_up();
	clock_is_read = on_clock_read;
	reset_fakes();
	counts = (struct state_counts){.charges = NULL};
	ck_assert(sample_traces_init(&traces, &profile, DEPTH));
	ck_assert(looked_threads_init(&threads, &profile, &pauses));
	looks = (struct state_looks){.profile = &profile,
	                             .traces = &traces,
	                             .counts = &counts,
	                             .threads = &threads,
	                             .interval_ns = INTERVAL};
	ck_assert(state_looks_init(&looks, DEPTH));
}

static void tear_down(void)
{
	ck_assert_ptr_null(threads.looking);
	state_looks_free(&looks);
	looked_threads_free(&threads, fake_jni());
	sample_traces_free(&traces);
	state_counts_free(&counts);
	ck_assert_uint_eq(memory_errors, 0);
	looked_tear_down();
}

/* Rounds count from 1. */
static void run_rounds(unsigned count)
{
	round_number = 0;
	rounds = count;
	state_looks_live(&looks, fake_jni());
	ck_assert_uint_eq(round_number, count);
}

static void waits(int number, enum trace_state state, int place)
{
	seen[number].waits = true;
	seen[number].state = state;
	seen[number].place = place;
	seen[number].running = OS_NO;
}

static void runs(int number, enum os_answer running)
{
	seen[number].waits = false;
	seen[number].running = running;
}

/* Moves what threads have been charged to their waits into the counts. */
static void flush(void)
{
	for (struct looked_thread *thread = threads.list; thread != NULL; thread = thread->next)
		ck_assert(looked_thread_flush(thread, &counts));
}

static const struct state_charge *charge_of(const struct trace *trace)
{
	static const struct state_charge none;
	uint32_t place = trace->serial - TRACE_SERIAL_EMPTY;

	return place < counts.capacity ? &counts.charges[place] : &none;
}

static uint64_t all_charged(void)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < counts.capacity; i++) {
		for (int state = 0; state < TRACE_STATES; state++)
			sum_ns += counts.charges[i].ns[state];
	}
	return sum_ns;
}

/* ---- idle threads ------------------------------------------------------ */

static void clock_was_read_in(const unsigned *expected, unsigned count)
{
	ck_assert_uint_eq(clock_round_count, count);
	for (unsigned i = 0; i < count; i++)
		ck_assert_uint_eq(clock_rounds[i], expected[i]);
}

START_TEST(an_idle_thread_is_looked_at_ever_more_rarely_and_without_a_stack)
{
	static const unsigned expected[] = {1, 2, 4, 8, 16, 32, 48, 64};
	uint64_t begun_ns = now_ns;

	add_thread(&threads, 0);
	waits(0, TRACE_LCK, 2);
	run_rounds(79);
	clock_was_read_in(expected, 8);
	ck_assert_uint_eq(seen[0].finds, 1);
	ck_assert_uint_eq(seen[0].stacks, 0);
	ck_assert_uint_eq(atomic_load(&looks.stacks), 1);
	flush();
	const struct state_charge *charge = charge_of(written.trace);
	ck_assert_uint_eq(charge->samples, 8);
	ck_assert_uint_eq(charge->ns[TRACE_LCK], 64 * INTERVAL);
	ck_assert_uint_eq(all_charged(), thread_of(&threads, 0)->seen_ns - begun_ns);
}
END_TEST

static void thread_0_runs_after_round_3(unsigned number)
{
	/* Seen in round 4. */
	if (number == 4)
		system_threads[0].cpu_ns += MS;
}

START_TEST(a_thread_that_was_idle_and_runs_is_looked_at_in_each_round_again)
{
	static const unsigned expected[] = {1, 2, 4, 5, 7, 11};

	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	before_round = thread_0_runs_after_round_3;
	run_rounds(11);
	clock_was_read_in(expected, 6);
	ck_assert_uint_eq(seen[0].finds, 2);
	flush();
	ck_assert_uint_eq(all_charged(), 11 * INTERVAL - MS);
}
END_TEST

static void thread_0_moves_on(unsigned number)
{
	if (number != 3)
		return;
	system_threads[0].cpu_ns += MS;
	waits(0, TRACE_IO, 2);
}

START_TEST(each_wait_has_its_own_time)
{
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	run_rounds(2);
	const struct trace *first = written.trace;
	before_round = thread_0_moves_on;
	run_rounds(6);
	const struct trace *second = written.trace;
	ck_assert_ptr_ne(first, second);
	/* Looked at in the rounds 1, 2, 4, and then 8, which finds the second one. */
	ck_assert_uint_eq(charge_of(first)->ns[TRACE_SLP], 4 * INTERVAL);
	flush();
	ck_assert_uint_eq(charge_of(second)->ns[TRACE_IO], 4 * INTERVAL - MS);
	ck_assert_uint_eq(charge_of(second)->samples, 1);
}
END_TEST

/* ---- running threads --------------------------------------------------- */

static void thread_0_uses_the_cpu(unsigned number)
{
	(void)number;
	system_threads[0].cpu_ns += 4 * MS;
}

START_TEST(a_running_thread_has_no_stack_taken)
{
	add_thread(&threads, 0);
	runs(0, OS_YES);
	before_round = thread_0_uses_the_cpu;
	run_rounds(5);
	ck_assert_uint_eq(seen[0].finds, 0);
	ck_assert_uint_eq(atomic_load(&looks.stacks), 0);
	ck_assert_uint_eq(counts.capacity, 0);
	ck_assert_uint_eq(clock_round_count, 5);
	/* The time that it waited goes to the wait that is seen next. */
	waits(0, TRACE_IO, 3);
	run_rounds(1);
	ck_assert_uint_eq(seen[0].finds, 1);
	flush();
	ck_assert_uint_eq(charge_of(written.trace)->ns[TRACE_IO], 6 * (INTERVAL - 4 * MS));
	ck_assert_uint_eq(charge_of(written.trace)->samples, 1);
}
END_TEST

START_TEST(a_thread_that_may_wait_has_its_stack_taken)
{
	add_thread(&threads, 0);
	runs(0, _i == 0 ? OS_NO : OS_UNKNOWN);
	before_round = thread_0_uses_the_cpu;
	run_rounds(5);
	ck_assert_uint_eq(seen[0].finds, 5);
	ck_assert_uint_eq(seen[0].stacks, 0);
	ck_assert_uint_eq(atomic_load(&looks.stacks), 5);
	ck_assert_uint_eq(counts.capacity, 0);
	ck_assert_int_eq(thread_of(&threads, 0)->account.waited_ns, 5 * (INTERVAL - 4 * MS));
}
END_TEST

START_TEST(a_wait_is_not_used_if_the_clock_moved_during_the_look)
{
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	seen[0].moves_ns = 1;
	run_rounds(3);
	ck_assert_uint_eq(seen[0].finds, 3);
	ck_assert_uint_eq(written.traces, 0);
	ck_assert_ptr_null(thread_of(&threads, 0)->trace);
	ck_assert_uint_eq(all_charged(), 0);

	seen[0].moves_ns = 0;
	run_rounds(1);
	flush();
	ck_assert_uint_eq(charge_of(written.trace)->ns[TRACE_SLP], 4 * INTERVAL - 3);
}
END_TEST

static void ends(int number)
{
	self_ns = system_threads[number].cpu_ns; /* the calling thread's, that is, its own */
	looked_threads_end(&threads, &java_threads[number]);
	flush();
}

/* The sampler loses its CPU after a reading of the thread's clock, and the thread, whose wait ends,
 * runs for 4 ms to its end. */
START_TEST(a_thread_has_not_waited_while_it_ran_between_two_readings_of_clocks)
{
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	run_rounds(1);
	runs_after = 1; /* that of a look at an idle thread */
	run_rounds(1);
	ends(0);
	ck_assert_uint_eq(charge_of(written.trace)->ns[TRACE_SLP], 2 * INTERVAL);

	add_thread(&threads, 1);
	waits(1, TRACE_LCK, 2);
	runs_after = 3; /* the last of a look at a stack */
	run_rounds(1);
	ends(1);
	ck_assert_uint_eq(charge_of(written.trace)->ns[TRACE_LCK], INTERVAL);
}
END_TEST

/* Thread 0 runs before the sampler has the dump lock, and a section reads its clock. */
static jobject JNICALL section_follows(JNIEnv *jni, jobject result)
{
	(void)jni;
	pass(0, 3 * MS, 2 * MS);
	os_mutex_lock(&profile.dump_lock);
	os_mutex_lock(&threads.lock);
	struct looked_thread *thread = thread_of(&threads, 0);
	struct look_clocks clocks = clocks_of(0);
	struct look_times times = looked_thread_times(&threads, thread, &clocks);
	look_account_run(&thread->account, &times);
	os_mutex_unlock(&threads.lock);
	os_mutex_unlock(&profile.dump_lock);
	return (*fake_jni())->PopLocalFrame(fake_jni(), result);
}

START_TEST(a_section_during_a_look_does_not_count_time_twice)
{
	struct JNINativeInterface_ functions = **fake_jni();
	JNIEnv jni = &functions;

	functions.PopLocalFrame = section_follows;
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	rounds = 1;
	state_looks_live(&looks, &jni);
	/* The wait is over. */
	ck_assert_ptr_null(thread_of(&threads, 0)->trace);
	run_rounds(1);
	flush();
	ck_assert_uint_eq(charge_of(written.trace)->ns[TRACE_SLP], 2 * INTERVAL + 3 * MS - 2 * MS);
}
END_TEST

/* ---- stops ------------------------------------------------------------- */

static uint64_t pause_ns; /* in each round */

static void the_vm_pauses(unsigned number)
{
	(void)number;
	system_threads[0].cpu_ns += MS;
	atomic_fetch_add(&pauses.collected_ns, pause_ns);
}

/* Thread 0 runs, and the VM stops it in the round. */
static void is_stopped(uint64_t ns)
{
	if (threads.count == 0)
		add_thread(&threads, 0);
	runs(0, OS_YES);
	seen[0].place = 4;
	pause_ns = ns;
	before_round = the_vm_pauses;
	run_rounds(1);
}

START_TEST(after_a_long_stop_the_stack_is_taken_and_has_the_time)
{
	is_stopped(INTERVAL / 4);
	ck_assert_uint_eq(seen[0].finds, 0);
	is_stopped(3);
	ck_assert_uint_eq(seen[0].finds, 1);
	ck_assert_uint_eq(seen[0].stacks, 1);
	const struct state_charge *charge = charge_of(written.trace);
	ck_assert_ptr_eq(written.trace->frames[0], &methods[4].frame);
	ck_assert_uint_eq(charge->ns[TRACE_STW], INTERVAL / 4 + 3);
	ck_assert_uint_eq(charge->samples, 1);
	ck_assert_uint_eq(all_charged(), INTERVAL / 4 + 3);
	/* It is no wait that goes on. */
	ck_assert_ptr_null(thread_of(&threads, 0)->trace);
	is_stopped(0);
	ck_assert_uint_eq(seen[0].finds, 1);
}
END_TEST

START_TEST(after_a_short_stop_no_stack_is_taken)
{
	is_stopped(INTERVAL / 4 - 1);
	is_stopped(0);
	ck_assert_uint_eq(seen[0].finds, 0);
	is_stopped(1);
	is_stopped(0);
	ck_assert_uint_eq(seen[0].finds, 1);
	ck_assert_uint_eq(all_charged(), INTERVAL / 4);
}
END_TEST

START_TEST(a_stop_without_a_stack_is_kept)
{
	is_stopped(INTERVAL / 4);
	seen[0].has_no_stack = true;
	is_stopped(0);
	ck_assert_uint_eq(seen[0].stacks, 1);
	ck_assert_uint_eq(written.traces, 0);
	ck_assert_int_eq(thread_of(&threads, 0)->account.stopped_ns, INTERVAL / 4);
	seen[0].has_no_stack = false;
	is_stopped(0);
	ck_assert_uint_eq(all_charged(), INTERVAL / 4);
}
END_TEST

START_TEST(a_wait_after_a_stop_does_not_have_its_time)
{
	is_stopped(INTERVAL / 2);
	pause_ns = 0;
	waits(0, TRACE_SLP, 1);
	run_rounds(1);
	ck_assert_uint_eq(seen[0].finds, 1);
	ck_assert_uint_eq(seen[0].stacks, 0);
	flush();
	ck_assert_uint_eq(charge_of(written.trace)->ns[TRACE_STW], 0);
	ck_assert_uint_eq(charge_of(written.trace)->ns[TRACE_SLP],
	                  2 * (INTERVAL - MS) - INTERVAL / 2);
	ck_assert_int_eq(thread_of(&threads, 0)->account.stopped_ns, INTERVAL / 2);
}
END_TEST

/* ---- traces ------------------------------------------------------------ */

static void trace_is_stackless(const char *reason)
{
	ck_assert_uint_eq(written.trace->depth, 1);
	ck_assert_str_eq(written.trace->frames[0]->method->class->name->text, "<no_stack>");
	ck_assert_str_eq(written.trace->frames[0]->method->name->text, reason);
	flush();
	ck_assert_uint_eq(charge_of(written.trace)->ns[TRACE_SLP], INTERVAL);
}

START_TEST(a_wait_without_a_java_frame_has_a_trace)
{
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, NOWHERE);
	run_rounds(1);
	trace_is_stackless("no_Java_frame");
}
END_TEST

START_TEST(a_wait_that_the_filter_excludes_has_a_trace)
{
	ck_assert(filter_add(&settings.filter.exclude, "demo.*", strlen("demo.*")));
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	run_rounds(1);
	trace_is_stackless("left_out_by_include_or_exclude");
}
END_TEST

START_TEST(the_stack_is_that_of_the_virtual_thread_that_is_mounted)
{
	settings.thread = true;
	looks.virtual_thread_of = find_mounted;
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	run_rounds(1);
	ck_assert_uint_eq(written.trace->thread_serial, java_threads[0].serial);
	is_mounted = true;
	system_threads[0].cpu_ns++;
	seen[0].place = 2;
	run_rounds(1);
	ck_assert_uint_eq(written.trace->thread_serial, java_threads[0].serial);
	looks.virtual_threads = true;
	system_threads[0].cpu_ns++;
	run_rounds(1);
	ck_assert_uint_eq(written.trace->thread_serial, VIRTUAL_SERIAL);
	ck_assert_uint_eq(seen[0].finds, 3);
}
END_TEST

/* ---- the budget -------------------------------------------------------- */

static void add_threads(int count, enum os_answer running)
{
	for (int i = 0; i < count; i++) {
		add_thread(&threads, i);
		runs(i, running);
	}
}

/* Looks have used a hundredth of the time since then, except the last look. */
static void budget_is_kept(uint64_t begun_ns, uint64_t begun_self_ns, uint64_t last_look_ns)
{
	uint64_t share_ns = (now_ns - begun_ns) / 100;

	ck_assert_uint_le(self_ns - begun_self_ns, share_ns + last_look_ns);
	ck_assert_uint_ge(self_ns - begun_self_ns, share_ns / 10 * 9);
	ck_assert_uint_gt(debts, 0);
}

START_TEST(looks_at_stacks_use_a_hundredth_of_the_time_and_take_turns)
{
	enum { THREADS = 9, ROUNDS = 3000 };
	uint64_t begun_ns = now_ns;
	uint64_t begun_self_ns = self_ns;

	add_threads(THREADS, OS_NO);
	look_cost_ns = 70 * US;
	wake_cost_ns = 5 * US;
	run_rounds(ROUNDS);
	budget_is_kept(begun_ns, begun_self_ns, look_cost_ns + wake_cost_ns);
	for (int i = 0; i < THREADS; i++) {
		ck_assert_uint_ge(seen[i].finds + 1, seen[0].finds);
		ck_assert_uint_le(seen[i].finds, seen[0].finds);
	}
	ck_assert_uint_gt(seen[0].finds, 100);
	ck_assert_uint_lt(seen[0].finds, ROUNDS / 2);
}
END_TEST

START_TEST(looks_at_clocks_use_a_hundredth_of_the_time_and_take_turns)
{
	enum { CHEAP_LOOKS = 16 };
	uint64_t begun_ns = now_ns;
	uint64_t begun_self_ns = self_ns;

	add_threads(LOOKED_MAX, OS_YES);
	clock_cost_ns = 10 * US;
	run_rounds(2000);
	budget_is_kept(begun_ns, begun_self_ns, CHEAP_LOOKS * clock_cost_ns + LOOKED_MAX);
	for (int i = 1; i < LOOKED_MAX; i++) {
		ck_assert_uint_ge(system_threads[i].cpu_readings + 1,
		                  system_threads[0].cpu_readings);
		ck_assert_uint_le(system_threads[i].cpu_readings, system_threads[0].cpu_readings);
	}
}
END_TEST

static unsigned all_finds(void)
{
	unsigned sum = 0;

	for (int i = 0; i < LOOKED_MAX; i++)
		sum += seen[i].finds;
	return sum;
}

static void looks_cost_after_round_1000(unsigned number)
{
	if (number == 1001)
		look_cost_ns = 600 * US;
}

START_TEST(what_is_saved_in_quiet_times_is_no_more_than_2_ms)
{
	enum { THREADS = 10 };

	add_threads(THREADS, OS_NO);
	before_round = looks_cost_after_round_1000;
	run_rounds(1001);
	ck_assert_uint_eq(all_finds(), 1000 * THREADS + 4);
}
END_TEST

START_TEST(without_a_budget_there_is_no_look)
{
	add_threads(3, OS_NO);
	tick_ns = 0;
	run_rounds(4);
	ck_assert_uint_eq(all_finds(), 0);
	tick_ns = INTERVAL;
	run_rounds(1);
	ck_assert_uint_eq(all_finds(), 3);
}
END_TEST

/* ---- ends -------------------------------------------------------------- */

static bool clock_stays;

static void thread_ends(int number)
{
	end_thread(&threads, number);
	system_threads[number].is_gone = !clock_stays;
}

START_TEST(a_thread_that_ends_during_its_look_is_not_charged)
{
	clock_stays = _i == 1;
	add_thread(&threads, 0);
	add_thread(&threads, 1);
	waits(0, TRACE_SLP, 1);
	runs(1, OS_YES);
	during_look = thread_ends;
	run_rounds(3);
	const struct looked_thread *thread = thread_of(&threads, 0);
	ck_assert_uint_eq(seen[0].finds, 1);
	ck_assert(thread->ended);
	ck_assert_ptr_null(thread->trace);
	ck_assert_uint_eq(thread->charge.samples, 0);
	ck_assert_int_eq(thread->account.waited_ns, INTERVAL);
	ck_assert_uint_eq(all_charged(), 0);
	/* The others are looked at. */
	ck_assert_int_eq(thread_of(&threads, 1)->account.waited_ns, 3 * INTERVAL);
}
END_TEST

START_TEST(a_thread_that_is_gone_before_its_look_is_not_charged)
{
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	system_threads[0].is_gone = true;
	run_rounds(2);
	ck_assert_uint_eq(seen[0].finds, 0);
	ck_assert_uint_eq(all_charged(), 0);
	ck_assert_int_eq(thread_of(&threads, 0)->account.waited_ns, 0);
}
END_TEST

static void profile_stops(int number)
{
	(void)number;
	atomic_store(&profile.stopped, true);
}

START_TEST(nothing_is_charged_after_the_profile_has_stopped)
{
	add_thread(&threads, 0);
	waits(0, TRACE_SLP, 1);
	during_look = profile_stops;
	run_rounds(2);
	flush();
	ck_assert_uint_gt(seen[0].finds, 0);
	ck_assert_uint_eq(written.traces, 0);
	ck_assert_ptr_null(thread_of(&threads, 0)->trace);
	ck_assert_uint_eq(all_charged(), 0);
}
END_TEST

static void looks_stop(int number)
{
	(void)number;
	atomic_store(&looks.stopped, true);
}

START_TEST(a_stop_ends_the_round)
{
	add_threads(5, OS_NO);
	during_look = looks_stop;
	rounds = 10;
	state_looks_live(&looks, fake_jni());
	ck_assert_uint_eq(round_number, 1);
	ck_assert_uint_eq(all_finds(), 1);
}
END_TEST

START_TEST(without_threads_there_is_nothing_to_look_at)
{
	run_rounds(5);
	ck_assert_uint_eq(atomic_load(&looks.stacks), 0);
}
END_TEST

static Suite *state_looks_suite(void)
{
	Suite *suite = suite_create("state_looks");
	TCase *charges = tcase_create("charges");
	TCase *budget = tcase_create("budget");
	TCase *ends = tcase_create("ends");

	tcase_add_checked_fixture(charges, set_up, tear_down);
	tcase_add_test(charges, an_idle_thread_is_looked_at_ever_more_rarely_and_without_a_stack);
	tcase_add_test(charges, a_thread_that_was_idle_and_runs_is_looked_at_in_each_round_again);
	tcase_add_test(charges, each_wait_has_its_own_time);
	tcase_add_test(charges, a_running_thread_has_no_stack_taken);
	tcase_add_loop_test(charges, a_thread_that_may_wait_has_its_stack_taken, 0, 2);
	tcase_add_test(charges, a_wait_is_not_used_if_the_clock_moved_during_the_look);
	tcase_add_test(charges,
	               a_thread_has_not_waited_while_it_ran_between_two_readings_of_clocks);
	tcase_add_test(charges, a_section_during_a_look_does_not_count_time_twice);
	tcase_add_test(charges, after_a_long_stop_the_stack_is_taken_and_has_the_time);
	tcase_add_test(charges, after_a_short_stop_no_stack_is_taken);
	tcase_add_test(charges, a_stop_without_a_stack_is_kept);
	tcase_add_test(charges, a_wait_after_a_stop_does_not_have_its_time);
	tcase_add_test(charges, a_wait_without_a_java_frame_has_a_trace);
	tcase_add_test(charges, a_wait_that_the_filter_excludes_has_a_trace);
	tcase_add_test(charges, the_stack_is_that_of_the_virtual_thread_that_is_mounted);
	suite_add_tcase(suite, charges);
	tcase_add_checked_fixture(budget, set_up, tear_down);
	tcase_add_test(budget, looks_at_stacks_use_a_hundredth_of_the_time_and_take_turns);
	tcase_add_test(budget, looks_at_clocks_use_a_hundredth_of_the_time_and_take_turns);
	tcase_add_test(budget, what_is_saved_in_quiet_times_is_no_more_than_2_ms);
	tcase_add_test(budget, without_a_budget_there_is_no_look);
	suite_add_tcase(suite, budget);
	tcase_add_checked_fixture(ends, set_up, tear_down);
	tcase_add_loop_test(ends, a_thread_that_ends_during_its_look_is_not_charged, 0, 2);
	tcase_add_test(ends, a_thread_that_is_gone_before_its_look_is_not_charged);
	tcase_add_test(ends, nothing_is_charged_after_the_profile_has_stopped);
	tcase_add_test(ends, a_stop_ends_the_round);
	tcase_add_test(ends, without_threads_there_is_nothing_to_look_at);
	suite_add_tcase(suite, ends);
	return suite;
}

int main(void)
{
	return run_suite(state_looks_suite());
}
