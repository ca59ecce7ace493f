/*
 * strings.h: every name the output mentions, once. Interned UTF-8 strings with
 * dense ids, which the binary format uses as they are.
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

/* The one string with these bytes of UTF-8; owned by the table and valid until
 * it is destroyed. NULL without memory or beyond 4 GB. Any thread; takes the
 * table's lock. */
const struct string *string_table_intern(struct string_table *table, const char *bytes,
                                         size_t length);

/* The same for a NUL-terminated name as the JVM gives it, in modified UTF-8
 * (JVMS 4.4.7): encoded surrogate pairs and NULs become plain UTF-8, bytes that
 * are not modified UTF-8 become U+FFFD. */
const struct string *string_table_intern_jvm(struct string_table *table, const char *modified_utf8);

#endif
