/*
 * cpu_times.c: the mode cpu=times. Instrumented methods walk the call graph and count in it
 * (call_instrumenter.c, tracker.c, java/lang/HprofTracker); a dump collects the costs of
 * all threads, sums them, and writes them by trace.
 *
 * Locking: a thread that ends hands over its costs itself, under a lock of the mode, or, with
 * per-thread traces, of a part of the threads' costs. What the sections show is covered by the dump
 * lock, so that no thread waits while they are written. Order: the profile's dump lock, the
 * tracker's lock, a tracked thread's or that of a part of the parked threads, the lock of costs.
 */
#include "calls/calls_mode.h"

#include "calls/call_costs.h"
#include "calls/call_counting.h"
#include "calls/costs_by_thread.h"
#include "calls/virtual_calls.h"
#include "os/time_units.h"
#include "output/trace_cost_list.h"
#include "vm/stack_traces.h"
#include "vm/stackless.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>
#include <string.h>

struct cpu_times {
	struct profile *profile;
	struct call_counting counting;
	struct virtual_calls *virtual_calls; /* NULL without vthreads=y */

	struct call_costs *costs; /* what the sections show */
	struct stackless stackless;
	struct costs_by_thread *by_thread; /* with per-thread traces; else NULL */

	struct os_mutex lock;           /* for the following */
	struct call_costs *handed_over; /* without per-thread traces */
	_Atomic uint64_t section;       /* number of resets */
};

static bool cpu_times_is_selected(const struct settings *settings)
{
	return settings->cpu == CPU_TIMES;
}

/* ---- collecting costs -------------------------------------------------- */

/* Less time than this is left to the next section. */
#define UNCHARGED_LEAST_NS NS_PER_MS

/* Costs are added to those of their owner, with per-thread traces, or else to a table. */
struct collection {
	struct cpu_times *times;
	struct tracked_thread *thread;
	struct cost_owner *owner;
	struct call_costs *costs;
};

static bool add_cost(const struct collection *collection, uint32_t index,
                     const uint64_t costs[COST_KINDS])
{
	/* A frame of an earlier profile may have restored a node of that. */
	struct call_graph *graph = collection->times->counting.graph;
	if (call_graph_node(graph, index) == NULL)
		return true;
	uint32_t root = call_graph_root(graph)->index;
	/* With depth=0 all costs are of the trace without frames. */
	bool no_frames = index == root || collection->times->profile->settings->depth == 0;
	uint32_t node = no_frames ? root : index;
	if (collection->owner == NULL)
		return call_costs_add(collection->costs, node, 0, costs);
	return costs_by_thread_add(collection->times->by_thread, collection->owner, node, costs);
}

/* Completes the costs that a thread's state has no count of. */
static void add_wall(const struct tracked_thread *thread, uint64_t costs[COST_KINDS])
{
	costs[COST_WALL_NS] = costs[COST_USR_NS];
	for (int i = 0; i < OFF_CPU_STATES; i++)
		costs[COST_WALL_NS] += costs[COST_STATES_NS + i];
	costs[COST_UNQUEUED_NS] = thread->breaks.has_queue ? 0 : costs[COST_WALL_NS];
}

static bool collect_cost(void *argument, uint32_t index, const uint64_t charged[COST_KINDS])
{
	struct collection *collection = argument;
	uint64_t costs[COST_KINDS];

	if (!collection->times->profile->settings->msa)
		return add_cost(collection, index, charged);
	memcpy(costs, charged, sizeof(costs));
	costs[COST_USR_NS] = costs[COST_CPU_NS];
	uncharged_costs_subtract(&collection->thread->shown, collection->times->section, index,
	                         costs);
	add_wall(collection->thread, costs);
	return add_cost(collection, index, costs);
}

static bool add_uncharged(const struct collection *collection, const struct uncharged_time *time)
{
	struct tracked_thread *thread = collection->thread;
	uint64_t costs[COST_KINDS];

	uncharged_costs_show(&thread->shown, collection->times->section, time,
	                     thread_breaks_cause(&thread->breaks, time->node), costs);
	add_wall(thread, costs);
	return costs[COST_WALL_NS] == 0 || add_cost(collection, time->node, costs);
}

