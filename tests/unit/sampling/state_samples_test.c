/* marks: posix */
/*
 * Tests of the sampled section TRACE MICROSTATES: what a CPU sample, a poll and the section itself
 * charge to traces, what remains of threads that have ended, and the section's rows. The clocks,
 * the looks, the VM and the writer are fakes; the traces are the model's.
 */
#include "hotspot/perf_counters.h"
#include "looked_fixture.h"
#include "sampling/state_samples.h"
#include "vm/frame_resolver.h"

enum { DEPTH = 4, PLACES = 5, ROWS_MAX = 16, NOTES_MAX = 4, NOTE_MAX = 200 };

static struct mode_needs needs;
static struct sample_traces traces;
static struct state_samples *states;
static const struct trace *at[PLACES]; /* traces of the program */

/* The last section, and the notes since then. */
static struct trace_states_record section;
static struct trace_states_row rows[ROWS_MAX];
static unsigned sections;
static char notes[NOTES_MAX][NOTE_MAX];
static unsigned note_count;

static bool looks_have_memory;
static unsigned looks_freed;
static unsigned looks_live;
static bool has_virtual_threads;

/* ---- fakes ------------------------------------------------------------- */

void writer_trace_states(struct record_writer *writer, const struct trace_states_record *record)
{
	(void)writer;
	ck_assert_uint_le(record->row_count, ROWS_MAX);
	section = *record;
	for (size_t i = 0; i < record->row_count; i++)
		rows[i] = record->rows[i];
	sections++;
	note_count = 0;
}

void writer_note(struct record_writer *writer, const char *text)
{
	(void)writer;
	ck_assert_uint_lt(note_count, NOTES_MAX);
	(void)snprintf(notes[note_count++], NOTE_MAX, "%s", text);
}

bool state_looks_init(struct state_looks *looks, uint32_t stack_depth)
{
	(void)looks;
	ck_assert_uint_eq(stack_depth, DEPTH);
	return looks_have_memory;
}

void state_looks_free(struct state_looks *looks)
{
	(void)looks;
	looks_freed++;
}

void state_looks_live(struct state_looks *looks, JNIEnv *jni)
{
	ck_assert_ptr_eq(looks, &states->looks);
	ck_assert_ptr_eq(jni, fake_jni());
	looks_live++;
}

static jvmtiError JNICALL find_mounted(jvmtiEnv *jvmti, ...)
{
	(void)jvmti;
	return JVMTI_ERROR_INTERNAL;
}

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	ck_assert_ptr_eq(jvmti, profile.jvmti);
	return has_virtual_threads ? find_mounted : NULL;
}

void virtual_threads_add_capability(jvmtiCapabilities *capabilities)
{
	capabilities->can_suspend = 1; /* which nobody else sets */
}

const char *perf_counters_memory(JNIEnv *jni, size_t *length)
{
	(void)jni;
	*length = 0;
	return NULL;
}

const volatile uint64_t *perf_counters_find(const char *memory, size_t length, const char *name)
{
	(void)memory;
	(void)length;
	ck_abort_msg("the counter %s of no memory", name);
	return NULL;
}

const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method, int64_t bci)
{
	(void)resolver;
	(void)jni;
	(void)method;
	(void)bci;
	ck_abort_msg("a stack");
	return NULL;
}

/* ---- tests ------------------------------------------------------------- */

static struct state_samples *create(bool virtual_threads)
{
	memset(&needs, 0, sizeof(needs));
	return state_samples_create(&profile, &needs, &traces, DEPTH, virtual_threads);
}

