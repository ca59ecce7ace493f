/*
 * parked_threads.c: see parked_threads.h.
 */
#include "calls/parked_threads.h"

#include "base/hash.h"

#include <stdlib.h>

/* Enough that carriers seldom meet at a lock. A power of 2. */
enum { PARTS = 64 };

struct entry {
	struct parked_thread thread;
	bool hash_failed;
	UT_hash_handle hh;
};

struct part {
	struct os_mutex lock;
	struct entry *entries;
};

struct parked_threads {
	struct part parts[PARTS];
};

struct parked_threads *parked_threads_create(void)
{
	struct parked_threads *threads = calloc(1, sizeof(*threads));

	for (int i = 0; threads != NULL && i < PARTS; i++) {
		if (os_mutex_init(&threads->parts[i].lock) == 0)
			continue;
		while (--i >= 0)
			os_mutex_destroy(&threads->parts[i].lock);
		free(threads);
		return NULL;
	}
	return threads;
}

void parked_threads_destroy(struct parked_threads *threads)
{
	if (threads == NULL)
		return;
	for (int i = 0; i < PARTS; i++) {
		HASH_FREE_ALL(threads->parts[i].entries);
		os_mutex_destroy(&threads->parts[i].lock);
	}
	free(threads);
}

/* Ids are consecutive. */
static struct part *part_of(struct parked_threads *threads, uint64_t tid)
{
	return &threads->parts[tid % PARTS];
}

static struct entry *find(struct part *part, uint64_t tid)
{
	struct entry *entry;

	HASH_FIND(hh, part->entries, &tid, sizeof(tid), entry);
	return entry;
}

/* Under the part's lock; takes over the entry. */
static bool insert(struct part *part, struct entry *entry)
{
	struct entry *old = find(part, entry->thread.tid);

	if (old != NULL) {
		old->thread = entry->thread;
		free(entry);
		return true;
	}
	HASH_ADD(hh, part->entries, thread.tid, sizeof(entry->thread.tid), entry);
	if (!entry->hash_failed)
		return true;
	free(entry);
	return false;
}

bool parked_threads_add(struct parked_threads *threads, const struct parked_thread *thread)
{
	struct part *part = part_of(threads, thread->tid);
	struct entry *entry = calloc(1, sizeof(*entry));

	if (entry == NULL)
		return false;
	entry->thread = *thread;
	os_mutex_lock(&part->lock);
	bool added = insert(part, entry);
	os_mutex_unlock(&part->lock);
	return added;
}

bool parked_threads_take(struct parked_threads *threads, uint64_t tid, struct parked_thread *thread)
{
	struct part *part = part_of(threads, tid);

	os_mutex_lock(&part->lock);
	struct entry *entry = find(part, tid);
	if (entry != NULL)
		HASH_DEL(part->entries, entry);
	os_mutex_unlock(&part->lock);
	if (entry == NULL)
		return false;
	*thread = entry->thread;
	free(entry);
	return true;
}

void parked_threads_visit(struct parked_threads *threads,
                          void (*visit)(void *argument, struct parked_thread *thread),
                          void *argument)
{
	for (int i = 0; i < PARTS; i++) {
		struct part *part = &threads->parts[i];

		os_mutex_lock(&part->lock);
		for (struct entry *entry = part->entries; entry != NULL; entry = entry->hh.next)
			visit(argument, &entry->thread);
		os_mutex_unlock(&part->lock);
	}
}
