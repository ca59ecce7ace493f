/*
 * cpu_times.c: the mode cpu=times. Instrumented methods walk the call graph and count in it
 * (call_instrumenter.c, tracker.c, java/lang/HprofTracker); a dump collects the costs of
 * all threads, sums them, and writes them by trace.
 *
 * Locking: a lock of the mode covers the collected costs, since a thread that ends hands
 * over its costs itself. Order: the profile's dump lock, the tracker's lock, this lock.
 */
#include "calls/calls_mode.h"

#include "calls/call_costs.h"
#include "calls/call_counting.h"
#include "vm/java_threads.h"
#include "vm/stackless.h"
#include "vm/stack_traces.h"

#include <stdlib.h>

struct cpu_times {
	struct profile *profile;
	struct call_counting counting;

	struct os_mutex lock; /* for costs and stackless */
	struct call_costs *costs;
	struct stackless stackless;
};

static bool is_selected(const struct settings *settings)
{
	return settings->cpu == CPU_TIMES;
}

/* ---- collecting costs -------------------------------------------------- */

struct collection {
	struct cpu_times *times;
	uint32_t thread_serial;
};

static bool collect_cost(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	struct collection *collection = argument;
	/* A frame of an earlier profile may have restored a node of that. */
	struct call_graph *graph = collection->times->counting.graph;
	if (call_graph_node(graph, index) == NULL)
		return true;
	uint32_t root = call_graph_root(graph)->index;
	/* With depth=0 all costs are of the trace without frames. */
	bool no_frames = index == root || collection->times->profile->settings->depth == 0;
	return call_costs_add(collection->times->costs, no_frames ? root : index,
	                      collection->thread_serial, costs);
}

