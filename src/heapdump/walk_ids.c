/*
 * walk_ids.c: see walk_ids.h.
 */
#include "heapdump/walk_ids.h"

#include "model/traces.h"
#include "os/os.h"
#include "vm/class_registry.h"

#include <stddef.h>

enum { PIECE_BYTES = WALK_PIECE_OBJECTS * sizeof(struct walk_note) };

void walk_ids_init(struct walk_ids *ids, struct object_ids *source)
{
	*ids = (struct walk_ids){.source = source, .first = object_id_next(source)};
}

void walk_ids_free(struct walk_ids *ids)
{
	for (size_t i = 0; i < WALK_PIECES_MAX; i++) {
		if (ids->pieces[i] != NULL)
			os_pages_free(ids->pieces[i], PIECE_BYTES);
	}
}

/* NULL for ids below the first, which are those of threads and classes, and when the table
 * has no piece for the id. */
static struct walk_note *find_note(const struct walk_ids *ids, uint64_t id)
{
	if (id < ids->first)
		return NULL;
	uint64_t index = id - ids->first;
	uint64_t piece = index / WALK_PIECE_OBJECTS;
	if (piece >= WALK_PIECES_MAX || ids->pieces[piece] == NULL)
		return NULL;
	return &ids->pieces[piece][index % WALK_PIECE_OBJECTS];
}

/* As find_note(), but allocates the piece. */
static struct walk_note *add_note(struct walk_ids *ids, uint64_t id)
{
	uint64_t piece = (id - ids->first) / WALK_PIECE_OBJECTS;

	if (piece >= WALK_PIECES_MAX)
		return NULL;
	if (ids->pieces[piece] == NULL)
		ids->pieces[piece] = os_pages_alloc(PIECE_BYTES);
	return find_note(ids, id);
}

uint64_t walk_ids_assign(struct walk_ids *ids, jlong *tag, jint length)
{
	const struct class_record *class = class_registry_by_tag(*tag);
	if (class != NULL)
		return class->object_id;
	if (walk_ids_is_tag(*tag))
		return walk_ids_of_tag(*tag);

	uint64_t id = object_id_next(ids->source);
	struct walk_note *note = add_note(ids, id);
	if (note == NULL)
		return 0;
	note->trace_serial = is_trace_tag(*tag) ? trace_of_tag(*tag) : TRACE_SERIAL_EMPTY;
	note->length = length < 0 ? 0 : (uint32_t)length;
	*tag = walk_ids_tag(id);
	ids->count++;
	return id;
}

uint32_t walk_ids_trace(const struct walk_ids *ids, uint64_t id)
{
	const struct walk_note *note = find_note(ids, id);
	return note == NULL || note->trace_serial == 0 ? TRACE_SERIAL_EMPTY : note->trace_serial;
}

uint32_t walk_ids_length(const struct walk_ids *ids, uint64_t id)
{
	const struct walk_note *note = find_note(ids, id);
	return note == NULL ? 0 : note->length;
}