/* Whether the thread has not charged time for long: it waits, or computes without calls. */
static bool has_uncharged(const struct collection *collection, struct uncharged_time *time)
{
	return collection->times->profile->settings->msa &&
	       tracker_uncharged(collection->thread, time) &&
	       time->cpu_ns + time->off_cpu_ns >= UNCHARGED_LEAST_NS;
}

/* With msa=y including the time that the thread has not charged yet: without it, a wait that takes
 * long, or never ends, would be missing. */
static bool collect_state(struct collection *collection)
{
	struct uncharged_time before;
	struct uncharged_time time;
	bool shows_uncharged = has_uncharged(collection, &before);

	if (!call_state_collect(&collection->thread->state, collect_cost, collection))
		return false;
	/* If the thread has not charged since, all that it had charged has been collected. */
	return !shows_uncharged || !has_uncharged(collection, &time) ||
	       time.since_ns != before.since_ns || add_uncharged(collection, &time);
}

/* At a dump; called under the tracker's lock and the thread's. */
static void collect_thread(void *argument, struct tracked_thread *thread)
{
	struct cpu_times *times = argument;
	struct collection collection = {.times = times, .thread = thread, .costs = times->costs};
	bool collected;

	if (times->by_thread == NULL) {
		collected = collect_state(&collection);
	} else {
		collection.owner = tracked_thread_owner(thread);
		collected = costs_by_thread_lock(times->by_thread, collection.owner);
		if (collected) {
			collected = collect_state(&collection);
			costs_by_thread_unlock(times->by_thread, collection.owner);
		}
	}
	if (!collected)
		profile_out_of_memory(times->profile);
}

static bool hand_over_to(struct cost_owner *owner, struct collection *collection)
{
	struct cpu_times *times = collection->times;

	collection->owner = owner;
	if (!costs_by_thread_lock(times->by_thread, owner))
		return false;
	bool collected = call_state_hand_over(&collection->thread->state, collect_cost, collection);
	costs_by_thread_unlock(times->by_thread, owner);
	return collected &&
	       (!collection->thread->has_ended || costs_by_thread_end(times->by_thread, owner));
}

/* On the thread, which has charged its time, and will charge what follows to another Java thread
 * or none: what would be shown of it here could not be corrected. */
static void hand_over(void *argument, struct tracked_thread *thread)
{
	struct cpu_times *times = argument;
	struct collection collection = {
	        .times = times, .thread = thread, .costs = times->handed_over};
	bool collected;

	if (times->by_thread == NULL) {
		os_mutex_lock(&times->lock);
		collected = call_state_hand_over(&thread->state, collect_cost, &collection);
		os_mutex_unlock(&times->lock);
	} else {
		collected = hand_over_to(tracked_thread_owner(thread), &collection);
	}
	if (!collected)
		profile_out_of_memory(times->profile);
}

/* Called under a lock of the parked threads. */
static void collect_parked(void *argument, const struct parked_time *time)
{
	struct cpu_times *times = argument;
	struct collection collection = {.times = times, .costs = times->costs};
	uint64_t costs[COST_KINDS] = {0};
	bool collected;

	costs[COST_OFF_CPU_NS] = time->ns;
	costs[COST_STATES_NS + (int)wait_cause_state(time->cause)] = time->ns;
	costs[COST_WALL_NS] = time->ns;
	if (times->by_thread == NULL) {
		collected = add_cost(&collection, time->node, costs);
	} else {
		collection.owner = time->owner;
		collected = costs_by_thread_lock(times->by_thread, time->owner);
		if (collected) {
			collected = add_cost(&collection, time->node, costs);
			costs_by_thread_unlock(times->by_thread, time->owner);
		}
	}
	if (!collected)
		profile_out_of_memory(times->profile);
}

