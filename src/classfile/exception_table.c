/*
 * Writes the exception table of an edited method (JVMS 4.7.3). Called by the
 * rewriter from the rewriting thread; takes no lock.
 */
#include "classfile/code_layout.h"

/* The range that grows while neighbouring code goes to the same handler. */
struct covered_range {
	struct code_buffer *out;
	uint32_t count;
	uint32_t begin;
	uint32_t end;
	uint32_t handler; /* 0 while there is no range: no handler is at 0 */
};

static void finish_range(struct covered_range *range)
{
	if (!range->handler)
		return;
	code_buffer_put_u2(range->out, range->begin);
	code_buffer_put_u2(range->out, range->end);
	code_buffer_put_u2(range->out, range->handler);
	code_buffer_put_u2(range->out, 0);
	range->count++;
}

static void cover(struct covered_range *range, uint32_t begin, uint32_t end, uint32_t handler)
{
	if (begin == end)
		return;
	if (range->handler != handler || range->end != begin) {
		finish_range(range);
		range->begin = begin;
		range->handler = handler;
	}
	range->end = end;
}

/* Covers one instruction and the code inserted around it. */
static void cover_instruction(const struct method_edit *edit, struct covered_range *range,
                              uint32_t index)
{
	const struct instruction *instruction = &edit->code.instructions[index];
	uint32_t end = instruction[1].start;
	uint32_t ready;

	if (edit_is_return(instruction->opcode))
		return;
	switch (edit->this_states ? edit->this_states[index] : THIS_READY) {
	case THIS_READY:
		cover(range, instruction->start, end, edit->body_end);
		break;
	case THIS_UNREADY:
		cover(range, instruction->start, end, edit->unready_handler);
		break;
	case THIS_BECOMES:
		/* No frame is right for the call itself: see constructor_flow.c. */
		if (edit->unready_handler)
			cover(range, instruction->start, instruction->at, edit->unready_handler);
		ready = instruction->at + instruction[1].offset - instruction->offset;
		cover(range, ready, end, edit->body_end);
		break;
	default:
		break;
	}
}

static uint32_t write_own_ranges(const struct method_edit *edit, struct code_buffer *out)
{
	struct covered_range range = {.out = out};

	for (uint32_t i = 0; i < edit->code.count; i++)
		cover_instruction(edit, &range, i);
	finish_range(&range);
	return range.count;
}

static void write_old_entries(const struct method_code *code, struct code_buffer *out)
{
	const struct instruction *instructions = code->instructions;
	const uint8_t *entry = code->record->exceptions;

	for (uint32_t left = code->record->exception_count; left; left--, entry += 8) {
		code_buffer_put_u2(out, instructions[code->index_at[bytes_u2(entry)]].start);
		code_buffer_put_u2(out, instructions[code->index_at[bytes_u2(entry + 2)]].start);
		code_buffer_put_u2(out, instructions[code->index_at[bytes_u2(entry + 4)]].start);
		code_buffer_put_bytes(out, entry + 6, 2);
	}
}

void code_layout_write_exceptions(struct method_edit *edit, struct code_buffer *out)
{
	size_t count_at = out->length;
	uint32_t count = edit->code.record->exception_count;

	code_buffer_put_u2(out, 0);
	write_old_entries(&edit->code, out);
	if (edit->has_handler)
		count += write_own_ranges(edit, out);
	if (count > UINT16_MAX)
		code_edit_fail(edit, REWRITE_SKIP_TABLE_FULL);
	else
		code_buffer_patch_u2(out, count_at, count);
}
