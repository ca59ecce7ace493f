/*
 * arm_instruction.h: the fields of one instruction of 64-bit ARM code, as far as they concern
 * general registers, the stack and jumps. Reads nothing. Signal-safe.
 *
 * Encodings: Arm Architecture Reference Manual for A-profile, chapter C4.
 */
#ifndef HPROF_HOTSPOT_AARCH64_ARM_INSTRUCTION_H
#define HPROF_HOTSPOT_AARCH64_ARM_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum { ARM_INSTRUCTION_BYTES = 4 };

/* Bits low to low + count - 1. */
static inline uint32_t arm_bits(uint32_t instruction, unsigned low, unsigned count)
{
	return instruction >> low & ((1U << count) - 1);
}

/* The same, the highest of them the sign. */
static inline int64_t arm_signed(uint32_t instruction, unsigned low, unsigned count)
{
	return (int64_t)((uint64_t)instruction << (64 - low - count)) >> (64 - count);
}

/* Registers are in these places, if the instruction has them. */
static inline unsigned arm_first(uint32_t instruction)
{
	return arm_bits(instruction, 0, 5);
}

static inline unsigned arm_base(uint32_t instruction)
{
	return arm_bits(instruction, 5, 5);
}

static inline unsigned arm_second(uint32_t instruction)
{
	return arm_bits(instruction, 10, 5);
}

static inline unsigned arm_other(uint32_t instruction)
{
	return arm_bits(instruction, 16, 5);
}

static inline bool arm_matches(uint32_t instruction, uint32_t mask, uint32_t bits)
{
	return (instruction & mask) == bits;
}

static inline bool arm_is_return(uint32_t instruction)
{
	/* ret; retaa and retab, which authenticate the address */
	return arm_matches(instruction, 0xfffffc1f, 0xd65f0000) ||
	       arm_matches(instruction, 0xfffffbff, 0xd65f0bff);
}

/* br x16, br x17: by the procedure call standard's registers for jumps to other libraries. */
static inline bool arm_is_far_jump(uint32_t instruction)
{
	return arm_matches(instruction, 0xffffffdf, 0xd61f0200);
}

static inline bool arm_is_call(uint32_t instruction)
{
	/* bl; blr */
	return arm_matches(instruction, 0xfc000000, 0x94000000) ||
	       arm_matches(instruction, 0xfffffc1f, 0xd63f0000);
}

/* stp x29, x30, [sp, …]: above, or below and the stack pointer goes there. */
static inline bool arm_is_link_saved(uint32_t instruction)
{
	return arm_matches(instruction, 0xffc07fff, 0xa9007bfd);
}

static inline bool arm_is_link_pushed(uint32_t instruction)
{
	return arm_matches(instruction, 0xffc07fff, 0xa9807bfd);
}

/* ldp x29, x30, [sp, …]: from above, or from there and the stack pointer goes up. */
static inline bool arm_is_link_loaded(uint32_t instruction)
{
	return arm_matches(instruction, 0xffc07fff, 0xa9407bfd);
}

static inline bool arm_is_link_popped(uint32_t instruction)
{
	return arm_matches(instruction, 0xffc07fff, 0xa8c07bfd);
}

/* sub sp, sp, number. */
static inline bool arm_is_taking_stack(uint32_t instruction)
{
	return arm_matches(instruction, 0xff8003ff, 0xd10003ff);
}

/* The number in an addition or subtraction. */
static inline uint32_t arm_number(uint32_t instruction)
{
	const unsigned shift = arm_bits(instruction, 22, 1) != 0 ? 12 : 0;
	return arm_bits(instruction, 10, 12) << shift;
}

#endif
