/*
 * cpu_samples.c: the mode cpu=samples: counts samples by trace, whichever engine takes
 * them, and writes the CPU SAMPLES section.
 *
 * Locking: sample counts are covered by the profile's dump lock.
 */
#include "sampling/engine_choice.h"
#include "sampling/sampling_mode.h"

#include "sampling/cost_table.h"
#include "sampling/thread_set.h"
#include "sampling/trace_counts.h"
#include "vm/frame_resolver.h"
#include "vm/java_threads.h"
#include "vm/stackless.h"
#include "vm/stack_traces.h"

#include <stdlib.h>
#include <string.h>

struct cpu_samples {
	struct profile *profile;
	struct sample_sink sink;
	const struct engine_ops *engine_ops;
	void *engine;
	struct trace_counts counts;
	struct stackless stackless;
	uint64_t stackless_weights[STACKLESS_REASONS];
	uint32_t depth;              /* of new traces */
	struct thread_set sampled;   /* threads whose samples count */
	const struct frame **frames; /* buffer for the deepest trace */
	/* The name of jdk.internal.vm.Continuation: its enter methods are the outermost
	 * frames of a virtual thread, followed by those of its carrier. */
	const struct string *continuation;
};

static const char *const reason_names[STACKLESS_REASONS] = {
        [STACKLESS_NO_JAVA_FRAME] = "no Java frame",
        [STACKLESS_IN_GC] = "garbage collection",
        [STACKLESS_NOT_WALKABLE] = "not walkable",
        [STACKLESS_EXITING] = "thread ending",
        [STACKLESS_WALKER_FAULT] = "walker failed",
        [STACKLESS_ENDED] = "thread ended early",
        [STACKLESS_RING_FULL] = "buffer full",
        [STACKLESS_FILTERED] = "left out by include or exclude",
};

#define CONTINUATION "jdk.internal.vm.Continuation"

/* With a filter, the number of innermost frames that it may exclude from a stack. */
enum { FILTERED_FRAMES_MAX = 512 };

static bool is_selected(const struct settings *settings)
{
	return settings->cpu == CPU_SAMPLES;
}

static void free_samples(struct cpu_samples *samples)
{
	trace_counts_free(&samples->counts);
	thread_set_free(&samples->sampled);
	free(samples->frames);
	free(samples);
}

static void count_trace(struct cpu_samples *samples, const struct trace *trace, uint64_t weight)
{
	if (trace != NULL && !trace_counts_add(&samples->counts, trace, weight))
		profile_out_of_memory(samples->profile);
}

static uint32_t thread_in_trace(const struct cpu_samples *samples, uint32_t thread_serial)
{
	return samples->profile->settings->thread ? thread_serial : 0;
}

static void count_stackless(struct cpu_samples *samples, uint32_t thread_serial, const char *reason,
                            uint64_t weight)
{
	count_trace(samples,
	            stackless_trace(&samples->stackless, samples->profile, reason,
	                            thread_in_trace(samples, thread_serial)),
	            weight);
}

/* Whether the frame is one of Continuation.enterSpecial, enter and enter0. */
static bool is_continuation_entry(const struct cpu_samples *samples, const struct frame *frame)
{
	return frame->method->class->name == samples->continuation &&
	       strncmp(frame->method->name->text, "enter", strlen("enter")) == 0;
}

/* Whether the filter allows a trace to start with the frame. */
static bool may_start(const struct cpu_samples *samples, const struct frame *frame)
{
	const struct filter *filter = &samples->profile->settings->filter;
	return !filter_is_set(filter) ||
	       filter_accepts(filter, frame->method->class->name->text, frame->method->name->text);
}

static void add_stackless(struct sample_sink *sink, uint32_t thread_serial,
                          enum stackless_reason reason, uint64_t weight)
{
	struct cpu_samples *samples = sink->owner;
	if (!thread_set_has(&samples->sampled, thread_serial))
		return;
	samples->stackless_weights[reason] += weight;
	count_stackless(samples, thread_serial, reason_names[reason], weight);
}

static void add_stack(struct sample_sink *sink, JNIEnv *jni, uint32_t thread_serial,
                      const struct raw_frame *frames, uint32_t frame_count, uint64_t weight)
{
	struct cpu_samples *samples = sink->owner;
	struct profile *profile = samples->profile;
	uint32_t depth = 0;

	if (!thread_set_has(&samples->sampled, thread_serial))
		return;
	for (uint32_t i = 0; i < frame_count && depth < samples->depth; i++) {
		const struct frame *frame = frame_resolver_find(
		        profile->resolver, jni, (jmethodID)frames[i].method, frames[i].bci);
		if (frame == NULL)
			return;
		if (i > 0 && is_continuation_entry(samples, frame))
			break;
		if (depth > 0 || may_start(samples, frame))
			samples->frames[depth++] = frame;
	}
	if (depth > 0)
		count_trace(samples,
		            trace_publish(samples->profile, samples->frames, depth,
		                          thread_in_trace(samples, thread_serial)),
		            weight);
	else if (samples->depth > 0)
		add_stackless(sink, thread_serial, STACKLESS_FILTERED, weight);
	else
		count_stackless(samples, thread_serial, STACKLESS_DEPTH_0, weight);
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
			               reason_names[i],
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
	cost_table_destroy(table);
}

