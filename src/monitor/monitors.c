/*
 * monitors.c: the mode of monitor=y. It writes how long threads wait to enter monitors
 * (MONITOR TIME), each wait for a notification (WAIT, WAITED) and, at a dump, which
 * threads own and wait for which monitors (MONITOR DUMP, monitor_dump.c).
 *
 * Events arrive on the thread that waits. It takes a lock of the agent only for a new
 * site or thread, and the writer's lock for WAIT and WAITED. The stack is walked before
 * the wait: after it, the thread owns the monitor and would delay the threads that wait
 * for it. Sections are written under the profile's dump lock.
 */
#include "monitor/monitor_mode.h"

#include "monitor/monitor_dump.h"
#include "monitor/monitor_sites.h"
#include "monitor/monitor_threads.h"
#include "monitor/monitor_times.h"
#include "os/time_units.h"
#include "output/trace_cost_list.h"
#include "vm/class_registry.h"
#include "vm/frame_resolver.h"
#include "vm/java_thread_serials.h"
#include "vm/java_threads.h"
#include "vm/own_stack.h"
#include "vm/stack_traces.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>
#include <string.h>

struct monitors {
	struct profile *profile;
	struct monitor_sites *sites;
	struct monitor_threads *threads;
	struct monitor_dump *dump;
	const struct frame **frames;    /* scratch for one trace, depth long; under the dump lock */
	_Atomic bool live;              /* threads have their serials */
	_Atomic bool has_unnamed_sites; /* some sites have no trace */
};

static bool monitors_is_selected(const struct settings *settings)
{
	return settings->monitor;
}

static bool is_on(struct monitors *monitors)
{
	return atomic_load_explicit(&monitors->live, memory_order_acquire) &&
	       !profile_is_stopped(monitors->profile);
}

/* ---- waits to enter ------------------------------------------------------ */

static const struct class_record *class_of(struct monitors *monitors, JNIEnv *jni, jobject object)
{
	jclass class = (*jni)->GetObjectClass(jni, object);
	const struct class_record *record = class_registry_find(monitors->profile->classes, class);
	(*jni)->DeleteLocalRef(jni, class);
	return record;
}

/* Resolves the methods of a new site while their classes are on the stack: a class may be
 * unloaded before the agent thread names the site. */
static void resolve_methods(struct monitors *monitors, JNIEnv *jni,
                            const struct monitor_site_key *key)
{
	struct profile *profile = monitors->profile;

	for (uint32_t i = 0; i < key->depth; i++) {
		jmethodID method = key->frames[i].method;
		frame_resolver_learn(profile->resolver, jni, &method, 1);
	}
}

static struct monitor_site *find_site(struct monitors *monitors, JNIEnv *jni,
                                      const struct monitor_site_key *key)
{
	bool created;
	struct monitor_site *site = monitor_sites_find(monitors->sites, key, &created);

	if (site == NULL) {
		profile_out_of_memory(monitors->profile);
		return NULL;
	}
	if (created) {
		resolve_methods(monitors, jni, key);
		atomic_store(&monitors->has_unnamed_sites, true);
	}
	return site;
}

/* The site of the calling thread's stack. NULL when out of memory, which fails the profile. */
static struct monitor_site *current_site(struct monitors *monitors, JNIEnv *jni, uint32_t serial,
                                         jobject monitor)
{
	struct profile *profile = monitors->profile;
	struct own_stack stack;
	struct monitor_site_key key = {
	        .class = class_of(monitors, jni, monitor),
	        .thread_serial = profile->settings->thread ? serial : 0,
	};

	if (key.class == NULL)
		return NULL;
	if (!own_stack_take(&stack, profile->jvmti, profile->settings->depth)) {
		profile_out_of_memory(profile);
		return NULL;
	}
	key.frames = stack.frames;
	key.depth = (uint32_t)stack.count;
	struct monitor_site *site = find_site(monitors, jni, &key);
	own_stack_free(&stack);
	return site;
}

static void monitors_contended_enter(void *mode, JNIEnv *jni, jthread object, jobject monitor)
{
	struct monitors *monitors = mode;
	uint64_t now_ns = os_monotonic_ns();

	if (!is_on(monitors))
		return;
	struct monitor_thread *thread = monitor_threads_register(monitors->threads, jni, object);
	if (thread == NULL)
		return;
	thread->site = current_site(monitors, jni, thread->serial, monitor);
	thread->enter_ns = now_ns;
}

