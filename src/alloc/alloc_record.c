/*
 * alloc_record.c: see alloc_record.h. A site is found in the thread's site cache, or by the
 * node of its stack and its class, or else by asking the VM. What is found by addresses of
 * the VM's objects is valid for one GC epoch.
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

/* The search for the site of an allocation. */
struct search {
	struct alloc *alloc;
	JNIEnv *jni;
	struct stack_walk walk;
	bool traced;  /* else the site has the empty trace */
	jclass class; /* NULL: known by its name */
	jstring name;
	const struct class_record *record; /* NULL until it is needed */
	struct site_cache_key key;
};

/* The address of the object that a reference refers to. Of a class, or of the name of one,
 * it identifies the class until a collection. 0 where references can't be read. */
static uintptr_t address_of(const struct alloc *alloc, jobject reference)
{
	return alloc->reads_addresses ? *(const volatile uintptr_t *)reference : 0;
}

/* In place: a copy would have to wait for its parts to be stored. */
static inline void begin(struct search *search, struct alloc *alloc,
                         const struct allocation *allocation, jobject key)
{
	search->alloc = alloc;
	search->jni = allocation->jni;
	alloc_traces_begin_walk(alloc->traces, allocation->agent_frames, &search->walk);
	search->traced = atomic_load_explicit(&alloc->traced, memory_order_relaxed);
	search->class = allocation->class;
	search->name = allocation->name;
	search->record = NULL;
	search->key.epoch = gc_epoch_now(&alloc->epoch);
	search->key.class_address = address_of(alloc, key);
}

static const struct class_record *record_of(struct search *search)
{
	struct alloc *alloc = search->alloc;

	if (search->record == NULL && search->class != NULL)
		search->record = class_registry_find(alloc->profile->classes, search->class);
	else if (search->record == NULL)
		search->record = loader_class_named(alloc->profile, alloc->memo, search->jni,
		                                    search->name, &search->class);
	return search->record;
}

/* The site by the VM's own answer. NULL without memory (reported), or if the class is
 * unknown. */
static const struct site *ask_site(struct search *search)
{
	struct alloc *alloc = search->alloc;
	struct profile *profile = alloc->profile;
	const struct trace *trace;
	if (search->traced)
		trace = alloc_traces_of_walk(alloc->traces, search->jni, &search->walk,
		                             search->key.epoch);
	else
		trace = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);
	const struct class_record *record = record_of(search);
	if (trace == NULL || record == NULL)
		return NULL;
	const struct site *site = site_table_intern(alloc->sites, trace, record);
	if (site == NULL)
		profile_out_of_memory(profile);
	return site;
}

/* Makes the site known by stack and class address for the rest of the epoch. */
static void remember(const struct search *search, const struct site *site)
{
	struct alloc *alloc = search->alloc;
	struct memo_node *node = memo_add(alloc->memo, search->walk.node, search->key.class_address,
	                                  CLASS_NODE, NULL);
	if (node != NULL && gc_epoch_holds(&alloc->epoch, search->key.epoch))
		memo_set_value(alloc->memo, node, search->key.epoch, site);
}

/* Sets key.frames[0] to 0 if the frames may be wrong. */
static const struct site *find_site(struct search *search)
{
	struct alloc *alloc = search->alloc;
	uint32_t epoch = search->key.epoch;
	uintptr_t address = search->key.class_address;
	const struct stack_walk *walk = &search->walk;

	if (search->traced)
		alloc_traces_walk(alloc->traces, search->jni, &search->walk);
	if (walk->node != NULL && address != 0) {
		struct memo_node *node = memo_find(alloc->memo, walk->node, address, CLASS_NODE);
		const struct site *known = node == NULL ? NULL : memo_value(node, epoch);
		if (known != NULL && gc_epoch_holds(&alloc->epoch, epoch))
			return known;
	}
	const struct site *site = ask_site(search);
	bool certain = site != NULL && walk->node != NULL && address != 0 &&
	               gc_epoch_holds(&alloc->epoch, epoch);
	if (certain)
		remember(search, site);
	else
		search->key.frames[0] = 0;
	return site;
}

