/*
 * alloc_mode.c: the hooks of the mode that records allocations (alloc.h). Allocations
 * are recorded on the threads of the program, without a lock except for new sites and
 * stacks; the worker sweeps, under the profile's dump lock. Collections are reported on a
 * thread of the VM in a pause, and only counted there.
 */
#include "alloc/alloc_mode.h"
#include "alloc/alloc_record.h"
#include "alloc/alloc_traces.h"
#include "alloc/initial_histogram.h"
#include "alloc/initial_objects.h"
#include "alloc/marked_objects.h"
#include "alloc/object_shapes.h"
#include "alloc/object_traces.h"
#include "alloc/site_counting.h"
#include "alloc/source_bytecode.h"
#include "hotspot/vm_flags.h"
#include "hotspot/vm_memory.h"
#include "vm/jvm_version.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>
#include <string.h>

/* Nodes of stacks, which are looked up anew when it is full; 96 bytes each with the hash. */
enum { NODES_MAX = 2 * 1000 * 1000 };

static bool alloc_is_selected(const struct settings *settings)
{
	return settings_count_sites(settings) ||
	       (settings->heap == HEAP_DUMP && settings->live && settings->depth > 0);
}

static void destroy_marks(struct alloc *alloc)
{
	if (alloc->marks == NULL)
		return;
	birth_marks_destroy(alloc->marks);
	alloc->marks = NULL;
	os_mutex_destroy(&alloc->marks_lock);
}

static void free_alloc(struct alloc *alloc)
{
	destroy_marks(alloc);
	free(alloc->figures.sites);
	live_objects_destroy(alloc->live);
	site_cache_destroy(alloc->site_cache);
	site_table_destroy(alloc->sites);
	alloc_traces_destroy(alloc->traces);
	object_shapes_destroy(alloc->shapes);
	memo_table_destroy(alloc->memo);
	free(alloc);
}

static bool has_sampled_allocation(struct profile *profile)
{
	jvmtiCapabilities potential;

	memset(&potential, 0, sizeof(potential));
	return (*profile->jvmti)->GetPotentialCapabilities(profile->jvmti, &potential) ==
	               JVMTI_ERROR_NONE &&
	       potential.can_generate_sampled_object_alloc_events;
}

/* Threads take the interval, and memory to allocate from, before the VM is initialized: it has
 * to be set at the start. */
static bool set_interval(struct alloc *alloc)
{
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	jvmtiCapabilities capabilities;

	memset(&capabilities, 0, sizeof(capabilities));
	capabilities.can_generate_sampled_object_alloc_events = 1;
	return (*jvmti)->AddCapabilities(jvmti, &capabilities) == JVMTI_ERROR_NONE &&
	       (*jvmti)->SetHeapSamplingInterval(jvmti, (jint)alloc->sampled) == JVMTI_ERROR_NONE;
}

static bool is_jdk_11(jvmtiEnv *jvmti)
{
	return jvm_version(jvmti) == 11;
}

/* JDK 11 posts no event for what a thread allocates in the rest of its buffer after an object
 * has not fitted into that and was allocated elsewhere. With this option such a rest is given up
 * at once. Threads take it with their first buffer, or with the next collection. Samples, which
 * need no such precision, would be up to 15% too many with it. */
static void report_rests_of_buffers(jvmtiEnv *jvmti, uint32_t sampled)
{
	if (sampled == 0 && is_jdk_11(jvmti) && !vm_set_option(jvmti, "TLABRefillWasteFraction", 1))
		message_print("this JVM does not report every allocation; add "
		              "-XX:TLABRefillWasteFraction=1 to its options");
}

/* Marks are enough where live objects are only counted. A dump by the VM has addresses, which
 * tracked objects have too; a peer may ask for one. */
static bool uses_marks(const struct settings *settings)
{
	return settings->live && settings->heap == HEAP_SITES && settings->net_host[0] == '\0';
}

/* Only the count of every allocation is needed, or a mark for each object. With stacks=vm the event
 * is used, for tests. JDK 11 passes the classes of lambdas to no agent, so that they can't report.
 * A VM that archives its classes would crash if they were rewritten. */
static bool uses_bytecode(const struct profile *profile)
{
	const struct settings *settings = profile->settings;
	return (!settings->live || uses_marks(settings)) && settings->heap_interval == 0 &&
	       settings->stacks != STACKS_VM && !is_jdk_11(profile->jvmti) &&
	       vm_archive_option(profile->jvmti) == NULL;
}

static bool create_marks(struct alloc *alloc)
{
	if (os_mutex_init(&alloc->marks_lock) != 0)
		return false;
	alloc->marks = birth_marks_create();
	if (alloc->marks == NULL)
		os_mutex_destroy(&alloc->marks_lock);
	alloc->instrumenter.marks_objects = alloc->marks != NULL;
	return alloc->marks != NULL;
}

