/*
 * live_objects.c: see live_objects.h. Objects are in chunks. Each of some lanes has an
 * open chunk, to which threads append without a lock; a lane's lock covers replacing
 * it. Full chunks go to a lock-free stack, a moment after they have been replaced; swept
 * chunks are in a list under the profile's dump lock. No function of the VM is called under
 * a lane's lock, so that a collection's thread may take it.
 *
 * A thread can be delayed between finding the open chunk and taking a place in it, until the
 * chunk is full, swept and emptied (tests/model/live_objects.pml). So only the objects of an
 * emptied chunk are freed. The chunk itself, which the thread finds full, is used again.
 */
#include "alloc/live_objects.h"

#include "base/address_map.h"

#include <stdlib.h>

enum {
	LANES = 8,
	HASH_SHIFT = 61, /* leaves a number below LANES */
	CHUNK_OBJECTS = 8192
};

/* References that are none. */
enum { PENDING = 0, DROPPED = 1 };

#define OBJECTS_BYTES (CHUNK_OBJECTS * sizeof(struct live_object))

struct chunk {
	struct chunk *next;
	struct live_object *objects; /* CHUNK_OBJECTS of them */
	_Atomic uint32_t used;       /* may run past the end, as it does in a spare chunk */
	uint32_t dropped;
	char apart[128]; /* no two chunks share a cache line */
};

struct lane {
	struct os_mutex lock;
	_Atomic(struct chunk *) open;
};

struct live_objects {
	struct profile *profile;
	_Atomic bool reads_addresses;
	struct lane lanes[LANES];
	_Atomic(struct chunk *) full;
	struct os_mutex spare_lock;
	struct chunk *spare;  /* without objects; under spare_lock */
	struct chunk *swept;  /* under the dump lock, as all below */
	struct chunk *packed; /* that of swept to which objects are moved */
};

static struct chunk *take_spare(struct live_objects *objects)
{
	os_mutex_lock(&objects->spare_lock);
	struct chunk *chunk = objects->spare;
	if (chunk != NULL)
		objects->spare = chunk->next;
	os_mutex_unlock(&objects->spare_lock);
	return chunk;
}

/* From then on only delayed threads use it, and only used. */
static void give_spare(struct live_objects *objects, struct chunk *chunk)
{
	os_mutex_lock(&objects->spare_lock);
	chunk->next = objects->spare;
	objects->spare = chunk;
	os_mutex_unlock(&objects->spare_lock);
}

static struct chunk *new_chunk(struct live_objects *objects)
{
	struct live_object *places = os_pages_alloc(OBJECTS_BYTES);
	if (places == NULL)
		return NULL;
	struct chunk *chunk = take_spare(objects);
	if (chunk == NULL)
		chunk = calloc(1, sizeof(*chunk));
	if (chunk == NULL) {
		os_pages_free(places, OBJECTS_BYTES);
		return NULL;
	}
	chunk->next = NULL;
	chunk->objects = places;
	chunk->dropped = 0;
	/* A delayed thread may take a place from now on. */
	atomic_store_explicit(&chunk->used, 0, memory_order_release);
	return chunk;
}

/* All places of the chunk have been taken, so that used stays past the end. */
static void free_objects(struct live_objects *objects, struct chunk *chunk)
{
	os_pages_free(chunk->objects, OBJECTS_BYTES);
	chunk->objects = NULL;
	give_spare(objects, chunk);
}

static void free_chunks(struct chunk *chunk)
{
	while (chunk != NULL) {
		struct chunk *next = chunk->next;
		os_pages_free(chunk->objects, OBJECTS_BYTES);
		free(chunk);
		chunk = next;
	}
}

struct live_objects *live_objects_create(struct profile *profile)
{
	struct live_objects *objects = calloc(1, sizeof(*objects));
	if (objects == NULL)
		return NULL;
	objects->profile = profile;
	if (os_mutex_init(&objects->spare_lock) != 0) {
		free(objects);
		return NULL;
	}
	int count = 0;
	while (count < LANES && os_mutex_init(&objects->lanes[count].lock) == 0)
		count++;
	if (count == LANES)
		return objects;
	while (count-- > 0)
		os_mutex_destroy(&objects->lanes[count].lock);
	os_mutex_destroy(&objects->spare_lock);
	free(objects);
	return NULL;
}

void live_objects_destroy(struct live_objects *objects)
{
	if (objects == NULL)
		return;
	for (int i = 0; i < LANES; i++) {
		free_chunks(atomic_load(&objects->lanes[i].open));
		os_mutex_destroy(&objects->lanes[i].lock);
	}
	free_chunks(atomic_load(&objects->full));
	free_chunks(objects->swept);
	free_chunks(objects->spare);
	os_mutex_destroy(&objects->spare_lock);
	free(objects);
}

