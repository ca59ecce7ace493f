/*
 * live_classes.c: see live_classes.h.
 */
#include "agent/live_classes.h"

#include "alloc/class_histogram.h"
#include "alloc/site_rows.h"

#include <stdlib.h>

/* A row for each class that has objects; adds them up. Returns how many rows there are. */
static size_t make_rows(struct profile *profile, const struct class_histogram *histogram,
                        struct site_row *rows, struct site_row *sums)
{
	const struct trace *empty = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);
	size_t count = 0;

	for (size_t i = 0; i < histogram->length; i++) {
		const struct class_total *total = &histogram->totals[i];
		if (total->objects == 0)
			continue;
		rows[count++] = (struct site_row){
		        .trace = empty,
		        .class = class_histogram_class(profile, i),
		        .live_bytes = total->bytes,
		        .live_objects = total->objects,
		};
		sums->live_bytes += total->bytes;
		sums->live_objects += total->objects;
	}
	return count;
}

static void write_record(struct profile *profile, const struct class_histogram *histogram,
                         const struct net_command *command)
{
	struct site_row *rows = calloc(histogram->length, sizeof(*rows));
	struct sites_record record = {
	        .wall_ms = os_wall_ms(),
	        .live = true,
	        .by_allocation = (command->flags & ALLOC_SITES_BY_ALLOCATION) != 0,
	        .incremental = (command->flags & ALLOC_SITES_INCREMENTAL) != 0,
	        .forced_gc = true,
	        .cutoff = command->cutoff,
	};

	if (rows == NULL) {
		profile_out_of_memory(profile);
		return;
	}
	size_t count = make_rows(profile, histogram, rows, &record.sums);
	site_rows_rank(&record, rows, count);
	writer_sites(profile->writer, &record);
	free(rows);
}

bool live_classes_write(struct profile *profile, JNIEnv *jni, const struct net_command *command)
{
	jvmtiEnv *jvmti = profile->jvmti;
	struct class_histogram histogram = {0};

	/* Dead objects would be counted too. */
	(void)(*jvmti)->ForceGarbageCollection(jvmti);
	bool taken = class_histogram_count(&histogram, profile, jni);
	if (taken)
		write_record(profile, &histogram, command);
	else if (histogram.totals == NULL)
		profile_out_of_memory(profile);
	class_histogram_free(&histogram);
	return taken;
}
