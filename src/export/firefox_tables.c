/*
 * firefox_tables.c: see firefox_tables.h. A stack is a frame and the stack of its callers.
 */
#include "export/firefox_tables.h"

#include "report/frame_place.h"

#include <stdlib.h>
#include <string.h>

struct stack_entry {
	uint32_t frame;
	uint32_t parent; /* number plus 1; 0: none */
};

struct frame_entry {
	uint32_t func;
	uint32_t line; /* 0: not known */
	uint32_t category;
};

struct func_entry {
	uint32_t name;
	uint32_t file; /* number plus 1; 0: not known */
};

/* ---- strings ------------------------------------------------------------------------ */

void firefox_strings_init(struct firefox_strings *strings)
{
	*strings = (struct firefox_strings){.names = {.count = 0}};
	numbering_init(&strings->numbers, 0);
}

void firefox_strings_free(struct firefox_strings *strings)
{
	numbering_free(&strings->numbers);
	free(strings->names.entries);
}

void firefox_strings_write(const struct firefox_strings *strings, struct json_stream *json)
{
	const struct string *const *names = strings->names.entries;

	json_stream_open_array(json, "stringArray");
	for (size_t i = 0; i < strings->names.count && json_stream_is_good(json); i++)
		json_stream_add_string(json, NULL, names[i]);
	json_stream_close(json);
}

/* ---- entries ------------------------------------------------------------------------ */

static uint32_t fail(struct firefox_tables *tables)
{
	byte_buffer_fail(tables->errors, BYTES_NO_MEMORY);
	return 0;
}

static uint32_t string_number(struct firefox_tables *tables, const struct string *string)
{
	uint32_t number;
	bool is_new;

	if (!numbering_find(&tables->strings->numbers, string->id, &number, &is_new) ||
	    (is_new && !entry_list_add(&tables->strings->names, &string, sizeof(string))))
		return fail(tables);
	return number;
}

static uint32_t func_number(struct firefox_tables *tables, const struct string *method,
                            const struct string *file)
{
	uint32_t number;
	bool is_new;

	if (!numbering_find(&tables->func_numbers, numbering_key(method, file), &number, &is_new))
		return fail(tables);
	if (is_new) {
		const struct func_entry entry = {
		        .name = string_number(tables, method),
		        .file = file == NULL ? 0 : string_number(tables, file) + 1};
		if (!entry_list_add(&tables->funcs, &entry, sizeof(entry)))
			return fail(tables);
	}
	return number;
}

static bool add_frame(struct firefox_tables *tables, const struct stack_frame *frame)
{
	const struct string *file = NULL;
	struct frame_place place = {.file_length = 0};

	if (frame->place != NULL)
		place = frame_place_of(frame->place);
	if (place.file_length > 0) {
		file = string_table_intern(tables->names, place.file, place.file_length);
		if (file == NULL)
			return false;
	}
	const struct frame_entry entry = {.func = func_number(tables, frame->name, file),
	                                  .line = place.line,
	                                  .category = frame->place == NULL ? FIREFOX_OTHER
	                                              : place.native       ? FIREFOX_NATIVE
	                                                                   : FIREFOX_JAVA};
	return entry_list_add(&tables->frames, &entry, sizeof(entry));
}

static uint32_t frame_number(struct firefox_tables *tables, const struct stack_frame *frame)
{
	uint32_t number;
	bool is_new;

	if (!numbering_find(&tables->frame_numbers, numbering_key(frame->name, frame->place),
	                    &number, &is_new) ||
	    (is_new && !add_frame(tables, frame)))
		return fail(tables);
	return number;
}

/* The number plus 1 of a frame called by a stack, which is a number plus 1 or 0 for none. */
static uint32_t push_frame(struct firefox_tables *tables, uint32_t parent,
                           const struct stack_frame *frame)
{
	const struct stack_entry entry = {.frame = frame_number(tables, frame), .parent = parent};
	uint32_t number;
	bool is_new;
	/* Keys are not 0: frames count from 1 in them. */
	uint64_t key = (uint64_t)entry.parent << 32 | (entry.frame + 1);

	if (!numbering_find(&tables->stack_numbers, key, &number, &is_new) ||
	    (is_new && !entry_list_add(&tables->stacks, &entry, sizeof(entry))))
		return fail(tables);
	return number + 1;
}

/* The same of all frames but the top, which rows of one trace differ by: a trace is followed
 * once. */
static uint32_t push_trace(struct firefox_tables *tables, const struct stack_frames *frames)
{
	uint32_t tops = frames->top != NULL;
	uint64_t number = frames->trace == NULL ? 0 : frames->trace->number;
	const uint64_t *known = address_map_find(&tables->traces, number);
	uint32_t parent = 0;

	if (known != NULL)
		return (uint32_t)*known;
	for (uint32_t i = frames->depth; i > tops && tables->errors->error == 0; i--) {
		const struct stack_frame frame = stack_frame_at(frames, i - 1);
		parent = push_frame(tables, parent, &frame);
	}
	if (number != 0 && !address_map_set(&tables->traces, number, parent))
		return fail(tables);
	return parent;
}