static void set_up(void)
{
	static struct frame frames[PLACES];
	bool created;

	looked_set_up();
	settings.interval_ms = 10;
	looks_have_memory = true;
	looks_freed = 0;
	looks_live = 0;
	has_virtual_threads = false;
	sections = 0;
	note_count = 0;
	ck_assert(sample_traces_init(&traces, &profile, DEPTH));
	for (uint32_t i = 0; i < PLACES; i++) {
		const struct frame *const frame = &frames[i];
		frames[i].id = i + 1;
		at[i] = trace_table_intern(profile.model.traces, &frame, 1, 0, &created);
		ck_assert_ptr_nonnull(at[i]);
	}
	states = create(false);
	ck_assert_ptr_nonnull(states);
}

static void tear_down(void)
{
	state_samples_destroy(states, fake_jni());
	ck_assert_uint_gt(looks_freed, 0);
	sample_traces_free(&traces);
	ck_assert_uint_eq(memory_errors, 0);
	looked_tear_down();
}

/* A look has seen the thread wait there until now. */
static void look_sees(int number, const struct trace *trace, enum trace_state state)
{
	struct looked_thread *thread = thread_of(&states->threads, number);
	struct look_clocks clocks = clocks_of(number);
	struct look_times times = looked_thread_times(&states->threads, thread, &clocks);

	ck_assert(looked_thread_flush(thread, &states->counts));
	thread->trace = trace;
	thread->state = state;
	thread->has_run = false;
	looked_thread_charge_wait(thread, &times);
	thread->charge.samples++;
}

/* A look has seen the thread run. */
static void look_sees_run(int number)
{
	struct looked_thread *thread = thread_of(&states->threads, number);
	struct look_clocks clocks = clocks_of(number);
	struct look_times times = looked_thread_times(&states->threads, thread, &clocks);

	look_account_run(&thread->account, &times);
}

static void poll(void)
{
	state_samples_hooks.poll(states, fake_jni());
}

static void write_section(void)
{
	unsigned before = sections;

	state_samples_write(states);
	ck_assert_uint_eq(sections, before + 1);
	ck_assert(section.sampled);
	ck_assert_int_gt(section.wall_ms, 0);
}

static const struct trace_states_row *row_of(const struct trace *trace)
{
	static const struct trace_states_row none;

	for (size_t i = 0; i < section.row_count; i++) {
		if (rows[i].trace == trace)
			return &rows[i];
	}
	return &none;
}

/* The row of the trace has these times and no others. */
static void row_is(const struct trace *trace, uint64_t samples, const struct state_charge *charge)
{
	const struct trace_states_row *row = row_of(trace);
	uint64_t sum_ns = 0;

	ck_assert_uint_eq(row->calls, samples);
	for (int i = 0; i < TRACE_STATES; i++) {
		ck_assert_uint_eq(row->ns[i], charge->ns[i]);
		sum_ns += charge->ns[i];
	}
	ck_assert_uint_eq(row->wall_ns, sum_ns);
}

#define ROW_IS(trace, samples, ...) \
	row_is(trace, samples, &(const struct state_charge){.ns = {__VA_ARGS__}})

/* ---- CPU samples ------------------------------------------------------- */

START_TEST(a_cpu_sample_takes_the_time_that_the_thread_was_queued_and_stopped)
{
	add_thread(&states->threads, 0);
	pass(0, 100, 40);
	system_threads[0].queued_ns += 25;
	atomic_store(&states->pauses.collected_ns, 30);
	look_sees_run(0);
	state_samples_add_cpu(states, at[1], java_threads[0].serial, 37);
	state_samples_add_cpu(states, at[2], java_threads[0].serial, 3);
	write_section();
	ck_assert_uint_eq(section.row_count, 2);
	ROW_IS(at[1], 1, [TRACE_USR] = 37, [TRACE_LAT] = 25, [TRACE_STW] = 30);
	ROW_IS(at[2], 1, [TRACE_USR] = 3);
	/* What it waited is not of the CPU sample. */
	ck_assert_int_eq(thread_of(&states->threads, 0)->account.waited_ns, 5);
}
END_TEST

