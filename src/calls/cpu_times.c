/*
 * cpu_times.c: the mode cpu=times. Instrumented methods walk the call graph and count in it
 * (call_instrumenter.c, tracker.c, java/lang/HprofTracker); a dump collects the costs of
 * all threads (cost_collector.c), sums them, and writes them by trace, under the dump lock.
 */
#include "calls/calls_mode.h"

#include "calls/call_counting.h"
#include "calls/cost_collector.h"
#include "calls/virtual_calls.h"
#include "output/trace_cost_list.h"
#include "vm/stack_traces.h"
#include "vm/stackless.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>

struct cpu_times {
	struct profile *profile;
	struct call_counting counting;
	struct virtual_calls *virtual_calls; /* NULL without vthreads=y */

	struct cost_collector collector;
	struct stackless stackless;
};

static bool cpu_times_is_selected(const struct settings *settings)
{
	return settings->cpu == CPU_TIMES;
}

/* ---- writing ----------------------------------------------------------- */

/* NULL without memory. */
static const struct frame *frame_of(struct cpu_times *times, call_method number)
{
	const struct method *method = instrumented_methods_get(times->counting.methods, number);
	return method == NULL
	               ? NULL
	               : frame_table_intern(times->profile->model.frames, method, LINE_UNKNOWN);
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
	uint64_t total_ns = call_costs_total(times->collector.costs, kind);
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
	        times->collector.costs, kind, settings->costs ? 0.0 : settings->cutoff, &count);
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
	        .total_ns = call_costs_total(times->collector.costs, COST_WALL_NS),
	};
	const struct call_cost *ranked = call_costs_rank(times->collector.costs, COST_WALL_NS,
	                                                 settings->cutoff, &record.row_count);
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

static void cpu_times_write(void *mode)
{
	struct cpu_times *times = mode;

	cost_collector_collect(&times->collector, times->counting.tracker, times->virtual_calls);
	write_section(times, COST_CPU_NS);
	if (times->profile->settings->msa) {
		write_section(times, COST_OFF_CPU_NS);
		write_states(times);
	}
}

static void cpu_times_reset(void *mode)
{
	struct cpu_times *times = mode;

	cost_collector_reset(&times->collector);
}

/* ---- life -------------------------------------------------------------- */

static void free_mode(struct cpu_times *times)
{
	cost_collector_end(&times->collector);
	free(times);
}

/* NULL without memory. */
static struct cpu_times *new_mode(struct profile *profile)
{
	struct cpu_times *times = calloc(1, sizeof(*times));

	if (times == NULL)
		return NULL;
	times->profile = profile;
	if (cost_collector_init(&times->collector, profile))
		return times;
	free(times);
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
	                             counting->methods, times->collector.by_thread);
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
	                        settings->depth > 0 ? settings->depth : 1, clock,
	                        cost_collector_hand_over, &times->collector, needs, &reason)) {
		message_print("cpu=times is unavailable: %s", reason);
		free_mode(times);
		return NULL;
	}
	times->collector.graph = times->counting.graph;
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

	enum tracker_clock clock = tracker_clock(times->counting.tracker);
	if (clock == TRACKER_BOTH_CLOCKS)
		profile_note(profile,
		             "cpu=times: calls counted, both clocks read at each (clocks: %s)",
		             os_clock_names());
	else if (clock == TRACKER_BREAKS)
		profile_note(profile,
		             "cpu=times: calls counted (time by %s, off-CPU time at each call and "
		             "return; clocks: %s)",
		             tracker_clock_name(times->counting.tracker), os_clock_names());
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