uint32_t firefox_tables_stack(struct firefox_tables *tables, const struct stack_frames *frames)
{
	uint32_t stack = push_trace(tables, frames);

	if (frames->top != NULL) {
		const struct stack_frame top = stack_frame_at(frames, 0);
		stack = push_frame(tables, stack, &top);
	}
	return stack == 0 ? 0 : stack - 1;
}

void firefox_tables_init(struct firefox_tables *tables, struct firefox_strings *strings,
                         struct string_table *names, struct byte_buffer *errors)
{
	*tables = (struct firefox_tables){.strings = strings, .names = names, .errors = errors};
	numbering_init(&tables->stack_numbers, 0);
	address_map_init(&tables->traces);
	numbering_init(&tables->frame_numbers, 0);
	numbering_init(&tables->func_numbers, 0);
}

void firefox_tables_free(struct firefox_tables *tables)
{
	numbering_free(&tables->stack_numbers);
	address_map_free(&tables->traces);
	numbering_free(&tables->frame_numbers);
	numbering_free(&tables->func_numbers);
	free(tables->stacks.entries);
	free(tables->frames.entries);
	free(tables->funcs.entries);
}

/* ---- writing ------------------------------------------------------------------------ */

/* A column of constants. */
static void add_constants(struct json_stream *json, const char *name, size_t count,
                          json_t *(*value)(void))
{
	json_stream_open_array(json, name);
	for (size_t i = 0; i < count && json_stream_is_good(json); i++)
		json_stream_add(json, NULL, value());
	json_stream_close(json);
}

static json_t *null(void)
{
	return json_null();
}

static json_t *no(void)
{
	return json_false();
}

static json_t *zero(void)
{
	return json_integer(0);
}

static json_t *minus_one(void)
{
	return json_integer(-1);
}

/* A column of numbers of 32 bits, at an offset in each entry. */
static void add_column(struct json_stream *json, const char *name, const struct entry_list *list,
                       size_t bytes, size_t offset)
{
	json_stream_open_array(json, name);
	for (size_t i = 0; i < list->count && json_stream_is_good(json); i++) {
		uint32_t number;
		memcpy(&number, (const char *)list->entries + i * bytes + offset, sizeof(number));
		json_stream_add_number(json, NULL, number);
	}
	json_stream_close(json);
}

/* As add_column(), for numbers plus less; null for 0. */
static void add_optional(struct json_stream *json, const char *name, const struct entry_list *list,
                         size_t bytes, size_t offset, uint32_t less)
{
	json_stream_open_array(json, name);
	for (size_t i = 0; i < list->count && json_stream_is_good(json); i++) {
		uint32_t number;
		memcpy(&number, (const char *)list->entries + i * bytes + offset, sizeof(number));
		json_stream_add(json, NULL,
		                number == 0 ? json_null() : json_integer(number - less));
	}
	json_stream_close(json);
}

static void write_stacks(const struct entry_list *stacks, struct json_stream *json)
{
	const size_t bytes = sizeof(struct stack_entry);

	json_stream_open_object(json, "stackTable");
	add_column(json, "frame", stacks, bytes, offsetof(struct stack_entry, frame));
	add_optional(json, "prefix", stacks, bytes, offsetof(struct stack_entry, parent), 1);
	json_stream_add_number(json, "length", stacks->count);
	json_stream_close(json);
}

static void write_frames(const struct entry_list *frames, struct json_stream *json)
{
	const size_t bytes = sizeof(struct frame_entry);

	json_stream_open_object(json, "frameTable");
	add_constants(json, "address", frames->count, minus_one);
	add_constants(json, "inlineDepth", frames->count, zero);
	add_column(json, "category", frames, bytes, offsetof(struct frame_entry, category));
	add_constants(json, "subcategory", frames->count, zero);
	add_column(json, "func", frames, bytes, offsetof(struct frame_entry, func));
	add_constants(json, "nativeSymbol", frames->count, null);
	add_constants(json, "innerWindowID", frames->count, zero);
	add_optional(json, "line", frames, bytes, offsetof(struct frame_entry, line), 0);
	add_constants(json, "column", frames->count, null);
	json_stream_add_number(json, "length", frames->count);
	json_stream_close(json);
}

static void write_funcs(const struct entry_list *funcs, struct json_stream *json)
{
	const size_t bytes = sizeof(struct func_entry);

	json_stream_open_object(json, "funcTable");
	add_column(json, "name", funcs, bytes, offsetof(struct func_entry, name));
	add_constants(json, "isJS", funcs->count, no);
	add_constants(json, "relevantForJS", funcs->count, no);
	add_constants(json, "resource", funcs->count, minus_one);
	add_optional(json, "fileName", funcs, bytes, offsetof(struct func_entry, file), 1);
	add_constants(json, "lineNumber", funcs->count, null);
	add_constants(json, "columnNumber", funcs->count, null);
	json_stream_add_number(json, "length", funcs->count);
	json_stream_close(json);
}

void firefox_tables_write(const struct firefox_tables *tables, struct json_stream *json)
{
	write_stacks(&tables->stacks, json);
	write_frames(&tables->frames, json);
	write_funcs(&tables->funcs, json);
}