START_TEST(a_cpu_sample_of_an_unknown_thread_has_its_cpu_time_alone)
{
	add_thread(&states->threads, 0);
	pass(0, 100, 40);
	system_threads[0].queued_ns += 25;
	look_sees_run(0);
	state_samples_add_cpu(states, at[1], 0, 20);
	state_samples_add_cpu(states, at[1], java_threads[1].serial, 30);
	write_section();
	ck_assert_uint_eq(section.row_count, 1);
	ROW_IS(at[1], 2, [TRACE_USR] = 50);
	ck_assert_int_eq(thread_of(&states->threads, 0)->account.queued_ns, 25);
}
END_TEST

/* ---- threads that have ended ------------------------------------------- */

static void end_after_a_run(int number)
{
	pass(number, 100, 40);
	system_threads[number].queued_ns += 25;
	atomic_fetch_add(&states->pauses.collected_ns, 15);
	end_thread(&states->threads, number);
}

START_TEST(what_an_ended_thread_has_left_goes_to_its_last_wait)
{
	add_thread(&states->threads, 0);
	add_thread(&states->threads, 1);
	now_ns += 1000;
	look_sees(0, at[3], TRACE_IO);
	end_after_a_run(0);
	poll();
	ck_assert_uint_eq(states->threads.count, 1);
	ck_assert_ptr_null(looked_threads_find(&states->threads, java_threads[0].serial));
	ck_assert_int_eq(fake_counts.global_refs, 1);
	write_section();
	ROW_IS(at[3], 1, [TRACE_IO] = 1020, [TRACE_LAT] = 25, [TRACE_STW] = 15);
	ck_assert_uint_eq(section.total_ns, 1060);
}
END_TEST

START_TEST(a_thread_that_was_never_seen_to_wait_has_ended_early)
{
	settings.thread = true;
	add_thread(&states->threads, 2);
	end_after_a_run(2);
	poll();
	ck_assert_uint_eq(states->threads.count, 0);
	const struct trace *trace = written.trace;
	ck_assert_ptr_nonnull(trace);
	ck_assert_uint_eq(trace->depth, 1);
	ck_assert_str_eq(trace->frames[0]->method->class->name->text, "<no_stack>");
	ck_assert_str_eq(trace->frames[0]->method->name->text, "thread_ended_early");
	ck_assert_uint_eq(trace->thread_serial, java_threads[2].serial);
	write_section();
	ck_assert_uint_eq(section.row_count, 1);
	ROW_IS(trace, 0, [TRACE_SLP] = 20, [TRACE_LAT] = 25, [TRACE_STW] = 15);
}
END_TEST

START_TEST(a_thread_that_is_looked_at_is_freed_by_a_later_poll)
{
	add_thread(&states->threads, 0);
	now_ns += 1000;
	look_sees(0, at[3], TRACE_IO);
	end_after_a_run(0);
	states->threads.looking = thread_of(&states->threads, 0);
	poll();
	poll();
	ck_assert_ptr_eq(states->threads.looking, thread_of(&states->threads, 0));
	ck_assert_int_eq(fake_counts.global_refs, 1);
	states->threads.looking = NULL;
	poll();
	ck_assert_uint_eq(states->threads.count, 0);
	write_section();
	ROW_IS(at[3], 1, [TRACE_IO] = 1020, [TRACE_LAT] = 25, [TRACE_STW] = 15);
}
END_TEST

START_TEST(a_section_between_the_end_and_the_poll_leaves_the_rest_to_the_next_one)
{
	add_thread(&states->threads, 0);
	now_ns += 1000;
	look_sees(0, at[3], TRACE_IO);
	poll();
	end_after_a_run(0);
	/* The system may still know the thread. */
	system_threads[0].is_gone = false;
	now_ns += 500;
	write_section();
	ROW_IS(at[3], 1, [TRACE_IO] = 1000);
	state_samples_reset(states);
	poll();
	write_section();
	ROW_IS(at[3], 0, [TRACE_IO] = 20, [TRACE_LAT] = 25, [TRACE_STW] = 15);
}
END_TEST