/* ---- writing ----------------------------------------------------------- */

static const struct frame *frame_of(struct cpu_times *times, call_method number)
{
	const struct method *method = instrumented_methods_get(times->counting.methods, number);
	return frame_table_intern(times->profile->model.frames, method, LINE_UNKNOWN);
}

/* The node's trace, written out when it is new. NULL without memory. */
static const struct trace *trace_of(struct cpu_times *times, const struct call_cost *cost,
                                    const struct frame **frames)
{
	struct profile *profile = times->profile;
	const struct call_node *node = call_graph_node(times->counting.graph, cost->node);
	uint32_t depth =
	        node->depth < profile->settings->depth ? node->depth : profile->settings->depth;

	if (depth == 0)
		return stackless_trace(&times->stackless, profile,
		                       profile->settings->depth == 0 ? STACKLESS_DEPTH_0
		                                                     : "no counted method",
		                       cost->thread_serial);
	for (uint32_t i = 0; i < depth; i++) {
		frames[i] = frame_of(times, node->methods[i]);
		if (frames[i] == NULL)
			return NULL;
	}
	return trace_publish(profile, frames, depth, cost->thread_serial);
}

/* The number of rows between two updates of the progress display. */
enum { PROGRESS_ROWS = 4096 };

/* Gets the trace of each cost and passes it to fill, with rows. False without memory. */
static bool fill_rows(struct cpu_times *times, const struct call_cost *ranked, size_t count,
                      void (*fill)(void *rows, size_t place, const struct call_cost *cost,
                                   const struct trace *trace),
                      void *rows)
{
	size_t depth = (size_t)times->profile->settings->depth + 1;
	const struct frame **frames = calloc(depth, sizeof(*frames));
	bool filled = frames != NULL;

	for (size_t i = 0; i < count && filled; i++) {
		if (i % PROGRESS_ROWS == 0)
			progress_update(&times->profile->progress, i, count, "traces");
		const struct trace *trace = trace_of(times, &ranked[i], frames);
		filled = trace != NULL;
		if (filled)
			fill(rows, i, &ranked[i], trace);
	}
	free(frames);
	return filled;
}

static void fill_time_row(struct time_row *row, const struct call_cost *cost, enum cost_kind kind,
                          const struct trace *trace)
{
	*row = (struct time_row){
	        .trace = trace, .calls = cost->costs[COST_CALLS], .self_ns = cost->costs[kind]};
}

static void fill_cpu_row(void *rows, size_t place, const struct call_cost *cost,
                         const struct trace *trace)
{
	fill_time_row(&((struct time_row *)rows)[place], cost, COST_CPU_NS, trace);
}

static void fill_off_cpu_row(void *rows, size_t place, const struct call_cost *cost,
                             const struct trace *trace)
{
	fill_time_row(&((struct time_row *)rows)[place], cost, COST_OFF_CPU_NS, trace);
}

/* CPU time in the system has no state of its own. */
static void fill_states_row(void *rows, size_t place, const struct call_cost *cost,
                            const struct trace *trace)
{
	struct trace_states_row *row = &((struct trace_states_row *)rows)[place];
	const uint64_t *costs = cost->costs;

	*row = (struct trace_states_row){
	        .trace = trace,
	        .calls = costs[COST_CALLS],
	        .wall_ns = costs[COST_WALL_NS],
	        .ns = {[TRACE_USR] = costs[COST_USR_NS],
	               [TRACE_TFL] = costs[COST_STATES_NS + OFF_TFL],
	               [TRACE_DFL] = costs[COST_STATES_NS + OFF_DFL],
	               [TRACE_LCK] = costs[COST_STATES_NS + OFF_LCK],
	               [TRACE_SLP] = costs[COST_STATES_NS + OFF_SLP],
	               [TRACE_IO] = costs[COST_STATES_NS + OFF_IO],
	               [TRACE_LAT] = costs[COST_STATES_NS + OFF_LAT],
	               [TRACE_STW] = costs[COST_STATES_NS + OFF_STW]},
	        .known = 1u << TRACE_USR | 1u << TRACE_LCK | 1u << TRACE_SLP | 1u << TRACE_IO |
	                 1u << TRACE_STW,
	};
	/* Unless none of the threads has an account of it. */
	if (costs[COST_UNQUEUED_NS] == 0 || costs[COST_UNQUEUED_NS] < costs[COST_WALL_NS])
		row->known |= 1u << TRACE_LAT;
}

