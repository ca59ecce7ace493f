/*
 * check.c: see check.h. A record may refer only to what is already defined, except for the stack
 * traces of classes and threads, which the JVM's own dumper writes later: those may be anywhere
 * in the file. Objects may refer to any object of their dump. The JVM's own dumper writes no
 * START THREAD; in a file that has any, each thread needs one.
 */
#include "check/check.h"

#include "check/known_ids.h"
#include "check/value_sizes.h"
#include "hprof/heap_reader.h"
#include "hprof/record_reader.h"
#include "hprof/records.h"
#include "hprof/tags.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const record_names[CHECK_TAGS] = {HPROF_RECORDS(HPROF_TEXT_ENTRY)};
static const char *const sub_names[CHECK_TAGS] = {HPROF_SUB_RECORDS(HPROF_TEXT_ENTRY)};

struct checker {
	struct hprof_reader reader;
	struct check_result *result;
	struct known_ids ids;
	struct value_sizes sizes;
	struct dump_links links;
	struct hprof_sub_record sub;
	uint64_t at;      /* offset of the current record or sub-record */
	const char *what; /* its name */
	bool in_segments; /* inside a dump that has not ended */
};

/* ---- errors ---------------------------------------------------------------- */

__attribute__((format(OS_PRINTF_ARCHETYPE, 2, 3))) static void add_error(struct checker *checker,
                                                                         const char *format, ...)
{
	struct check_result *result = checker->result;
	uint64_t number = result->error_count++;
	va_list values;

	if (number >= CHECK_ERRORS_KEPT)
		return;
	struct check_error *kept = &result->errors[number];
	kept->offset = checker->at;
	int used = snprintf(kept->text, sizeof(kept->text), "%s: ", checker->what);
	va_start(values, format);
	(void)vsnprintf(kept->text + used, sizeof(kept->text) - (size_t)used, format, values);
	va_end(values);
}

/* Ends the check: there is no memory to remember definitions. */
static void give_up(struct checker *checker)
{
	if (checker->reader.error == 0 || checker->reader.error == HPROF_BROKEN)
		checker->reader.error = OS_NO_MEMORY;
}

static void define(struct checker *checker, enum known_id kind, uint64_t id, const char *name)
{
	if (checker->reader.error != 0)
		return;
	switch (known_ids_add(&checker->ids, kind, id)) {
	case KNOWN_ID_NEW:
		break;
	case KNOWN_ID_ZERO:
		add_error(checker, "defines %s 0, which means none", name);
		break;
	case KNOWN_ID_TWICE:
		add_error(checker, "defines %s %" PRIu64 " again", name, id);
		break;
	case KNOWN_ID_NO_MEMORY:
		give_up(checker);
		break;
	}
}

/* After an error, 0 is a field that was not read. */
static void need(struct checker *checker, enum known_id kind, uint64_t id, const char *name)
{
	bool was_read = checker->reader.error == 0 || id != 0;

	if (was_read && !known_ids_has(&checker->ids, kind, id))
		add_error(checker, "%s %" PRIu64 " has not been defined", name, id);
}

static void need_unless_0(struct checker *checker, enum known_id kind, uint64_t id,
                          const char *name)
{
	if (id != 0)
		need(checker, kind, id, name);
}

/* Notes a reference to a trace that may be defined later. */
static void require_trace(struct checker *checker, uint32_t serial)
{
	if (checker->reader.error == 0 && serial != 0 &&
	    !known_ids_require_trace(&checker->ids, serial, checker->at))
		give_up(checker);
}

/* Notes the thread of a root or a trace; some serials stand for no thread. */
static void name_thread(struct checker *checker, uint32_t serial)
{
	if (serial != 0 && serial != THREAD_SERIAL_BASE &&
	    !known_ids_name_thread(&checker->ids, serial, checker->at))
		give_up(checker);
}

/* ---- records --------------------------------------------------------------- */

static void check_string(struct checker *checker)
{
	struct hprof_string string;

	if (!hprof_read_string(&checker->reader, &string))
		return;
	define(checker, KNOWN_STRING, string.id, "string");
	hprof_skip(&checker->reader, string.length);
}

static void check_load_class(struct checker *checker)
{
	struct hprof_load_class class;

	if (!hprof_read_load_class(&checker->reader, &class))
		return;
	define(checker, KNOWN_CLASS, class.serial, "class");
	/* After an unload another class can have the same address. */
	if (known_ids_add(&checker->ids, KNOWN_CLASS_OBJECT, class.object_id) == KNOWN_ID_NO_MEMORY)
		give_up(checker);
	require_trace(checker, class.trace_serial);
	need(checker, KNOWN_STRING, class.name_id, "class name string");
}

