/*
 * Keeps what a plan inserts into a method, in order of place. Called by plans
 * and by the rewriter, from the rewriting thread; takes no lock.
 */
#include "classfile/code_edit.h"

#include <string.h>

enum {
	/* Far more than any method could hold: keeps lengths within 32 bits. */
	SNIPPETS_MAX_BYTES = 1 << 24
};

void code_edit_init(struct method_edit *edit, const struct classfile *classfile,
                    struct pool_builder *pool, const struct rewrite_plan *plan)
{
	memset(edit, 0, sizeof(*edit));
	method_code_init(&edit->code, classfile);
	code_buffer_init(&edit->snippets, classfile->memory);
	edit->pool = pool;
	edit->plan = plan;
	edit->emitter.edit = edit;
}

void code_edit_free(struct method_edit *edit)
{
	const struct classfile_memory *memory = edit->code.memory;

	class_memory_give_back(memory, edit->insertions);
	class_memory_give_back(memory, edit->this_states_block);
	class_memory_give_back(memory, edit->completed_block);
	code_buffer_free(&edit->snippets);
	method_code_free(&edit->code);
}

bool code_edit_is_good(const struct method_edit *edit)
{
	return !edit->skip && !edit->no_memory;
}

bool code_edit_fail(struct method_edit *edit, enum rewrite_skip reason)
{
	if (!edit->skip)
		edit->skip = reason;
	return false;
}

bool code_edit_no_memory(struct method_edit *edit)
{
	edit->no_memory = true;
	return false;
}

bool code_edit_pool_failed(struct method_edit *edit)
{
	if (edit->pool->no_memory)
		return code_edit_no_memory(edit);
	return code_edit_fail(edit, REWRITE_SKIP_POOL_FULL);
}

void code_edit_begin(struct method_edit *edit, const struct method_record *record)
{
	edit->skip = REWRITE_SKIP_NONE;
	edit->no_memory = false;
	edit->snippets.length = 0;
	edit->insertion_count = 0;
	edit->has_entry = false;
	edit->has_handler = false;
	memset(&edit->entry, 0, sizeof(edit->entry));
	memset(&edit->handler, 0, sizeof(edit->handler));
	edit->open = OPEN_NONE;
	edit->stack_growth = 0;
	edit->stack_outside = 0;
	edit->local_count = 0;
	edit->max_locals = record->view.max_locals;
	edit->this_states = NULL;
	edit->completed = NULL;
	edit->completed_known = false;
	edit->widened_ifs = false;
	switch (method_code_decode(&edit->code, record)) {
	case DECODE_OK:
		break;
	case DECODE_MALFORMED:
		code_edit_fail(edit, REWRITE_SKIP_MALFORMED_CODE);
		break;
	case DECODE_NO_MEMORY:
		code_edit_no_memory(edit);
		break;
	}
}

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

/* Gives the bytes emitted since the insertion began to it. */
static void close_insertion(struct method_edit *edit)
{
	const struct code_emitter *emitter = &edit->emitter;
	struct snippet *snippet;

	switch (edit->open) {
	case OPEN_ENTRY:
		snippet = &edit->entry;
		edit->stack_outside = larger(edit->stack_outside, emitter->highest);
		break;
	case OPEN_HANDLER:
		snippet = &edit->handler;
		edit->stack_outside = larger(edit->stack_outside, emitter->highest);
		break;
	case OPEN_PLACE:
		snippet = &edit->insertions[edit->open_index].snippet;
		edit->stack_growth = larger(edit->stack_growth, emitter->highest);
		break;
	default:
		return;
	}
	edit->open = OPEN_NONE;
	if (edit->snippets.failed)
		code_edit_no_memory(edit);
	else if (edit->snippets.length > SNIPPETS_MAX_BYTES)
		code_edit_fail(edit, REWRITE_SKIP_CODE_TOO_LONG);
	else if (emitter->depth != emitter->begun_at)
		code_edit_fail(edit, REWRITE_SKIP_BAD_PLAN);
	else
		snippet->length = (uint32_t)edit->snippets.length - snippet->begin;
}

static struct code_emitter *open_insertion(struct method_edit *edit, enum open_insertion open,
                                           int32_t depth)
{
	edit->open = open;
	edit->emitter.depth = depth;
	edit->emitter.highest = depth;
	edit->emitter.begun_at = depth;
	return &edit->emitter;
}

struct code_emitter *method_edit_entry(struct method_edit *edit)
{
	close_insertion(edit);
	if (edit->has_entry)
		code_edit_fail(edit, REWRITE_SKIP_BAD_PLAN);
	edit->has_entry = true;
	edit->entry.begin = (uint32_t)edit->snippets.length;
	return open_insertion(edit, OPEN_ENTRY, 0);
}