static void write_notes(struct cpu_times *times)
{
	call_counting_write_note(&times->counting);
	tracker_write_notes(times->counting.tracker);
}

/* The number of rows with at least cutoff, a share of the total. */
static size_t count_ranked(const struct time_row *rows, size_t count, double least_ns)
{
	while (count > 0 && (double)rows[count - 1].self_ns < least_ns)
		count--;
	return count;
}

static bool write_costs(struct cpu_times *times, enum cost_kind kind, const struct time_row *rows,
                        size_t count)
{
	struct trace_cost_list list = {.section = kind == COST_CPU_NS ? COST_SECTION_CPU
	                                                              : COST_SECTION_OFF_CPU};
	bool added = true;

	for (size_t i = 0; i < count && added; i++)
		added = trace_cost_list_add(&list, rows[i].trace, rows[i].self_ns, rows[i].calls);
	if (added)
		trace_cost_list_write(&list, times->profile->writer);
	trace_cost_list_free(&list);
	return added;
}

/* Writes the table and, with costs=y, the costs of all traces. False without memory. */
static bool write_tables(struct cpu_times *times, enum cost_kind kind, const struct time_row *rows,
                         size_t count)
{
	const struct settings *settings = times->profile->settings;
	uint64_t total_ns = call_costs_total(times->costs, kind);
	struct times_record record = {
	        .section = kind == COST_CPU_NS ? TIME_SECTION_CPU : TIME_SECTION_OFF_CPU,
	        .wall_ms = os_wall_ms(),
	        .total_ns = total_ns,
	        .row_count = count_ranked(rows, count, settings->cutoff * (double)total_ns),
	        .rows = rows,
	};

	writer_times(times->profile->writer, &record);
	if (kind == COST_CPU_NS)
		write_notes(times);
	return !settings->costs || write_costs(times, kind, rows, count);
}

static void write_section(struct cpu_times *times, enum cost_kind kind)
{
	const struct settings *settings = times->profile->settings;
	size_t count = 0;
	const struct call_cost *ranked = call_costs_rank(
	        times->costs, kind, settings->costs ? 0.0 : settings->cutoff, &count);
	struct time_row *rows = calloc(count + 1, sizeof(*rows));

	if (ranked == NULL || rows == NULL ||
	    !fill_rows(times, ranked, count, kind == COST_CPU_NS ? fill_cpu_row : fill_off_cpu_row,
	               rows) ||
	    !write_tables(times, kind, rows, count))
		profile_out_of_memory(times->profile);
	free(rows);
}

/* All rows, or none: the system accounts waits for pages, or does not. */
static void mark_faults_known(struct trace_states_row *rows, size_t count)
{
	struct os_self_waits waits;

	if (!os_self_waits(&waits) || !waits.faults_known)
		return;
	for (size_t i = 0; i < count; i++)
		rows[i].known |= 1u << TRACE_TFL | 1u << TRACE_DFL;
}

static void write_states(struct cpu_times *times)
{
	const struct settings *settings = times->profile->settings;
	struct trace_states_record record = {
	        .wall_ms = os_wall_ms(),
	        .total_ns = call_costs_total(times->costs, COST_WALL_NS),
	};
	const struct call_cost *ranked =
	        call_costs_rank(times->costs, COST_WALL_NS, settings->cutoff, &record.row_count);
	struct trace_states_row *rows = calloc(record.row_count + 1, sizeof(*rows));

	if (ranked == NULL || rows == NULL ||
	    !fill_rows(times, ranked, record.row_count, fill_states_row, rows)) {
		profile_out_of_memory(times->profile);
	} else {
		mark_faults_known(rows, record.row_count);
		record.rows = rows;
		writer_trace_states(times->profile->writer, &record);
		tracker_write_break_notes(times->counting.tracker);
	}
	free(rows);
}

