/*
 * report_binary.c: reads a binary profile for a report. A reference to something that the file
 * does not define gets the name <unknown>; `hprof check` reports it as an error. Memory grows
 * with the records, not with what their length fields claim.
 */
#include "base/array.h"
#include "hprof/heap_reader.h"
#include "hprof/record_reader.h"
#include "hprof/tags.h"
#include "hprof/text_titles.h"
#include "model/classes.h"
#include "model/methods.h"
#include "os/time_units.h"
#include "report/heap_objects.h"
#include "report/report_profile.h"
#include "report/same_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Longer names are cut. */
	NAME_BYTES = 64 * 1024,
	/* Names that are joined, of methods and places, are cut to NAME_BYTES_LEAST when all of
	 * them have more bytes than these two together, the second for each byte of the file:
	 * long strings can be joined in more ways than the file has bytes. */
	JOINED_BYTES_FREE = 64 * 1024 * 1024,
	JOINED_PER_BYTE = 16,
	NAME_BYTES_LEAST = 512,
	TITLE_BYTES = 160
};

struct binary_reader {
	struct hprof_reader file;
	struct report_profile *profile;
	struct report_visitor *visitor;
	struct report_error *error;
	struct address_map strings;       /* by id, const struct string * */
	struct address_map classes;       /* by serial number, const struct string *: names */
	struct address_map class_objects; /* by object id, the same */
	struct address_map readable;      /* by id of a string plus 1, the same for classes */
	struct address_map methods;       /* by ids of class and method name, the name of both */
	struct address_map places;        /* by id of source file and line, likewise */
	uint64_t joined_bytes;            /* of the names in methods and places */
	struct address_map frames;        /* by id, index in kept_frames */
	struct report_frame *kept_frames;
	size_t frame_count;
	size_t frame_capacity;
	struct report_frame *stack; /* scratch for one trace */
	size_t stack_capacity;
	struct heap_objects heap;
	bool in_heap;
	char heap_date[32];
	struct hprof_sub_record sub;
	const struct string *unknown;
	char *scratch; /* for names: room for two and their separators */
};

/* ---- helpers ---------------------------------------------------------------- */

static bool out_of_memory(struct binary_reader *reader)
{
	reader->error->code = OS_NO_MEMORY;
	return false;
}

static bool good(const struct binary_reader *reader)
{
	return reader->file.error == 0;
}

/* Sets the value of an id; 0 is no id. */
static bool set(struct binary_reader *reader, struct address_map *map, uint64_t id,
                const struct string *value)
{
	return id == 0 || address_map_set(map, id, (uintptr_t)value) || out_of_memory(reader);
}

/* The name of a key; NULL: none yet. */
static const struct string *find_name(const struct address_map *map, uint64_t key)
{
	const uint64_t *known = address_map_find(map, key);
	return known == NULL ? NULL : (const struct string *)(uintptr_t)*known;
}

static const struct string *look_up(const struct binary_reader *reader,
                                    const struct address_map *map, uint64_t id)
{
	const struct string *found = find_name(map, id);
	return found == NULL ? reader->unknown : found;
}

static const struct string *intern(struct binary_reader *reader, const char *text, size_t length)
{
	const struct string *string = string_table_intern(reader->profile->strings, text, length);
	if (string == NULL)
		(void)out_of_memory(reader);
	return string;
}

/* A name of a class or method in its stable form; NULL if it is NULL, or out of memory. */
static const struct string *stable(struct binary_reader *reader, const struct string *name)
{
	const struct string *string =
	        name == NULL ? NULL : report_stable_name(reader->profile, name);
	if (string == NULL)
		(void)out_of_memory(reader);
	return string;
}

/* ---- names -------------------------------------------------------------------- */

static bool read_string(struct binary_reader *reader)
{
	struct hprof_string string;

	if (!hprof_read_string(&reader->file, &string))
		return true; /* the error of the file is reported at the end */
	size_t length = string.length < NAME_BYTES ? (size_t)string.length : NAME_BYTES;
	const uint8_t *bytes = hprof_read_bytes(&reader->file, length);
	if (bytes == NULL)
		return true;
	const struct string *text = intern(reader, (const char *)bytes, length);
	return text != NULL && set(reader, &reader->strings, string.id, text);
}

