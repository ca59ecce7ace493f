/*
 * mark_locals.c: see mark_locals.h.
 */
#include "alloc/mark_locals.h"

#include <stdlib.h>

/* For each `new` the last instruction that completes its object; 0 for none. NULL without memory,
 * or if there is no `new` before the end. */
static uint32_t *find_completions(struct method_edit *edit, uint32_t end)
{
	uint32_t count = method_edit_instruction_count(edit);
	uint32_t first = 0;

	while (first < end && method_edit_instruction(edit, first).opcode != OP_NEW)
		first++;
	uint32_t *completions = first == end ? NULL : calloc(count, sizeof(*completions));
	for (uint32_t i = first; completions != NULL && i < count; i++) {
		uint32_t new_index;
		if (method_edit_completes_new(edit, i, &new_index))
			completions[new_index] = i;
	}
	return completions;
}

/* A variable whose object is complete before that instruction; MARK_LOCALS_MAX if there is none. */
static uint32_t find_free(const uint32_t busy_until[MARK_LOCALS_MAX], uint32_t index)
{
	uint32_t place = 0;

	while (place < MARK_LOCALS_MAX && busy_until[place] >= index)
		place++;
	return place;
}

void mark_locals_plan(struct mark_locals *marks, struct method_edit *edit, uint32_t end)
{
	uint32_t *completions = find_completions(edit, end);
	uint32_t busy_until[MARK_LOCALS_MAX] = {0};

	*marks = (struct mark_locals){0};
	if (completions == NULL)
		return;
	/* Completions exist, so that the end is after a `new`. */
	marks->length = method_edit_instruction(edit, end - 1).offset + 1;
	marks->places = calloc(marks->length, sizeof(*marks->places));
	if (marks->places == NULL)
		marks->length = 0;
	for (uint32_t i = 0; marks->length > 0 && i < end; i++) {
		/* One that is completed before it is made is in a loop that no compiler writes. */
		if (completions[i] <= i)
			continue;
		uint32_t place = find_free(busy_until, i + 1);
		if (place == MARK_LOCALS_MAX)
			continue;
		busy_until[place] = completions[i] + 1;
		marks->places[method_edit_instruction(edit, i).offset] = (uint8_t)(place + 1);
		if (place >= marks->used)
			marks->used = place + 1;
	}
	free(completions);
}

void mark_locals_add(struct mark_locals *marks, struct method_edit *edit,
                     struct code_emitter *entry)
{
	for (uint32_t i = 0; i < marks->used; i++) {
		marks->locals[i] = method_edit_add_local(edit, "I");
		emit_push_int(entry, 0);
		emit_store(entry, 'I', marks->locals[i]);
	}
}

bool mark_locals_of(const struct mark_locals *marks, uint32_t offset, uint16_t *local)
{
	if (offset >= marks->length || marks->places[offset] == 0)
		return false;
	*local = marks->locals[marks->places[offset] - 1];
	return true;
}

void mark_locals_free(struct mark_locals *marks)
{
	free(marks->places);
	*marks = (struct mark_locals){0};
}