static void collect_all(struct cpu_times *times)
{
	tracker_charge_rest(times->counting.tracker);
	tracker_each_thread(times->counting.tracker, collect_thread, times);
	if (times->virtual_calls != NULL && times->profile->settings->msa)
		virtual_calls_charge_parked(times->virtual_calls, collect_parked, times);
	os_mutex_lock(&times->lock);
	bool moved = call_costs_move(times->costs, times->handed_over);
	os_mutex_unlock(&times->lock);
	if (times->by_thread != NULL)
		moved = moved && costs_by_thread_move(times->by_thread, times->costs);
	if (!moved)
		profile_out_of_memory(times->profile);
}

static void cpu_times_write(void *mode)
{
	struct cpu_times *times = mode;

	collect_all(times);
	write_section(times, COST_CPU_NS);
	if (times->profile->settings->msa) {
		write_section(times, COST_OFF_CPU_NS);
		write_states(times);
	}
}

static void cpu_times_reset(void *mode)
{
	struct cpu_times *times = mode;

	call_costs_clear(times->costs);
	os_mutex_lock(&times->lock);
	times->section++;
	/* Since the section was collected. */
	call_costs_settle(times->handed_over);
	os_mutex_unlock(&times->lock);
	if (times->by_thread != NULL)
		costs_by_thread_settle(times->by_thread);
}

/* ---- life -------------------------------------------------------------- */

static void free_mode(struct cpu_times *times)
{
	call_costs_destroy(times->costs);
	call_costs_destroy(times->handed_over);
	costs_by_thread_destroy(times->by_thread);
	os_mutex_destroy(&times->lock);
	free(times);
}

/* NULL without memory. */
static struct cpu_times *new_mode(struct profile *profile)
{
	struct cpu_times *times = calloc(1, sizeof(*times));

	if (times == NULL || os_mutex_init(&times->lock) != 0) {
		free(times);
		return NULL;
	}
	times->profile = profile;
	times->costs = call_costs_create();
	times->handed_over = call_costs_create();
	if (profile->settings->thread)
		times->by_thread = costs_by_thread_create(
		        profile->settings->msa,
		        profile->settings->costs ? 0.0 : profile->settings->cutoff);
	if (times->costs != NULL && times->handed_over != NULL &&
	    (times->by_thread != NULL || !profile->settings->thread))
		return times;
	free_mode(times);
	return NULL;
}

static void cpu_times_destroy(void *mode, JNIEnv *jni)
{
	struct cpu_times *times = mode;
	(void)jni;
	virtual_calls_destroy(times->virtual_calls);
	call_counting_destroy(&times->counting);
	free_mode(times);
}

/* False without memory. */
static bool add_virtual_calls(struct cpu_times *times, struct mode_needs *needs)
{
	struct call_counting *counting = &times->counting;

	needs->virtual_mounts = true;
	virtual_threads_add_capability(&needs->capabilities);
	times->virtual_calls =
	        virtual_calls_create(times->profile, counting->tracker, counting->graph,
	                             counting->methods, times->by_thread);
	return times->virtual_calls != NULL;
}