/* ---- the section ------------------------------------------------------- */

START_TEST(a_poll_moves_what_has_been_charged_to_waits)
{
	add_thread(&states->threads, 0);
	now_ns += 70;
	look_sees(0, at[1], TRACE_LCK);
	now_ns += 7;
	poll();
	poll();
	ck_assert_uint_eq(states->counts.charges[at[1]->serial - TRACE_SERIAL_EMPTY].ns[TRACE_LCK],
	                  70);
}
END_TEST

START_TEST(a_section_has_the_time_of_waits_up_to_now)
{
	add_thread(&states->threads, 0);
	now_ns += 70;
	look_sees(0, at[1], TRACE_LCK);
	now_ns += 30;
	atomic_store(&states->pauses.collected_ns, 20);
	write_section();
	/* A wait has pauses, too. */
	ROW_IS(at[1], 1, [TRACE_LCK] = 100);
	write_section();
	ROW_IS(at[1], 1, [TRACE_LCK] = 100);
}
END_TEST

START_TEST(a_thread_that_has_run_since_its_wait_has_waits_alone_in_the_section)
{
	add_thread(&states->threads, 0);
	now_ns += 70;
	look_sees(0, at[1], TRACE_LCK);
	pass(0, 100, 40);
	system_threads[0].queued_ns += 25;
	atomic_store(&states->pauses.collected_ns, 15);
	write_section();
	ROW_IS(at[1], 1, [TRACE_LCK] = 70 + 20);
	/* The rest belongs to the next CPU sample. */
	state_samples_add_cpu(states, at[2], java_threads[0].serial, 40);
	write_section();
	ROW_IS(at[2], 1, [TRACE_USR] = 40, [TRACE_LAT] = 25, [TRACE_STW] = 15);
	ck_assert_uint_eq(section.total_ns, 170);
}
END_TEST

START_TEST(a_thread_without_a_clock_keeps_its_time)
{
	add_thread(&states->threads, 0);
	now_ns += 70;
	look_sees(0, at[1], TRACE_LCK);
	poll();
	system_threads[0].is_gone = true;
	now_ns += 30;
	write_section();
	ROW_IS(at[1], 1, [TRACE_LCK] = 70);
}
END_TEST

START_TEST(sections_with_resets_between_have_each_time_exactly_once)
{
	enum { THREADS = 3, STEPS = 400 };
	uint64_t sum_ns = 0;
	uint64_t lives_ns = 0;

	for (int i = 0; i < THREADS; i++)
		add_thread(&states->threads, i);
	for (int step = 1; step <= STEPS; step++) {
		int number = step % THREADS;
		uint64_t cpu_ns = step % 5 == 0 ? 0 : (uint64_t)(step % 17);
		lives_ns += THREADS * UINT64_C(100);
		pass(number, 100, cpu_ns);
		if (cpu_ns > 0)
			system_threads[number].queued_ns += (uint64_t)(step % 11);
		atomic_fetch_add(&states->pauses.collected_ns, step % 7 == 0 ? 40 : 0);
		if (step % 4 == 0)
			look_sees_run(number);
		else
			look_sees(number, at[step % PLACES], step % 2 == 0 ? TRACE_IO : TRACE_SLP);
		state_samples_add_cpu(states, at[step % 2], java_threads[number].serial, cpu_ns);
		if (step % 3 == 0)
			poll();
		if (step % 50 == 0) {
			write_section();
			sum_ns += section.total_ns;
			state_samples_reset(states);
		}
	}
	for (int i = 0; i < THREADS; i++)
		end_thread(&states->threads, i);
	poll();
	write_section();
	ck_assert_uint_eq(states->threads.count, 0);
	ck_assert_uint_eq(sum_ns + section.total_ns, lives_ns);
}
END_TEST

