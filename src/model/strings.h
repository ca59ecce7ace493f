/*
 * strings.h: the unique names of the output: interned UTF-8 strings with dense ids,
 * which are also the ids of the binary format.
 */
#ifndef HPROF_MODEL_STRINGS_H
#define HPROF_MODEL_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct string {
	uint32_t id;     /* dense, from 1 */
	uint32_t length; /* bytes, without the terminating NUL */
	const char *text;
};

struct string_table;

/* An empty table, or NULL without memory. */
struct string_table *string_table_create(void);
void string_table_destroy(struct string_table *table);

/* The unique string with these bytes of UTF-8, added if it is new. The table owns it; it stays
 * valid as long as the table. NULL without memory or from 4 GB on. Any thread; takes the
 * table's lock. */
const struct string *string_table_intern(struct string_table *table, const char *bytes,
                                         size_t length);

/* As string_table_intern(), for a NUL-terminated name in the JVM's modified UTF-8
 * (JVMS 4.4.7): encoded surrogate pairs and NULs become plain UTF-8, invalid bytes become
 * U+FFFD. */
const struct string *string_table_intern_jvm(struct string_table *table, const char *modified_utf8);

#endif
