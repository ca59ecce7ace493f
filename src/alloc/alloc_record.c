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
	struct alloc *alloc;
	JNIEnv *jni;
	struct stack_walk walk;
	bool traced;  /* else it is at the empty trace */
	jclass class; /* NULL: known by its name */
	jstring name;
	const struct class_record *record; /* NULL until somebody asks */
	struct site_cache_key key;
};

/* Where the object behind a reference is: of a class, or of the name of one, it stands for
 * that until a collection. 0 where that is not known. */
static uintptr_t address_of(const struct alloc *alloc, jobject reference)
{
	return alloc->raw ? *(const volatile uintptr_t *)reference : 0;
}

static struct told begin(struct alloc *alloc, JNIEnv *jni, uint32_t skip, jobject key)
{
	struct told told = {
	        .alloc = alloc,
	        .jni = jni,
	        .walk = alloc_traces_begin_walk(alloc->traces, skip),
	        .traced = atomic_load_explicit(&alloc->traced, memory_order_relaxed),
	        .key = {.epoch = gc_epoch_now(&alloc->epoch)},
	};
	told.key.class_address = address_of(alloc, key);
	return told;
}

static const struct class_record *record_of(struct told *told)
{
	struct alloc *alloc = told->alloc;

	if (told->record == NULL && told->class != NULL)
		told->record = class_registry_find(alloc->profile->classes, told->class);
	else if (told->record == NULL)
		told->record = loader_class_named(alloc->profile, alloc->memo, told->jni,
		                                  told->name, &told->class);
	return told->record;
}

static const struct site *ask_site(struct told *told)
{
	struct alloc *alloc = told->alloc;
	struct profile *profile = alloc->profile;
	const struct trace *trace;
	if (told->traced)
		trace = alloc_traces_of_walk(alloc->traces, told->jni, &told->walk,
		                             told->key.epoch);
	else
		trace = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);
	const struct class_record *record = record_of(told);
	if (trace == NULL || record == NULL)
		return NULL;
	const struct site *site = site_table_intern(alloc->sites, trace, record);
	if (site == NULL)
		profile_out_of_memory(profile);
	return site;
}

/* Has the site be found by stack and class address for the rest of the epoch. */
static void remember(const struct told *told, const struct site *site)
{
	struct alloc *alloc = told->alloc;
	struct memo_node *node =
	        memo_add(alloc->memo, told->walk.node, told->key.class_address, CLASS_NODE, NULL);
	if (node != NULL && gc_epoch_holds(&alloc->epoch, told->key.epoch))
		memo_set_value(alloc->memo, node, told->key.epoch, site);
}

/* Takes key.frames[0] away where the frames are not certain. */
static const struct site *find_site(struct told *told)
{
	struct alloc *alloc = told->alloc;
	uint32_t epoch = told->key.epoch;
	uintptr_t address = told->key.class_address;
	const struct stack_walk *walk = &told->walk;

	if (told->traced)
		alloc_traces_walk(alloc->traces, told->jni, &told->walk);
	if (walk->node != NULL && address != 0) {
		struct memo_node *node = memo_find(alloc->memo, walk->node, address, CLASS_NODE);
		const struct site *known = node == NULL ? NULL : memo_value(node, epoch);
		if (known != NULL && gc_epoch_holds(&alloc->epoch, epoch))
			return known;
	}
	const struct site *site = ask_site(told);
	bool certain = site != NULL && walk->node != NULL && address != 0 &&
	               gc_epoch_holds(&alloc->epoch, epoch);
	if (certain)
		remember(told, site);
	else
		told->key.frames[0] = 0;
	return site;
}

static void check_trace(const struct told *told, const struct site *site)
{
	struct alloc *alloc = told->alloc;
	if (told->traced && alloc->profile->settings->stacks == STACKS_CHECK)
		alloc_traces_check(alloc->traces, told->jni, &told->walk, site->trace);
}

/* Looks among the thread's recent sites. NULL when it is none of them, with what to keep
 * it by. */