static void monitors_contended_entered(void *mode, JNIEnv *jni, jthread object, jobject monitor)
{
	struct monitors *monitors = mode;
	uint64_t now_ns = os_monotonic_ns();
	struct monitor_thread *thread = monitor_threads_current(monitors->threads);
	(void)jni;
	(void)object;
	(void)monitor;

	if (thread == NULL || thread->site == NULL)
		return;
	monitor_site_add(thread->site,
	                 (uint64_t[MONITOR_SUMS]){[MONITOR_WAIT_NS] = now_ns - thread->enter_ns});
	thread->site = NULL;
}

/* ---- waits for a notification -------------------------------------------- */

static void write_wait(struct monitors *monitors, JNIEnv *jni, const struct monitor_thread *thread,
                       jobject monitor, bool waited, int64_t ms)
{
	struct monitor_wait_record record = {
	        .waited = waited,
	        .class = class_of(monitors, jni, monitor),
	        .ms = ms,
	        .thread_serial = thread->serial,
	};
	if (record.class != NULL)
		writer_monitor_wait(monitors->profile->writer, &record);
}

static void monitors_wait(void *mode, JNIEnv *jni, jthread object, jobject monitor,
                          int64_t timeout_ms)
{
	struct monitors *monitors = mode;

	if (!is_on(monitors))
		return;
	struct monitor_thread *thread = monitor_threads_register(monitors->threads, jni, object);
	if (thread == NULL)
		return;
	write_wait(monitors, jni, thread, monitor, false, timeout_ms);
	monitor_thread_set_waits_for(thread, jni, monitor);
	thread->wait_ns = os_monotonic_ns();
}

static void monitors_waited(void *mode, JNIEnv *jni, jthread object, jobject monitor)
{
	struct monitors *monitors = mode;
	uint64_t now_ns = os_monotonic_ns();
	struct monitor_thread *thread = monitor_threads_current(monitors->threads);
	(void)object;

	/* 0: the wait began before the agent received events. */
	if (thread == NULL || thread->wait_ns == 0)
		return;
	uint64_t waited_ns = now_ns - thread->wait_ns;
	thread->wait_ns = 0;
	monitor_thread_set_waits_for(thread, jni, NULL);
	if (is_on(monitors))
		write_wait(monitors, jni, thread, monitor, true, (int64_t)(waited_ns / NS_PER_MS));
}

static void monitors_thread_end(void *mode, JNIEnv *jni, struct java_thread *thread)
{
	struct monitors *monitors = mode;
	monitor_threads_end(monitors->threads, jni, thread);
}

/* ---- output -------------------------------------------------------------- */

struct naming {
	struct monitors *monitors;
	JNIEnv *jni;
};

/* Interns the trace of a site that has none. False when out of memory. */
static bool name_site(void *argument, struct monitor_site *site)
{
	struct naming *naming = argument;
	struct monitors *monitors = naming->monitors;
	struct profile *profile = monitors->profile;
	const struct monitor_site_key *key = &site->key;

	if (site->trace != NULL)
		return true;
	for (uint32_t i = 0; i < key->depth; i++) {
		monitors->frames[i] =
		        frame_resolver_find(profile->resolver, naming->jni, key->frames[i].method,
		                            key->frames[i].location);
		if (monitors->frames[i] == NULL)
			return false;
	}
	site->trace = trace_publish(profile, monitors->frames, key->depth, key->thread_serial);
	return site->trace != NULL;
}

static void monitors_poll(void *mode, JNIEnv *jni)
{
	struct monitors *monitors = mode;
	struct naming naming = {.monitors = monitors, .jni = jni};

	java_threads_sweep(monitors->profile->threads, jni);
	if (atomic_exchange(&monitors->has_unnamed_sites, false))
		(void)monitor_sites_visit(monitors->sites, name_site, &naming);
}

static bool monitors_dump(void *mode, JNIEnv *jni)
{
	struct monitors *monitors = mode;
	monitor_dump_write(monitors->dump, jni);
	return true;
}