static void check_unload_class(struct checker *checker)
{
	need(checker, KNOWN_CLASS, hprof_read_u4(&checker->reader), "class");
}

static void check_frame(struct checker *checker)
{
	struct hprof_frame frame;

	if (!hprof_read_frame(&checker->reader, &frame))
		return;
	define(checker, KNOWN_FRAME, frame.id, "frame");
	need(checker, KNOWN_STRING, frame.name_id, "method name string");
	need(checker, KNOWN_STRING, frame.signature_id, "signature string");
	need_unless_0(checker, KNOWN_STRING, frame.source_id, "source file string");
	need(checker, KNOWN_CLASS, frame.class_serial, "class");
	if (checker->reader.error == 0 && frame.line < LINE_NATIVE)
		add_error(checker, "invalid line number %" PRId32, frame.line);
}

/* Whether the rest of the record is exactly count pieces of size bytes. */
static bool is_rest(struct checker *checker, uint32_t count, size_t size, const char *pieces)
{
	if (checker->reader.error != 0)
		return false;
	if (checker->reader.left == (uint64_t)count * size)
		return true;
	add_error(checker, "%" PRIu32 " %s, but %" PRIu64 " bytes for them", count, pieces,
	          checker->reader.left);
	hprof_skip(&checker->reader, checker->reader.left);
	return false;
}

static void check_trace(struct checker *checker)
{
	struct hprof_reader *reader = &checker->reader;
	struct hprof_trace trace;
	bool read = hprof_read_trace(reader, &trace);

	/* Even if the record ends before its depth: see need(). */
	name_thread(checker, trace.thread_serial);
	/* DUMP TRACES repeats traces. */
	if (read && known_ids_add(&checker->ids, KNOWN_TRACE, trace.serial) == KNOWN_ID_NO_MEMORY)
		give_up(checker);
	if (!is_rest(checker, trace.depth, reader->id_size, "frames"))
		return;
	for (uint32_t i = 0; i < trace.depth && reader->error == 0; i++)
		need(checker, KNOWN_FRAME, hprof_read_id(reader), "frame");
}

static void check_site(struct checker *checker)
{
	struct hprof_site site;

	/* If the file ends inside it, the fields before the end are checked. */
	(void)hprof_read_site(&checker->reader, &site, NULL);
	if (site.type != 0 && heap_type_size(site.type, checker->reader.id_size) == 0)
		add_error(checker, "unknown array type %u", site.type);
	need(checker, KNOWN_CLASS, site.class_serial, "class");
	need_unless_0(checker, KNOWN_TRACE, site.trace_serial, "trace");
}

static void check_alloc_sites(struct checker *checker)
{
	enum {
		FLAGS = HPROF_SITES_INCREMENTAL | HPROF_SITES_BY_ALLOCATION | HPROF_SITES_FORCED_GC
	};
	struct hprof_sites sites;

	if (!hprof_read_sites(&checker->reader, &sites, NULL))
		return;
	if ((sites.flags & ~FLAGS) != 0)
		add_error(checker, "unknown flags 0x%x", sites.flags);
	if (!is_rest(checker, sites.row_count, HPROF_SITE_BYTES, "sites"))
		return;
	for (uint32_t i = 0; i < sites.row_count && checker->reader.error == 0; i++)
		check_site(checker);
}

static void check_heap_summary(struct checker *checker)
{
	(void)hprof_read_heap_summary(&checker->reader, NULL);
}

static void check_start_thread(struct checker *checker)
{
	static const char *const names[HPROF_THREAD_NAMES] = {
	        "thread name string", "group name string", "parent group name string"};
	struct hprof_thread thread;

	if (!hprof_read_thread(&checker->reader, &thread))
		return;
	require_trace(checker, thread.trace_serial);
	if (known_ids_add(&checker->ids, KNOWN_THREAD, thread.serial) == KNOWN_ID_NO_MEMORY)
		give_up(checker);
	for (size_t i = 0; i < HPROF_THREAD_NAMES; i++)
		need_unless_0(checker, KNOWN_STRING, hprof_read_id(&checker->reader), names[i]);
}

static void check_end_thread(struct checker *checker)
{
	need(checker, KNOWN_THREAD, hprof_read_u4(&checker->reader), "thread");
}

