/*
 * alloc_record.c: see alloc_record.h. A site is found among the thread's recent
 * ones, or by the node of its stack and its class, or else the VM is asked; what is found
 * by addresses of the VM's holds for an epoch of the heap.
 */
#include "alloc/alloc_record.h"

#include "alloc/alloc_traces.h"
#include "alloc/loader_classes.h"
#include "alloc/object_shapes.h"
#include "alloc/site_counting.h"
#include "vm/class_registry.h"

#include <string.h>

/* The second word of nodes whose first is a class's address, below a stack's node. */
enum { CLASS_NODE = 1 };

/* Frames on top of the stack that are the agent's. */
enum { TOLD_BY_EVENT = 0, /* or by JNI */ TOLD_BY_BYTECODE = 1 };

/* An allocation on its way to its site. */
struct told {
	struct heap_tracking *tracking;
	JNIEnv *jni;
	struct stack_walk walk;
	bool traced;  /* else it is at the empty trace */
	jclass class; /* NULL: known by its name */
	jstring name;
	const struct class_record *record; /* NULL until somebody asks */
	struct recent_allocation key;
};

/* Where the object behind a reference is: of a class, or of the name of one, it stands for
 * that until a collection. 0 where that is not known. */
static uintptr_t address_of(const struct heap_tracking *tracking, jobject reference)
{
	return tracking->raw ? *(const volatile uintptr_t *)reference : 0;
}

static struct told begin(struct heap_tracking *tracking, JNIEnv *jni, uint32_t skip, jobject key)
{
	struct told told = {
	        .tracking = tracking,
	        .jni = jni,
	        .walk = allocation_walk(tracking->traces, skip),
	        .traced = atomic_load_explicit(&tracking->traced, memory_order_relaxed),
	        .key = {.epoch = heap_epoch_now(&tracking->epoch)},
	};
	told.key.class_address = address_of(tracking, key);
	return told;
}

static const struct class_record *record_of(struct told *told)
{
	struct heap_tracking *tracking = told->tracking;

	if (told->record == NULL && told->class != NULL)
		told->record = class_registry_find(tracking->profile->classes, told->class);
	else if (told->record == NULL)
		told->record = loader_class_named(tracking->profile, tracking->memo, told->jni,
		                                  told->name, &told->class);
	return told->record;
}

static const struct site *ask_site(struct told *told)
{
	struct heap_tracking *tracking = told->tracking;
	struct profile *profile = tracking->profile;
	const struct trace *trace;
	if (told->traced)
		trace = allocation_trace(tracking->traces, told->jni, &told->walk, told->key.epoch);
	else
		trace = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);
	const struct class_record *record = record_of(told);
	if (trace == NULL || record == NULL)
		return NULL;
	const struct site *site = site_intern(tracking->sites, trace, record);
	if (site == NULL)
		profile_out_of_memory(profile);
	return site;
}

/* Has the site be found by stack and class address for the rest of the epoch. */
static void remember(const struct told *told, const struct site *site)
{
	struct heap_tracking *tracking = told->tracking;
	struct memo_node *node = memo_add(tracking->memo, told->walk.node, told->key.class_address,
	                                  CLASS_NODE, NULL);
	if (node != NULL && heap_epoch_holds(&tracking->epoch, told->key.epoch))
		memo_set_value(tracking->memo, node, told->key.epoch, site);
}

/* Takes key.frames[0] away where the frames are not certain. */
static const struct site *find_site(struct told *told)
{
	struct heap_tracking *tracking = told->tracking;
	uint32_t epoch = told->key.epoch;
	uintptr_t address = told->key.class_address;
	const struct stack_walk *walk = &told->walk;

	if (told->traced)
		allocation_traces_walk(tracking->traces, told->jni, &told->walk);
	if (walk->node != NULL && address != 0) {
		struct memo_node *node = memo_find(tracking->memo, walk->node, address, CLASS_NODE);
		const struct site *known = node == NULL ? NULL : memo_value(node, epoch);
		if (known != NULL && heap_epoch_holds(&tracking->epoch, epoch))
			return known;
	}
	const struct site *site = ask_site(told);
	bool certain = site != NULL && walk->node != NULL && address != 0 &&
	               heap_epoch_holds(&tracking->epoch, epoch);
	if (certain)
		remember(told, site);
	else
		told->key.frames[0] = 0;
	return site;
}

static void check_trace(const struct told *told, const struct site *site)
{
	struct heap_tracking *tracking = told->tracking;
	if (told->traced && tracking->profile->settings->stacks == STACKS_CHECK)
		allocation_trace_check(tracking->traces, told->jni, &told->walk, site->trace);
}