/* False without memory. */
static bool write_costs(struct monitors *monitors, const struct monitor_times *times)
{
	struct trace_cost_list list = {.section = COST_SECTION_MONITOR};
	bool added = true;

	for (size_t i = 0; i < times->all_count && added; i++)
		added = trace_cost_list_add(&list, times->rows[i].trace,
		                            times->rows[i].sums[MONITOR_WAIT_NS],
		                            times->rows[i].sums[MONITOR_COUNT]);
	if (added)
		trace_cost_list_write(&list, monitors->profile->writer);
	trace_cost_list_free(&list);
	return added;
}

static void monitors_write(void *mode)
{
	struct monitors *monitors = mode;
	struct profile *profile = monitors->profile;
	struct monitor_times times;

	if (!monitor_times_collect(monitors->sites, profile->settings->cutoff, &times)) {
		profile_out_of_memory(profile);
		return;
	}
	struct monitor_times_record record = {
	        .wall_ms = os_wall_ms(),
	        .total_ns = times.total_ns,
	        .row_count = times.row_count,
	        .rows = times.rows,
	};
	writer_monitor_times(profile->writer, &record);
	if (profile->settings->costs && !write_costs(monitors, &times))
		profile_out_of_memory(profile);
	monitor_times_free(&times);
}

static void monitors_reset(void *mode)
{
	struct monitors *monitors = mode;
	monitor_times_reset(monitors->sites);
}

/* ---- life ---------------------------------------------------------------- */

static void free_monitors(struct monitors *monitors)
{
	monitor_dump_destroy(monitors->dump);
	monitor_threads_destroy(monitors->threads);
	monitor_sites_destroy(monitors->sites);
	free(monitors->frames);
	free(monitors);
}

static void add_needs(struct mode_needs *needs)
{
	needs->monitor_contention = true;
	needs->monitor_waits = true;
	needs->virtual_thread_end = true;
	needs->capabilities.can_generate_monitor_events = 1;
	needs->capabilities.can_get_source_file_name = 1;
	needs->capabilities.can_get_line_numbers = 1;
	needs->capabilities.can_get_monitor_info = 1;
	needs->capabilities.can_get_owned_monitor_info = 1;
	needs->capabilities.can_get_current_contended_monitor = 1;
	virtual_threads_add_capability(&needs->capabilities);
}

static void *monitors_create(struct profile *profile, struct mode_needs *needs)
{
	struct monitors *monitors = calloc(1, sizeof(*monitors));

	if (monitors == NULL) {
		message_print("out of memory");
		return NULL;
	}
	monitors->profile = profile;
	monitors->frames = calloc((size_t)profile->settings->depth + 1, sizeof(*monitors->frames));
	monitors->sites = monitor_sites_create();
	monitors->threads = monitor_threads_create(profile);
	if (monitors->threads != NULL)
		monitors->dump = monitor_dump_create(profile, monitors->threads);
	if (monitors->frames == NULL || monitors->sites == NULL || monitors->dump == NULL) {
		message_print("out of memory");
		free_monitors(monitors);
		return NULL;
	}
	add_needs(needs);
	return monitors;
}

static void monitors_live(void *mode, JNIEnv *jni)
{
	struct monitors *monitors = mode;
	struct profile *profile = monitors->profile;
	jvmtiCapabilities capabilities;
	(void)jni;

	memset(&capabilities, 0, sizeof(capabilities));
	(void)(*profile->jvmti)->GetCapabilities(profile->jvmti, &capabilities);
	if (!capabilities.can_generate_monitor_events)
		message_print("MONITOR TIME stays empty: this JVM has no monitor events");
	else
		profile_note(profile, "monitor=y: by the VM's events (clocks: %s)",
		             os_clock_names());
	atomic_store(&monitors->live, true);
}

static void monitors_destroy(void *mode, JNIEnv *jni)
{
	struct monitors *monitors = mode;

	monitor_threads_release(monitors->threads, jni);
	free_monitors(monitors);
}

const struct mode_ops monitors_mode = {
        .title = "contended monitor usage",
        .is_selected = monitors_is_selected,
        .create = monitors_create,
        .live = monitors_live,
        .thread_end = monitors_thread_end,
        .virtual_thread_end = monitors_thread_end,
        .monitor_contended_enter = monitors_contended_enter,
        .monitor_contended_entered = monitors_contended_entered,
        .monitor_wait = monitors_wait,
        .monitor_waited = monitors_waited,
        .poll = monitors_poll,
        .dump = monitors_dump,
        .write = monitors_write,
        .reset = monitors_reset,
        .destroy = monitors_destroy,
};