/* The name as Java writes it; the JVM's own dumper writes the form of class files. */
static const struct string *readable(struct binary_reader *reader, const struct string *name)
{
	const char *slash = memchr(name->text, '/', name->length);
	char *text = reader->scratch;
	size_t length = name->length < NAME_BYTES ? name->length : NAME_BYTES - 1;

	if (name->length > 0 && name->text[0] == '[') {
		size_t written = class_name_from_signature(name->text, text, NAME_BYTES);
		return intern(reader, text, written < NAME_BYTES ? written : NAME_BYTES - 1);
	}
	/* The name of a hidden class ends with a slash and a number. */
	if (slash == NULL || strncmp(slash, "/0x", 3) == 0)
		return name;
	memcpy(text, name->text, length);
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '/')
			text[i] = '.';
	}
	return intern(reader, text, length);
}

/* The same, found once for each name. */
static const struct string *class_name(struct binary_reader *reader, const struct string *name)
{
	const struct string *known = find_name(&reader->readable, (uint64_t)name->id + 1);

	if (known != NULL)
		return known;
	const struct string *found = readable(reader, name);
	return found != NULL && set(reader, &reader->readable, (uint64_t)name->id + 1, found)
	               ? found
	               : NULL;
}

static bool read_load_class(struct binary_reader *reader)
{
	struct hprof_load_class class;

	if (!hprof_read_load_class(&reader->file, &class))
		return true;
	const struct string *name =
	        class_name(reader, look_up(reader, &reader->strings, class.name_id));
	return name != NULL && set(reader, &reader->classes, class.serial, name) &&
	       set(reader, &reader->class_objects, class.object_id, name);
}

static bool read_thread(struct binary_reader *reader)
{
	struct hprof_thread thread;

	(void)hprof_read_thread(&reader->file, &thread);
	uint64_t name_id = hprof_read_id(&reader->file);
	if (!good(reader))
		return true;
	const struct string *name = look_up(reader, &reader->strings, name_id);
	return report_add_thread(reader->profile, thread.serial, name) || out_of_memory(reader);
}

/* ---- traces ------------------------------------------------------------------- */

/* Appends the name to scratch, cut if need be. */
static size_t append(const struct binary_reader *reader, size_t used, const struct string *name)
{
	uint64_t most = JOINED_BYTES_FREE + JOINED_PER_BYTE * hprof_offset(&reader->file);
	size_t room = reader->joined_bytes < most ? NAME_BYTES : NAME_BYTES_LEAST;
	size_t length = name->length < room ? name->length : room;
	memcpy(reader->scratch + used, name->text, length);
	return used + length;
}

/* Keeps the name that was joined from length bytes for a key. NULL if name is, or out of memory. */
static const struct string *keep_joined(struct binary_reader *reader, struct address_map *map,
                                        uint64_t key, const struct string *name, size_t length)
{
	reader->joined_bytes += length;
	return name != NULL && set(reader, map, key, name) ? name : NULL;
}

static const struct string *method_name(struct binary_reader *reader,
                                        const struct string *class_name,
                                        const struct string *method)
{
	uint64_t key = ((uint64_t)class_name->id + 1) << 32 | method->id;
	const struct string *known = find_name(&reader->methods, key);

	if (known != NULL)
		return known;
	size_t used = append(reader, 0, class_name);
	reader->scratch[used++] = '.';
	used = append(reader, used, method);
	return keep_joined(reader, &reader->methods, key,
	                   stable(reader, intern(reader, reader->scratch, used)), used);
}

