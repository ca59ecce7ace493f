/*
 * methods.h: the methods that appear in traces, found by the VM's method id.
 */
#ifndef HPROF_MODEL_METHODS_H
#define HPROF_MODEL_METHODS_H

#include "model/classes.h"
#include "model/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Special line numbers (HPROF binary format, STACK FRAME). */
enum {
	LINE_NONE = 0,     /* the class has no line information */
	LINE_UNKNOWN = -1, /* the location is not known, or lineno=n */
	LINE_NATIVE = -3   /* a native method */
};

/* The code from bytecode index start on belongs to line. */
struct line_entry {
	uint32_t start;
	int32_t line;
};

struct method {
	uint64_t vm_id; /* the VM's method id */
	const struct class_record *class;
	const struct string *name;
	const struct string *signature;
	const struct string *source; /* file name, or NULL if the class has none */
	bool native;
	size_t line_count;
	const struct line_entry *lines; /* ascending by start */
};

struct method_table;

struct method_table *method_table_create(void);
void method_table_destroy(struct method_table *table);

/* The method with that id, or NULL. Any thread; takes the table's lock. */
const struct method *method_table_find(struct method_table *table, uint64_t vm_id);

/* Adds a copy of method, with a sorted copy of its lines. If the table already has a method
 * with that id, returns it unchanged. NULL without memory. Any thread; takes the table's
 * lock. */
const struct method *method_table_add(struct method_table *table, const struct method *method);

/* The method with that class, name and signature, added if it is new. For methods without a VM
 * id; separate from those added by method_table_add(). NULL without memory. Any thread; takes
 * the table's lock. */
const struct method *method_table_intern_named(struct method_table *table,
                                               const struct method *method);

/* The line of bytecode index bci: LINE_NATIVE for a native method, LINE_NONE without line
 * information, LINE_UNKNOWN for a negative index or one before the first entry. */
int32_t method_line(const struct method *method, int64_t bci);

#endif
