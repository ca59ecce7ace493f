/*
 * heap_tracking.c: see heap_tracking.h. Allocations are taken in on the threads of the
 * program, without a lock but for sites and stacks that are new; the worker sweeps,
 * under the profile's dump lock. Collections are told on a thread of the VM while the
 * program stands still; nothing is done there but counting.
 */
#include "profile/heap_tracking.h"

#include "profile/allocation_traces.h"
#include "profile/class_registry.h"
#include "profile/mode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of stacks and sites; 96 bytes each with the hash. */
enum { NODES_MAX = 2 * 1000 * 1000 };

/* The second word of nodes whose first is a class's address, below a stack's node. */
enum { CLASS_NODE = 1 };

static bool wanted(const struct settings *settings)
{
	return settings->heap == HEAP_SITES || settings->heap == HEAP_ALL ||
	       (settings->heap == HEAP_DUMP && settings->live && settings->depth > 0);
}

static void free_tracking(struct heap_tracking *tracking)
{
	live_objects_destroy(tracking->live);
	recent_sites_destroy(tracking->recent);
	site_table_destroy(tracking->sites);
	allocation_traces_destroy(tracking->traces);
	memo_table_destroy(tracking->memo);
	free(tracking);
}

static bool has_sampled_allocation(struct profile *profile)
{
	jvmtiCapabilities potential;

	memset(&potential, 0, sizeof(potential));
	return (*profile->jvmti)->GetPotentialCapabilities(profile->jvmti, &potential) ==
	               JVMTI_ERROR_NONE &&
	       potential.can_generate_sampled_object_alloc_events;
}

/* Threads take the interval, and memory to allocate from, before the VM is up: it has
 * to be known from the start. */
static bool ask_for_every(struct heap_tracking *tracking)
{
	jvmtiEnv *jvmti = tracking->profile->jvmti;
	jvmtiCapabilities capabilities;

	memset(&capabilities, 0, sizeof(capabilities));
	capabilities.can_generate_sampled_object_alloc_events = 1;
	return (*jvmti)->AddCapabilities(jvmti, &capabilities) == JVMTI_ERROR_NONE &&
	       (*jvmti)->SetHeapSamplingInterval(jvmti, (jint)tracking->sampled) ==
	               JVMTI_ERROR_NONE;
}

static void *create(struct profile *profile, struct mode_needs *needs)
{
	if (!has_sampled_allocation(profile)) {
		message_print("this JVM does not tell of allocations; leave heap= out");
		return NULL;
	}
	struct heap_tracking *tracking = calloc(1, sizeof(*tracking));
	if (tracking == NULL) {
		message_print("out of memory");
		return NULL;
	}
	tracking->profile = profile;
	tracking->sampled = profile->settings->heap_interval;
	heap_epoch_init(&tracking->epoch);
	atomic_init(&tracking->traced, true);
	tracking->memo = memo_table_create(NODES_MAX);
	if (tracking->memo != NULL) {
		tracking->traces = allocation_traces_create(profile, tracking->memo);
		tracking->sites = site_table_create(tracking->memo);
	}
	if (tracking->sites != NULL)
		tracking->recent = recent_sites_create(tracking->sites);
	if (profile->settings->live)
		tracking->live = live_objects_create(profile);
	if (tracking->traces == NULL || tracking->recent == NULL ||
	    (profile->settings->live && tracking->live == NULL)) {
		message_print("out of memory");
		free_tracking(tracking);
		return NULL;
	}
	if (!ask_for_every(tracking)) {
		message_print("this JVM does not take heapinterval=%u", tracking->sampled);
		free_tracking(tracking);
		return NULL;
	}
	needs->object_allocation = true;
	needs->garbage_collection = true;
	needs->capabilities.can_generate_sampled_object_alloc_events = 1;
	needs->capabilities.can_generate_garbage_collection_events = 1;
	needs->capabilities.can_get_source_file_name = 1;
	needs->capabilities.can_get_line_numbers = 1;
	profile->heap_tracking = tracking;
	return tracking;
}

/* ---- what an object counts --------------------------------------------- */

struct site_counts heap_tracking_weigh(const struct heap_tracking *tracking, uint64_t size)
{
	if (tracking->sampled == 0)
		return (struct site_counts){.bytes = size, .objects = SITE_OBJECT};
	/* The VM takes a sample at points of a Poisson process over the bytes. */
	double weight = 1.0 / -expm1(-(double)size / (double)tracking->sampled);
	return (struct site_counts){
	        .bytes = (uint64_t)((double)size * weight + 0.5),
	        .objects = (uint64_t)((double)SITE_OBJECT * weight + 0.5),
	};
}

