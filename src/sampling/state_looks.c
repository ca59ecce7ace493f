/*
 * state_looks.c: see state_looks.h.
 */
#include "sampling/state_looks.h"

#include "os/time_units.h"
#include "profile/jni_frame.h"
#include "sampling/engine.h"
#include "sampling/runner.h"
#include "sampling/ticks.h"
#include "vm/agent_thread.h"

#include <stdlib.h>
#include <utlist.h>

enum {
	/* Looks use at most this share of a CPU. */
	BUDGET_SHARE = 100,
	/* What is saved in quiet times, at most: a few milliseconds of looks at a stretch. */
	BUDGET_NS_MAX = 2 * NS_PER_MS,
	/* A thread that has not run is looked at after 1, 2, 4 ... rounds, up to: */
	IDLE_ROUNDS_MAX = 16,
	/* A thread that was stopped for this share of an interval has its stack looked at. */
	STOPPED_SHARE = 4,
	/* Looks without a stack between two that read how much of the budget is left. */
	CHEAP_LOOKS = 16
};

/* ---- a look at a stack ----------------------------------------------------- */

/* Under the dump lock. */
static const struct trace *trace_of(struct state_looks *looks, JNIEnv *jni,
                                    const struct thread_wait *wait, uint32_t serial)
{
	bool filtered = false;
	const struct trace *trace = NULL;

	if (wait->frame_count > 0)
		trace = sample_traces_find(looks->traces, jni, wait->frames, wait->frame_count,
		                           serial, &filtered);
	if (wait->frame_count == 0 || filtered)
		trace = sample_traces_stackless(
		        looks->traces,
		        stackless_reason_name(filtered ? STACKLESS_FILTERED
		                                       : STACKLESS_NO_JAVA_FRAME),
		        serial);
	return trace;
}

/* The thread waits. Under both locks. */
static void charge_to(struct state_looks *looks, struct looked_thread *thread,
                      const struct look_times *times, const struct trace *trace,
                      enum trace_state state)
{
	if (!looked_thread_flush(thread, looks->counts))
		profile_out_of_memory(looks->profile);
	thread->trace = trace;
	thread->state = state;
	thread->has_run = false;
	looked_thread_charge_wait(thread, times);
	thread->charge.samples++;
}

/* The VM has stopped the thread for long since its last CPU sample: it is, about, at the place
 * where it was stopped. Under both locks. */
static void charge_stop(struct state_looks *looks, struct looked_thread *thread,
                        const struct trace *trace)
{
	struct state_charge charge = {.samples = 1};

	charge.ns[TRACE_STW] = look_account_take(&thread->account.stopped_ns);
	if (!state_counts_add(looks->counts, trace, &charge))
		profile_out_of_memory(looks->profile);
}

/* What a look at a thread and its stack has shown. The lock is not held, nor is the dump lock. */
struct stack_look {
	struct thread_wait wait;
	uint32_t serial; /* of the thread that it is the stack of */
	bool has_stack;
	bool is_steady;            /* the thread has not run meanwhile */
	uint64_t before_ns;        /* its clock before, */
	struct look_clocks clocks; /* and afterwards */
};

static bool take_look(struct state_looks *looks, JNIEnv *jni, const struct looked_thread *thread,
                      bool was_stopped, struct stack_look *look)
{
	struct profile *profile = looks->profile;
	jthread runner = runner_of(profile, looks->virtual_thread_of, thread->object);

	look->serial = runner_serial(profile, jni, thread->object, runner, looks->virtual_threads,
	                             thread->serial);
	if (os_thread_cpu_ns(thread->id, &look->before_ns) != 0)
		return false;
	wait_finder_find(&looks->finder, jni, runner, thread->id, &look->wait);
	look->has_stack =
	        look->wait.waits ||
	        (was_stopped && wait_finder_stack(&looks->finder, jni, runner, &look->wait));
	return true;
}

/* Under the dump lock: before the sampler has it, a section can be written, which reads the clock
 * for itself; the time from an older reading on would then be counted twice. */
static bool end_look(struct state_looks *looks, const struct looked_thread *thread,
                     struct stack_look *look)
{
	if (!looked_clocks_read(thread->id, &look->clocks))
		return false;
	look->is_steady = look->clocks.cpu_ns == look->before_ns;
	atomic_fetch_add_explicit(&looks->stacks, 1, memory_order_relaxed);
	return true;
}

/* Otherwise stack and state may be of different times. */
static bool shows_wait(const struct stack_look *look)
{
	return look->wait.waits && look->is_steady;
}

/* trace: where the thread waits, or was stopped; NULL if that is not known. Under both locks. */
static void charge_look(struct state_looks *looks, struct looked_thread *thread,
                        const struct stack_look *look, const struct trace *trace)
{
	struct look_times times = looked_thread_times(looks->threads, thread, &look->clocks);

	if (trace != NULL && shows_wait(look)) {
		charge_to(looks, thread, &times, trace, look->wait.state);
		return;
	}
	look_account_run(&thread->account, &times);
	if (trace != NULL)
		charge_stop(looks, thread, trace);
}

/* Looks at the stack of the thread that threads->looking is. */
static void look_at_stack(struct state_looks *looks, JNIEnv *jni, bool was_stopped)
{
	enum { REFERENCES = 16 };
	struct profile *profile = looks->profile;
	struct looked_threads *threads = looks->threads;
	struct looked_thread *thread = threads->looking;
	struct stack_look look = {.wait = {.frames = looks->frames}};
	const struct trace *trace = NULL;
	bool good = jni_frame_push(jni, REFERENCES);

	if (good) {
		good = take_look(looks, jni, thread, was_stopped, &look);
		jni_frame_pop(jni);
	}
	os_mutex_lock(&profile->dump_lock);
	good = good && !profile_is_stopped(profile) && end_look(looks, thread, &look);
	if (good && look.has_stack && (shows_wait(&look) || !look.wait.waits))
		trace = trace_of(looks, jni, &look.wait, look.serial);
	os_mutex_lock(&threads->lock);
	if (good && !thread->ended)
		charge_look(looks, thread, &look, trace);
	threads->looking = NULL;
	os_mutex_unlock(&threads->lock);
	os_mutex_unlock(&profile->dump_lock);
}