static void check_cpu_samples(struct checker *checker)
{
	struct hprof_reader *reader = &checker->reader;
	struct hprof_samples samples;
	uint64_t sum = 0;

	(void)hprof_read_samples(reader, &samples);
	if (!is_rest(checker, samples.row_count, HPROF_SAMPLE_BYTES, "traces"))
		return;
	for (uint32_t i = 0; i < samples.row_count && reader->error == 0; i++) {
		struct hprof_sample sample;
		(void)hprof_read_sample(reader, &sample);
		sum += sample.count;
		need(checker, KNOWN_TRACE, sample.trace_serial, "trace");
	}
	/* A total that is too large is written as the largest number. */
	if (reader->error == 0 && sum > samples.total && samples.total != UINT32_MAX)
		add_error(checker, "the traces have %" PRIu64 " samples, but the total is %" PRIu32,
		          sum, samples.total);
}

static void check_control_settings(struct checker *checker)
{
	enum { FLAGS = CONTROL_ALLOC_TRACES | CONTROL_CPU_SAMPLING };
	struct hprof_control_settings settings;

	if (hprof_read_control_settings(&checker->reader, &settings) &&
	    (settings.flags & ~(uint32_t)FLAGS) != 0)
		add_error(checker, "unknown flags 0x%" PRIx32, settings.flags);
}

/* ---- heap dumps ------------------------------------------------------------ */

static void check_class_dump(struct checker *checker)
{
	const struct hprof_class *class = &checker->sub.class;
	uint64_t bytes = 0;

	need(checker, KNOWN_CLASS_OBJECT, checker->sub.object_id, "class object");
	need_unless_0(checker, KNOWN_CLASS_OBJECT, class->super_id, "super class object");
	for (uint16_t i = 0; i < class->static_count; i++)
		need(checker, KNOWN_STRING, class->statics[i].name_id, "static field name string");
	for (uint16_t i = 0; i < class->field_count; i++) {
		need(checker, KNOWN_STRING, class->fields[i].name_id, "field name string");
		bytes += heap_type_size(class->fields[i].type, checker->reader.id_size);
	}
	if (!value_sizes_set(&checker->sizes, checker->sub.object_id, class->super_id, bytes))
		give_up(checker);
}

static void check_instance(struct checker *checker)
{
	uint64_t bytes = 0;

	need(checker, KNOWN_CLASS_OBJECT, checker->sub.class_id, "class object");
	if (value_sizes_find(&checker->sizes, checker->sub.class_id, &bytes) &&
	    bytes != checker->sub.length)
		add_error(checker, "%" PRIu32 " bytes of values, but its class has %" PRIu64,
		          checker->sub.length, bytes);
}

static bool is_root(uint8_t tag)
{
	return tag < HPROF_SUB_CLASS_DUMP || tag == HPROF_SUB_ROOT_UNKNOWN ||
	       (tag >= HPROF_SUB_ROOT_INTERNED_STRING && tag <= HPROF_SUB_UNREACHABLE);
}

/* Reads ids from the next bytes of the input. */
static bool link_elements(struct checker *checker, uint64_t bytes)
{
	struct hprof_reader *reader = &checker->reader;
	bool good = true;

	for (; bytes > 0 && good && reader->error == 0; bytes -= reader->id_size)
		good = dump_links_name(&checker->links, hprof_read_id(reader));
	return good;
}

/* Values longer than the reader's window are skipped: no class has that many fields. */
static bool link_values(struct checker *checker)
{
	struct hprof_reader *reader = &checker->reader;
	uint32_t length = checker->sub.length;

	if (length > HPROF_WINDOW_BYTES) {
		hprof_skip(reader, length);
		return true;
	}
	const uint8_t *values = hprof_read_bytes(reader, length);
	return values == NULL || dump_links_instance(&checker->links, checker->sub.class_id, values,
	                                             length, reader->id_size);
}

static bool link_id(struct checker *checker)
{
	struct dump_links *links = &checker->links;
	const struct hprof_sub_record *sub = &checker->sub;

	if (sub->tag == HPROF_SUB_ROOT_STICKY_CLASS)
		return dump_links_class_root(links, sub->object_id);
	return is_root(sub->tag) ? dump_links_name(links, sub->object_id)
	                         : dump_links_define(links, sub->object_id);
}

