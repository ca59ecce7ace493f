/*
 * state_samples.c: see state_samples.h.
 */
#include "sampling/state_samples.h"

#include "os/time_units.h"
#include "sampling/engine.h"
#include "vm/state_notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <utlist.h>

/* ---- charges --------------------------------------------------------------- */

static void add_charge(struct state_samples *states, const struct trace *trace,
                       const struct state_charge *charge)
{
	if (!state_counts_add(&states->counts, trace, charge))
		profile_out_of_memory(states->profile);
}

void state_samples_add_cpu(struct state_samples *states, const struct trace *trace,
                           uint32_t thread_serial, uint64_t cpu_ns)
{
	struct state_charge charge = {.samples = 1, .ns = {[TRACE_USR] = cpu_ns}};

	os_mutex_lock(&states->threads.lock);
	struct looked_thread *thread = looked_threads_find(&states->threads, thread_serial);
	/* A thread loses its CPU, and is stopped, where it uses the CPU. */
	if (thread != NULL) {
		charge.ns[TRACE_LAT] = look_account_take(&thread->account.queued_ns);
		charge.ns[TRACE_STW] = look_account_take(&thread->account.stopped_ns);
	}
	os_mutex_unlock(&states->threads.lock);
	add_charge(states, trace, &charge);
}

static void flush(struct state_samples *states, struct looked_thread *thread)
{
	if (!looked_thread_flush(thread, &states->counts))
		profile_out_of_memory(states->profile);
}

/* The thread has ended: what no look has shown belongs to its last wait. Under both locks. */
static void charge_rest(struct state_samples *states, struct looked_thread *thread)
{
	if (thread->trace == NULL) {
		thread->trace = sample_traces_stackless(
		        states->traces, stackless_reason_name(STACKLESS_ENDED), thread->serial);
		thread->state = TRACE_SLP;
	}
	thread->charge.ns[thread->state] += look_account_take(&thread->account.waited_ns);
	thread->charge.ns[TRACE_LAT] += look_account_take(&thread->account.queued_ns);
	thread->charge.ns[TRACE_STW] += look_account_take(&thread->account.stopped_ns);
}

static void state_samples_poll(void *argument, JNIEnv *jni)
{
	struct state_samples *states = argument;
	struct looked_thread *thread;
	struct looked_thread *next;

	vm_pauses_find(&states->pauses);
	os_mutex_lock(&states->threads.lock);
	DL_FOREACH_SAFE(states->threads.list, thread, next)
	{
		if (thread->ended)
			charge_rest(states, thread);
		flush(states, thread);
		if (thread->ended && thread != states->threads.looking)
			looked_threads_remove(&states->threads, jni, thread);
	}
	os_mutex_unlock(&states->threads.lock);
}

/* Charges the time up to now: a thread that was seen to wait is taken to wait still. Under both
 * locks. */
static void charge_to_now(struct state_samples *states, struct looked_thread *thread)
{
	struct look_clocks clocks;

	if (thread->ended || !looked_clocks_read(thread->id, &clocks))
		return;
	bool waits = looked_thread_still_waits(thread, clocks.cpu_ns);
	struct look_times times = looked_thread_times(&states->threads, thread, &clocks);
	if (waits)
		looked_thread_charge_wait(thread, &times);
	else
		look_account_run(&thread->account, &times);
	if (thread->trace != NULL)
		thread->charge.ns[thread->state] += look_account_take(&thread->account.waited_ns);
	flush(states, thread);
}

/* ---- the section ----------------------------------------------------------- */

static void write_note(struct state_samples *states)
{
	char text[128];

	(void)snprintf(text, sizeof(text),
	               "TRACE MICROSTATES is sampled: usr by CPU samples, the rest by %" PRIu64
	               " looks at stacks",
	               atomic_load(&states->looks.stacks));
	writer_note(states->profile->writer, text);
}