struct code_emitter *method_edit_handler(struct method_edit *edit)
{
	close_insertion(edit);
	if (edit->has_handler)
		code_edit_fail(edit, REWRITE_SKIP_BAD_PLAN);
	edit->has_handler = true;
	edit->handler.begin = (uint32_t)edit->snippets.length;
	return open_insertion(edit, OPEN_HANDLER, 1);
}

/* Puts a new insertion after all those at its place or an earlier one. */
static bool insert_at(struct method_edit *edit, uint32_t place)
{
	struct insertion *insertions =
	        class_memory_grow(edit->code.memory, edit->insertions, &edit->insertion_capacity,
	                          edit->insertion_count + 1u, sizeof(edit->insertions[0]));
	uint32_t index = edit->insertion_count;

	if (!insertions)
		return code_edit_no_memory(edit);
	edit->insertions = insertions;
	while (index && insertions[index - 1].place > place)
		index--;
	memmove(insertions + index + 1, insertions + index,
	        (edit->insertion_count - index) * sizeof(insertions[0]));
	edit->insertion_count++;
	insertions[index].place = place;
	insertions[index].snippet.begin = (uint32_t)edit->snippets.length;
	insertions[index].snippet.length = 0;
	edit->open_index = index;
	return true;
}

static struct code_emitter *open_place(struct method_edit *edit, uint32_t offset, bool after)
{
	uint32_t index = method_code_index(&edit->code, offset);
	enum open_insertion open = OPEN_NONE;

	close_insertion(edit);
	if (index >= edit->code.count ||
	    (after && !instruction_falls_through(
	                      edit->code.bytes[offset],
	                      offset + 1 < edit->code.length ? edit->code.bytes[offset + 1] : 0)))
		code_edit_fail(edit, REWRITE_SKIP_BAD_PLAN);
	else if (code_edit_is_good(edit) && insert_at(edit, 2 * index + after))
		open = OPEN_PLACE;
	return open_insertion(edit, open, 0);
}

struct code_emitter *method_edit_before(struct method_edit *edit, uint32_t offset)
{
	return open_place(edit, offset, false);
}

struct code_emitter *method_edit_after(struct method_edit *edit, uint32_t offset)
{
	return open_place(edit, offset, true);
}

uint16_t method_edit_add_local(struct method_edit *edit, const char *descriptor)
{
	uint32_t index = edit->max_locals;
	size_t length = strlen(descriptor);

	if (edit->local_count == EDIT_LOCALS_MAX || length > UINT16_MAX ||
	    descriptor_type_length((const uint8_t *)descriptor, (uint32_t)length) != length) {
		code_edit_fail(edit, REWRITE_SKIP_BAD_PLAN);
		return 0;
	}
	edit->max_locals += descriptor_slots((uint8_t)descriptor[0]);
	if (edit->max_locals > UINT16_MAX) {
		code_edit_fail(edit, REWRITE_SKIP_TABLE_FULL);
		return 0;
	}
	edit->local_descriptors[edit->local_count] = descriptor;
	edit->local_indexes[edit->local_count] = (uint16_t)index;
	edit->local_count++;
	return (uint16_t)index;
}

void code_edit_end(struct method_edit *edit)
{
	const int32_t most = UINT16_MAX; /* an unsigned constant on some systems */

	close_insertion(edit);
	if (edit->stack_growth + edit->code.record->view.max_stack > most ||
	    edit->stack_outside > most)
		code_edit_fail(edit, REWRITE_SKIP_TABLE_FULL);
}

bool code_edit_has_insertions(const struct method_edit *edit)
{
	return edit->has_entry || edit->has_handler || edit->insertion_count;
}

uint32_t method_edit_left_out(const struct method_edit *edit)
{
	return edit->left_out;
}

uint32_t method_edit_instruction_count(const struct method_edit *edit)
{
	return edit->code.count;
}

struct edit_instruction method_edit_instruction(const struct method_edit *edit, uint32_t index)
{
	const struct instruction *instruction = &edit->code.instructions[index];
	struct edit_instruction view = {
	        .offset = instruction->offset,
	        .length = instruction[1].offset - instruction->offset,
	        .opcode = instruction->opcode,
	        .bytes = edit->code.bytes + instruction->offset,
	};

	return view;
}

uint32_t method_edit_exception_count(const struct method_edit *edit)
{
	return edit->code.record->exception_count;
}

uint32_t method_edit_exception_handler(const struct method_edit *edit, uint32_t index)
{
	return bytes_u2(edit->code.record->exceptions + 8 * (size_t)index + 4);
}

bool edit_is_return(uint8_t opcode)
{
	return instruction_table[opcode].kind == KIND_RETURN;
}