/* Reads the body of the sub-record, and notes what it refers to. */
static void link_sub(struct checker *checker)
{
	const struct hprof_sub_record *sub = &checker->sub;
	uint64_t body = hprof_body_length(&checker->reader, sub);
	bool good = link_id(checker);

	if (sub->tag == HPROF_SUB_CLASS_DUMP)
		good = good && dump_links_class(&checker->links, sub->object_id, &sub->class);
	if (sub->tag == HPROF_SUB_INSTANCE_DUMP)
		good = good && link_values(checker);
	else if (sub->tag == HPROF_SUB_OBJECT_ARRAY_DUMP)
		good = good && link_elements(checker, body);
	else
		hprof_skip(&checker->reader, body);
	if (!good)
		give_up(checker);
}

static void end_dump(struct checker *checker)
{
	dump_links_end(&checker->links, &checker->result->missing);
}

static void check_sub(struct checker *checker)
{
	const struct hprof_sub_record *sub = &checker->sub;

	if (hprof_has_thread(sub->tag))
		name_thread(checker, sub->thread_serial);

	switch (sub->tag) {
	case HPROF_SUB_CLASS_DUMP:
		check_class_dump(checker);
		break;
	case HPROF_SUB_INSTANCE_DUMP:
		check_instance(checker);
		break;
	case HPROF_SUB_OBJECT_ARRAY_DUMP:
		need(checker, KNOWN_CLASS_OBJECT, sub->class_id, "class object");
		break;
	case HPROF_SUB_PRIMITIVE_ARRAY_DUMP:
	case HPROF_SUB_PRIMITIVE_ARRAY_NODATA:
		break;
	case HPROF_SUB_HEAP_DUMP_INFO:
		need(checker, KNOWN_STRING, sub->name_id, "heap name string");
		return;
	case HPROF_SUB_ROOT_THREAD_OBJECT:
		need_unless_0(checker, KNOWN_TRACE, sub->trace_serial, "trace");
		return;
	default:
		return;
	}
	need_unless_0(checker, KNOWN_TRACE, sub->trace_serial, "trace");
}

/* Reports a sub-record that could not be read. The next one in its segment cannot be found. */
static void report_broken_sub(struct checker *checker)
{
	if (!hprof_recover(&checker->reader))
		return;
	if (sub_names[checker->sub.tag] == NULL)
		add_error(checker, "unknown tag 0x%02x; the rest of the segment is skipped",
		          checker->sub.tag);
	else
		add_error(checker, "extends past the end of its segment, or contains a value of "
		                   "unknown type");
	hprof_skip(&checker->reader, checker->reader.left);
}

/* Reports sub-records that extended past the end of their segment and were read all the same. */
static void report_extended(struct checker *checker, uint64_t joined, uint64_t extended)
{
	const struct hprof_reader *reader = &checker->reader;

	if (reader->error == 0 && reader->joined > joined)
		add_error(checker, "extends past the end of its segment, into the next one");
	if (reader->error == 0 && reader->extended > extended)
		add_error(checker, "extends past the end that the length of its record gives");
}

static void check_heap_records(struct checker *checker)
{
	struct hprof_reader *reader = &checker->reader;

	hprof_join_segments(reader);
	while (reader->left > 0 && reader->error == 0) {
		checker->at = hprof_offset(reader);
		checker->what = "heap dump";
		checker->sub.tag = 0;
		uint64_t joined = reader->joined;
		uint64_t extended = reader->extended;
		bool read = hprof_read_sub_record(reader, &checker->sub);
		const char *name = sub_names[checker->sub.tag];
		if (name != NULL)
			checker->what = name;
		if (!read) {
			report_broken_sub(checker);
			return;
		}
		check_sub(checker);
		link_sub(checker);
		report_extended(checker, joined, extended);
		if (reader->error == HPROF_BROKEN) {
			report_broken_sub(checker);
			return;
		}
		struct check_count *count = &checker->result->subrecords[checker->sub.tag];
		count->records++;
		count->bytes += hprof_offset(reader) - checker->at;
	}
}

static void check_heap_dump(struct checker *checker)
{
	if (checker->in_segments)
		add_error(checker, "the segments before it have no HEAP DUMP END");
	checker->in_segments = false;
	check_heap_records(checker);
	end_dump(checker);
}

static void check_segment(struct checker *checker)
{
	if (checker->result->version < HPROF_VERSION_1_0_2)
		add_error(checker, "a %s file has no segments",
		          hprof_versions[checker->result->version]);
	checker->in_segments = true;
	check_heap_records(checker);
}

