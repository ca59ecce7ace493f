/*
 * heap_sites.c: heap=sites and heap=all: the SITES section and the ALLOC SITES and HEAP
 * SUMMARY records, from what alloc has collected. Everything here runs under the
 * profile's dump lock.
 *
 * Allocated counts run from the start of the VM to its end, across dumps;
 * live counts are a snapshot.
 */
#include "alloc/alloc.h"
#include "alloc/alloc_mode.h"
#include "alloc/marked_objects.h"
#include "alloc/object_traces.h"
#include "alloc/site_rows.h"

#include <stdlib.h>
#include <string.h>

/* What a SITES section or ALLOC SITES record is asked to be: the flags of the command,
 * and its cutoff ratio. */
struct sites_request {
	bool incremental;   /* allocated counts begin at the last request with this */
	bool by_allocation; /* else sorted by live bytes */
	bool forced_gc;     /* collect garbage before */
	double cutoff;      /* from 0 to 1 */
};

struct heap_sites {
	struct profile *profile;
	struct alloc *alloc;
	/* What was allocated at each site at the last incremental record. */
	struct site_counts *reported;
	uint32_t reported_count;
};

static void *heap_sites_create(struct profile *profile, struct mode_needs *needs)
{
	struct heap_sites *sites = calloc(1, sizeof(*sites));
	(void)needs;
	if (sites == NULL) {
		message_print("out of memory");
		return NULL;
	}
	sites->profile = profile;
	sites->alloc = profile->alloc;
	return sites;
}

/* ---- rows ---------------------------------------------------------------- */

static uint64_t whole_objects(uint64_t objects)
{
	return (objects + SITE_OBJECT / 2) / SITE_OBJECT;
}

/* Counts are read one after the other while the program goes on. */
static uint64_t surplus(uint64_t count, uint64_t other)
{
	return count > other ? count - other : 0;
}

/* What is live at the site. What the VM has allocated for itself is found when it is live: so far
 * it was not counted as allocated. */
static struct site_counts live_of(const struct alloc *alloc, uint32_t number,
                                  struct site_counts *allocated)
{
	struct site_counts live = {0, 0};

	if (alloc->marks != NULL) {
		if (number < alloc->figures.count)
			live = alloc->figures.sites[number];
		if (live.bytes > allocated->bytes)
			allocated->bytes = live.bytes;
		if (live.objects > allocated->objects)
			allocated->objects = live.objects;
	} else if (alloc->live != NULL) {
		struct site_counts collected = site_table_collected(alloc->sites, number);
		live.bytes = surplus(allocated->bytes, collected.bytes);
		live.objects = surplus(allocated->objects, collected.objects);
	}
	return live;
}

static void fill_row(struct heap_sites *sites, uint32_t number, bool incremental,
                     struct site_row *row)
{
	struct alloc *alloc = sites->alloc;
	struct site_counts allocated = site_table_allocated(alloc->sites, number);
	struct site_counts live = live_of(alloc, number, &allocated);
	const struct site *site = site_table_site(alloc->sites, number);
	struct site_counts before = {0, 0};

	if (incremental && number < sites->reported_count)
		before = sites->reported[number];
	*row = (struct site_row){
	        .trace = site->trace,
	        .class = site->class,
	        .live_bytes = live.bytes,
	        .live_objects = whole_objects(live.objects),
	        .allocated_bytes = surplus(allocated.bytes, before.bytes),
	        .allocated_objects = whole_objects(surplus(allocated.objects, before.objects)),
	};
}

static void add_row(struct site_row *sums, const struct site_row *row)
{
	sums->live_bytes += row->live_bytes;
	sums->live_objects += row->live_objects;
	sums->allocated_bytes += row->allocated_bytes;
	sums->allocated_objects += row->allocated_objects;
}

static bool is_empty(const struct site_row *row)
{
	return row->live_bytes == 0 && row->live_objects == 0 && row->allocated_bytes == 0 &&
	       row->allocated_objects == 0;
}

/* All sites' rows, and their sums; NULL without memory. */
static struct site_row *make_rows(struct heap_sites *sites, bool incremental, struct site_row *sums,
                                  size_t *row_count)
{
	uint32_t count = site_table_count(sites->alloc->sites);
	struct site_row *rows = calloc((size_t)count + 1, sizeof(*rows));
	size_t filled = 0;

	memset(sums, 0, sizeof(*sums));
	if (rows == NULL)
		return NULL;
	for (uint32_t i = 0; i < count; i++) {
		fill_row(sites, i, incremental, &rows[filled]);
		add_row(sums, &rows[filled]);
		if (!is_empty(&rows[filled]))
			filled++;
	}
	*row_count = filled;
	return rows;
}

/* ---- records -------------------------------------------------------------- */

