/*
 * classes.h: the classes that a profile refers to. A class is identified by its
 * serial number, which the agent stores in the JVM TI tag of the class
 * (vm/class_registry), so that classes with the same name from several loaders are
 * distinct.
 */
#ifndef HPROF_MODEL_CLASSES_H
#define HPROF_MODEL_CLASSES_H

#include "model/object_ids.h"
#include "model/strings.h"

#include <stdbool.h>
#include <stdint.h>

/* The first class has this serial plus one, as in the classic agent. */
#define CLASS_SERIAL_BASE 100000u

struct class_record {
	uint32_t serial;
	uint64_t object_id;             /* of the java.lang.Class object */
	const struct string *name;      /* as in source: java.util.Map$Entry[] */
	const struct string *signature; /* as the JVM has it: [Ljava/util/Map$Entry; */
	uint32_t trace_serial;          /* of the stack that prepared it; 0: not known */
};

struct class_table;

struct class_table *class_table_create(struct string_table *strings, struct object_ids *ids);
void class_table_destroy(struct class_table *table);

/* Adds a class by its JVM signature ("Ljava/lang/String;", "[[I", and hidden
 * classes as "LA$$Lambda.0x1f;"). The table owns the record, which
 * stays valid as long as the table. NULL without memory. Any thread; takes the table's
 * lock. */
const struct class_record *class_table_add(struct class_table *table, const char *signature);

/* As class_table_add(), with the trace of the stack that prepared the class. */
const struct class_record *class_table_add_at_trace(struct class_table *table,
                                                    const char *signature, uint32_t trace_serial);

/* The class with that serial, or NULL. Any thread; takes the table's lock. */
const struct class_record *class_table_find(struct class_table *table, uint32_t serial);

/* The number of classes; their serials start with CLASS_SERIAL_BASE + 1. Any thread; takes the
 * table's lock. */
uint32_t class_table_count(struct class_table *table);

/* The source form of a JVM type signature, interned. NULL without memory. Any
 * thread; takes the string table's lock. */
const struct string *class_name_intern(struct string_table *strings, const char *signature);

/* Whether a JVM type signature belongs to the class with an internal name ("java/lang/String"). */
bool class_signature_is(const char *signature, const char *internal_name);

/* Writes the source form of a JVM type signature to name, truncated to size and
 * NUL-terminated: slashes become dots, array brackets move to the end, and a slash precedes
 * the suffix of a hidden class, as in Class.getName(). Returns the length without
 * truncation. */
size_t class_name_from_signature(const char *signature, char *name, size_t size);

#endif
