/*
 * firefox_tables.h: the tables of one thread in a profile of the Firefox Profiler: stacks, frames
 * and functions, and the strings of all threads. Errors are those of a byte buffer. One thread; no
 * lock.
 */
#ifndef HPROF_EXPORT_FIREFOX_TABLES_H
#define HPROF_EXPORT_FIREFOX_TABLES_H

#include "export/entry_list.h"
#include "export/json_stream.h"
#include "export/numbering.h"
#include "export/stack_profile.h"

/* Categories of frames, in the order of the file. */
enum { FIREFOX_OTHER, FIREFOX_JAVA, FIREFOX_NATIVE };

struct firefox_strings {
	struct numbering numbers; /* by id of the string */
	struct entry_list names;  /* const struct string * */
};

struct firefox_tables {
	struct firefox_strings *strings;
	struct string_table *names; /* of the profile, for names of files */
	struct byte_buffer *errors;
	struct numbering stack_numbers; /* by parent and frame */
	struct address_map traces;      /* by number of a trace: its stack's number plus 1 */
	struct numbering frame_numbers; /* by method and place */
	struct numbering func_numbers;  /* by method and file */
	struct entry_list stacks;
	struct entry_list frames;
	struct entry_list funcs;
};

void firefox_strings_init(struct firefox_strings *strings);
void firefox_strings_free(struct firefox_strings *strings);
void firefox_strings_write(const struct firefox_strings *strings, struct json_stream *json);

/* Strings, names and errors must outlive the tables. */
void firefox_tables_init(struct firefox_tables *tables, struct firefox_strings *strings,
                         struct string_table *names, struct byte_buffer *errors);
void firefox_tables_free(struct firefox_tables *tables);

/* The number of a stack, which has at least one frame. */
uint32_t firefox_tables_stack(struct firefox_tables *tables, const struct stack_frames *frames);

/* Writes the tables as members of the open object. */
void firefox_tables_write(const struct firefox_tables *tables, struct json_stream *json);

#endif
