/*
 * Lays out an edited method's code and widens branches. Called by the rewriter
 * from the rewriting thread; takes no lock.
 */
#include "classfile/code_layout.h"

enum {
	SHORT_BRANCH_MAX = INT16_MAX /* code no longer than this needs no wide branch */
};

static uint32_t new_size(const struct instruction *instruction, uint32_t at)
{
	uint32_t length = instruction[1].offset - instruction->offset;

	switch (instruction_table[instruction->opcode].kind) {
	case KIND_SWITCH:
		return length - instruction_switch_padding(instruction->offset) +
		       instruction_switch_padding(at);
	case KIND_IF:
		return instruction->widened ? WIDENED_IF_BYTES : length;
	case KIND_GOTO:
	case KIND_JSR:
		return instruction->widened ? 5 : length;
	default:
		return length;
	}
}

static uint32_t handler_bytes(const struct method_edit *edit)
{
	return edit->handler.length + 1;
}

static bool has_unready_code(const struct method_edit *edit)
{
	if (!edit->this_states)
		return false;
	for (uint32_t i = 0; i < edit->code.count; i++) {
		if (edit->this_states[i] == THIS_UNREADY)
			return true;
	}
	return false;
}

/* True if there is an insertion at the index and it belongs to the place. */
static bool has_insertion(const struct method_edit *edit, uint32_t index, uint32_t place)
{
	return index < edit->insertion_count && edit->insertions[index].place == place;
}

/* Gives every instruction its place, with the branches as wide as they are so far. */
static bool place_instructions(struct method_edit *edit)
{
	struct method_code *code = &edit->code;
	uint32_t at = edit->entry.length;
	uint32_t next = 0;

	for (uint32_t i = 0; i <= code->count; i++) {
		struct instruction *instruction = &code->instructions[i];

		instruction->start = at;
		for (; has_insertion(edit, next, 2 * i); next++)
			at += edit->insertions[next].snippet.length;
		instruction->at = at;
		if (i < code->count)
			at += new_size(instruction, at);
		for (; has_insertion(edit, next, 2 * i + 1); next++)
			at += edit->insertions[next].snippet.length;
		if (at > CODE_LENGTH_MAX)
			return code_edit_fail(edit, REWRITE_SKIP_CODE_TOO_LONG);
	}
	edit->body_end = at;
	return true;
}

/* Where a branch goes in the new code, relative to the branch. */
static int32_t new_displacement(const struct method_code *code,
                                const struct instruction *instruction)
{
	uint32_t target = method_code_branch_target(code, instruction);
	uint32_t index = code->index_at[target];

	return (int32_t)code->instructions[index].start - (int32_t)instruction->at;
}

/* Widens the branches that do not reach; true if there were any. */
static bool widen_branches(struct method_edit *edit)
{
	struct method_code *code = &edit->code;
	bool any = false;

	for (uint32_t i = 0; i < code->count; i++) {
		struct instruction *instruction = &code->instructions[i];
		uint8_t kind = instruction_table[instruction->opcode].kind;
		int32_t displacement;

		if ((kind != KIND_IF && kind != KIND_GOTO && kind != KIND_JSR) ||
		    instruction->widened)
			continue;
		displacement = new_displacement(code, instruction);
		if (displacement >= INT16_MIN && displacement <= INT16_MAX)
			continue;
		instruction->widened = true;
		edit->widened_ifs |= kind == KIND_IF;
		any = true;
	}
	return any;
}

void code_layout(struct method_edit *edit)
{
	uint32_t end;

	do {
		if (!place_instructions(edit))
			return;
	} while (edit->body_end > SHORT_BRANCH_MAX && widen_branches(edit));
	end = edit->body_end;
	edit->unready_handler = 0;
	if (edit->has_handler) {
		end += handler_bytes(edit);
		if (has_unready_code(edit)) {
			edit->unready_handler = end;
			end += handler_bytes(edit);
		}
	}
	edit->new_length = end;
	if (end > CODE_LENGTH_MAX)
		code_edit_fail(edit, REWRITE_SKIP_CODE_TOO_LONG);
}

static void write_snippet(const struct method_edit *edit, struct snippet snippet,
                          struct code_buffer *out)
{
	if (snippet.length)
		code_buffer_put_bytes(out, edit->snippets.bytes + snippet.begin, snippet.length);
}