static const struct string *place_name(struct binary_reader *reader, uint64_t source_id,
                                       int32_t line)
{
	enum { MARK_BYTES = 32 };
	const struct string *source =
	        source_id == 0 ? NULL : look_up(reader, &reader->strings, source_id);
	uint64_t key = (source == NULL ? 1 : (uint64_t)source->id + 2) << 32 | (uint32_t)line;
	const struct string *known = find_name(&reader->places, key);
	char mark[MARK_BYTES] = ":Unknown line)";
	size_t used = 0;

	if (known != NULL)
		return known;
	if (line > 0)
		(void)snprintf(mark, sizeof(mark), ":%" PRId32 ")", line);
	else if (line == LINE_NATIVE)
		(void)strlcpy(mark, ":Native method)", sizeof(mark));
	reader->scratch[used++] = '(';
	if (source != NULL) {
		used = append(reader, used, source);
	} else {
		static const char no_source[] = "<Unknown Source>";
		memcpy(reader->scratch + used, no_source, strlen(no_source));
		used += strlen(no_source);
	}
	memcpy(reader->scratch + used, mark, strlen(mark));
	used += strlen(mark);
	return keep_joined(reader, &reader->places, key, intern(reader, reader->scratch, used),
	                   used);
}

/* Ensures room for one more frame. */
static bool grow(struct binary_reader *reader, struct report_frame **frames, size_t count,
                 size_t *capacity)
{
	return array_grow(frames, capacity, count, sizeof(**frames)) || out_of_memory(reader);
}

static bool read_frame(struct binary_reader *reader)
{
	struct hprof_frame read;

	if (!hprof_read_frame(&reader->file, &read) || read.id == 0)
		return true;
	struct report_frame frame = {
	        .method = method_name(reader, look_up(reader, &reader->classes, read.class_serial),
	                              look_up(reader, &reader->strings, read.name_id)),
	        .place = place_name(reader, read.source_id, read.line),
	};
	if (frame.method == NULL || frame.place == NULL ||
	    !grow(reader, &reader->kept_frames, reader->frame_count, &reader->frame_capacity))
		return false;
	reader->kept_frames[reader->frame_count] = frame;
	return address_map_set(&reader->frames, read.id, reader->frame_count++) ||
	       out_of_memory(reader);
}

static bool read_trace(struct binary_reader *reader)
{
	struct hprof_reader *file = &reader->file;
	const struct report_frame unknown = {reader->unknown, reader->unknown};
	struct hprof_trace trace;

	if (hprof_read_trace(file, &trace) && (uint64_t)trace.depth * file->id_size > file->left)
		hprof_set_broken(file);
	for (uint32_t i = 0; i < trace.depth && good(reader); i++) {
		const uint64_t *frame = address_map_find(&reader->frames, hprof_read_id(file));
		if (!grow(reader, &reader->stack, i, &reader->stack_capacity))
			return false;
		reader->stack[i] = frame == NULL ? unknown : reader->kept_frames[*frame];
	}
	if (!good(reader))
		return true;
	return report_add_trace(reader->profile, trace.serial, trace.thread_serial, reader->stack,
	                        trace.depth) ||
	       out_of_memory(reader);
}

/* ---- sections ------------------------------------------------------------------- */

/* The time at which the record was written. */
static void when(const struct binary_reader *reader, char *text, size_t size)
{
	uint64_t ms = reader->file.created_ms + reader->file.record_us / US_PER_MS;
	os_local_time_text(ms <= INT64_MAX ? (int64_t)ms : 0, text, size);
}

/* Passes the section to the visitor, even if it is incomplete, and frees it. What a complete one
 * lacks to the total is a row of its own. */
static bool visit(struct binary_reader *reader, struct report_section *section, uint64_t total)
{
	if (!section_add_rest(section, reader->profile->strings, good(reader) ? total : 0)) {
		section_free(section);
		return out_of_memory(reader);
	}
	section_set_shares(section, section->total);
	bool visited = (same_rows_add_up(reader->profile, section) || out_of_memory(reader)) &&
	               reader->visitor->section(reader->visitor, reader->profile, section);
	section_free(section);
	return visited;
}