static bool follow(struct heap_tracking *tracking, JNIEnv *jni, jobject object, uint32_t site,
                   uint64_t size)
{
	return tracking->live == NULL ||
	       live_objects_add(tracking->live, jni, (uintptr_t)jni, object, site, size);
}

bool heap_tracking_count(struct heap_tracking *tracking, JNIEnv *jni, jobject object,
                         const struct site *site, uint64_t size)
{
	struct site_counts counts = heap_tracking_weigh(tracking, size);

	if (site_add_allocated(tracking->sites, (uintptr_t)jni, site->number, &counts) &&
	    follow(tracking, jni, object, site->number, size))
		return true;
	profile_out_of_memory(tracking->profile);
	return false;
}

/* ---- at which site ------------------------------------------------------ */

/* Where the class's object is, which stands for it until a collection. 0 where that is
 * not known. */
static uintptr_t class_address(const struct heap_tracking *tracking, jclass class)
{
	return tracking->raw ? *(const volatile uintptr_t *)class : 0;
}

static const struct site *ask_site(struct heap_tracking *tracking, JNIEnv *jni, jclass class,
                                   struct stack_walk *walk, uint32_t epoch)
{
	struct profile *profile = tracking->profile;
	const struct trace *trace;
	if (atomic_load_explicit(&tracking->traced, memory_order_relaxed))
		trace = allocation_trace(tracking->traces, jni, walk, epoch);
	else
		trace = trace_by_serial(profile->model.traces, TRACE_SERIAL_EMPTY);
	const struct class_record *record = class_registry_find(profile->classes, class);
	if (trace == NULL || record == NULL)
		return NULL;
	const struct site *site = site_intern(tracking->sites, trace, record);
	if (site == NULL)
		profile_out_of_memory(profile);
	return site;
}

/* Has the site be found by stack and class address for the rest of the epoch. */
static void remember(struct heap_tracking *tracking, const struct stack_walk *walk,
                     uintptr_t address, uint32_t epoch, const struct site *site)
{
	struct memo_node *node = memo_add(tracking->memo, walk->node, address, CLASS_NODE, NULL);
	if (node != NULL && heap_epoch_holds(&tracking->epoch, epoch))
		memo_set_value(tracking->memo, node, epoch, site);
}

/* Takes allocation->frames[0] away where the frames are not certain. */
static const struct site *find_site(struct heap_tracking *tracking, JNIEnv *jni, jclass class,
                                    struct recent_allocation *allocation)
{
	uint32_t epoch = allocation->epoch;
	uintptr_t address = allocation->class_address;
	struct stack_walk walk = {.node = NULL};

	if (atomic_load_explicit(&tracking->traced, memory_order_relaxed))
		allocation_traces_walk(tracking->traces, jni, &walk);
	if (walk.node != NULL && address != 0) {
		struct memo_node *node = memo_find(tracking->memo, walk.node, address, CLASS_NODE);
		const struct site *known = node == NULL ? NULL : memo_value(node, epoch);
		if (known != NULL && heap_epoch_holds(&tracking->epoch, epoch))
			return known;
	}
	const struct site *site = ask_site(tracking, jni, class, &walk, epoch);
	bool certain = site != NULL && walk.node != NULL && address != 0 &&
	               heap_epoch_holds(&tracking->epoch, epoch);
	if (certain)
		remember(tracking, &walk, address, epoch, site);
	else
		allocation->frames[0] = 0;
	return site;
}

/* The object is new since the start, and not to be counted among those before it. The
 * tags of classes are the registry's. */
static void mark_counted(struct heap_tracking *tracking, jobject object)
{
	jvmtiEnv *jvmti = tracking->profile->jvmti;
	jlong tag = 0;

	if ((*jvmti)->GetTag(jvmti, object, &tag) == JVMTI_ERROR_NONE && tag == 0)
		(void)(*jvmti)->SetTag(jvmti, object, HEAP_START_TAG);
}

static void check_trace(struct heap_tracking *tracking, JNIEnv *jni, const struct site *site)
{
	if (tracking->profile->settings->stacks == STACKS_CHECK)
		allocation_trace_check(tracking->traces, jni, site->trace);
}