START_TEST(a_reset_leaves_no_rows_and_no_looks)
{
	state_samples_add_cpu(states, at[1], 0, 20);
	atomic_store(&states->looks.stacks, 5);
	state_samples_reset(states);
	write_section();
	ck_assert_uint_eq(section.row_count, 0);
	ck_assert_uint_eq(section.total_ns, 0);
	ck_assert_str_eq(notes[0], "TRACE MICROSTATES is sampled: usr by CPU samples, the rest by "
	                           "0 looks at stacks");
}
END_TEST

START_TEST(rows_come_by_their_time_down_to_the_cutoff)
{
	static const uint64_t times[PLACES] = {20, 50, 4, 25, 1};

	settings.cutoff = 0.04;
	for (int i = 0; i < PLACES; i++)
		state_samples_add_cpu(states, at[i], 0, times[i]);
	write_section();
	ck_assert_uint_eq(section.total_ns, 100);
	ck_assert_uint_eq(section.row_count, 4);
	ck_assert_ptr_eq(rows[0].trace, at[1]);
	ck_assert_ptr_eq(rows[1].trace, at[3]);
	ck_assert_ptr_eq(rows[2].trace, at[0]);
	ck_assert_ptr_eq(rows[3].trace, at[2]);
}
END_TEST

enum {
	KNOWN = 1u << TRACE_USR | 1u << TRACE_LCK | 1u << TRACE_SLP | 1u << TRACE_IO |
	        1u << TRACE_STW
};

static void known_is(uint32_t known)
{
	state_samples_add_cpu(states, at[0], 0, 1);
	write_section();
	ck_assert_uint_eq(section.row_count, 1);
	ck_assert_uint_eq(rows[0].known, known);
}

START_TEST(lat_is_known_if_a_thread_has_or_had_a_queue)
{
	system_threads[0].queue_error = OS_UNSUPPORTED;
	add_thread(&states->threads, 0);
	known_is(KNOWN);
	add_thread(&states->threads, 1);
	known_is(KNOWN | 1u << TRACE_LAT);
	ck_assert_uint_eq(note_count, 2);
	end_thread(&states->threads, 1);
	poll();
	state_samples_reset(states);
	known_is(KNOWN | 1u << TRACE_LAT);
}
END_TEST

START_TEST(notes_tell_the_looks_and_what_is_not_known)
{
	atomic_store(&states->looks.stacks, 1234567890123);
	system_threads[0].queue_error = EMFILE;
	add_thread(&states->threads, 0);
	write_section();
	ck_assert_uint_eq(note_count, 3);
	ck_assert_str_eq(notes[0], "TRACE MICROSTATES is sampled: usr by CPU samples, the rest by "
	                           "1234567890123 looks at stacks");
	ck_assert_ptr_nonnull(strstr(notes[1], "1 threads had no file descriptor"));
	ck_assert_ptr_nonnull(strstr(notes[2], "stw has collections only"));
}
END_TEST

/* ---- life -------------------------------------------------------------- */

START_TEST(the_looks_have_the_settings_and_what_is_needed_is_asked_for)
{
	const struct state_looks *looks = &states->looks;

	ck_assert_uint_eq(looks->interval_ns, 10 * MS);
	ck_assert_ptr_eq(looks->profile, &profile);
	ck_assert_ptr_eq(looks->traces, &traces);
	ck_assert_ptr_eq(looks->counts, &states->counts);
	ck_assert_ptr_eq(looks->threads, &states->threads);
	ck_assert(!looks->virtual_threads);
	ck_assert_ptr_eq(states->threads.pauses, &states->pauses);
	ck_assert(needs.garbage_collection);
	ck_assert_uint_eq(needs.capabilities.can_generate_garbage_collection_events, 1);
	ck_assert_uint_eq(needs.capabilities.can_get_source_file_name, 1);
	ck_assert_uint_eq(needs.capabilities.can_get_line_numbers, 1);
	ck_assert_uint_eq(needs.capabilities.can_suspend, 0);
	ck_assert_uint_eq(looks_live, 0);
	state_samples_hooks.live(states, fake_jni());
	ck_assert_uint_eq(looks_live, 1);
}
END_TEST