/* Called under the tracker's lock. */
static void collect_thread(void *argument, struct tracked_thread *thread)
{
	struct cpu_times *times = argument;
	struct collection collection = {
	        .times = times,
	        .thread_serial = times->profile->settings->thread ? thread->serial : 0,
	};

	os_mutex_lock(&times->lock);
	bool collected = call_state_collect(&thread->state, collect_cost, &collection);
	os_mutex_unlock(&times->lock);
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

static bool fill_rows(struct cpu_times *times, const struct call_cost *ranked, enum cost_kind kind,
                      struct time_row *rows, size_t count)
{
	size_t depth = (size_t)times->profile->settings->depth + 1;
	const struct frame **frames = calloc(depth, sizeof(*frames));
	bool filled = frames != NULL;

	for (size_t i = 0; i < count && filled; i++) {
		if (i % PROGRESS_ROWS == 0)
			progress_update(&times->profile->progress, i, count, "traces");
		rows[i].trace = trace_of(times, &ranked[i], frames);
		rows[i].calls = ranked[i].costs[COST_CALLS];
		rows[i].self_ns = ranked[i].costs[kind];
		filled = rows[i].trace != NULL;
	}
	free(frames);
	return filled;
}

static void write_section(struct cpu_times *times, enum cost_kind kind)
{
	struct profile *profile = times->profile;
	size_t count = 0;
	const struct call_cost *ranked =
	        call_costs_rank(times->costs, kind, profile->settings->cutoff, &count);
	struct times_record record = {
	        .section = kind == COST_CPU_NS ? TIME_SECTION_CPU : TIME_SECTION_OFF_CPU,
	        .wall_ms = os_wall_ms(),
	        .total_ns = call_costs_total(times->costs, kind),
	        .row_count = count,
	};
	struct time_row *rows = calloc(record.row_count + 1, sizeof(*rows));

	if (rows != NULL && fill_rows(times, ranked, kind, rows, record.row_count)) {
		record.rows = rows;
		writer_times(profile->writer, &record);
		if (kind == COST_CPU_NS) {
			call_counting_write_note(&times->counting);
			tracker_write_notes(times->counting.tracker);
		}
	} else {
		profile_out_of_memory(profile);
	}
	free(rows);
}

static void collect_all(struct cpu_times *times)
{
	tracker_charge_rest(times->counting.tracker);
	tracker_each_thread(times->counting.tracker, collect_thread, times);
}

static void write_sections(void *mode)
{
	struct cpu_times *times = mode;

	collect_all(times);
	os_mutex_lock(&times->lock);
	write_section(times, COST_CPU_NS);
	if (times->profile->settings->msa)
		write_section(times, COST_OFF_CPU_NS);
	os_mutex_unlock(&times->lock);
}

static void reset(void *mode)
{
	struct cpu_times *times = mode;

	os_mutex_lock(&times->lock);
	call_costs_clear(times->costs);
	os_mutex_unlock(&times->lock);
}

/* ---- threads and classes ----------------------------------------------- */

static void thread_start(void *mode, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	struct cpu_times *times = mode;
	(void)jni;
	(void)object;
	thread->tracking = tracker_thread_start(times->counting.tracker, thread->serial);
}

static void existing_thread(void *mode, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	struct cpu_times *times = mode;
	(void)jni;
	(void)object;
	call_counting_add_existing_thread(&times->counting, thread);
}

static void thread_end(void *mode, JNIEnv *jni, struct java_thread *thread)
{
	struct cpu_times *times = mode;
	(void)jni;
	tracker_thread_end(times->counting.tracker, thread->tracking);
}

static bool instrument(void *mode, const uint8_t *bytes, size_t length, uint8_t **rewritten,
                       size_t *rewritten_length)
{
	struct cpu_times *times = mode;
	return call_counting_instrument(&times->counting, bytes, length, rewritten,
	                                rewritten_length);
}

/* ---- life -------------------------------------------------------------- */

static void free_mode(struct cpu_times *times)
{
	call_costs_destroy(times->costs);
	free(times);
}

static void *create(struct profile *profile, struct mode_needs *needs)
{
	const struct settings *settings = profile->settings;
	enum tracker_clock clock = settings->msa ? TRACKER_BOTH_CLOCKS : TRACKER_SAMPLED_CLOCK;
	struct cpu_times *times = calloc(1, sizeof(*times));
	if (times == NULL) {
		message_print("out of memory");
		return NULL;
	}
	times->profile = profile;
	times->costs = call_costs_create();
	if (times->costs == NULL || os_mutex_init(&times->lock) != 0 ||
	    !call_counting_init(&times->counting, profile,
	                        settings->depth > 0 ? settings->depth : 1, clock, collect_thread,
	                        times, needs)) {
		message_print("cpu=times is unavailable: out of memory or no thread CPU clock; "
		              "remove cpu=");
		free_mode(times);
		return NULL;
	}
	needs->monitor_contention |= settings->msa;
	return times;
}

static void live(void *mode, JNIEnv *jni)
{
	struct cpu_times *times = mode;
	struct profile *profile = times->profile;

	if (profile->settings->msa)
		profile_note(profile,
		             "cpu=times: calls counted, both clocks read at each (clocks: %s)",
		             os_clock_names());
	else
		profile_note(profile, "cpu=times: calls counted (time by %s; clocks: %s)",
		             tracker_clock_name(times->counting.tracker), os_clock_names());
	call_counting_live(&times->counting, jni);
}

static void contended_enter(void *mode, JNIEnv *jni, jthread thread, jobject monitor)
{
	struct cpu_times *times = mode;
	(void)jni;
	(void)thread;
	(void)monitor;
	tracker_charge_wait(times->counting.tracker);
}

static void begin(void *mode)
{
	struct cpu_times *times = mode;
	tracker_discard_own(times->counting.tracker);
}

static void poll(void *mode, JNIEnv *jni)
{
	struct cpu_times *times = mode;
	call_counting_poll(&times->counting, jni);
}

static void stop(void *mode)
{
	struct cpu_times *times = mode;
	tracker_stop(times->counting.tracker);
}

static void detach(void *mode, JNIEnv *jni)
{
	struct cpu_times *times = mode;
	(void)jni;
	call_counting_detach(&times->counting);
}

static void destroy(void *mode, JNIEnv *jni)
{
	struct cpu_times *times = mode;
	(void)jni;
	call_counting_destroy(&times->counting);
	os_mutex_destroy(&times->lock);
	free_mode(times);
}

const struct mode_ops cpu_times_mode = {
        .title = "CPU usage by timing methods",
        .is_selected = is_selected,
        .create = create,
        .live = live,
        .begin = begin,
        .monitor_contended_enter = contended_enter,
        .thread_start = thread_start,
        .thread_end = thread_end,
        .existing_thread = existing_thread,
        .rewrite_class = instrument,
        .poll = poll,
        .write = write_sections,
        .reset = reset,
        .stop = stop,
        .detach = detach,
        .destroy = destroy,
};
