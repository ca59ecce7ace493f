/*
 * x86_instruction.h: one instruction of x86-64 code: how long it is, and its operands as far as
 * they concern general registers, the stack and jumps. Reads the code: for use within
 * os_call_guarded(). Signal-safe.
 *
 * Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and
 * appendix A. Those that HotSpot has no use for, such as of system code, are not known here.
 */
#ifndef HPROF_HOTSPOT_X86_64_X86_INSTRUCTION_H
#define HPROF_HOTSPOT_X86_64_X86_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum {
	X86_NO_REGISTER = 0xff,
	X86_INSTRUCTION_BYTES = 15 /* at most */
};

/* The opcode maps, as they are numbered in VEX and EVEX prefixes. */
enum x86_map { X86_ONE_BYTE, X86_0F, X86_0F38, X86_0F3A };

/* Registers are numbers of general registers, if the operand is one. */
struct x86_instruction {
	uintptr_t next; /* the address of the instruction that follows */
	uint8_t map;    /* enum x86_map */
	uint8_t opcode;
	uint8_t prefix;    /* 0x66, 0xf2 or 0xf3; the last of them, or 0 */
	bool is_vex;       /* VEX or EVEX */
	bool is_evex;      /* the displacement of one byte is in other units */
	bool wide;         /* operands of 64 bits */
	bool has_rex;      /* registers 4 to 7 of one byte are the low ones */
	bool has_operands; /* those of a ModRM byte */
	bool in_memory;    /* the second of these */
	uint8_t reg;       /* the first */
	uint8_t rm;        /* the second, if it is not in memory */
	uint8_t other;     /* the one in the VEX prefix */
	uint8_t base;      /* of the memory; or X86_NO_REGISTER */
	bool has_index;
	int32_t displacement;
	uint64_t immediate; /* sign-extended */
};

/* False when the instruction at pc is not known. */
bool x86_instruction_read(struct x86_instruction *instruction, uintptr_t pc);

#endif