/* Reads rows up to an error of the file. False after another error; the section is then freed. */
static bool read_rows(struct binary_reader *reader, struct report_section *section, uint32_t count,
                      bool (*read_row)(struct binary_reader *, struct report_section *))
{
	for (uint32_t i = 0; i < count && good(reader); i++) {
		if (!read_row(reader, section)) {
			section_free(section);
			return false;
		}
	}
	return true;
}

static bool read_sample(struct binary_reader *reader, struct report_section *section)
{
	struct hprof_sample sample;

	if (!hprof_read_sample(&reader->file, &sample))
		return true;
	const struct string *name = report_innermost(reader->profile, sample.trace_serial);
	struct section_row *row = name != NULL ? section_add(section) : NULL;
	if (row == NULL)
		return out_of_memory(reader);
	row->name = name;
	row->trace = sample.trace_serial;
	row->count = sample.count;
	row->cost = sample.count;
	return true;
}

static bool read_samples(struct binary_reader *reader)
{
	struct hprof_samples samples;
	char date[32];
	char title[TITLE_BYTES];
	struct report_section section;

	(void)hprof_read_samples(&reader->file, &samples);
	when(reader, date, sizeof(date));
	(void)snprintf(title, sizeof(title), TEXT_CPU_SAMPLES " (total = %" PRIu32 ") %s",
	               samples.total, date);
	section_begin(&section, SECTION_SAMPLES, title, strlen(title));
	return read_rows(reader, &section, samples.row_count, read_sample) &&
	       visit(reader, &section, samples.total);
}

static bool read_site(struct binary_reader *reader, struct report_section *section)
{
	struct hprof_site site;
	struct hprof_totals counts;

	if (!hprof_read_site(&reader->file, &site, &counts))
		return true;
	const struct string *name =
	        stable(reader, look_up(reader, &reader->classes, site.class_serial));
	if (name == NULL)
		return false;
	struct section_row *row = section_add(section);
	if (row == NULL)
		return out_of_memory(reader);
	row->name = name;
	row->trace = site.trace_serial;
	row->count = counts.live_objects;
	row->live_bytes = counts.live_bytes;
	row->allocated_bytes = counts.allocated_bytes;
	row->allocated_objects = counts.allocated_objects;
	row->cost = section->by_allocation ? counts.allocated_bytes : counts.live_bytes;
	return true;
}

static bool read_sites(struct binary_reader *reader)
{
	struct hprof_sites sites;
	struct hprof_totals totals;
	char date[32];
	char title[TITLE_BYTES];
	struct report_section section;

	(void)hprof_read_sites(&reader->file, &sites, &totals);
	bool by_allocation = (sites.flags & HPROF_SITES_BY_ALLOCATION) != 0;
	bool incremental = (sites.flags & HPROF_SITES_INCREMENTAL) != 0;
	when(reader, date, sizeof(date));
	(void)snprintf(title, sizeof(title), TEXT_SITES " (ordered by %s bytes%s) %s",
	               by_allocation ? "allocated" : "live",
	               incremental ? ", alloc'ed since the last one" : "", date);
	section_begin(&section, SECTION_SITES, title, strlen(title));
	section.by_allocation = by_allocation;
	return read_rows(reader, &section, sites.row_count, read_site) &&
	       visit(reader, &section, by_allocation ? totals.allocated_bytes : totals.live_bytes);
}

static bool read_summary(struct binary_reader *reader)
{
	struct hprof_totals totals;
	char date[32];
	char title[TITLE_BYTES];
	struct report_section section;

	if (!hprof_read_heap_summary(&reader->file, &totals))
		return true;
	when(reader, date, sizeof(date));
	(void)snprintf(title, sizeof(title),
	               "HEAP SUMMARY (live %" PRIu64 " bytes in %" PRIu64 " objects, "
	               "alloc'ed %" PRIu64 " bytes in %" PRIu64 " objects) %s",
	               totals.live_bytes, totals.live_objects, totals.allocated_bytes,
	               totals.allocated_objects, date);
	section_begin(&section, SECTION_LINES, title, strlen(title));
	return visit(reader, &section, 0);
}