/* ---- a look at a clock ----------------------------------------------------- */

/* A look at a thread that goes on waiting. Under the lock. */
static void look_at_idle(const struct state_looks *looks, struct looked_thread *thread,
                         const struct look_clocks *clocks)
{
	struct look_times times = looked_thread_times(looks->threads, thread, clocks);

	looked_thread_charge_wait(thread, &times);
	thread->charge.samples++;
	if (thread->idle_rounds < IDLE_ROUNDS_MAX)
		thread->idle_rounds *= 2;
}

/* Whether the VM has stopped the thread for long since its stack was last seen. Under the lock. */
static bool was_stopped_long(const struct state_looks *looks, const struct looked_thread *thread)
{
	return thread->account.stopped_ns >= (int64_t)(looks->interval_ns / STOPPED_SHARE);
}

/* Looks at the clock of a thread. True if its stack is to be looked at, too: it has run, and is not
 * running now, or has been stopped for long. Under the lock. */
static bool look_at_clock(const struct state_looks *looks, struct looked_thread *thread)
{
	struct look_clocks clocks;

	if (thread->ended || ++thread->skipped < thread->idle_rounds ||
	    !looked_clocks_read(thread->id, &clocks))
		return false;
	thread->skipped = 0;
	if (looked_thread_still_waits(thread, clocks.cpu_ns)) {
		look_at_idle(looks, thread, &clocks);
		return false;
	}
	thread->idle_rounds = 1;
	if (was_stopped_long(looks, thread) || os_thread_running(thread->id) != OS_YES)
		return true;
	struct look_times times = looked_thread_times(looks->threads, thread, &clocks);
	look_account_run(&thread->account, &times);
	return false;
}

/* Looks at the thread that was not looked at for longest. Returns whether that took its stack. */
static bool look_at_next(struct state_looks *looks, JNIEnv *jni)
{
	bool was_stopped = false;

	os_mutex_lock(&looks->threads->lock);
	struct looked_thread *thread = looks->threads->list;
	if (thread != NULL) {
		DL_DELETE(looks->threads->list, thread);
		DL_APPEND(looks->threads->list, thread);
		was_stopped = was_stopped_long(looks, thread);
		if (look_at_clock(looks, thread))
			looks->threads->looking = thread;
	}
	bool has_stack = looks->threads->looking != NULL;
	os_mutex_unlock(&looks->threads->lock);
	if (has_stack)
		look_at_stack(looks, jni, was_stopped);
	return has_stack;
}

static size_t count_threads(struct state_looks *looks)
{
	os_mutex_lock(&looks->threads->lock);
	size_t count = looks->threads->count;
	os_mutex_unlock(&looks->threads->lock);
	return count;
}

/* Looks at all threads, as far as the budget of CPU time goes. */
static void look_round(struct state_looks *looks, JNIEnv *jni, int64_t budget_ns)
{
	uint64_t begun_ns = os_self_cpu_ns();
	int64_t left_ns = budget_ns;
	size_t count = count_threads(looks);
	unsigned cheap = 0;

	for (size_t i = 0; i < count && left_ns > 0 && !atomic_load(&looks->stopped); i++) {
		if (look_at_next(looks, jni) || ++cheap % CHEAP_LOOKS == 0)
			left_ns = budget_ns - (int64_t)(os_self_cpu_ns() - begun_ns);
	}
}

static void JNICALL run(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct state_looks *looks = argument;
	uint64_t wall_ns = os_monotonic_ns();
	uint64_t cpu_ns = os_self_cpu_ns();
	int64_t budget_ns = 0;
	struct ticks ticks;
	(void)jvmti;

	ticks_start(&ticks, looks->interval_ns, &looks->stopped);
	/* To wake up costs CPU time, too: not before there is a budget again. */
	while (ticks_wait(&ticks,
	                  budget_ns < 0 ? wall_ns + (uint64_t)-budget_ns * BUDGET_SHARE : 0)) {
		uint64_t now_ns = os_monotonic_ns();
		budget_ns += (int64_t)((now_ns - wall_ns) / BUDGET_SHARE);
		wall_ns = now_ns;
		if (budget_ns > BUDGET_NS_MAX)
			budget_ns = BUDGET_NS_MAX;
		look_round(looks, jni, budget_ns);
		uint64_t used_ns = os_self_cpu_ns();
		budget_ns -= (int64_t)(used_ns - cpu_ns);
		cpu_ns = used_ns;
	}
}

/* ---- life ------------------------------------------------------------------ */

bool state_looks_init(struct state_looks *looks, uint32_t stack_depth)
{
	looks->frames = calloc(stack_depth, sizeof(*looks->frames));
	return wait_finder_init(&looks->finder, looks->profile, stack_depth) &&
	       looks->frames != NULL;
}

void state_looks_free(struct state_looks *looks)
{
	wait_finder_free(&looks->finder);
	free(looks->frames);
	looks->frames = NULL;
}

void state_looks_live(struct state_looks *looks, JNIEnv *jni)
{
	wait_finder_live(&looks->finder, jni);
	(void)agent_thread_start(looks->profile, jni, "hprof state sampler", run, looks);
}