static void need_bytecode(struct mode_needs *needs)
{
	mode_needs_rewriting(needs);
	needs->vm_object_allocation = true;
	needs->capabilities.can_generate_vm_object_alloc_events = 1;
}

static void *alloc_create(struct profile *profile, struct mode_needs *needs)
{
	if (!has_sampled_allocation(profile)) {
		message_print(
		        "heap= is unavailable: this JVM has no allocation events; remove heap=");
		return NULL;
	}
	if (profile->settings->live && vm_has_experimental_z(profile->jvmti)) {
		message_print("the experimental Z collector of this JVM does not survive the "
		              "tracking of objects; add live=n, or remove -XX:+UseZGC");
		return NULL;
	}
	struct alloc *alloc = calloc(1, sizeof(*alloc));
	if (alloc == NULL) {
		message_print("out of memory");
		return NULL;
	}
	alloc->profile = profile;
	alloc->sampled = profile->settings->heap_interval;
	gc_epoch_init(&alloc->epoch);
	atomic_init(&alloc->traced, true);
	alloc->memo = memo_table_create(NODES_MAX);
	if (alloc->memo != NULL)
		alloc->traces = alloc_traces_create(profile, alloc->memo);
	alloc->sites = site_table_create();
	if (alloc->sites != NULL)
		alloc->site_cache = site_cache_create(alloc->sites);
	if (profile->settings->live)
		alloc->live = live_objects_create(profile);
	if (alloc->traces == NULL || alloc->site_cache == NULL ||
	    (profile->settings->live && alloc->live == NULL)) {
		message_print("out of memory");
		free_alloc(alloc);
		return NULL;
	}
	if (!set_interval(alloc)) {
		message_print(
		        "heapinterval=%u is unavailable: this JVM refuses it; remove heapinterval=",
		        alloc->sampled);
		free_alloc(alloc);
		return NULL;
	}
	report_rests_of_buffers(profile->jvmti, alloc->sampled);
	alloc->by_bytecode = uses_bytecode(profile);
	alloc->instrumenter.rewriting.verbose = profile->settings->verbose;
	if (alloc->by_bytecode && alloc->live != NULL && !create_marks(alloc)) {
		message_print("out of memory");
		free_alloc(alloc);
		return NULL;
	}
	if (alloc->by_bytecode)
		need_bytecode(needs);
	else
		needs->object_allocation = true;
	needs->garbage_collection = true;
	needs->capabilities.can_generate_sampled_object_alloc_events = 1;
	needs->capabilities.can_generate_garbage_collection_events = 1;
	needs->capabilities.can_get_source_file_name = 1;
	needs->capabilities.can_get_line_numbers = 1;
	if (profile->settings->thread && profile->settings->virtual_threads) {
		needs->virtual_thread_end = true;
		virtual_threads_add_capability(&needs->capabilities);
	}
	profile->alloc = alloc;
	return alloc;
}

/* ---- allocations ---------------------------------------------------------- */

/* Marks an object that is new, so that it is not counted among the initial objects. The
 * tags of classes belong to the registry. */
static void mark_counted(struct alloc *alloc, jobject object)
{
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	jlong tag = 0;

	if ((*jvmti)->GetTag(jvmti, object, &tag) == JVMTI_ERROR_NONE && tag == 0)
		(void)(*jvmti)->SetTag(jvmti, object, INITIAL_OBJECTS_TAG);
}

static void alloc_object_allocated(void *mode, JNIEnv *jni, jobject object, jclass class,
                                   jlong size)
{
	struct alloc *alloc = mode;

	if (!site_counting_is_on(alloc))
		return;
	if (atomic_load_explicit(&alloc->starting, memory_order_relaxed))
		mark_counted(alloc, object);
	alloc_record(alloc,
	             &(struct allocation){
	                     .jni = jni, .object = object, .class = class, .size = (uint64_t)size});
}

static void alloc_vm_object_allocated(void *mode, JNIEnv *jni, jobject object, jclass class,
                                      jlong size)
{
	struct alloc *alloc = mode;
	if (alloc->by_bytecode)
		source_bytecode_record_vm_object(alloc, jni, object, class, (uint64_t)size);
}

/* Also called while another mode begins; classes are passed again when all have begun. */
static bool alloc_rewrite_class(void *mode, const uint8_t *bytes, size_t length,
                                uint8_t **rewritten, size_t *rewritten_length)
{
	struct alloc *alloc = mode;
	return atomic_load(&alloc->callable) &&
	       alloc_instrumenter_rewrite(&alloc->instrumenter, bytes, length, rewritten,
	                                  rewritten_length);
}