/* Looks among the thread's recent sites. NULL when it is none of them, with what to keep
 * it by. */
static const struct recent_site *find_recent(struct heap_tracking *tracking, JNIEnv *jni,
                                             struct recent_allocation *allocation)
{
	const struct stack_walker *walker = NULL;

	if (allocation->class_address != 0 &&
	    atomic_load_explicit(&tracking->traced, memory_order_relaxed))
		walker = allocation_traces_by_frames(tracking->traces, &allocation->depth);
	if (walker == NULL) {
		allocation->frames[0] = 0;
		return NULL;
	}
	const struct recent_site *site =
	        recent_sites_find(tracking->recent, walker, jni, allocation);
	return site != NULL && heap_epoch_holds(&tracking->epoch, allocation->epoch) ? site : NULL;
}

static void count_recent(struct heap_tracking *tracking, JNIEnv *jni, jobject object, uint64_t size,
                         const struct recent_site *site)
{
	struct site_counts counts = heap_tracking_weigh(tracking, size);

	check_trace(tracking, jni, site_by_number(tracking->sites, site->number));
	site_tally_add(site->tally, &counts);
	if (!follow(tracking, jni, object, site->number, size))
		profile_out_of_memory(tracking->profile);
}

static void object_allocated(void *mode, JNIEnv *jni, jobject object, jclass class, jlong size)
{
	struct heap_tracking *tracking = mode;

	if (profile_stopped(tracking->profile) ||
	    !atomic_load_explicit(&tracking->counting, memory_order_acquire))
		return;
	if (atomic_load_explicit(&tracking->starting, memory_order_relaxed))
		mark_counted(tracking, object);
	struct recent_allocation allocation = {.epoch = heap_epoch_now(&tracking->epoch)};
	allocation.class_address = class_address(tracking, class);
	const struct recent_site *recent = find_recent(tracking, jni, &allocation);
	if (recent != NULL) {
		count_recent(tracking, jni, object, (uint64_t)size, recent);
		return;
	}
	const struct site *site = find_site(tracking, jni, class, &allocation);
	if (site == NULL)
		return;
	check_trace(tracking, jni, site);
	if (allocation.frames[0] != 0)
		recent_sites_keep(tracking->recent, jni, &allocation, site->number);
	(void)heap_tracking_count(tracking, jni, object, site, (uint64_t)size);
}

static void thread_end(void *mode, JNIEnv *jni, struct java_thread *thread)
{
	struct heap_tracking *tracking = mode;
	(void)thread;
	site_leave_copy(tracking->sites, (uintptr_t)jni);
}

/* ---- collections -------------------------------------------------------- */

static void collection_started(void *mode)
{
	struct heap_tracking *tracking = mode;
	heap_epoch_event(&tracking->epoch);
}

static void collection_finished(void *mode)
{
	struct heap_tracking *tracking = mode;
	heap_epoch_event(&tracking->epoch);
	atomic_store(&tracking->collected, true);
	os_event_signal(&tracking->profile->wake);
}

static void count_collected(void *argument, uint32_t site, uint64_t size)
{
	struct heap_tracking *tracking = argument;
	struct site_counts counts = heap_tracking_weigh(tracking, size);
	site_add_collected(tracking->sites, site, &counts);
}

void heap_tracking_sweep(struct heap_tracking *tracking, JNIEnv *jni)
{
	uint32_t now = heap_epoch_now(&tracking->epoch);
	bool collected = atomic_exchange(&tracking->collected, false);

	if (tracking->live == NULL || (!collected && now == tracking->swept))
		return;
	tracking->swept = now;
	live_objects_sweep(tracking->live, jni, count_collected, tracking);
}

/* ---- life ---------------------------------------------------------------- */

/* Whether the collector moves objects in pauses only, between whose start and end all
 * references are right: the serial, the parallel and the G1 collector. */
static bool stops_to_move(const struct vm_structs *structs)
{
	const void *barrier_set;
	uint64_t fake_rtti;
	uint64_t concrete;
	int32_t g1;
	int32_t card_table;
	int32_t kind;
	const char *set;

	if (!vm_structs_static(structs, "BarrierSet", "_barrier_set", &barrier_set) ||
	    !vm_structs_offset(structs, "BarrierSet", "_fake_rtti", &fake_rtti) ||
	    !vm_structs_offset(structs, "BarrierSet::FakeRtti", "_concrete_tag", &concrete) ||
	    !vm_structs_constant(structs, "BarrierSet::G1BarrierSet", &g1) ||
	    !vm_structs_constant(structs, "BarrierSet::CardTableBarrierSet", &card_table))
		return false;
	memcpy(&set, barrier_set, sizeof(set));
	memcpy(&kind, set + fake_rtti + concrete, sizeof(kind));
	return kind == g1 || kind == card_table;
}