static void write_section(void *mode)
{
	struct cpu_samples *samples = mode;
	write_rows(samples, samples->profile->settings->cutoff);
}

static void reset(void *mode)
{
	struct cpu_samples *samples = mode;

	trace_counts_clear(&samples->counts);
	for (int i = 0; i < STACKLESS_REASONS; i++)
		samples->stackless_weights[i] = 0;
}

/* The number of frames that the engine takes for traces of this depth. At least one, so
 * that with depth=0 stackless samples can be distinguished from others. */
static uint32_t engine_depth(const struct settings *settings, uint32_t trace_depth)
{
	uint32_t depth = trace_depth > 0 ? trace_depth : 1;
	return filter_is_set(&settings->filter) ? depth + FILTERED_FRAMES_MAX : depth;
}

static void *create(struct profile *profile, struct mode_needs *needs)
{
	struct cpu_samples *samples = calloc(1, sizeof(*samples));
	if (samples == NULL) {
		message_print("out of memory");
		return NULL;
	}
	uint32_t depth_max = profile_depth_max(profile->settings);
	samples->profile = profile;
	samples->depth = profile->settings->depth;
	thread_set_assign_all(&samples->sampled, true);
	samples->frames = calloc((size_t)depth_max + 1, sizeof(*samples->frames));
	samples->continuation = string_table_intern_jvm(profile->model.strings, CONTINUATION);
	if (samples->frames == NULL || samples->continuation == NULL) {
		message_print("out of memory");
		free_samples(samples);
		return NULL;
	}
	samples->sink = (struct sample_sink){
	        .owner = samples,
	        .depth = engine_depth(profile->settings, depth_max),
	        .current_depth = engine_depth(profile->settings, samples->depth),
	        .add = add_stack,
	        .add_stackless = add_stackless,
	};
	if (!engine_choice_create(profile, &samples->sink, needs, &samples->engine_ops,
	                          &samples->engine)) {
		free_samples(samples);
		return NULL;
	}
	return samples;
}

static void live(void *mode, JNIEnv *jni)
{
	struct cpu_samples *samples = mode;
	struct profile *profile = samples->profile;

	profile_note(profile,
	             "cpu=samples: a sample per %u ms of a thread's CPU time (by %s; clocks: %s)",
	             profile->settings->interval_ms, samples->engine_ops->describe(samples->engine),
	             os_clock_names());
	profile_control_set(profile, CONTROL_CPU_SAMPLING, true);
	if (samples->engine_ops->live != NULL)
		samples->engine_ops->live(samples->engine, jni);
}

static void thread_start(void *mode, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	struct cpu_samples *samples = mode;
	samples->engine_ops->thread_start(samples->engine, jni, object, thread);
}

static void existing_thread(void *mode, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	struct cpu_samples *samples = mode;
	samples->engine_ops->existing_thread(samples->engine, jni, object, thread);
}

static void thread_end(void *mode, JNIEnv *jni, struct java_thread *thread)
{
	struct cpu_samples *samples = mode;
	samples->engine_ops->thread_end(samples->engine, jni, thread);
}

static void class_prepare(void *mode, JNIEnv *jni, jclass class)
{
	struct cpu_samples *samples = mode;
	if (samples->engine_ops->class_prepare != NULL)
		samples->engine_ops->class_prepare(samples->engine, jni, class);
}

static void poll(void *mode, JNIEnv *jni)
{
	struct cpu_samples *samples = mode;
	if (samples->engine_ops->poll != NULL)
		samples->engine_ops->poll(samples->engine, jni);
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
	samples->depth = depth;
	atomic_store(&samples->sink.current_depth, engine_depth(samples->profile->settings, depth));
}

static bool carry_out(void *mode, JNIEnv *jni, const struct net_command *command)
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
		reset(samples);
		return true;
	case COMMAND_MAX_DEPTH:
		set_depth(samples, command->depth);
		return true;
	default:
		return false;
	}
}

static void stop(void *mode)
{
	struct cpu_samples *samples = mode;
	if (samples->engine_ops->stop != NULL)
		samples->engine_ops->stop(samples->engine);
}

static void destroy(void *mode, JNIEnv *jni)
{
	struct cpu_samples *samples = mode;
	samples->engine_ops->destroy(samples->engine, jni);
	free_samples(samples);
}

const struct mode_ops cpu_samples_mode = {
        .title = "CPU usage by sampling running threads",
        .is_selected = is_selected,
        .create = create,
        .live = live,
        .thread_start = thread_start,
        .thread_end = thread_end,
        .existing_thread = existing_thread,
        .class_prepare = class_prepare,
        .poll = poll,
        .write = write_section,
        .reset = reset,
        .command = carry_out,
        .stop = stop,
        .destroy = destroy,
};
