/*
 * The instructions of the Java virtual machine (JVMS 6.5) as data: their
 * lengths, what they do to control flow and to the operand stack. Constant
 * data; any thread.
 */
#ifndef HPROF_CLASSFILE_INSTRUCTIONS_H
#define HPROF_CLASSFILE_INSTRUCTIONS_H

#include "classfile/opcodes.h"

#include <stdbool.h>
#include <stdint.h>

/* How an instruction passes control on, and what of it moving code must change. */
enum instruction_kind {
	KIND_INVALID,   /* no opcode of a class file */
	KIND_PLAIN,     /* continues at the next instruction */
	KIND_IF,        /* conditional, 16-bit offset */
	KIND_GOTO,      /* 16-bit offset */
	KIND_GOTO_WIDE, /* 32-bit offset */
	KIND_JSR,       /* 16-bit offset; ret returns to the next instruction */
	KIND_JSR_WIDE,  /* 32-bit offset */
	KIND_RET,       /* to where a jsr was */
	KIND_SWITCH,    /* padded to 4 bytes, 32-bit offsets */
	KIND_RETURN,    /* leaves the method */
	KIND_THROW      /* to a handler, or leaves the method */
};

struct instruction_info {
	uint8_t kind;   /* an enum instruction_kind */
	uint8_t length; /* in bytes with its operands; 0 if it depends on them */
	uint8_t pops;   /* stack slots; meaningless where effect is '!' */
	/*
	 * What it pushes, a letter for each value: I F J D as in descriptors, A a
	 * reference, N null, R a return address, * a slot copied from those popped.
	 * "!" if pops and pushes depend on more than the opcode.
	 */
	char pushes[7];
};

/* Indexed by opcode. */
extern const struct instruction_info instruction_table[256];

/*
 * The length of the instruction at code[offset], whose code is length bytes
 * long; 0 if the opcode is unknown or the instruction does not end within them.
 */
uint32_t instruction_length(const uint8_t *code, uint32_t offset, uint32_t length);

/* Padding bytes between a switch opcode at an offset and its operands. */
static inline uint32_t instruction_switch_padding(uint32_t offset)
{
	return 3 - (offset & 3);
}

/* True if control can reach the next instruction (also of a jsr: ret returns there). */
bool instruction_falls_through(uint8_t opcode, uint8_t next_byte);

/* The conditional branch that jumps exactly when this one does not. */
uint8_t instruction_inverted_branch(uint8_t opcode);

/*
 * For dup and its relatives, and swap: which of the slots that it pops it pushes, the
 * lowest of each first, as digits: 0 is the lowest popped. NULL for all others.
 */
const char *instruction_copied_slots(uint8_t opcode);

/* Slots that the arguments of a method descriptor take, without this; -1 if malformed. */
int32_t descriptor_argument_slots(const uint8_t *bytes, uint32_t length);

/* Length of the field descriptor that begins at bytes; 0 if malformed. */
uint32_t descriptor_type_length(const uint8_t *bytes, uint32_t length);

/* Slots of a value by the first character of its descriptor: 0 for V, 2 for J and D. */
static inline uint32_t descriptor_slots(uint8_t first)
{
	return first == 'V' ? 0 : first == 'J' || first == 'D' ? 2 : 1;
}

#endif
