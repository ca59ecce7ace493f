/*
 * row_top.c: see row_top.h.
 */
#include "report/row_top.h"

#include "model/classes.h"

#include <stdlib.h>
#include <string.h>

/* From "LMonitors$Slow; (Java)" to the name of the class as Java writes it. */
static const struct string *monitor_name(const struct report_profile *profile,
                                         const struct string *name)
{
	const char *end = memchr(name->text, ' ', name->length);
	size_t length = end == NULL ? name->length : (size_t)(end - name->text);
	size_t room = 2 * (size_t)name->length + 1;
	char *signature = malloc(length + 1);
	char *text = malloc(room);
	const struct string *result = NULL;

	if (signature != NULL && text != NULL) {
		memcpy(signature, name->text, length);
		signature[length] = '\0';
		size_t written = class_name_from_signature(signature, text, room);
		result = written < room ? string_table_intern(profile->strings, text, written)
		                        : name;
	}
	free(signature);
	free(text);
	return result;
}

bool section_has_tops(enum section_kind kind)
{
	return kind == SECTION_SITES || kind == SECTION_MONITORS;
}

const struct string *report_row_top(const struct report_profile *profile, enum section_kind kind,
                                    const struct section_row *row)
{
	return kind == SECTION_MONITORS ? monitor_name(profile, row->name) : row->name;
}