static void *cpu_times_create(struct profile *profile, struct mode_needs *needs)
{
	const struct settings *settings = profile->settings;
	enum tracker_clock clock = settings->msa ? TRACKER_BOTH_CLOCKS : TRACKER_SAMPLED_CLOCK;
	struct cpu_times *times = new_mode(profile);
	const char *reason;

	if (times == NULL) {
		message_print("out of memory");
		return NULL;
	}
	if (!call_counting_init(&times->counting, profile,
	                        settings->depth > 0 ? settings->depth : 1, clock, hand_over, times,
	                        needs, &reason)) {
		message_print("cpu=times is unavailable: %s", reason);
		free_mode(times);
		return NULL;
	}
	if (settings->virtual_threads && !add_virtual_calls(times, needs)) {
		message_print("out of memory");
		cpu_times_destroy(times, NULL);
		return NULL;
	}
	if (settings->msa) {
		needs->monitor_contention = true;
		needs->monitor_waits = true;
		needs->garbage_collection = true;
		needs->capabilities.can_generate_monitor_events = 1;
		needs->capabilities.can_generate_garbage_collection_events = 1;
	}
	mode_needs_part(needs, &call_counting_hooks, &times->counting);
	if (times->virtual_calls != NULL)
		mode_needs_part(needs, &virtual_calls_hooks, times->virtual_calls);
	return times;
}

static void cpu_times_live(void *mode, JNIEnv *jni)
{
	struct cpu_times *times = mode;
	struct profile *profile = times->profile;
	(void)jni;

	if (profile->settings->msa)
		profile_note(profile,
		             "cpu=times: calls counted, both clocks read at each (clocks: %s)",
		             os_clock_names());
	else
		profile_note(profile, "cpu=times: calls counted (time by %s; clocks: %s)",
		             tracker_clock_name(times->counting.tracker), os_clock_names());
}

static void cpu_times_monitor_contended_enter(void *mode, JNIEnv *jni, jthread thread,
                                              jobject monitor)
{
	struct cpu_times *times = mode;
	(void)jni;
	(void)thread;
	(void)monitor;
	tracker_announce_wait(times->counting.tracker, WAIT_LOCK);
}

static void cpu_times_monitor_contended_entered(void *mode, JNIEnv *jni, jthread thread,
                                                jobject monitor)
{
	struct cpu_times *times = mode;
	(void)jni;
	(void)thread;
	(void)monitor;
	tracker_announce_wait(times->counting.tracker, WAIT_NONE);
}

static void cpu_times_monitor_wait(void *mode, JNIEnv *jni, jthread thread, jobject monitor,
                                   int64_t timeout_ms)
{
	struct cpu_times *times = mode;
	(void)jni;
	(void)thread;
	(void)monitor;
	(void)timeout_ms;
	tracker_announce_wait(times->counting.tracker, WAIT_SLEEP);
}

/* The thread has been notified and enters the monitor again, which has no event. */
static void cpu_times_monitor_waited(void *mode, JNIEnv *jni, jthread thread, jobject monitor)
{
	struct cpu_times *times = mode;
	(void)jni;
	(void)thread;
	(void)monitor;
	tracker_announce_wait(times->counting.tracker, WAIT_SLEEP);
}

static void cpu_times_collection_started(void *mode)
{
	struct cpu_times *times = mode;
	tracker_collection_started(times->counting.tracker);
}

static void cpu_times_collection_finished(void *mode)
{
	struct cpu_times *times = mode;
	tracker_collection_finished(times->counting.tracker);
}

static void cpu_times_poll(void *mode, JNIEnv *jni)
{
	struct cpu_times *times = mode;
	call_counting_poll(&times->counting, jni);
}

static void cpu_times_stop(void *mode)
{
	struct cpu_times *times = mode;
	tracker_stop(times->counting.tracker);
}

const struct mode_ops cpu_times_mode = {
        .title = "CPU usage by timing methods",
        .is_selected = cpu_times_is_selected,
        .create = cpu_times_create,
        .live = cpu_times_live,
        .monitor_contended_enter = cpu_times_monitor_contended_enter,
        .monitor_contended_entered = cpu_times_monitor_contended_entered,
        .monitor_wait = cpu_times_monitor_wait,
        .monitor_waited = cpu_times_monitor_waited,
        .collection_started = cpu_times_collection_started,
        .collection_finished = cpu_times_collection_finished,
        .poll = cpu_times_poll,
        .write = cpu_times_write,
        .reset = cpu_times_reset,
        .stop = cpu_times_stop,
        .destroy = cpu_times_destroy,
};