START_TEST(the_stop_hook_ends_the_looks)
{
	ck_assert(!atomic_load(&states->looks.stopped));
	state_samples_hooks.stop(states);
	ck_assert(atomic_load(&states->looks.stopped));
}
END_TEST

START_TEST(where_there_are_virtual_threads_their_capability_is_asked_for)
{
	state_samples_destroy(states, fake_jni());
	has_virtual_threads = true;
	states = create(true);
	ck_assert_ptr_nonnull(states);
	ck_assert(states->looks.virtual_threads);
	ck_assert(states->looks.virtual_thread_of == find_mounted);
	ck_assert_uint_eq(needs.capabilities.can_suspend, 1);
}
END_TEST

START_TEST(without_memory_for_looks_there_are_no_samples)
{
	looks_have_memory = false;
	ck_assert_ptr_null(create(false));
	ck_assert_uint_eq(looks_freed, 1);
}
END_TEST

START_TEST(threads_that_still_run_are_freed_at_the_end)
{
	for (int i = 0; i < LOOKED_MAX; i++)
		add_thread(&states->threads, i);
	end_thread(&states->threads, 1);
	/* The fixture looks for what is left. */
}
END_TEST

static Suite *state_samples_suite(void)
{
	Suite *suite = suite_create("state_samples");
	TCase *charges = tcase_create("charges");
	TCase *writing = tcase_create("section");
	TCase *life = tcase_create("life");

	tcase_add_checked_fixture(charges, set_up, tear_down);
	tcase_add_test(charges, a_cpu_sample_takes_the_time_that_the_thread_was_queued_and_stopped);
	tcase_add_test(charges, a_cpu_sample_of_an_unknown_thread_has_its_cpu_time_alone);
	tcase_add_test(charges, what_an_ended_thread_has_left_goes_to_its_last_wait);
	tcase_add_test(charges, a_thread_that_was_never_seen_to_wait_has_ended_early);
	tcase_add_test(charges, a_thread_that_is_looked_at_is_freed_by_a_later_poll);
	tcase_add_test(charges,
	               a_section_between_the_end_and_the_poll_leaves_the_rest_to_the_next_one);
	suite_add_tcase(suite, charges);
	tcase_add_checked_fixture(writing, set_up, tear_down);
	tcase_add_test(writing, a_poll_moves_what_has_been_charged_to_waits);
	tcase_add_test(writing, a_section_has_the_time_of_waits_up_to_now);
	tcase_add_test(writing,
	               a_thread_that_has_run_since_its_wait_has_waits_alone_in_the_section);
	tcase_add_test(writing, a_thread_without_a_clock_keeps_its_time);
	tcase_add_test(writing, sections_with_resets_between_have_each_time_exactly_once);
	tcase_add_test(writing, a_reset_leaves_no_rows_and_no_looks);
	tcase_add_test(writing, rows_come_by_their_time_down_to_the_cutoff);
	tcase_add_test(writing, lat_is_known_if_a_thread_has_or_had_a_queue);
	tcase_add_test(writing, notes_tell_the_looks_and_what_is_not_known);
	suite_add_tcase(suite, writing);
	tcase_add_checked_fixture(life, set_up, tear_down);
	tcase_add_test(life, the_looks_have_the_settings_and_what_is_needed_is_asked_for);
	tcase_add_test(life, the_stop_hook_ends_the_looks);
	tcase_add_test(life, where_there_are_virtual_threads_their_capability_is_asked_for);
	tcase_add_test(life, without_memory_for_looks_there_are_no_samples);
	tcase_add_test(life, threads_that_still_run_are_freed_at_the_end);
	suite_add_tcase(suite, life);
	return suite;
}

int main(void)
{
	return run_suite(state_samples_suite());
}
