/*
 * marked_objects.c: see marked_objects.h. No lock: the trial is one thread's, walks have the dump
 * lock, and the rest is the VM's.
 */
#include "alloc/marked_objects.h"

#include "alloc/class_histogram.h"
#include "alloc/object_traces.h"
#include "java/boot_classes.h"

#include <stdlib.h>
#include <string.h>

/* In the place of a site's number. */
#define SITE_OF_AGENT ((uint32_t)INT32_MAX - 1)

/* Known once the class is defined, and the same for each profile. */
static jclass the_class;
static jmethodID the_mark;
static jmethodID the_is_new;

/* ---- the trial ---------------------------------------------------------- */

static struct marked_trial trial;

/* Hashes that no object has by chance, except one in 2^31. */
static const uint32_t trial_hashes[TRIAL_OBJECTS] = {0x2C6E9A35, 0x51B3D70F, 0x6A94C3E9};

static jint JNICALL look_at_trial(jlong class_tag, jlong size, jlong *tag, jint length,
                                  void *argument)
{
	(void)class_tag;
	(void)size;
	(void)length;
	marked_trial_look(argument, tag);
	return JVMTI_VISIT_OBJECTS;
}

static void walk_trial(struct alloc *alloc)
{
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = look_at_trial};
	(void)(*jvmti)->IterateThroughHeap(jvmti, 0, the_class, &callbacks, &trial);
}

void marked_objects_tried(struct alloc *alloc, JNIEnv *jni, jobject waited, uint32_t hash_shift)
{
	trial.hash_shift = hash_shift;
	if ((*jni)->MonitorEnter(jni, waited) != JNI_OK)
		return;
	/* The first walk finds where objects are, the second looks at all of them. */
	walk_trial(alloc);
	walk_trial(alloc);
	(void)(*jni)->MonitorExit(jni, waited);
}

static bool find_class(JNIEnv *jni, jclass heap_class)
{
	if (the_class == NULL)
		the_class = (*jni)->NewGlobalRef(jni, heap_class);
	if (the_class != NULL && the_mark == NULL)
		the_mark =
		        (*jni)->GetStaticMethodID(jni, the_class, "mark", "(Ljava/lang/Object;I)V");
	if (the_mark != NULL && the_is_new == NULL)
		the_is_new =
		        (*jni)->GetStaticMethodID(jni, the_class, "isNew", "(Ljava/lang/Object;)Z");
	return the_is_new != NULL;
}

bool marked_objects_begin(struct alloc *alloc, JNIEnv *jni, jclass heap_class)
{
	jmethodID try_marks = NULL;
	bool is_good = false;

	if (find_class(jni, heap_class))
		try_marks = (*jni)->GetStaticMethodID(jni, the_class, "tryMarks", "(III)Z");
	if (try_marks != NULL) {
		memset(&trial, 0, sizeof(trial));
		memcpy(trial.hashes, trial_hashes, sizeof(trial.hashes));
		is_good = (*jni)->CallStaticBooleanMethod(
		        jni, the_class, try_marks, (jint)trial_hashes[TRIAL_FREE],
		        (jint)trial_hashes[TRIAL_LOCKED], (jint)trial_hashes[TRIAL_MONITOR]);
	}
	if ((*jni)->ExceptionCheck(jni)) {
		(*jni)->ExceptionClear(jni);
		return false;
	}
	alloc->heap = trial.heap;
	return is_good && marked_trial_succeeded(&trial);
}

/* ---- hashes that exist ---------------------------------------------------- */

/* Those that come while a walk counts and the next one reads. */
enum { SLACK_HASHES = 4096, WALKS_MAX = 8 };

struct hashes {
	const struct marked_heap *heap;
	uint32_t *hashes;
	size_t count; /* also beyond room */
	size_t room;
};