static void check_segments_end(struct checker *checker)
{
	if (!checker->in_segments)
		add_error(checker, "no HEAP DUMP SEGMENT before it");
	checker->in_segments = false;
	end_dump(checker);
}

/* ---- the file -------------------------------------------------------------- */

static const struct record_row {
	uint8_t tag;
	void (*check)(struct checker *checker);
} record_rows[] = {
        {HPROF_RECORD_STRING, check_string},
        {HPROF_RECORD_LOAD_CLASS, check_load_class},
        {HPROF_RECORD_UNLOAD_CLASS, check_unload_class},
        {HPROF_RECORD_STACK_FRAME, check_frame},
        {HPROF_RECORD_STACK_TRACE, check_trace},
        {HPROF_RECORD_ALLOC_SITES, check_alloc_sites},
        {HPROF_RECORD_HEAP_SUMMARY, check_heap_summary},
        {HPROF_RECORD_START_THREAD, check_start_thread},
        {HPROF_RECORD_END_THREAD, check_end_thread},
        {HPROF_RECORD_HEAP_DUMP, check_heap_dump},
        {HPROF_RECORD_CPU_SAMPLES, check_cpu_samples},
        {HPROF_RECORD_CONTROL_SETTINGS, check_control_settings},
        {HPROF_RECORD_HEAP_DUMP_SEGMENT, check_segment},
        {HPROF_RECORD_HEAP_DUMP_END, check_segments_end},
};

static const struct record_row *find_row(uint8_t tag)
{
	for (size_t i = 0; i < sizeof(record_rows) / sizeof(record_rows[0]); i++) {
		if (record_rows[i].tag == tag)
			return &record_rows[i];
	}
	return NULL;
}

static void check_record(struct checker *checker, uint64_t start, uint8_t tag)
{
	struct hprof_reader *reader = &checker->reader;
	const struct record_row *row = find_row(tag);
	const char *name = row != NULL ? record_names[tag] : "record";

	checker->at = start;
	checker->what = name;
	if (row != NULL) {
		row->check(checker);
	} else {
		add_error(checker, "unknown tag 0x%02x", tag);
		hprof_skip(reader, reader->left);
	}

	checker->at = start;
	checker->what = name;
	if (reader->error == 0 && reader->left > 0)
		add_error(checker, "%" PRIu64 " extra bytes at its end", reader->left);
	else if (reader->error == HPROF_BROKEN && hprof_recover(reader))
		add_error(checker, "too short for its fields");
	hprof_skip(reader, reader->left);
}

static void check_records(struct checker *checker)
{
	struct hprof_reader *reader = &checker->reader;
	uint64_t start = hprof_offset(reader);
	uint8_t tag = 0;

	while (hprof_next_record(reader, &tag)) {
		uint64_t joined = reader->joined;
		check_record(checker, start, tag);
		uint64_t end = hprof_offset(reader);
		/* Segments that were joined are one in what is read. */
		checker->result->records[tag].records += 1 + reader->joined - joined;
		checker->result->records[tag].bytes += end - start;
		if (reader->error == 0)
			start = end;
	}
	if (reader->error == HPROF_BROKEN) {
		checker->at = start;
		checker->what = "record";
		add_error(checker, "the file ends inside it");
	}
}

static void check_end(struct checker *checker)
{
	uint64_t at;
	uint64_t serial;

	checker->at = hprof_offset(&checker->reader);
	checker->what = "end of the file";
	if (checker->in_segments)
		add_error(checker, "no HEAP DUMP END after the last segment");
	while (known_ids_next_missing(&checker->ids, &serial, &at)) {
		checker->at = at;
		checker->what = "record";
		add_error(checker, "trace %" PRIu64 " is not in the file", serial);
	}
	while (checker->result->records[HPROF_RECORD_START_THREAD].records > 0 &&
	       known_ids_next_early(&checker->ids, &serial, &at)) {
		checker->at = at;
		checker->what = "record";
		add_error(checker, "thread %" PRIu64 " has no START THREAD before it", serial);
	}
}

