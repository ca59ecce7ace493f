/*
 * cpu_samples.c: the mode cpu=samples: counts samples by trace, whichever engine takes
 * them, and writes the CPU SAMPLES section. With msa=y, state_samples.c adds to it.
 *
 * Locking: sample counts are covered by the profile's dump lock.
 */
#include "os/time_units.h"
#include "sampling/engine_choice.h"
#include "sampling/sampling_mode.h"

#include "sampling/cost_table.h"
#include "sampling/sample_traces.h"
#include "sampling/state_samples.h"
#include "sampling/thread_set.h"
#include "sampling/timeline.h"
#include "sampling/trace_counts.h"

#include <stdlib.h>

struct cpu_samples {
	struct profile *profile;
	struct sample_sink sink;
	const struct engine_ops *engine_ops;
	void *engine;
	struct trace_counts counts;
	bool has_timeline;
	struct timeline timeline;
	uint64_t drained_ns; /* when the last poll began: later samples count from there on */
	struct sample_traces traces;
	struct state_samples *states; /* NULL without msa=y */
	uint64_t stackless_weights[STACKLESS_REASONS];
	struct thread_set sampled; /* threads whose samples count */
};

/* The limit of the timeline: 24 MB of memory, and at most 20 bytes of the file for each row. */
enum { TIMELINE_ROWS = 1 << 20 };

static bool cpu_samples_is_selected(const struct settings *settings)
{
	return settings->cpu == CPU_SAMPLES;
}

/* jni is NULL before the mode has seen a thread. */
static void free_samples(struct cpu_samples *samples, JNIEnv *jni)
{
	if (samples->states != NULL)
		state_samples_destroy(samples->states, jni);
	trace_counts_free(&samples->counts);
	timeline_free(&samples->timeline);
	thread_set_free(&samples->sampled);
	sample_traces_free(&samples->traces);
	free(samples);
}

/* The sections that follow have no sample times: those of some samples are missing. */
static void end_timeline(struct cpu_samples *samples)
{
	timeline_free(&samples->timeline);
	samples->has_timeline = false;
	message_print("timeline=y ends: out of memory; the samples are counted without times");
	profile_note(samples->profile, "SAMPLE TIMES are missing from here on (out of memory)");
}

static void count_trace(struct cpu_samples *samples, const struct trace *trace,
                        const struct sample_origin *origin)
{
	if (trace == NULL)
		return;
	if (!trace_counts_add(&samples->counts, trace, origin->weight))
		profile_out_of_memory(samples->profile);
	else if (samples->has_timeline &&
	         !timeline_add(&samples->timeline, trace, origin->time_ns, origin->weight))
		end_timeline(samples);
	if (samples->states != NULL)
		state_samples_add_cpu(samples->states, trace, origin->thread_serial,
		                      origin->weight * samples->profile->settings->interval_ms *
		                              NS_PER_MS);
}

static void cpu_samples_add_stackless(struct sample_sink *sink, const struct sample_origin *origin,
                                      enum stackless_reason reason)
{
	struct cpu_samples *samples = sink->owner;
	if (!thread_set_has(&samples->sampled, origin->thread_serial))
		return;
	samples->stackless_weights[reason] += origin->weight;
	count_trace(samples,
	            sample_traces_stackless(&samples->traces, stackless_reason_name(reason),
	                                    origin->thread_serial),
	            origin);
}

static void cpu_samples_add(struct sample_sink *sink, JNIEnv *jni,
                            const struct sample_origin *origin, const struct raw_frame *frames,
                            uint32_t frame_count)
{
	struct cpu_samples *samples = sink->owner;
	bool filtered;

	if (!thread_set_has(&samples->sampled, origin->thread_serial))
		return;
	const struct trace *trace = sample_traces_find(&samples->traces, jni, frames, frame_count,
	                                               origin->thread_serial, &filtered);
	if (filtered)
		cpu_samples_add_stackless(sink, origin, STACKLESS_FILTERED);
	else
		count_trace(samples, trace, origin);
}

