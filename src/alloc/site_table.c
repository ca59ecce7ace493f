/*
 * site_table.c: see site_table.h. Sites and counts are in pages that are allocated when
 * they are first needed and stay. The lock covers new pages and new site numbers.
 * Counts of allocations are in several copies: most threads have one of
 * their own, which no other thread writes; all others share the last.
 */
#include "alloc/site_table.h"

#include "base/address_map.h"
#include "os/os.h"

#include <stdlib.h>

enum {
	SHARED_COPY = SITE_OWN_COPIES,
	COPIES,
	PAGE_SITES = 256,
	PAGES_MAX = 1 << 16,
	SITES_MAX = PAGES_MAX * PAGE_SITES,
	HASH_SHIFT = 59, /* leaves a number below SITE_OWN_COPIES */
	PLACES = 8       /* where a key's own copy may be, from that number on */
};

struct count_page {
	struct site_counter counts[PAGE_SITES];
};

struct site_page {
	struct site sites[PAGE_SITES];
	struct site_counts collected[PAGE_SITES];
};

typedef _Atomic(struct count_page *) count_page_place;

struct site_table {
	struct memo_table *memo; /* sites by trace and class */
	struct os_mutex lock;
	_Atomic uint32_t count;
	_Atomic(struct site_page *) *pages;
	count_page_place *counts[COPIES];
	_Atomic uintptr_t owners[SITE_OWN_COPIES]; /* keys, by copy */
};

#define PAGES_BYTES ((size_t)PAGES_MAX * sizeof(void *))

struct site_table *site_table_create(void)
{
	struct site_table *table = calloc(1, sizeof(*table));
	if (table == NULL)
		return NULL;
	if (os_mutex_init(&table->lock) != 0) {
		free(table);
		return NULL;
	}
	table->memo = memo_table_create(SITES_MAX);
	table->pages = os_pages_alloc(PAGES_BYTES);
	bool complete = table->memo != NULL && table->pages != NULL;
	for (int i = 0; i < COPIES; i++) {
		table->counts[i] = os_pages_alloc(PAGES_BYTES);
		complete = complete && table->counts[i] != NULL;
	}
	if (complete)
		return table;
	site_table_destroy(table);
	return NULL;
}

void site_table_destroy(struct site_table *table)
{
	if (table == NULL)
		return;
	for (size_t i = 0; table->pages != NULL && i < PAGES_MAX; i++)
		free(table->pages[i]);
	os_pages_free(table->pages, PAGES_BYTES);
	for (int copy = 0; copy < COPIES; copy++) {
		for (size_t i = 0; table->counts[copy] != NULL && i < PAGES_MAX; i++)
			free(table->counts[copy][i]);
		os_pages_free(table->counts[copy], PAGES_BYTES);
	}
	memo_table_destroy(table->memo);
	os_mutex_destroy(&table->lock);
	free(table);
}

static const struct site *add_locked(struct site_table *table, const struct trace *trace,
                                     const struct class_record *class)
{
	uint32_t number = atomic_load_explicit(&table->count, memory_order_relaxed);
	uint32_t page_number = number / PAGE_SITES;
	if (page_number >= PAGES_MAX)
		return NULL;
	struct site_page *page = table->pages[page_number];
	if (page == NULL) {
		page = calloc(1, sizeof(*page));
		if (page == NULL)
			return NULL;
		table->pages[page_number] = page;
	}
	struct site *site = &page->sites[number % PAGE_SITES];
	*site = (struct site){.number = number, .trace = trace, .class = class};
	atomic_store_explicit(&table->count, number + 1, memory_order_release);
	return site;
}

const struct site *site_table_intern(struct site_table *table, const struct trace *trace,
                                     const struct class_record *class)
{
	struct memo_node *node = memo_find(table->memo, NULL, (uintptr_t)trace, (uintptr_t) class);
	if (node == NULL)
		node = memo_add(table->memo, NULL, (uintptr_t)trace, (uintptr_t) class, NULL);
	if (node == NULL)
		return NULL;
	const struct site *site = memo_value(node, 0);
	if (site != NULL)
		return site;

	os_mutex_lock(&table->lock);
	site = memo_value(node, 0);
	if (site == NULL) {
		site = add_locked(table, trace, class);
		if (site != NULL)
			memo_set_value(table->memo, node, 1, site);
	}
	os_mutex_unlock(&table->lock);
	return site;
}