void live_objects_read_addresses(struct live_objects *objects, bool read)
{
	objects->reads_addresses = read;
}

/* ---- adding ------------------------------------------------------------ */

static void hand_over(struct live_objects *objects, struct chunk *chunk)
{
	chunk->next = atomic_load(&objects->full);
	while (!atomic_compare_exchange_weak(&objects->full, &chunk->next, chunk))
		continue;
}

/* A new open chunk in the place of the one that was full. False without memory. */
static bool replace_open(struct live_objects *objects, struct lane *lane, struct chunk *full)
{
	bool replaced = true;

	os_mutex_lock(&lane->lock);
	if (atomic_load_explicit(&lane->open, memory_order_relaxed) == full) {
		struct chunk *chunk = new_chunk(objects);
		replaced = chunk != NULL;
		if (replaced) {
			atomic_store_explicit(&lane->open, chunk, memory_order_release);
			if (full != NULL)
				hand_over(objects, full);
		}
	}
	os_mutex_unlock(&lane->lock);
	return replaced;
}

/* A free place of the chunk, or NULL. Acquires what new_chunk() has written, as the chunk may be
 * another one by now. */
static struct live_object *place_in(struct chunk *chunk)
{
	uint32_t at = atomic_fetch_add_explicit(&chunk->used, 1, memory_order_acquire);
	return at < CHUNK_OBJECTS ? &chunk->objects[at] : NULL;
}

/* Room for an object, which readers take for pending. */
static struct live_object *reserve(struct live_objects *objects, struct lane *lane)
{
	while (true) {
		struct chunk *chunk = atomic_load_explicit(&lane->open, memory_order_acquire);
		struct live_object *place = chunk == NULL ? NULL : place_in(chunk);
		if (place != NULL)
			return place;
		if (!replace_open(objects, lane, chunk))
			return NULL;
	}
}

bool live_objects_add(struct live_objects *objects, JNIEnv *jni, uintptr_t key, jobject object,
                      uint32_t site, uint64_t size)
{
	struct lane *lane = &objects->lanes[address_hash(key) >> HASH_SHIFT];
	uint64_t units = (size + LIVE_SIZE_UNIT - 1) / LIVE_SIZE_UNIT;

	jweak reference = (*jni)->NewWeakGlobalRef(jni, object);
	if (reference == NULL) {
		/* The VM has thrown an exception into the program. */
		(*jni)->ExceptionClear(jni);
		return false;
	}
	struct live_object *place = reserve(objects, lane);
	if (place == NULL) {
		(*jni)->DeleteWeakGlobalRef(jni, reference);
		return false;
	}
	place->site = site;
	place->size_units = units > UINT32_MAX ? UINT32_MAX : (uint32_t)units;
	atomic_store_explicit(&place->reference, (uintptr_t)reference, memory_order_release);
	return true;
}

/* ---- sweeping ---------------------------------------------------------- */

struct sweep {
	struct live_objects *objects;
	JNIEnv *jni;
	collected_object *collected;
	void *argument;
};

static bool is_collected(const struct sweep *sweep, uintptr_t reference)
{
	if (sweep->objects->reads_addresses)
		return live_object_address(reference) == 0;
	return (*sweep->jni)->IsSameObject(sweep->jni, (jobject)reference, NULL);
}

/* The open chunk of a lane, or NULL. What it has replaced is on the stack when this returns: who
 * looks at the open chunks first, and then at the full ones, misses none. */
static struct chunk *open_of(struct lane *lane)
{
	os_mutex_lock(&lane->lock);
	struct chunk *chunk = atomic_load_explicit(&lane->open, memory_order_relaxed);
	os_mutex_unlock(&lane->lock);
	return chunk;
}

static uint32_t used_of(struct chunk *chunk)
{
	uint32_t used = atomic_load_explicit(&chunk->used, memory_order_acquire);
	return used < CHUNK_OBJECTS ? used : CHUNK_OBJECTS;
}

static void sweep_chunk(const struct sweep *sweep, struct chunk *chunk)
{
	uint32_t used = used_of(chunk);

	for (uint32_t i = 0; i < used; i++) {
		struct live_object *object = &chunk->objects[i];
		uintptr_t reference =
		        atomic_load_explicit(&object->reference, memory_order_acquire);
		if (reference == PENDING || reference == DROPPED || !is_collected(sweep, reference))
			continue;
		sweep->collected(sweep->argument, object->site,
		                 (uint64_t)object->size_units * LIVE_SIZE_UNIT);
		(*sweep->jni)->DeleteWeakGlobalRef(sweep->jni, (jweak)reference);
		atomic_store_explicit(&object->reference, DROPPED, memory_order_relaxed);
		chunk->dropped++;
	}
}