/* Writes the number of stackless samples, by reason. */
static void write_stackless_note(struct cpu_samples *samples, uint64_t total)
{
	char text[512];
	uint64_t sum = 0;
	int at;

	for (int i = 0; i < STACKLESS_REASONS; i++)
		sum += samples->stackless_weights[i];
	if (sum == 0)
		return;

	at = snprintf(text, sizeof(text),
	              "%llu of %llu samples have no Java stack and are counted under %s:",
	              (unsigned long long)sum, (unsigned long long)total, STACKLESS_CLASS);
	for (int i = 0; i < STACKLESS_REASONS; i++) {
		if (samples->stackless_weights[i] > 0)
			at += snprintf(text + at, sizeof(text) - (size_t)at, " %s %llu,",
			               stackless_reason_name((enum stackless_reason)i),
			               (unsigned long long)samples->stackless_weights[i]);
	}
	text[at - 1] = '\0';
	writer_note(samples->profile->writer, text);
}

static bool fill_table(struct cpu_samples *samples, struct cost_table *table)
{
	for (size_t i = 0; i < samples->counts.capacity; i++) {
		if (samples->counts.counts[i] == 0)
			continue;
		const struct trace *trace = trace_table_find(samples->profile->model.traces,
		                                             TRACE_SERIAL_EMPTY + (uint32_t)i);
		if (!cost_table_add(table, trace, samples->counts.counts[i]))
			return false;
	}
	return true;
}

static void write_timeline(struct cpu_samples *samples)
{
	struct sample_times_record record = {
	        .wall_ms = os_wall_ms(),
	        .start_wall_ms = samples->timeline.start_wall_ms,
	};

	record.rows = timeline_rows(&samples->timeline, &record.row_count);
	record.bucket_ms = samples->timeline.bucket_ms;
	writer_sample_times(samples->profile->writer, &record);
}

static void write_rows(struct cpu_samples *samples, double cutoff)
{
	struct profile *profile = samples->profile;
	struct cost_table *table = cost_table_create();

	if (table == NULL || !fill_table(samples, table)) {
		cost_table_destroy(table);
		profile_out_of_memory(profile);
		return;
	}
	struct cpu_samples_record record = {
	        .wall_ms = os_wall_ms(),
	        .total = cost_table_total(table),
	};
	record.rows = cost_table_rank(table, cutoff, &record.row_count);
	writer_cpu_samples(profile->writer, &record);
	write_stackless_note(samples, record.total);
	if (samples->engine_ops->write_notes != NULL)
		samples->engine_ops->write_notes(samples->engine);
	if (samples->has_timeline)
		write_timeline(samples);
	if (samples->states != NULL)
		state_samples_write(samples->states);
	cost_table_destroy(table);
}

static void cpu_samples_write(void *mode)
{
	struct cpu_samples *samples = mode;
	write_rows(samples, samples->profile->settings->cutoff);
}

/* Makes bucket 0 begin at start_ns, a past time of os_monotonic_ns(). */
static void restart_timeline(struct cpu_samples *samples, uint64_t start_ns)
{
	int64_t ago_ms = (int64_t)((os_monotonic_ns() - start_ns) / NS_PER_MS);
	timeline_restart(&samples->timeline, TIMELINE_ROWS, start_ns, os_wall_ms() - ago_ms);
}

static void cpu_samples_reset(void *mode)
{
	struct cpu_samples *samples = mode;

	trace_counts_clear(&samples->counts);
	if (samples->has_timeline)
		restart_timeline(samples, samples->drained_ns);
	if (samples->states != NULL)
		state_samples_reset(samples->states);
	for (int i = 0; i < STACKLESS_REASONS; i++)
		samples->stackless_weights[i] = 0;
}

/* False after printing an error. */
static bool create_states(struct cpu_samples *samples, struct mode_needs *needs)
{
	const struct settings *settings = samples->profile->settings;

	if (!settings->msa || settings->format != FORMAT_TEXT)
		return true;
	samples->states = state_samples_create(samples->profile, needs, &samples->traces,
	                                       samples->sink.depth, samples->sink.virtual_threads);
	if (samples->states == NULL)
		message_print("out of memory");
	return samples->states != NULL;
}