/* Looks among the thread's recent sites. NULL when it is none of them, with what to keep
 * it by. */
static const struct recent_site *find_recent(struct told *told)
{
	struct heap_tracking *tracking = told->tracking;
	const struct stack_walker *walker = NULL;

	if (told->key.class_address != 0 && told->traced)
		walker = allocation_traces_by_frames(tracking->traces, &told->walk);
	if (walker == NULL) {
		told->key.frames[0] = 0;
		return NULL;
	}
	told->key.depth = told->walk.depth;
	const struct recent_site *site =
	        recent_sites_find(tracking->recent, walker, told->jni, &told->key);
	if (site == NULL || !heap_epoch_holds(&tracking->epoch, told->key.epoch))
		return NULL;
	check_trace(told, site_by_number(tracking->sites, site->number));
	return site;
}

static object_shape learn_shape(struct told *told)
{
	struct heap_tracking *tracking = told->tracking;
	object_shape shape =
	        object_shapes_learn(tracking->shapes, told->jni, told->class, told->record);

	if (shape == 0)
		profile_fault(tracking->profile, "the size of a %s is not known",
		              told->record->name->text);
	return shape;
}

/* The site as find_site() has it; kept among the recent ones, where that can be. shape is
 * NULL for who knows the size. */
static const struct site *find_and_keep(struct told *told, object_shape *shape)
{
	struct heap_tracking *tracking = told->tracking;
	const struct site *site = find_site(told);

	if (site == NULL)
		return NULL;
	check_trace(told, site);
	told->record = site->class;
	if (shape != NULL)
		*shape = learn_shape(told);
	if (told->key.frames[0] != 0)
		recent_sites_keep(tracking->recent, told->jni, &told->key, site->number,
		                  shape == NULL ? 0 : *shape);
	return site;
}

/* ---- objects ---------------------------------------------------------------- */

static void tell_object(struct heap_tracking *tracking, JNIEnv *jni, uint32_t skip, jobject object,
                        jclass class, uint64_t size)
{
	struct told told = begin(tracking, jni, skip, class);

	told.class = class;
	const struct recent_site *recent = find_recent(&told);
	if (recent != NULL) {
		site_counting_add_recent(tracking, jni, object, recent, size);
		return;
	}
	const struct site *site = find_and_keep(&told, NULL);
	if (site != NULL)
		(void)site_counting_add(tracking, jni, object, site, size);
}

/* The VM is asked for class and size. */
static void tell_unknown(struct heap_tracking *tracking, JNIEnv *jni, uint32_t skip, jobject object)
{
	jvmtiEnv *jvmti = tracking->profile->jvmti;
	jclass class = (*jni)->GetObjectClass(jni, object);
	jlong size = 0;

	if ((*jvmti)->GetObjectSize(jvmti, object, &size) == JVMTI_ERROR_NONE)
		tell_object(tracking, jni, skip, object, class, (uint64_t)size);
	(*jni)->DeleteLocalRef(jni, class);
}

void told_object(struct heap_tracking *tracking, JNIEnv *jni, jobject object, jclass class,
                 uint64_t size)
{
	tell_object(tracking, jni, TOLD_BY_EVENT, object, class, size);
}

void told_by_jni(struct heap_tracking *tracking, JNIEnv *jni, jobject object)
{
	tell_unknown(tracking, jni, TOLD_BY_EVENT, object);
}

void told_reference(struct heap_tracking *tracking, JNIEnv *jni, jobject object)
{
	tell_unknown(tracking, jni, TOLD_BY_BYTECODE, object);
}

/* ---- classes alone ------------------------------------------------------------ */

static void tell(struct told *told, uint32_t length)
{
	struct heap_tracking *tracking = told->tracking;
	const struct recent_site *recent = find_recent(told);
	object_shape shape;

	if (recent != NULL && recent->shape != 0) {
		site_counting_add_recent(tracking, told->jni, NULL, recent,
		                         object_shape_size(recent->shape, length));
		return;
	}
	const struct site *site = find_and_keep(told, &shape);
	if (site != NULL)
		(void)site_counting_add(tracking, told->jni, NULL, site,
		                        object_shape_size(shape, length));
}

void told_class(struct heap_tracking *tracking, JNIEnv *jni, jclass class, uint32_t length)
{
	struct told told = begin(tracking, jni, TOLD_BY_BYTECODE, class);
	told.class = class;
	tell(&told, length);
}

void told_name(struct heap_tracking *tracking, JNIEnv *jni, jstring name)
{
	struct told told = begin(tracking, jni, TOLD_BY_BYTECODE, name);
	told.name = name;
	tell(&told, 0);
}