static void write_record(struct heap_sites *sites, const struct sites_request *request)
{
	struct profile *profile = sites->profile;
	size_t count = 0;
	struct sites_record record = {
	        .wall_ms = os_wall_ms(),
	        .live = sites->alloc->live != NULL,
	        .by_allocation = request->by_allocation || sites->alloc->live == NULL,
	        .incremental = request->incremental,
	        .forced_gc = request->forced_gc,
	        .sampled = sites->alloc->sampled,
	        .cutoff = request->cutoff,
	};
	struct site_row *rows = make_rows(sites, request->incremental, &record.sums, &count);

	if (rows == NULL) {
		profile_out_of_memory(profile);
		return;
	}
	site_rows_rank(&record, rows, count);
	writer_sites(profile->writer, &record);
	free(rows);
}

static void write_summary(struct heap_sites *sites)
{
	struct site_row sums;
	size_t count;
	struct site_row *rows = make_rows(sites, false, &sums, &count);

	if (rows == NULL) {
		profile_out_of_memory(sites->profile);
		return;
	}
	free(rows);
	const struct heap_summary_record summary = {
	        .live_bytes = sums.live_bytes,
	        .live_instances = sums.live_objects,
	        .allocated_bytes = sums.allocated_bytes,
	        .allocated_instances = sums.allocated_objects,
	};
	writer_heap_summary(sites->profile->writer, &summary);
}

static void write_reduced_note(const struct heap_sites *sites)
{
	const struct alloc_instrumenter *instrumenter = &sites->alloc->instrumenter;
	uint32_t reduced = atomic_load(&instrumenter->rewriting.methods_reduced);
	char text[256];

	if (reduced == 0)
		return;
	(void)snprintf(
	        text, sizeof(text),
	        "%u methods are too long for code at each of their allocations: the last ones "
	        "in them, %u in all, are not counted",
	        reduced, atomic_load(&instrumenter->sites_left_out));
	writer_note(sites->profile->writer, text);
}

/* With marks: finds the live objects. */
static bool heap_sites_dump(void *mode, JNIEnv *jni)
{
	struct heap_sites *sites = mode;
	return sites->alloc->marks == NULL || marked_objects_walk(sites->alloc, jni);
}

static void heap_sites_write(void *mode)
{
	struct heap_sites *sites = mode;
	const struct sites_request request = {.cutoff = sites->profile->settings->cutoff};

	write_summary(sites);
	write_record(sites, &request);
	class_rewriting_write_note(&sites->alloc->instrumenter.rewriting, sites->profile->writer,
	                           "what they allocate is not counted");
	write_reduced_note(sites);
}

/* Remembers what has been reported, for the next incremental record. */
static void note_reported(struct heap_sites *sites)
{
	uint32_t count = site_table_count(sites->alloc->sites);
	struct site_counts *grown = realloc(sites->reported, ((size_t)count + 1) * sizeof(*grown));
	if (grown == NULL) {
		profile_out_of_memory(sites->profile);
		return;
	}
	sites->reported = grown;
	sites->reported_count = count;
	for (uint32_t i = 0; i < count; i++)
		grown[i] = site_table_allocated(sites->alloc->sites, i);
}

/* Garbage that was asked to be collected has been. */
static void answer_alloc_sites(struct heap_sites *sites, const struct net_command *command)
{
	const struct sites_request request = {
	        .incremental = (command->flags & ALLOC_SITES_INCREMENTAL) != 0,
	        .by_allocation = (command->flags & ALLOC_SITES_BY_ALLOCATION) != 0,
	        .forced_gc = (command->flags & ALLOC_SITES_FORCE_GC) != 0,
	        .cutoff = command->cutoff,
	};

	write_record(sites, &request);
	if (request.incremental)
		note_reported(sites);
}

static bool heap_sites_command(void *mode, JNIEnv *jni, const struct net_command *command)
{
	struct heap_sites *sites = mode;

	switch (command->kind) {
	case COMMAND_ALLOC_SITES:
		object_traces_sweep(sites->alloc, jni);
		answer_alloc_sites(sites, command);
		return true;
	case COMMAND_HEAP_SUMMARY:
		object_traces_sweep(sites->alloc, jni);
		write_summary(sites);
		return true;
	default:
		return false;
	}
}

static void heap_sites_destroy(void *mode, JNIEnv *jni)
{
	struct heap_sites *sites = mode;
	(void)jni;
	free(sites->reported);
	free(sites);
}

const struct mode_ops heap_sites_mode = {
        .title = "allocation sites",
        .is_selected = settings_count_sites,
        .create = heap_sites_create,
        .dump = heap_sites_dump,
        .write = heap_sites_write,
        .command = heap_sites_command,
        .destroy = heap_sites_destroy,
};

const struct mode_ops heap_sites_answers_mode = {
        .create = heap_sites_create,
        .command = heap_sites_command,
        .destroy = heap_sites_destroy,
};