static void alloc_thread_end(void *mode, JNIEnv *jni, struct java_thread *thread)
{
	struct alloc *alloc = mode;
	(void)thread;
	site_table_release_copy(alloc->sites, (uintptr_t)jni);
}

/* ---- collections -------------------------------------------------------- */

static void alloc_collection_started(void *mode)
{
	struct alloc *alloc = mode;
	gc_epoch_event(&alloc->epoch);
}

static void alloc_collection_finished(void *mode)
{
	struct alloc *alloc = mode;
	gc_epoch_event(&alloc->epoch);
	os_event_signal(&alloc->profile->wake);
}

/* ---- life ---------------------------------------------------------------- */

/* Whether the collector moves objects only in pauses, outside of which all references are
 * valid: the serial, the parallel and the G1 collector. */
static bool moves_in_pauses(const struct vm_structs *structs)
{
	const void *set;
	uint64_t fake_rtti;
	uint64_t concrete;
	int32_t g1;
	int32_t card_table;
	int32_t kind;

	if (!vm_structs_pointer(structs, "BarrierSet", "_barrier_set", &set) ||
	    !vm_structs_offset(structs, "BarrierSet", "_fake_rtti", &fake_rtti) ||
	    !vm_structs_offset(structs, "BarrierSet::FakeRtti", "_concrete_tag", &concrete) ||
	    !vm_structs_constant(structs, "BarrierSet::G1BarrierSet", &g1) ||
	    !vm_structs_constant(structs, "BarrierSet::CardTableBarrierSet", &card_table))
		return false;
	return vm_memory_read((const char *)set + fake_rtti + concrete, &kind, sizeof(kind)) &&
	       (kind == g1 || kind == card_table);
}

/* Whether a weak reference holds its object's address in the way that is assumed: checked
 * against a local one. */
static bool reads_addresses(struct alloc *alloc, JNIEnv *jni)
{
	bool right = false;
	jclass class = (*jni)->FindClass(jni, "java/lang/Object");
	jweak weak = class == NULL ? NULL : (*jni)->NewWeakGlobalRef(jni, class);

	if (weak != NULL) {
		uint32_t epoch = gc_epoch_now(&alloc->epoch);
		uintptr_t address = *(const volatile uintptr_t *)class;
		right = address != 0 && live_object_address((uintptr_t)weak) == address;
		right = right || !gc_epoch_holds(&alloc->epoch, epoch);
		(*jni)->DeleteWeakGlobalRef(jni, weak);
	}
	if (class != NULL)
		(*jni)->DeleteLocalRef(jni, class);
	return right;
}

/* Writes how allocations are found, as a NOTE. */
static void describe(const struct alloc *alloc)
{
	char tracked[64] = "not tracked";

	if (alloc->marks != NULL)
		(void)strlcpy(tracked, "marked in their identity hashes", sizeof(tracked));
	else if (alloc->live != NULL)
		(void)snprintf(tracked, sizeof(tracked), "tracked by weak references%s",
		               alloc->reads_addresses ? "" : ", each read through JNI");
	if (alloc->sampled == 0)
		profile_note(alloc->profile,
		             "heap: every allocation (reported by %s, objects %s; %s)",
		             alloc->by_bytecode ? "bytecode" : "the VM", tracked,
		             alloc_traces_describe(alloc->traces));
	else
		profile_note(alloc->profile, "heap: one allocation per %u bytes (objects %s; %s)",
		             alloc->sampled, tracked, alloc_traces_describe(alloc->traces));
}

/* The VM counts this collection where its count is said to be, or else references are not read
 * from memory. */
static void collect(struct alloc *alloc)
{
	uint32_t before = gc_epoch_collections(&alloc->epoch);

	(void)(*alloc->profile->jvmti)->ForceGarbageCollection(alloc->profile->jvmti);
	if (!alloc->reads_addresses || gc_epoch_collections(&alloc->epoch) != before)
		return;
	alloc->reads_addresses = false;
	if (alloc->live != NULL)
		live_objects_read_addresses(alloc->live, false);
	profile_note(alloc->profile, "heap: objects are read through JNI (this JVM does not count "
	                             "collections where it was expected)");
}

static void begin_by_event(struct alloc *alloc, JNIEnv *jni)
{
	atomic_store(&alloc->starting, true);
	atomic_store(&alloc->counting, true);
	/* Allocations from buffers that threads got before the event was on are not reported; a
	 * collection takes the buffers away. Samples need no such precision. */
	if (alloc->sampled == 0)
		collect(alloc);
	initial_objects_count(alloc, jni);
	atomic_store(&alloc->starting, false);
}