/* ---- heap dumps ------------------------------------------------------------------ */

#define ARRAY_NAME(value, name, text) [value] = text "[]",

static const struct string *array_name(struct binary_reader *reader, uint8_t type)
{
	static const char *const names[] = {HPROF_PRIMITIVE_TYPES(ARRAY_NAME)};
	const char *name = type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
	return name == NULL ? reader->unknown : intern(reader, name, strlen(name));
}

/* Names of strings and objects, as the units of heap dumps ask for them. */
static const char *string_text(void *context, uint64_t id)
{
	const struct binary_reader *reader = context;
	return look_up(reader, &reader->strings, id)->text;
}

static const struct string *objects_name(void *context, uint64_t class_id, uint8_t type)
{
	struct binary_reader *reader = context;
	if (class_id == 0)
		return array_name(reader, type);
	const struct string *name = look_up(reader, &reader->class_objects, class_id);
	return stable(reader, name);
}

static bool count_class(struct binary_reader *reader)
{
	const struct hprof_sub_record *sub = &reader->sub;
	const struct string *name = look_up(reader, &reader->class_objects, sub->object_id);

	return heap_layout_add_class(&reader->heap.layout, sub->object_id, name->text, &sub->class,
	                             string_text, reader) ||
	       out_of_memory(reader);
}

static bool count_sub_record(struct binary_reader *reader)
{
	switch (reader->sub.tag) {
	case HPROF_SUB_CLASS_DUMP:
		return count_class(reader);
	case HPROF_SUB_INSTANCE_DUMP:
	case HPROF_SUB_OBJECT_ARRAY_DUMP:
	case HPROF_SUB_PRIMITIVE_ARRAY_DUMP:
	case HPROF_SUB_PRIMITIVE_ARRAY_NODATA:
		return heap_objects_add(&reader->heap, &reader->sub) || out_of_memory(reader);
	default:
		return true;
	}
}

static bool read_heap(struct binary_reader *reader)
{
	if (!reader->in_heap) {
		when(reader, reader->heap_date, sizeof(reader->heap_date));
		heap_objects_init(&reader->heap, reader->file.id_size);
		reader->in_heap = true;
	}
	hprof_join_segments(&reader->file);
	while (hprof_read_sub_record(&reader->file, &reader->sub)) {
		hprof_skip(&reader->file, hprof_body_length(&reader->file, &reader->sub));
		/* What is cut is not counted. */
		if (good(reader) && !count_sub_record(reader))
			return false;
	}
	return true;
}

static void heap_title(const struct binary_reader *reader, bool is_known, char *title, size_t size)
{
	const struct heap_layout *layout = &reader->heap.layout;

	if (is_known)
		(void)snprintf(title, size,
		               "%s (sizes for headers of %" PRIu64 ", references of %" PRIu64
		               ", alignment to %" PRIu64 " bytes) %s",
		               TEXT_HEAP_DUMP, layout->header, layout->reference, layout->alignment,
		               reader->heap_date);
	else
		(void)snprintf(title, size, TEXT_HEAP_DUMP " (bytes without headers) %s",
		               reader->heap_date);
}

static bool end_heap(struct binary_reader *reader)
{
	char title[TITLE_BYTES];
	struct heap_histogram histogram;

	if (!reader->in_heap)
		return true;
	reader->in_heap = false;
	bool is_known = heap_layout_settle(&reader->heap.layout);
	heap_title(reader, is_known, title, sizeof(title));
	heap_histogram_begin(&histogram, title, strlen(title));
	bool visited =
	        heap_objects_list(&reader->heap, is_known, &histogram, objects_name, reader) ||
	        out_of_memory(reader);
	visited = visited && reader->visitor->section(reader->visitor, reader->profile,
	                                              heap_histogram_section(&histogram));
	heap_histogram_free(&histogram);
	heap_objects_free(&reader->heap);
	return visited;
}