static jint JNICALL add_hash(jlong class_tag, jlong size, jlong *tag, jint length, void *argument)
{
	struct hashes *hashes = argument;
	uint32_t hash = marked_heap_hash(hashes->heap, tag);
	(void)class_tag;
	(void)size;
	(void)length;

	if (hash == 0)
		return JVMTI_VISIT_OBJECTS;
	if (hashes->count < hashes->room)
		hashes->hashes[hashes->count] = hash;
	hashes->count++;
	return JVMTI_VISIT_OBJECTS;
}

/* To find the tag of an object the VM gives it a hash, in each walk if some other object has a tag:
 * what a first walk leaves without one has none in the next. */
static bool hash_all(struct alloc *alloc, JNIEnv *jni)
{
	struct class_histogram histogram = {0};
	bool is_done = class_histogram_count(&histogram, alloc->profile, jni);

	class_histogram_free(&histogram);
	return is_done;
}

bool marked_objects_leave_out_hashes(struct alloc *alloc, JNIEnv *jni)
{
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = add_hash};
	struct hashes hashes = {.heap = &alloc->heap};

	if (!hash_all(alloc, jni))
		return false;
	for (int i = 0; i < WALKS_MAX && hashes.count >= hashes.room; i++) {
		hashes.room = hashes.count + hashes.count / 8 + SLACK_HASHES;
		hashes.count = 0;
		free(hashes.hashes);
		hashes.hashes = calloc(hashes.room, sizeof(*hashes.hashes));
		if (hashes.hashes == NULL)
			return false;
		(void)(*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, &hashes);
	}
	if (hashes.count > hashes.room)
		hashes.count = hashes.room;
	birth_marks_leave_out(alloc->marks, hashes.hashes, hashes.count);
	return true;
}

/* ---- marks --------------------------------------------------------------- */

void marked_objects_mark(JNIEnv *jni, jobject object, uint32_t mark)
{
	if (mark == 0)
		return;
	(*jni)->CallStaticVoidMethod(jni, the_class, the_mark, object, (jint)mark);
	(*jni)->ExceptionClear(jni);
}

bool marked_objects_is_new(JNIEnv *jni, jobject object)
{
	bool is_new = (*jni)->CallStaticBooleanMethod(jni, the_class, the_is_new, object);
	(*jni)->ExceptionClear(jni);
	return is_new;
}

void marked_objects_leave_out(struct alloc *alloc, JNIEnv *jni, jobject object)
{
	os_mutex_lock(&alloc->marks_lock);
	uint32_t mark = birth_marks_next(alloc->marks, &alloc->own_marks, SITE_OF_AGENT);
	os_mutex_unlock(&alloc->marks_lock);
	marked_objects_mark(jni, object, mark);
}

void marked_objects_track(struct alloc *alloc, JNIEnv *jni, jobject object, uint32_t mark)
{
	jvmtiEnv *jvmti = alloc->profile->jvmti;
	uint32_t site;
	jlong size;

	if (!birth_marks_site(alloc->marks, mark, &site) || site == SITE_OF_AGENT ||
	    (*jvmti)->GetObjectSize(jvmti, object, &size) != JVMTI_ERROR_NONE)
		return;
	if (!live_objects_add(alloc->live, jni, (uintptr_t)jni, object, site, (uint64_t)size))
		profile_out_of_memory(alloc->profile);
}

/* ---- the walk ------------------------------------------------------------- */

struct walk {
	struct alloc *alloc;
	struct live_figures figures;
	struct class_histogram unmarked;
};

static void add_object(struct site_counts *counts, uint64_t size)
{
	counts->bytes += size;
	counts->objects += SITE_OBJECT;
}

/* Counts an object at the site whose mark it has. False if it has none of a site of its class: its
 * hash is the VM's. In the VM's pause: memory is only read. */
static bool add_marked(void *argument, const struct class_record *class, uint64_t size,
                       const jlong *tag)
{
	struct walk *walk = argument;
	struct alloc *alloc = walk->alloc;
	uint32_t mark = marked_heap_hash(&alloc->heap, tag);
	uint32_t site;

	if (mark == 0 || !birth_marks_site(alloc->marks, mark, &site))
		return false;
	if (site == SITE_OF_AGENT)
		return true;
	if (site_table_site(alloc->sites, site)->class != class)
		return false;
	/* A site that is newer than the figures has its objects in the next walk. */
	if (site < walk->figures.count)
		add_object(&walk->figures.sites[site], size);
	return true;
}

