/*
 * content.c: see content.h.
 */
#include "report/content.h"

#include "base/array.h"

#include <stdlib.h>

static struct content_item *add_item(struct report_content *content)
{
	if (!array_grow(&content->items, &content->capacity, content->count,
	                sizeof(*content->items)))
		return NULL;
	struct content_item *item = &content->items[content->count++];
	*item = (struct content_item){.note = NULL};
	return item;
}

static bool out_of_memory(struct report_content *content)
{
	content->out_of_memory = true;
	return false;
}

static bool keep_note(struct report_visitor *base, const char *text, size_t length)
{
	struct report_content *content = (struct report_content *)base;
	const struct string *note = string_table_intern(content->profile->strings, text, length);
	struct content_item *item = note == NULL ? NULL : add_item(content);
	if (item == NULL)
		return out_of_memory(content);
	item->note = note;
	return true;
}

static bool keep_section(struct report_visitor *base, const struct report_profile *profile,
                         const struct report_section *section)
{
	struct report_content *content = (struct report_content *)base;
	struct content_item *item = add_item(content);

	(void)profile;
	if (item == NULL)
		return out_of_memory(content);
	if (section_copy(&item->section, section)) {
		content->last[section->kind] = content->count;
		return true;
	}
	content->count--;
	return out_of_memory(content);
}

void report_content_init(struct report_content *content, struct report_profile *profile)
{
	*content = (struct report_content){.base = {.section = keep_section, .note = keep_note},
	                                   .profile = profile};
}

void report_content_free(struct report_content *content)
{
	for (size_t i = 0; i < content->count; i++) {
		if (content->items[i].note == NULL)
			section_free(&content->items[i].section);
	}
	free(content->items);
	content->items = NULL;
	content->count = 0;
}

bool report_content_visit(const struct report_content *content, struct report_visitor *visitor)
{
	bool visited = true;
	for (size_t i = 0; i < content->count && visited; i++) {
		const struct content_item *item = &content->items[i];
		visited = item->note != NULL
		                  ? visitor->note(visitor, item->note->text, item->note->length)
		                  : visitor->section(visitor, content->profile, &item->section);
	}
	return visited;
}

bool report_content_is_replaced(const struct report_content *content, size_t item, bool last)
{
	enum section_kind kind = content->items[item].section.kind;

	return section_replaces(kind, last) && content->last[kind] != item + 1;
}