/* An object of the agent's own. */
static void leave_out(void *argument, JNIEnv *jni, jobject object)
{
	struct alloc *alloc = argument;
	if (alloc->marks != NULL)
		marked_objects_leave_out(alloc, jni, object);
}

/* Sites are found by addresses, so references must be readable. */
static bool begin_by_bytecode(struct alloc *alloc, JNIEnv *jni)
{
	if (alloc->reads_addresses)
		alloc->shapes = object_shapes_create(alloc->profile, jni, leave_out, alloc);
	if (alloc->shapes == NULL || !source_bytecode_begin(alloc, jni))
		return false;
	atomic_store(&alloc->callable, true);
	return true;
}

static void go_back_to_event(struct alloc *alloc)
{
	jvmtiEnv *jvmti = alloc->profile->jvmti;

	alloc->by_bytecode = false;
	destroy_marks(alloc);
	(void)(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_VM_OBJECT_ALLOC,
	                                         NULL);
	(void)(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
	                                         JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
}

static void alloc_live(void *mode, JNIEnv *jni)
{
	struct alloc *alloc = mode;
	struct profile *profile = alloc->profile;
	struct vm_structs structs;

	if (vm_structs_find(&structs, profile->jvmti))
		alloc->reads_addresses = gc_epoch_find(&alloc->epoch, &structs) &&
		                         moves_in_pauses(&structs) && reads_addresses(alloc, jni);
	if (alloc->live != NULL)
		live_objects_read_addresses(alloc->live, alloc->reads_addresses);
	alloc_traces_live(alloc->traces, jni);
	if (alloc->by_bytecode && !begin_by_bytecode(alloc, jni))
		go_back_to_event(alloc);
	describe(alloc);
	profile_control_set(profile, CONTROL_ALLOC_TRACES, true);
	if (!alloc->by_bytecode)
		begin_by_event(alloc, jni);
}

/* All classes report their allocations now. */
static void alloc_begin(void *mode)
{
	struct alloc *alloc = mode;
	JavaVM *vm = alloc->profile->vm;
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	JNIEnv *jni = NULL;

	if (!alloc->by_bytecode || (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK)
		return;
	/* So that what is live at the start is, and what the agent has allocated itself is not. */
	if (alloc->marks != NULL) {
		(void)(*jvmti)->ForceGarbageCollection(jvmti);
		if (!marked_objects_leave_out_hashes(alloc, jni))
			profile_out_of_memory(alloc->profile);
	}
	initial_histogram_count(alloc, jni);
}

static void alloc_poll(void *mode, JNIEnv *jni)
{
	struct alloc *alloc = mode;

	object_traces_sweep(alloc, jni);
	if (alloc->marks != NULL && site_counting_is_on(alloc))
		marked_objects_walk_sometimes(alloc, jni);
}

static void alloc_stop(void *mode)
{
	struct alloc *alloc = mode;
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	(void)(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE,
	                                         JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
}

static bool alloc_command(void *mode, JNIEnv *jni, const struct net_command *command)
{
	struct alloc *alloc = mode;
	bool traced = command->kind == COMMAND_ALLOC_TRACES_ON;
	(void)jni;

	switch (command->kind) {
	case COMMAND_ALLOC_TRACES_ON:
	case COMMAND_ALLOC_TRACES_OFF:
		atomic_store(&alloc->traced, traced);
		profile_control_set(alloc->profile, CONTROL_ALLOC_TRACES, traced);
		return true;
	case COMMAND_MAX_DEPTH:
		alloc_traces_set_depth(alloc->traces, command->depth);
		return true;
	default:
		return false;
	}
}

static void alloc_detach(void *mode, JNIEnv *jni)
{
	struct alloc *alloc = mode;
	(void)jni;
	source_bytecode_end(alloc);
}

static void alloc_destroy(void *mode, JNIEnv *jni)
{
	struct alloc *alloc = mode;

	alloc->profile->alloc = NULL;
	if (alloc->live != NULL)
		live_objects_release(alloc->live, jni);
	free_alloc(alloc);
}

const struct mode_ops alloc_mode = {
        .is_selected = alloc_is_selected,
        .create = alloc_create,
        .live = alloc_live,
        .begin = alloc_begin,
        .object_allocated = alloc_object_allocated,
        .vm_object_allocated = alloc_vm_object_allocated,
        .rewrite_class = alloc_rewrite_class,
        .thread_end = alloc_thread_end,
        .collection_started = alloc_collection_started,
        .collection_finished = alloc_collection_finished,
        .poll = alloc_poll,
        .command = alloc_command,
        .stop = alloc_stop,
        .detach = alloc_detach,
        .destroy = alloc_destroy,
};