uint32_t site_table_count(struct site_table *table)
{
	return atomic_load_explicit(&table->count, memory_order_acquire);
}

static struct site_page *page_of(const struct site_table *table, uint32_t number)
{
	return atomic_load_explicit(&table->pages[number / PAGE_SITES], memory_order_acquire);
}

const struct site *site_table_site(struct site_table *table, uint32_t number)
{
	return &page_of(table, number)->sites[number % PAGE_SITES];
}

static struct count_page *new_counts(struct site_table *table, count_page_place *place)
{
	os_mutex_lock(&table->lock);
	struct count_page *page = atomic_load_explicit(place, memory_order_relaxed);
	if (page == NULL) {
		page = calloc(1, sizeof(*page));
		atomic_store_explicit(place, page, memory_order_release);
	}
	os_mutex_unlock(&table->lock);
	return page;
}

static _Atomic uintptr_t *place_of(struct site_table *table, uintptr_t key, size_t place)
{
	size_t first = (size_t)(address_hash(key) >> HASH_SHIFT);
	return &table->owners[(first + place) % SITE_OWN_COPIES];
}

size_t site_table_own_copy(struct site_table *table, uintptr_t key)
{
	for (size_t i = 0; i < PLACES; i++) {
		_Atomic uintptr_t *place = place_of(table, key, i);
		uintptr_t owner = atomic_load_explicit(place, memory_order_relaxed);
		if (owner == key ||
		    (owner == 0 && atomic_compare_exchange_strong(place, &owner, key)))
			return (size_t)(place - table->owners);
	}
	return SHARED_COPY;
}

void site_table_release_copy(struct site_table *table, uintptr_t key)
{
	for (size_t i = 0; i < PLACES; i++) {
		uintptr_t owner = key;
		(void)atomic_compare_exchange_strong(place_of(table, key, i), &owner, 0);
	}
}

struct site_counter *site_table_counter(struct site_table *table, size_t copy, uint32_t number)
{
	count_page_place *place = &table->counts[copy][number / PAGE_SITES];
	struct count_page *page = atomic_load_explicit(place, memory_order_acquire);

	if (page == NULL)
		page = new_counts(table, place);
	return page == NULL ? NULL : &page->counts[number % PAGE_SITES];
}

bool site_table_add_allocated(struct site_table *table, uintptr_t key, uint32_t number,
                              const struct site_counts *counts)
{
	size_t copy = site_table_own_copy(table, key);
	struct site_counter *counter = site_table_counter(table, copy, number);

	if (counter == NULL)
		return false;
	if (copy == SHARED_COPY) {
		atomic_fetch_add_explicit(&counter->bytes, counts->bytes, memory_order_relaxed);
		atomic_fetch_add_explicit(&counter->objects, counts->objects, memory_order_relaxed);
	} else {
		site_counter_add(counter, counts);
	}
	return true;
}

struct site_counts site_table_allocated(struct site_table *table, uint32_t number)
{
	struct site_counts sum = {0, 0};

	for (int copy = 0; copy < COPIES; copy++) {
		struct count_page *page = atomic_load_explicit(
		        &table->counts[copy][number / PAGE_SITES], memory_order_acquire);
		if (page == NULL)
			continue;
		struct site_counter *counts = &page->counts[number % PAGE_SITES];
		sum.bytes += atomic_load_explicit(&counts->bytes, memory_order_relaxed);
		sum.objects += atomic_load_explicit(&counts->objects, memory_order_relaxed);
	}
	return sum;
}

void site_table_add_collected(struct site_table *table, uint32_t number,
                              const struct site_counts *counts)
{
	struct site_counts *sum = &page_of(table, number)->collected[number % PAGE_SITES];
	sum->bytes += counts->bytes;
	sum->objects += counts->objects;
}

struct site_counts site_table_collected(const struct site_table *table, uint32_t number)
{
	return page_of(table, number)->collected[number % PAGE_SITES];
}