/* An object that is tracked has no mark; one that came after the walk is in no total. */
static void add_tracked(void *argument, const struct live_object *object)
{
	struct walk *walk = argument;
	uint64_t size = (uint64_t)object->size_units * LIVE_SIZE_UNIT;
	const struct site *site = site_table_site(walk->alloc->sites, object->site);
	size_t class = site->class->serial - CLASS_SERIAL_BASE;

	if (object->site >= walk->figures.count || class >= walk->unmarked.length ||
	    walk->unmarked.totals[class].objects == 0 || walk->unmarked.totals[class].bytes < size)
		return;
	walk->unmarked.totals[class].objects--;
	walk->unmarked.totals[class].bytes -= size;
	add_object(&walk->figures.sites[object->site], size);
}

/* The site's figures; NULL without memory. Outside of the pause. */
static struct site_counts *figures_of(struct live_figures *figures, uint32_t site)
{
	if (site >= figures->count) {
		uint32_t count = site + site / 8 + 1;
		struct site_counts *grown = realloc(figures->sites, count * sizeof(*grown));
		if (grown == NULL)
			return NULL;
		memset(grown + figures->count, 0, (count - figures->count) * sizeof(*grown));
		*figures = (struct live_figures){.sites = grown, .count = count};
	}
	return &figures->sites[site];
}

/* Objects without a mark are at the empty trace. False without memory. */
static bool add_unmarked(struct walk *walk)
{
	struct alloc *alloc = walk->alloc;
	struct profile *profile = alloc->profile;
	const struct trace *empty = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);

	for (size_t i = 0; i < walk->unmarked.length; i++) {
		const struct site_counts live = {
		        .bytes = walk->unmarked.totals[i].bytes,
		        .objects = walk->unmarked.totals[i].objects * SITE_OBJECT,
		};
		if (live.objects == 0)
			continue;
		const struct site *site =
		        site_table_intern(alloc->sites, empty, class_histogram_class(profile, i));
		struct site_counts *figures =
		        site == NULL ? NULL : figures_of(&walk->figures, site->number);
		if (figures == NULL)
			return false;
		/* Some objects are allocated without a stack, and marked. */
		figures->bytes += live.bytes;
		figures->objects += live.objects;
	}
	return true;
}

static bool walk_heap(struct walk *walk, JNIEnv *jni)
{
	struct alloc *alloc = walk->alloc;

	if (figures_of(&walk->figures, site_table_count(alloc->sites)) == NULL ||
	    !class_histogram_count(&walk->unmarked, alloc->profile, jni))
		return false;
	live_objects_visit(alloc->live, add_tracked, walk);
	return add_unmarked(walk);
}

bool marked_objects_walk(struct alloc *alloc, JNIEnv *jni)
{
	struct walk walk = {.alloc = alloc};

	object_traces_sweep(alloc, jni);
	walk.unmarked.elsewhere = add_marked;
	walk.unmarked.argument = &walk;
	bool is_done = walk_heap(&walk, jni);
	class_histogram_free(&walk.unmarked);
	if (!is_done) {
		free(walk.figures.sites);
		profile_out_of_memory(alloc->profile);
		return false;
	}
	free(alloc->figures.sites);
	alloc->figures = walk.figures;
	return true;
}

/* The pause between two walks, as a multiple of the time that one takes. */
enum { WALK_SHARE = 100 };

void marked_objects_walk_sometimes(struct alloc *alloc, JNIEnv *jni)
{
	uint64_t begin_ns = os_monotonic_ns();

	if (begin_ns < alloc->walk_due_ns || !gc_epoch_is_new(&alloc->epoch, &alloc->walked))
		return;
	(void)marked_objects_walk(alloc, jni);
	uint64_t end_ns = os_monotonic_ns();
	alloc->walk_due_ns = end_ns + (end_ns - begin_ns) * WALK_SHARE;
}