static void check_trace(const struct search *search, uint32_t site)
{
	struct alloc *alloc = search->alloc;
	if (search->traced && alloc->profile->settings->stacks == STACKS_CHECK)
		alloc_traces_check(alloc->traces, search->jni, &search->walk,
		                   site_table_site(alloc->sites, site)->trace);
}

/* Looks in the thread's site cache. If the result is NULL, key is ready for an entry. */
static const struct cached_site *find_cached(struct search *search)
{
	struct alloc *alloc = search->alloc;
	const struct stack_walker *walker = NULL;

	if (search->key.class_address != 0 && search->traced)
		walker = alloc_traces_walker(alloc->traces, &search->walk);
	if (walker == NULL) {
		search->key.frames[0] = 0;
		return NULL;
	}
	search->key.depth = search->walk.depth;
	const struct cached_site *site =
	        site_cache_find(alloc->site_cache, walker, search->jni, &search->key);
	if (site == NULL || !gc_epoch_holds(&alloc->epoch, search->key.epoch))
		return NULL;
	check_trace(search, site->number);
	return site;
}

static object_shape learn_shape(struct search *search)
{
	struct alloc *alloc = search->alloc;
	object_shape shape =
	        object_shapes_learn(alloc->shapes, search->jni, search->class, search->record);

	if (shape == 0)
		profile_fail(alloc->profile, "the size of a %s is unknown",
		             search->record->name->text);
	return shape;
}

/* As find_site(), and adds the site to the cache if possible. shape is NULL if the caller
 * knows the size. */
static const struct site *find_and_keep(struct search *search, object_shape *shape)
{
	struct alloc *alloc = search->alloc;
	const struct site *site = find_site(search);

	if (site == NULL)
		return NULL;
	check_trace(search, site->number);
	search->record = site->class;
	if (shape != NULL)
		*shape = learn_shape(search);
	if (search->key.frames[0] != 0)
		site_cache_add(alloc->site_cache, search->jni, &search->key, site->number,
		               shape == NULL ? 0 : *shape);
	return site;
}

static uint32_t record_object(struct alloc *alloc, const struct allocation *allocation)
{
	struct search search;
	begin(&search, alloc, allocation, allocation->class);
	const struct cached_site *cached = find_cached(&search);

	if (cached != NULL)
		return site_counting_add_cached(alloc, allocation->jni, allocation->object, cached,
		                                allocation->size);
	const struct site *site = find_and_keep(&search, NULL);
	return site == NULL ? 0
	                    : site_counting_add(alloc, allocation->jni, allocation->object, site,
	                                        allocation->size);
}

/* Asks the VM for class and size. */
static uint32_t record_unknown(struct alloc *alloc, const struct allocation *allocation)
{
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	JNIEnv *jni = allocation->jni;
	struct allocation known = *allocation;
	jlong size = 0;
	uint32_t mark = 0;

	known.class = (*jni)->GetObjectClass(jni, known.object);
	if ((*jvmti)->GetObjectSize(jvmti, known.object, &size) == JVMTI_ERROR_NONE) {
		known.size = (uint64_t)size;
		mark = record_object(alloc, &known);
	}
	(*jni)->DeleteLocalRef(jni, known.class);
	return mark;
}

/* The size follows from the class and the length. */
static uint32_t record_class(struct alloc *alloc, const struct allocation *allocation)
{
	jobject key = allocation->class != NULL ? (jobject)allocation->class : allocation->name;
	struct search search;
	begin(&search, alloc, allocation, key);
	const struct cached_site *cached = find_cached(&search);
	object_shape shape;

	if (cached != NULL && cached->shape != 0)
		return site_counting_add_cached(
		        alloc, allocation->jni, NULL, cached,
		        object_shape_size(cached->shape, allocation->length));
	const struct site *site = find_and_keep(&search, &shape);
	return site == NULL ? 0
	                    : site_counting_add(alloc, allocation->jni, NULL, site,
	                                        object_shape_size(shape, allocation->length));
}

uint32_t alloc_record(struct alloc *alloc, const struct allocation *allocation)
{
	if (allocation->object == NULL)
		return record_class(alloc, allocation);
	if (allocation->class == NULL)
		return record_unknown(alloc, allocation);
	return record_object(alloc, allocation);
}