void check_profile(struct byte_source *source, struct check_result *result)
{
	struct checker checker = {.result = result, .what = "header"};
	struct hprof_reader *reader = &checker.reader;

	memset(result, 0, sizeof(*result));
	known_ids_init(&checker.ids);
	value_sizes_init(&checker.sizes);
	dump_links_init(&checker.links);
	bool opened = hprof_reader_open_source(reader, source);
	if (!opened && reader->error == HPROF_BROKEN)
		add_error(&checker, "not one of JAVA PROFILE 1.0, 1.0.1, 1.0.2 or 1.0.3 with "
		                    "identifiers of 4 or 8 bytes");
	if (opened) {
		result->header_read = true;
		result->version = reader->version;
		result->id_size = reader->id_size;
		result->created_ms = reader->created_ms;
		if (hprof_sub_record_init(&checker.sub))
			check_records(&checker);
		else
			give_up(&checker);
		hprof_sub_record_free(&checker.sub);
		if (reader->error == 0)
			check_end(&checker);
	}
	result->read_error = reader->error == HPROF_BROKEN ? 0 : reader->error;
	hprof_reader_close(reader);
	value_sizes_free(&checker.sizes);
	dump_links_free(&checker.links);
	known_ids_free(&checker.ids);
}

/* ---- the result ---------------------------------------------------------- */

const char *check_record_name(unsigned tag)
{
	return record_names[tag];
}

const char *check_subrecord_name(unsigned tag)
{
	return sub_names[tag];
}

static void describe_count(struct byte_buffer *out, const char *indent, const char *name,
                           const struct check_count *count)
{
	if (count->records > 0)
		byte_buffer_printf(out, "%s%-*s %12" PRIu64 " %15" PRIu64 "\n", indent,
		                   (int)(24 - strlen(indent)), name, count->records, count->bytes);
}

static void describe_counts(struct byte_buffer *out, const struct check_result *result)
{
	struct check_count unknown = {0};
	struct check_count all = {0};

	byte_buffer_printf(out, "%-24s %12s %15s\n", "record", "number", "bytes");
	for (unsigned tag = 0; tag < CHECK_TAGS; tag++) {
		const struct check_count *count = &result->records[tag];
		all.records += count->records;
		all.bytes += count->bytes;
		if (record_names[tag] != NULL) {
			describe_count(out, "", record_names[tag], count);
		} else {
			unknown.records += count->records;
			unknown.bytes += count->bytes;
		}
	}
	describe_count(out, "", "unknown", &unknown);
	describe_count(out, "", "all records", &all);
	for (unsigned tag = 0; tag < CHECK_TAGS; tag++) {
		const char *name = sub_names[tag];
		if (name != NULL)
			describe_count(out, "  ", name, &result->subrecords[tag]);
	}
}

static void describe_missing(struct byte_buffer *out, const char *name,
                             const struct missing_links *missing)
{
	if (missing->objects > 0)
		byte_buffer_printf(out,
		                   "%s: warning: at least %" PRIu64
		                   " object%s that a heap dump refers to %s not in it\n",
		                   name, missing->objects, missing->objects == 1 ? "" : "s",
		                   missing->objects == 1 ? "is" : "are");
	if (missing->classes > 0)
		byte_buffer_printf(out,
		                   "%s: warning: %" PRIu64 " class%s that %s of a heap dump %s no "
		                   "CLASS DUMP in it\n",
		                   name, missing->classes, missing->classes == 1 ? "" : "es",
		                   missing->classes == 1 ? "is a root" : "are roots",
		                   missing->classes == 1 ? "has" : "have");
}

void check_describe(struct byte_buffer *out, const char *name, const struct check_result *result)
{
	char created[32];

	if (result->header_read) {
		int64_t ms = result->created_ms <= INT64_MAX ? (int64_t)result->created_ms : 0;
		os_local_time_text(ms, created, sizeof(created));
		byte_buffer_printf(out, "%s: %s, identifiers of %u bytes, %s\n", name,
		                   hprof_versions[result->version], result->id_size, created);
		describe_counts(out, result);
	}
	for (uint64_t i = 0; i < result->error_count && i < CHECK_ERRORS_KEPT; i++)
		byte_buffer_printf(out, "%s: offset %" PRIu64 ": %s\n", name,
		                   result->errors[i].offset, result->errors[i].text);
	if (result->error_count > CHECK_ERRORS_KEPT)
		byte_buffer_printf(out, "%s: ... and %" PRIu64 " more\n", name,
		                   result->error_count - CHECK_ERRORS_KEPT);
	describe_missing(out, name, &result->missing);
	if (result->error_count > 0)
		byte_buffer_printf(out, "%s: %" PRIu64 " error%s\n", name, result->error_count,
		                   result->error_count == 1 ? "" : "s");
	else if (result->read_error == 0)
		byte_buffer_printf(out, "%s: no errors\n", name);
}
