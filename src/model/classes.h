/*
 * classes.h: the classes that profiles mention. A class is known by its serial
 * number; whoever meets a class of the VM finds its serial by the tag that it
 * put on the class (profile/class_registry), so that classes of one name from
 * several loaders stay apart.
 */
#ifndef HPROF_MODEL_CLASSES_H
#define HPROF_MODEL_CLASSES_H

#include "model/object_ids.h"
#include "model/strings.h"

#include <stdbool.h>
#include <stdint.h>

/* The first class has this serial plus one, as the classic agent counted. */
#define CLASS_SERIAL_BASE 100000u

struct class_record {
	uint32_t serial;
	uint64_t object_id;             /* of the java.lang.Class object */
	const struct string *name;      /* as in source: java.util.Map$Entry[] */
	const struct string *signature; /* as the JVM has it: [Ljava/util/Map$Entry; */
	uint32_t trace_serial;          /* where it was prepared; 0: not known */
};

struct class_table;

struct class_table *class_table_create(struct string_table *strings, struct object_ids *ids);
void class_table_destroy(struct class_table *table);

/* Adds a class by its JVM signature ("Ljava/lang/String;", "[[I", and hidden
 * classes as "LA$$Lambda.0x1f;"). The record is the table's, for its lifetime.
 * NULL without memory. Any thread; takes the table's lock. */
const struct class_record *class_table_add(struct class_table *table, const char *signature);

/* The same for a class of which the trace is known. */
const struct class_record *class_table_add_at_trace(struct class_table *table,
                                                    const char *signature, uint32_t trace_serial);

/* The class with that serial, or NULL. Any thread; takes the table's lock. */
const struct class_record *class_table_find(struct class_table *table, uint32_t serial);

/* How many classes there are: their serials are CLASS_SERIAL_BASE plus 1 and on. */
uint32_t class_table_count(struct class_table *table);

/* The source form of a JVM type signature, interned. NULL without memory. Any
 * thread; takes the string table's lock. */
const struct string *class_name_intern(struct string_table *strings, const char *signature);

/* Whether a JVM type signature is that of the class with an internal name ("java/lang/String"). */
bool class_signature_is(const char *signature, const char *internal_name);

/* Writes the source form of a JVM type signature into name, cut to size and
 * terminated: slashes become dots, array marks move behind, the suffix of a
 * hidden class is set off by a slash as Class.getName() does. Returns the
 * length it has in full. */
size_t class_name_from_signature(const char *signature, char *name, size_t size);

#endif
