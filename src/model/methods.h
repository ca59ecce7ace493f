/*
 * methods.h: methods that appear in traces, found by the VM's own id of them.
 */
#ifndef HPROF_MODEL_METHODS_H
#define HPROF_MODEL_METHODS_H

#include "model/classes.h"
#include "model/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Line numbers that are not lines (HPROF binary format, STACK FRAME). */
enum {
	LINE_NONE = 0,     /* the class carries no line information */
	LINE_UNKNOWN = -1, /* the location is not known, or lines are not wanted */
	LINE_NATIVE = -3   /* a native method */
};

/* From bytecode index start on, the code belongs to line. */
struct line_entry {
	uint32_t start;
	int32_t line;
};

struct method {
	uint64_t vm_id; /* the VM's method id */
	const struct class_record *class;
	const struct string *name;
	const struct string *signature;
	const struct string *source; /* file name, NULL when the class has none */
	bool native;
	size_t line_count;
	const struct line_entry *lines; /* ascending by start */
};

struct method_table;

struct method_table *method_table_create(void);
void method_table_destroy(struct method_table *table);

/* The method with that id, or NULL. Any thread; takes the table's lock. */
const struct method *method_table_find(struct method_table *table, uint64_t vm_id);

/* Adds a copy of method (its lines are copied and sorted). A method that is
 * there already under the id stays as it was and is returned. NULL without
 * memory. Any thread; takes the table's lock. */
const struct method *method_table_add(struct method_table *table, const struct method *method);

/* The method of that class, name and signature, added without an id of the VM when it is
 * not there yet. For methods that are known by their names alone; one that was added by
 * method_table_add() is another. NULL without memory. Any thread; takes the table's lock. */
const struct method *method_table_intern_named(struct method_table *table,
                                               const struct method *method);

/* The line of bytecode index bci, LINE_NATIVE for a native method, LINE_NONE
 * without line information, LINE_UNKNOWN for an index before the first entry
 * or a negative one. */
int32_t method_line(const struct method *method, int64_t bci);

#endif