static void write_branch(const struct method_code *code, const struct instruction *instruction,
                         struct code_buffer *out)
{
	uint8_t opcode = instruction->opcode;
	uint8_t kind = instruction_table[opcode].kind;
	int32_t displacement = new_displacement(code, instruction);

	if (kind == KIND_GOTO_WIDE || kind == KIND_JSR_WIDE) {
		code_buffer_put_u1(out, opcode);
		code_buffer_put_u4(out, (uint32_t)displacement);
	} else if (!instruction->widened) {
		code_buffer_put_u1(out, opcode);
		code_buffer_put_u2(out, (uint32_t)displacement);
	} else if (kind == KIND_IF) {
		code_buffer_put_u1(out, instruction_inverted_branch(opcode));
		code_buffer_put_u2(out, WIDENED_IF_BYTES);
		code_buffer_put_u1(out, OP_GOTO_W);
		code_buffer_put_u4(out, (uint32_t)(displacement - 3));
	} else {
		code_buffer_put_u1(out, kind == KIND_JSR ? OP_JSR_W : OP_GOTO_W);
		code_buffer_put_u4(out, (uint32_t)displacement);
	}
}

static void write_switch_offset(const struct method_code *code,
                                const struct instruction *instruction, uint32_t operand,
                                struct code_buffer *out)
{
	uint32_t target = instruction->offset + bytes_u4(code->bytes + operand);

	code_buffer_put_u4(out, code->instructions[code->index_at[target]].start - instruction->at);
}

static void write_switch(const struct method_code *code, const struct instruction *instruction,
                         struct code_buffer *out)
{
	uint32_t at = instruction->offset + 1 + instruction_switch_padding(instruction->offset);
	uint32_t end = instruction[1].offset;
	bool table = instruction->opcode == OP_TABLESWITCH;

	code_buffer_put_u1(out, instruction->opcode);
	for (uint32_t pad = instruction_switch_padding(instruction->at); pad; pad--)
		code_buffer_put_u1(out, 0);
	write_switch_offset(code, instruction, at, out);
	code_buffer_put_bytes(out, code->bytes + at + 4, table ? 8 : 4);
	for (at += table ? 12 : 8; at < end; at += 4) {
		if (!table) {
			code_buffer_put_bytes(out, code->bytes + at, 4);
			at += 4;
		}
		write_switch_offset(code, instruction, at, out);
	}
}

static bool moves_unchanged(const struct instruction *instruction)
{
	switch (instruction_table[instruction->opcode].kind) {
	case KIND_IF:
	case KIND_GOTO:
	case KIND_GOTO_WIDE:
	case KIND_JSR:
	case KIND_JSR_WIDE:
	case KIND_SWITCH:
		return false;
	default:
		return true;
	}
}

static void write_body(const struct method_edit *edit, struct code_buffer *out)
{
	const struct method_code *code = &edit->code;
	uint32_t next = 0;
	uint32_t copied = 0; /* original code below this offset is written */

	for (uint32_t i = 0; i < code->count; i++) {
		const struct instruction *instruction = &code->instructions[i];
		bool unchanged = moves_unchanged(instruction);

		if (unchanged && !has_insertion(edit, next, 2 * i) &&
		    !has_insertion(edit, next, 2 * i + 1))
			continue;
		code_buffer_put_bytes(out, code->bytes + copied, instruction->offset - copied);
		for (; has_insertion(edit, next, 2 * i); next++)
			write_snippet(edit, edit->insertions[next].snippet, out);
		if (unchanged)
			code_buffer_put_bytes(out, code->bytes + instruction->offset,
			                      instruction[1].offset - instruction->offset);
		else if (instruction_table[instruction->opcode].kind == KIND_SWITCH)
			write_switch(code, instruction, out);
		else
			write_branch(code, instruction, out);
		for (; has_insertion(edit, next, 2 * i + 1); next++)
			write_snippet(edit, edit->insertions[next].snippet, out);
		copied = instruction[1].offset;
	}
	code_buffer_put_bytes(out, code->bytes + copied, code->length - copied);
}

void code_layout_write_code(const struct method_edit *edit, struct code_buffer *out)
{
	write_snippet(edit, edit->entry, out);
	write_body(edit, out);
	if (!edit->has_handler)
		return;
	write_snippet(edit, edit->handler, out);
	code_buffer_put_u1(out, OP_ATHROW);
	if (edit->unready_handler) {
		write_snippet(edit, edit->handler, out);
		code_buffer_put_u1(out, OP_ATHROW);
	}
}