static bool read_whole_heap(struct binary_reader *reader)
{
	return end_heap(reader) && read_heap(reader) && end_heap(reader);
}

/* ---- the file --------------------------------------------------------------------- */

static const struct {
	uint8_t tag;
	bool (*read)(struct binary_reader *reader);
} records[] = {
        {HPROF_RECORD_STRING, read_string},        {HPROF_RECORD_LOAD_CLASS, read_load_class},
        {HPROF_RECORD_STACK_FRAME, read_frame},    {HPROF_RECORD_STACK_TRACE, read_trace},
        {HPROF_RECORD_ALLOC_SITES, read_sites},    {HPROF_RECORD_HEAP_SUMMARY, read_summary},
        {HPROF_RECORD_START_THREAD, read_thread},  {HPROF_RECORD_CPU_SAMPLES, read_samples},
        {HPROF_RECORD_HEAP_DUMP, read_whole_heap}, {HPROF_RECORD_HEAP_DUMP_SEGMENT, read_heap},
        {HPROF_RECORD_HEAP_DUMP_END, end_heap},
};

static bool read_records(struct binary_reader *reader)
{
	uint8_t tag = 0;
	bool going = true;

	while (going && hprof_next_record(&reader->file, &tag)) {
		for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
			if (records[i].tag == tag)
				going = records[i].read(reader);
		}
	}
	if (good(reader) && going && reader->in_heap)
		(void)snprintf(reader->error->text, sizeof(reader->error->text),
		               "offset %" PRIu64 ": the file ends inside a heap dump",
		               hprof_offset(&reader->file));
	/* A truncated dump is reported as far as it was read. */
	return end_heap(reader) && going && reader->error->text[0] == '\0';
}

static bool begin(struct binary_reader *reader)
{
	static const char unknown[] = "<unknown>";
	reader->scratch = malloc(2 * (size_t)NAME_BYTES + 64);
	reader->unknown = intern(reader, unknown, strlen(unknown));
	return (hprof_sub_record_init(&reader->sub) && reader->scratch != NULL &&
	        reader->unknown != NULL) ||
	       out_of_memory(reader);
}

static bool read_created(struct binary_reader *reader)
{
	char date[32];

	/* No record has been read. */
	when(reader, date, sizeof(date));
	reader->profile->facts.created = intern(reader, date, strlen(date));
	return reader->profile->facts.created != NULL;
}

static void end(struct binary_reader *reader)
{
	hprof_reader_close(&reader->file);
	hprof_sub_record_free(&reader->sub);
	address_map_free(&reader->strings);
	address_map_free(&reader->classes);
	address_map_free(&reader->class_objects);
	address_map_free(&reader->readable);
	address_map_free(&reader->methods);
	address_map_free(&reader->places);
	address_map_free(&reader->frames);
	free(reader->kept_frames);
	free(reader->stack);
	free(reader->scratch);
	if (reader->in_heap)
		heap_objects_free(&reader->heap);
}

bool report_read_binary(struct byte_source *source, struct report_profile *profile,
                        struct report_visitor *visitor, struct report_error *error)
{
	struct binary_reader reader = {.profile = profile, .visitor = visitor, .error = error};
	bool whole = false;

	*error = (struct report_error){.code = 0};
	bool opened = hprof_reader_open_source(&reader.file, source);
	if (begin(&reader) && opened && read_created(&reader))
		whole = read_records(&reader);
	if (reader.file.joined + reader.file.extended > 0)
		(void)snprintf(error->warning, sizeof(error->warning),
		               "offset %" PRIu64
		               ": an object of the heap dump extends past the end of its segment",
		               reader.file.joined_at);
	if (reader.file.error == HPROF_BROKEN) {
		(void)snprintf(error->text, sizeof(error->text),
		               "offset %" PRIu64 ": corrupt or truncated record",
		               hprof_offset(&reader.file));
		whole = false;
	} else if (reader.file.error != 0) {
		error->code = reader.file.error;
		whole = false;
	}
	end(&reader);
	return whole;
}
