/*
 * Takes a method's code apart. Called by the rewriter from the rewriting
 * thread; takes no lock.
 */
#include "classfile/method_code.h"

#include "classfile/memory.h"

#include <string.h>

void method_code_init(struct method_code *code, const struct classfile *classfile)
{
	memset(code, 0, sizeof(*code));
	code->memory = classfile->memory;
	code->classfile = classfile;
}

void method_code_free(struct method_code *code)
{
	class_memory_give_back(code->memory, code->instructions);
	class_memory_give_back(code->memory, code->index_at);
}

uint32_t method_code_index(const struct method_code *code, uint32_t offset)
{
	return offset <= code->length ? code->index_at[offset] : NO_INSTRUCTION;
}

uint32_t method_code_branch_target(const struct method_code *code,
                                   const struct instruction *instruction)
{
	const uint8_t *operand = code->bytes + instruction->offset + 1;
	uint8_t kind = instruction_table[instruction->opcode].kind;

	if (kind == KIND_GOTO_WIDE || kind == KIND_JSR_WIDE)
		return instruction->offset + bytes_u4(operand);
	return (uint32_t)((int32_t)instruction->offset + (int16_t)bytes_u2(operand));
}

/* The offset of a switch's operands after the padding; the default target is the first. */
static uint32_t switch_operands(const struct instruction *instruction)
{
	return instruction->offset + 1 + instruction_switch_padding(instruction->offset);
}

uint32_t method_code_switch_count(const struct method_code *code,
                                  const struct instruction *instruction)
{
	const uint8_t *operands = code->bytes + switch_operands(instruction);

	if (instruction->opcode == OP_TABLESWITCH)
		return bytes_u4(operands + 8) - bytes_u4(operands + 4) + 2;
	return bytes_u4(operands + 4) + 1;
}

uint32_t method_code_switch_target(const struct method_code *code,
                                   const struct instruction *instruction, uint32_t index)
{
	uint32_t at = switch_operands(instruction);

	if (index && instruction->opcode == OP_TABLESWITCH)
		at += 12 + 4 * (index - 1);
	else if (index)
		at += 8 + 8 * (index - 1) + 4;
	return instruction->offset + bytes_u4(code->bytes + at);
}

static bool reserve(struct method_code *code)
{
	size_t entries = (size_t)code->length + 1;
	void *block;

	block = class_memory_grow(code->memory, code->index_at, &code->index_capacity, entries,
	                          sizeof(code->index_at[0]));
	if (!block)
		return false;
	code->index_at = block;
	block = class_memory_grow(code->memory, code->instructions, &code->instruction_capacity,
	                          entries, sizeof(code->instructions[0]));
	if (!block)
		return false;
	code->instructions = block;
	return true;
}

static bool split_instructions(struct method_code *code)
{
	uint32_t offset = 0;
	uint32_t count = 0;

	memset(code->index_at, 0xFF, ((size_t)code->length + 1) * sizeof(code->index_at[0]));
	while (offset < code->length) {
		uint32_t length = instruction_length(code->bytes, offset, code->length);

		if (!length)
			return false;
		code->index_at[offset] = count;
		code->instructions[count].offset = offset;
		code->instructions[count].opcode = code->bytes[offset];
		code->instructions[count].widened = false;
		count++;
		offset += length;
	}
	code->index_at[offset] = count;
	code->instructions[count].offset = offset;
	code->instructions[count].opcode = OP_NOP;
	code->instructions[count].widened = false;
	code->count = count;
	return true;
}

/* True if an instruction begins at the offset; the end of the code is none. */
static bool is_target(const struct method_code *code, uint32_t offset)
{
	return offset < code->length && code->index_at[offset] != NO_INSTRUCTION;
}

static bool check_switch(const struct method_code *code, const struct instruction *instruction)
{
	for (uint32_t left = method_code_switch_count(code, instruction); left; left--) {
		if (!is_target(code, method_code_switch_target(code, instruction, left - 1)))
			return false;
	}
	return true;
}

static bool check_targets(const struct method_code *code)
{
	for (uint32_t i = 0; i < code->count; i++) {
		const struct instruction *instruction = &code->instructions[i];

		switch (instruction_table[instruction->opcode].kind) {
		case KIND_IF:
		case KIND_GOTO:
		case KIND_JSR:
		case KIND_GOTO_WIDE:
		case KIND_JSR_WIDE:
			if (!is_target(code, method_code_branch_target(code, instruction)))
				return false;
			break;
		case KIND_SWITCH:
			if (!check_switch(code, instruction))
				return false;
			break;
		default:
			break;
		}
	}
	return true;
}

static bool check_exceptions(const struct method_code *code)
{
	const uint8_t *entry = code->record->exceptions;

	for (uint32_t left = code->record->exception_count; left; left--, entry += 8) {
		uint16_t start = bytes_u2(entry);
		uint16_t end = bytes_u2(entry + 2);

		if (start >= end || !is_target(code, start) ||
		    method_code_index(code, end) == NO_INSTRUCTION ||
		    !is_target(code, bytes_u2(entry + 4)))
			return false;
	}
	return true;
}

enum decode_status method_code_decode(struct method_code *code, const struct method_record *record)
{
	code->record = record;
	code->bytes = record->view.code;
	code->length = record->view.code_length;
	if (!code->length || code->length > CODE_LENGTH_MAX)
		return DECODE_MALFORMED;
	if (!reserve(code))
		return DECODE_NO_MEMORY;
	if (!split_instructions(code) || !check_targets(code) || !check_exceptions(code))
		return DECODE_MALFORMED;
	return DECODE_OK;
}
