/*
 * A method's code taken apart into instructions, each with its place in the
 * original and in the new code. Used by the rewriter only, from the rewriting
 * thread; no locks.
 */
#ifndef HPROF_CLASSFILE_METHOD_CODE_H
#define HPROF_CLASSFILE_METHOD_CODE_H

#include "classfile/instructions.h"
#include "classfile/reader.h"

enum { CODE_LENGTH_MAX = 65535 };

/* The instruction index of an offset where no instruction begins. */
#define NO_INSTRUCTION UINT32_MAX

struct instruction {
	uint32_t offset; /* in the original code */
	uint32_t start;  /* in the new code: of the code inserted before it, if any */
	uint32_t at;     /* in the new code: of the instruction itself */
	uint8_t opcode;
	bool widened; /* its 16-bit branch offset has become too small */
};

struct method_code {
	const struct classfile_memory *memory;
	const struct classfile *classfile;
	const struct method_record *record;
	const uint8_t *bytes;
	uint32_t length;
	/* One more than count: the last stands for the end of the code. */
	struct instruction *instructions;
	uint32_t count;
	size_t instruction_capacity;
	uint32_t *index_at; /* by original offset, up to and including length */
	size_t index_capacity;
};

/* What can keep code from being taken apart. */
enum decode_status { DECODE_OK, DECODE_MALFORMED, DECODE_NO_MEMORY };

/* Prepares an empty one, which is used for one method of the class after the other. */
void method_code_init(struct method_code *code, const struct classfile *classfile);
void method_code_free(struct method_code *code);

/*
 * Takes a method's code apart and checks that it is a sequence of instructions
 * whose branches, and whose exception table, refer to instructions of it.
 */
enum decode_status method_code_decode(struct method_code *code, const struct method_record *record);

/* The index of the instruction at an offset; the count for the code's end; else NO_INSTRUCTION. */
uint32_t method_code_index(const struct method_code *code, uint32_t offset);

/* The target of a branch instruction of any width; only for if, goto and jsr. */
uint32_t method_code_branch_target(const struct method_code *code,
                                   const struct instruction *instruction);

/* The number of a switch's targets, the default included, and the one at an index below it. */
uint32_t method_code_switch_count(const struct method_code *code,
                                  const struct instruction *instruction);
uint32_t method_code_switch_target(const struct method_code *code,
                                   const struct instruction *instruction, uint32_t index);

#endif