/* Room in the swept chunks, of which a delayed thread may take some; NULL without memory. */
static struct live_object *packed_place(struct live_objects *objects)
{
	while (true) {
		struct chunk *packed = objects->packed;
		struct live_object *place = packed == NULL ? NULL : place_in(packed);
		if (place != NULL)
			return place;
		packed = new_chunk(objects);
		if (packed == NULL)
			return NULL;
		packed->next = objects->swept;
		objects->swept = packed;
		objects->packed = packed;
	}
}

/* Moves the objects of a chunk that is mostly empty, so that it can go. False when
 * one of them is pending, or without memory; the chunk then stays as it is. */
static bool empty_chunk(struct live_objects *objects, struct chunk *chunk)
{
	for (uint32_t i = 0; i < CHUNK_OBJECTS; i++) {
		struct live_object *object = &chunk->objects[i];
		uintptr_t reference =
		        atomic_load_explicit(&object->reference, memory_order_acquire);
		if (reference == DROPPED)
			continue;
		struct live_object *place = reference == PENDING ? NULL : packed_place(objects);
		if (place == NULL)
			return false;
		place->site = object->site;
		place->size_units = object->size_units;
		atomic_store_explicit(&place->reference, reference, memory_order_relaxed);
		atomic_store_explicit(&object->reference, DROPPED, memory_order_relaxed);
		chunk->dropped++;
	}
	return true;
}

/* The chunks that are full or were swept, as one list; the caller's from then on. */
static struct chunk *take_chunks(struct live_objects *objects)
{
	struct chunk *chunks = atomic_exchange(&objects->full, NULL);
	struct chunk **end = &chunks;
	while (*end != NULL)
		end = &(*end)->next;
	*end = objects->swept;
	objects->swept = NULL;
	objects->packed = NULL;
	return chunks;
}

void live_objects_sweep(struct live_objects *objects, JNIEnv *jni, collected_object *collected,
                        void *argument)
{
	struct sweep sweep = {objects, jni, collected, argument};
	struct chunk *chunk;

	for (int i = 0; i < LANES; i++) {
		chunk = open_of(&objects->lanes[i]);
		if (chunk != NULL)
			sweep_chunk(&sweep, chunk);
	}
	chunk = take_chunks(objects);
	while (chunk != NULL) {
		struct chunk *next = chunk->next;
		sweep_chunk(&sweep, chunk);
		if (chunk->dropped > CHUNK_OBJECTS / 2 && empty_chunk(objects, chunk)) {
			free_objects(objects, chunk);
		} else {
			chunk->next = objects->swept;
			objects->swept = chunk;
		}
		chunk = next;
	}
}

/* ---- looking ----------------------------------------------------------- */

struct visit {
	visited_object *object;
	void *argument;
};

static void visit_chunk(const struct visit *visit, struct chunk *chunk)
{
	uint32_t used = used_of(chunk);

	for (uint32_t i = 0; i < used; i++) {
		uintptr_t reference =
		        atomic_load_explicit(&chunk->objects[i].reference, memory_order_acquire);
		if (reference != PENDING && reference != DROPPED)
			visit->object(visit->argument, &chunk->objects[i]);
	}
}

void live_objects_visit(struct live_objects *objects, visited_object *visit_object, void *argument)
{
	const struct visit visit = {visit_object, argument};
	struct chunk *chunk;

	/* One that fills up meanwhile is visited again, not missed. */
	for (int i = 0; i < LANES; i++) {
		chunk = open_of(&objects->lanes[i]);
		if (chunk != NULL)
			visit_chunk(&visit, chunk);
	}
	for (chunk = atomic_load(&objects->full); chunk != NULL; chunk = chunk->next)
		visit_chunk(&visit, chunk);
	for (chunk = objects->swept; chunk != NULL; chunk = chunk->next)
		visit_chunk(&visit, chunk);
}

static void count_object(void *argument, const struct live_object *object)
{
	uint64_t *count = argument;
	(void)object;
	*count += 1;
}

static void release_object(void *argument, const struct live_object *object)
{
	JNIEnv *jni = argument;
	(*jni)->DeleteWeakGlobalRef(jni, (jweak)atomic_load(&object->reference));
}

void live_objects_release(struct live_objects *objects, JNIEnv *jni)
{
	live_objects_visit(objects, release_object, jni);
}

uint64_t live_objects_count(struct live_objects *objects)
{
	uint64_t count = 0;
	live_objects_visit(objects, count_object, &count);
	return count;
}