static const struct cached_site *find_cached(struct told *told)
{
	struct alloc *alloc = told->alloc;
	const struct stack_walker *walker = NULL;

	if (told->key.class_address != 0 && told->traced)
		walker = alloc_traces_walker(alloc->traces, &told->walk);
	if (walker == NULL) {
		told->key.frames[0] = 0;
		return NULL;
	}
	told->key.depth = told->walk.depth;
	const struct cached_site *site =
	        site_cache_find(alloc->site_cache, walker, told->jni, &told->key);
	if (site == NULL || !gc_epoch_holds(&alloc->epoch, told->key.epoch))
		return NULL;
	check_trace(told, site_table_site(alloc->sites, site->number));
	return site;
}

static object_shape learn_shape(struct told *told)
{
	struct alloc *alloc = told->alloc;
	object_shape shape =
	        object_shapes_learn(alloc->shapes, told->jni, told->class, told->record);

	if (shape == 0)
		profile_fail(alloc->profile, "the size of a %s is not known",
		             told->record->name->text);
	return shape;
}

/* The site as find_site() has it; kept among the recent ones, where that can be. shape is
 * NULL for who knows the size. */
static const struct site *find_and_keep(struct told *told, object_shape *shape)
{
	struct alloc *alloc = told->alloc;
	const struct site *site = find_site(told);

	if (site == NULL)
		return NULL;
	check_trace(told, site);
	told->record = site->class;
	if (shape != NULL)
		*shape = learn_shape(told);
	if (told->key.frames[0] != 0)
		site_cache_add(alloc->site_cache, told->jni, &told->key, site->number,
		               shape == NULL ? 0 : *shape);
	return site;
}

/* ---- objects ---------------------------------------------------------------- */

static void tell_object(struct alloc *alloc, JNIEnv *jni, uint32_t skip, jobject object,
                        jclass class, uint64_t size)
{
	struct told told = begin(alloc, jni, skip, class);

	told.class = class;
	const struct cached_site *recent = find_cached(&told);
	if (recent != NULL) {
		site_counting_add_cached(alloc, jni, object, recent, size);
		return;
	}
	const struct site *site = find_and_keep(&told, NULL);
	if (site != NULL)
		(void)site_counting_add(alloc, jni, object, site, size);
}

/* The VM is asked for class and size. */
static void tell_unknown(struct alloc *alloc, JNIEnv *jni, uint32_t skip, jobject object)
{
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	jclass class = (*jni)->GetObjectClass(jni, object);
	jlong size = 0;

	if ((*jvmti)->GetObjectSize(jvmti, object, &size) == JVMTI_ERROR_NONE)
		tell_object(alloc, jni, skip, object, class, (uint64_t)size);
	(*jni)->DeleteLocalRef(jni, class);
}

void told_object(struct alloc *alloc, JNIEnv *jni, jobject object, jclass class, uint64_t size)
{
	tell_object(alloc, jni, TOLD_BY_EVENT, object, class, size);
}

void told_by_jni(struct alloc *alloc, JNIEnv *jni, jobject object)
{
	tell_unknown(alloc, jni, TOLD_BY_EVENT, object);
}

void told_reference(struct alloc *alloc, JNIEnv *jni, jobject object)
{
	tell_unknown(alloc, jni, TOLD_BY_BYTECODE, object);
}

/* ---- classes alone ------------------------------------------------------------ */

static void tell(struct told *told, uint32_t length)
{
	struct alloc *alloc = told->alloc;
	const struct cached_site *recent = find_cached(told);
	object_shape shape;

	if (recent != NULL && recent->shape != 0) {
		site_counting_add_cached(alloc, told->jni, NULL, recent,
		                         object_shape_size(recent->shape, length));
		return;
	}
	const struct site *site = find_and_keep(told, &shape);
	if (site != NULL)
		(void)site_counting_add(alloc, told->jni, NULL, site,
		                        object_shape_size(shape, length));
}

void told_class(struct alloc *alloc, JNIEnv *jni, jclass class, uint32_t length)
{
	struct told told = begin(alloc, jni, TOLD_BY_BYTECODE, class);
	told.class = class;
	tell(&told, length);
}

void told_name(struct alloc *alloc, JNIEnv *jni, jstring name)
{
	struct told told = begin(alloc, jni, TOLD_BY_BYTECODE, name);
	told.name = name;
	tell(&told, 0);
}
