/*
 * monitor_sites.c: a hash table of fixed size. Its buckets are lists that only grow at their
 * heads. See monitor_sites.h for threads and locks.
 */
#include "monitor/monitor_sites.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS_LOG2 = 13, BUCKETS = 1 << BUCKETS_LOG2 };

/* 2^64 divided by the golden ratio, rounded to an odd number. */
#define HASH_FACTOR 0x9E3779B97F4A7C15u

struct monitor_sites {
	_Atomic(struct monitor_site *) buckets[BUCKETS];
};

struct monitor_sites *monitor_sites_create(void)
{
	return calloc(1, sizeof(struct monitor_sites));
}

void monitor_sites_destroy(struct monitor_sites *sites)
{
	if (sites == NULL)
		return;
	for (size_t i = 0; i < BUCKETS; i++) {
		struct monitor_site *site = atomic_load(&sites->buckets[i]);
		while (site != NULL) {
			struct monitor_site *next = site->next;
			free(site);
			site = next;
		}
	}
	free(sites);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * HASH_FACTOR;
	return hash ^ (hash >> 29);
}

static uint64_t hash_key(const struct monitor_site_key *key)
{
	uint64_t hash = mix(key->class->serial, (uint64_t)key->thread_serial << 32 | key->depth);
	for (uint32_t i = 0; i < key->depth; i++)
		hash = mix(mix(hash, (uint64_t)(uintptr_t)key->frames[i].method),
		           (uint64_t)key->frames[i].location);
	return hash;
}

/* Frames are compared as bytes. */
_Static_assert(sizeof(jvmtiFrameInfo) == sizeof(jmethodID) + sizeof(jlocation),
               "a frame without padding");

static bool is_same(const struct monitor_site *site, uint64_t hash,
                    const struct monitor_site_key *key)
{
	return site->hash == hash && site->key.class == key->class &&
	       site->key.thread_serial == key->thread_serial && site->key.depth == key->depth &&
	       (key->depth == 0 ||
	        memcmp(site->key.frames, key->frames, key->depth * sizeof(*key->frames)) == 0);
}

/* Searches a list from site up to end, exclusive. */
static struct monitor_site *search(struct monitor_site *site, const struct monitor_site *end,
                                   uint64_t hash, const struct monitor_site_key *key)
{
	for (; site != end; site = site->next) {
		if (is_same(site, hash, key))
			return site;
	}
	return NULL;
}

static struct monitor_site *create_site(uint64_t hash, const struct monitor_site_key *key)
{
	size_t frames_size = key->depth * sizeof(*key->frames);
	struct monitor_site *site = calloc(1, sizeof(*site) + frames_size);

	if (site == NULL)
		return NULL;
	jvmtiFrameInfo *frames = (jvmtiFrameInfo *)(site + 1);
	if (frames_size > 0)
		memcpy(frames, key->frames, frames_size);
	site->hash = hash;
	site->key = *key;
	site->key.frames = frames;
	return site;
}

struct monitor_site *monitor_sites_find(struct monitor_sites *sites,
                                        const struct monitor_site_key *key, bool *created)
{
	uint64_t hash = hash_key(key);
	_Atomic(struct monitor_site *) *bucket = &sites->buckets[hash >> (64 - BUCKETS_LOG2)];
	struct monitor_site *head = atomic_load_explicit(bucket, memory_order_acquire);
	struct monitor_site *found = search(head, NULL, hash, key);

	*created = false;
	if (found != NULL)
		return found;
	struct monitor_site *site = create_site(hash, key);
	if (site == NULL)
		return NULL;
	do {
		site->next = head;
		if (atomic_compare_exchange_strong(bucket, &head, site)) {
			*created = true;
			return site;
		}
		/* Another thread added a site meanwhile, maybe with the same key. */
		found = search(head, site->next, hash, key);
	} while (found == NULL);
	free(site);
	return found;
}

void monitor_site_add(struct monitor_site *site, const uint64_t sums[MONITOR_SUMS])
{
	for (size_t i = MONITOR_COUNT + 1; i < MONITOR_SUMS; i++)
		atomic_fetch_add_explicit(&site->sums[i], sums[i], memory_order_relaxed);
	atomic_fetch_add_explicit(&site->sums[MONITOR_COUNT], 1, memory_order_release);
}

bool monitor_sites_visit(struct monitor_sites *sites,
                         bool (*visit)(void *argument, struct monitor_site *site), void *argument)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		struct monitor_site *site =
		        atomic_load_explicit(&sites->buckets[i], memory_order_acquire);
		for (; site != NULL; site = site->next) {
			if (!visit(argument, site))
				return false;
		}
	}
	return true;
}
