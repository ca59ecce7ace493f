/*
 * content.h: a visitor that keeps the sections and notes of a profile, in the order of the file,
 * for views that need all of them before they can print. One thread; no lock.
 */
#ifndef HPROF_REPORT_CONTENT_H
#define HPROF_REPORT_CONTENT_H

#include "report/report_profile.h"

struct content_item {
	const struct string *note;     /* NULL: the item is a section */
	struct report_section section; /* owned */
};

struct report_content {
	struct report_visitor base;
	struct content_item *items;
	size_t count;
	size_t capacity;
	size_t last[SECTION_KINDS]; /* index of the last section by kind, plus 1 */
	bool out_of_memory;         /* reading ended because of it */
	struct report_profile *profile;
};

/* Initializes an empty content, a visitor of what is read to profile. */
void report_content_init(struct report_content *content, struct report_profile *profile);
void report_content_free(struct report_content *content);

/* Passes all items to a visitor, until it returns false. Returns what the last call did. */
bool report_content_visit(const struct report_content *content, struct report_visitor *visitor);

/* Whether a later section of the same kind replaces that of an item: each SITES section has all
 * counts since the start, and with last, so has each of the others. */
bool report_content_is_replaced(const struct report_content *content, size_t item, bool last);

#endif