static void *cpu_samples_create(struct profile *profile, struct mode_needs *needs)
{
	struct cpu_samples *samples = calloc(1, sizeof(*samples));
	if (samples == NULL) {
		message_print("out of memory");
		return NULL;
	}
	const struct settings *settings = profile->settings;
	uint32_t depth_max = profile_depth_max(settings);
	samples->profile = profile;
	samples->has_timeline = settings->timeline;
	thread_set_assign_all(&samples->sampled, true);
	if (!sample_traces_init(&samples->traces, profile, depth_max)) {
		message_print("out of memory");
		free_samples(samples, NULL);
		return NULL;
	}
	samples->sink = (struct sample_sink){
	        .owner = samples,
	        .virtual_threads = settings->thread && settings->virtual_threads,
	        .timed = settings->timeline,
	        .depth = sample_traces_stack_depth(settings, depth_max),
	        .current_depth = sample_traces_stack_depth(settings, settings->depth),
	        .add = cpu_samples_add,
	        .add_stackless = cpu_samples_add_stackless,
	};
	restart_timeline(samples, os_monotonic_ns());
	if (!create_states(samples, needs) ||
	    !engine_choice_create(profile, &samples->sink, needs, &samples->engine_ops,
	                          &samples->engine)) {
		free_samples(samples, NULL);
		return NULL;
	}
	mode_needs_part(needs, &samples->engine_ops->hooks, samples->engine);
	if (samples->states != NULL)
		mode_needs_part(needs, &state_samples_hooks, samples->states);
	return samples;
}

static void cpu_samples_live(void *mode, JNIEnv *jni)
{
	struct cpu_samples *samples = mode;
	struct profile *profile = samples->profile;
	(void)jni;

	profile_note(profile,
	             "cpu=samples: a sample per %u ms of a thread's CPU time (by %s; clocks: %s)",
	             profile->settings->interval_ms, samples->engine_ops->describe(samples->engine),
	             os_clock_names());
	profile_control_set(profile, CONTROL_CPU_SAMPLING, true);
	if (samples->has_timeline)
		restart_timeline(samples, os_monotonic_ns());
}

/* Before the engine's poll, in which samples come. */
static void cpu_samples_poll(void *mode, JNIEnv *jni)
{
	struct cpu_samples *samples = mode;
	(void)jni;
	samples->drained_ns = engine_sample_time(&samples->sink);
}

/* Threads that are switched off are still sampled, but their samples do not count. */
static void choose_threads(struct cpu_samples *samples, uint32_t thread_serial, bool on)
{
	if (thread_serial == 0)
		thread_set_assign_all(&samples->sampled, on);
	else if (!thread_set_assign(&samples->sampled, thread_serial, on))
		profile_out_of_memory(samples->profile);
	profile_control_set(samples->profile, CONTROL_CPU_SAMPLING,
	                    thread_set_has_any(&samples->sampled));
}

static void set_depth(struct cpu_samples *samples, uint32_t depth)
{
	samples->traces.depth = depth;
	atomic_store(&samples->sink.current_depth,
	             sample_traces_stack_depth(samples->profile->settings, depth));
}

static bool cpu_samples_command(void *mode, JNIEnv *jni, const struct net_command *command)
{
	struct cpu_samples *samples = mode;
	(void)jni;

	switch (command->kind) {
	case COMMAND_CPU_SAMPLES:
		write_rows(samples, command->cutoff);
		return true;
	case COMMAND_CPU_SAMPLING_ON:
	case COMMAND_CPU_SAMPLING_OFF:
		choose_threads(samples, command->thread_serial,
		               command->kind == COMMAND_CPU_SAMPLING_ON);
		return true;
	case COMMAND_CPU_CLEAR:
		cpu_samples_reset(samples);
		return true;
	case COMMAND_MAX_DEPTH:
		set_depth(samples, command->depth);
		return true;
	default:
		return false;
	}
}

static void cpu_samples_destroy(void *mode, JNIEnv *jni)
{
	struct cpu_samples *samples = mode;
	samples->engine_ops->destroy(samples->engine, jni);
	free_samples(samples, jni);
}

const struct mode_ops cpu_samples_mode = {
        .title = "CPU usage by sampling running threads",
        .is_selected = cpu_samples_is_selected,
        .create = cpu_samples_create,
        .live = cpu_samples_live,
        .poll = cpu_samples_poll,
        .write = cpu_samples_write,
        .reset = cpu_samples_reset,
        .command = cpu_samples_command,
        .destroy = cpu_samples_destroy,
};