void state_samples_write(struct state_samples *states)
{
	struct profile *profile = states->profile;
	struct looked_threads *threads = &states->threads;
	struct trace_states_record record = {.wall_ms = os_wall_ms(), .sampled = true};
	uint32_t known = 1u << TRACE_USR | 1u << TRACE_LCK | 1u << TRACE_SLP | 1u << TRACE_IO |
	                 1u << TRACE_STW;
	struct looked_thread *thread;

	os_mutex_lock(&threads->lock);
	DL_FOREACH(threads->list, thread)
	charge_to_now(states, thread);
	uint32_t queues = threads->queues;
	uint32_t queueless = threads->queueless;
	os_mutex_unlock(&threads->lock);
	if (queues > 0)
		known |= 1u << TRACE_LAT;
	struct trace_states_row *rows =
	        state_counts_rank(&states->counts, profile->model.traces, known,
	                          profile->settings->cutoff, &record.total_ns, &record.row_count);
	if (rows == NULL) {
		profile_out_of_memory(profile);
		return;
	}
	record.rows = rows;
	writer_trace_states(profile->writer, &record);
	write_note(states);
	state_notes_write(profile->writer, &states->pauses, queues, queueless);
	free(rows);
}

void state_samples_reset(struct state_samples *states)
{
	state_counts_clear(&states->counts);
	atomic_store(&states->looks.stacks, 0);
}

/* ---- life ------------------------------------------------------------------ */

struct state_samples *state_samples_create(struct profile *profile, struct mode_needs *needs,
                                           struct sample_traces *traces, uint32_t stack_depth,
                                           bool virtual_threads)
{
	struct state_samples *states = calloc(1, sizeof(*states));

	if (states == NULL)
		return NULL;
	states->profile = profile;
	states->traces = traces;
	if (!looked_threads_init(&states->threads, profile, &states->pauses)) {
		free(states);
		return NULL;
	}
	states->looks = (struct state_looks){
	        .profile = profile,
	        .traces = traces,
	        .counts = &states->counts,
	        .threads = &states->threads,
	        .interval_ns = (uint64_t)profile->settings->interval_ms * NS_PER_MS,
	        .virtual_threads = virtual_threads,
	        .virtual_thread_of = virtual_threads_find(profile->jvmti),
	};
	if (!state_looks_init(&states->looks, stack_depth)) {
		state_samples_destroy(states, NULL);
		return NULL;
	}
	if (states->looks.virtual_thread_of != NULL)
		virtual_threads_add_capability(&needs->capabilities);
	needs->garbage_collection = true;
	needs->capabilities.can_generate_garbage_collection_events = 1;
	needs->capabilities.can_get_source_file_name = 1;
	needs->capabilities.can_get_line_numbers = 1;
	return states;
}

void state_samples_destroy(struct state_samples *states, JNIEnv *jni)
{
	looked_threads_free(&states->threads, jni);
	state_looks_free(&states->looks);
	state_counts_free(&states->counts);
	free(states);
}

static void state_samples_live(void *argument, JNIEnv *jni)
{
	struct state_samples *states = argument;
	vm_pauses_find_memory(&states->pauses, jni);
	state_looks_live(&states->looks, jni);
}

static void state_samples_thread_start(void *argument, JNIEnv *jni, jthread object,
                                       struct java_thread *thread)
{
	struct state_samples *states = argument;
	looked_threads_add(&states->threads, jni, object, thread);
}

static void state_samples_thread_end(void *argument, JNIEnv *jni, struct java_thread *thread)
{
	struct state_samples *states = argument;
	(void)jni;
	looked_threads_end(&states->threads, thread);
}

static void state_samples_collection_started(void *argument)
{
	struct state_samples *states = argument;
	vm_pauses_collection_started(&states->pauses);
}

static void state_samples_collection_finished(void *argument)
{
	struct state_samples *states = argument;
	vm_pauses_collection_finished(&states->pauses);
}

static void state_samples_stop(void *argument)
{
	struct state_samples *states = argument;
	atomic_store(&states->looks.stopped, true);
}

const struct mode_ops state_samples_hooks = {
        .live = state_samples_live,
        .thread_start = state_samples_thread_start,
        .thread_end = state_samples_thread_end,
        .existing_thread = state_samples_thread_start, /* can run on any thread */
        .collection_started = state_samples_collection_started,
        .collection_finished = state_samples_collection_finished,
        .poll = state_samples_poll,
        .stop = state_samples_stop,
};
