/*
 * text_held.c: sections of times are held back until their TRACE COSTS, which come later in the
 * file, with the notes between them. Another section, or the end of the file, ends the waiting.
 */
#include "report/text_reader.h"

#include "base/array.h"
#include "report/same_rows.h"

#include <stdlib.h>

static struct text_held_item *add_item(struct text_held *held)
{
	if (!array_grow(&held->items, &held->capacity, held->count, sizeof(*held->items)))
		return NULL;
	struct text_held_item *item = &held->items[held->count++];
	*item = (struct text_held_item){.note = NULL};
	return item;
}

bool text_hold_section(struct text_reader *reader, struct report_section *section)
{
	struct text_held_item *item = add_item(&reader->held);
	if (item == NULL) {
		section_free(section);
		return text_out_of_memory(reader);
	}
	item->section = *section;
	reader->held.last[section->kind] = reader->held.count;
	return true;
}

bool text_hold_note(struct text_reader *reader)
{
	const struct string *note =
	        text_intern(reader, reader->line, reader->line + reader->length);
	struct text_held_item *item = note == NULL ? NULL : add_item(&reader->held);
	if (item == NULL)
		return text_out_of_memory(reader);
	item->note = note;
	return true;
}

struct report_section *text_find_held(struct text_reader *reader, enum section_kind kind)
{
	size_t last = reader->held.last[kind];
	return last == 0 ? NULL : &reader->held.items[last - 1].section;
}

bool text_release(struct text_reader *reader)
{
	struct text_held *held = &reader->held;
	struct report_visitor *visitor = reader->visitor;
	bool visited = true;

	for (size_t i = 0; i < held->count; i++) {
		struct text_held_item *item = &held->items[i];
		if (item->note != NULL) {
			visited = visited &&
			          visitor->note(visitor, item->note->text, item->note->length);
			continue;
		}
		if (!item->section.exact &&
		    !section_add_rest(&item->section, reader->profile->strings,
		                      item->section.total))
			visited = text_out_of_memory(reader);
		if (!same_rows_add_up(reader->profile, &item->section))
			visited = text_out_of_memory(reader);
		visited = visited && visitor->section(visitor, reader->profile, &item->section);
		section_free(&item->section);
	}
	free(held->items);
	*held = (struct text_held){.items = NULL};
	return visited;
}