/* Whether a reference leads to its object's address as is assumed: held against a
 * local one. */
static bool reads_right(struct heap_tracking *tracking, JNIEnv *jni)
{
	bool right = false;
	jclass class = (*jni)->FindClass(jni, "java/lang/Object");
	jweak weak = class == NULL ? NULL : (*jni)->NewWeakGlobalRef(jni, class);

	if (weak != NULL) {
		uint32_t epoch = heap_epoch_now(&tracking->epoch);
		uintptr_t address = *(const volatile uintptr_t *)class;
		right = address != 0 && live_object_address((uintptr_t)weak) == address;
		right = right || !heap_epoch_holds(&tracking->epoch, epoch);
		(*jni)->DeleteWeakGlobalRef(jni, weak);
	}
	if (class != NULL)
		(*jni)->DeleteLocalRef(jni, class);
	return right;
}

static void describe(struct heap_tracking *tracking)
{
	char followed[64] = "not followed";

	if (tracking->live != NULL)
		(void)snprintf(followed, sizeof(followed), "followed by weak references%s",
		               tracking->raw ? "" : ", asked about one by one");
	if (tracking->sampled == 0)
		message_print("heap: every allocation, objects %s; %s", followed,
		              allocation_traces_describe(tracking->traces));
	else
		message_print("heap: one allocation in %u bytes, objects %s; %s", tracking->sampled,
		              followed, allocation_traces_describe(tracking->traces));
}

static void live(void *mode, JNIEnv *jni)
{
	struct heap_tracking *tracking = mode;
	struct profile *profile = tracking->profile;
	struct vm_structs structs;

	if (vm_structs_find(&structs, profile))
		tracking->raw = heap_epoch_find(&tracking->epoch, &structs) &&
		                stops_to_move(&structs) && reads_right(tracking, jni);
	if (tracking->live != NULL)
		live_objects_read_raw(tracking->live, tracking->raw);
	allocation_traces_live(tracking->traces, jni);
	if (profile->settings->verbose)
		describe(tracking);
	profile_control_set(profile, CONTROL_ALLOC_TRACES, true);

	atomic_store(&tracking->starting, true);
	atomic_store(&tracking->counting, true);
	/* Memory that threads got for themselves before they were told to report is used up
	 * in silence; a collection takes it from them. Samples can do without. */
	if (tracking->sampled == 0)
		(void)(*profile->jvmti)->ForceGarbageCollection(profile->jvmti);
	heap_start_count(tracking, jni);
	atomic_store(&tracking->starting, false);
}

static void poll(void *mode, JNIEnv *jni)
{
	heap_tracking_sweep(mode, jni);
}

static void stop(void *mode)
{
	struct heap_tracking *tracking = mode;
	jvmtiEnv *jvmti = tracking->profile->jvmti;
	(void)(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE,
	                                         JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
}

static bool carry_out(void *mode, JNIEnv *jni, const struct profile_command *command)
{
	struct heap_tracking *tracking = mode;
	bool traced = command->kind == COMMAND_ALLOC_TRACES_ON;
	(void)jni;

	switch (command->kind) {
	case COMMAND_ALLOC_TRACES_ON:
	case COMMAND_ALLOC_TRACES_OFF:
		atomic_store(&tracking->traced, traced);
		profile_control_set(tracking->profile, CONTROL_ALLOC_TRACES, traced);
		return true;
	case COMMAND_MAX_DEPTH:
		allocation_traces_set_depth(tracking->traces, command->depth);
		return true;
	default:
		return false;
	}
}

static void destroy(void *mode, JNIEnv *jni)
{
	struct heap_tracking *tracking = mode;

	if (tracking->live != NULL)
		live_objects_release(tracking->live, jni);
	free_tracking(tracking);
}

const struct mode_ops heap_tracking_mode = {
        .wanted = wanted,
        .create = create,
        .live = live,
        .object_allocated = object_allocated,
        .thread_end = thread_end,
        .collection_started = collection_started,
        .collection_finished = collection_finished,
        .poll = poll,
        .command = carry_out,
        .stop = stop,
        .destroy = destroy,
};
