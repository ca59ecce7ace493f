/* x86_instruction.c: see x86_instruction.h. */
#include "hotspot/x86_64/x86_instruction.h"

#include <string.h>

enum {
	OPERAND_SIZE = 0x66,
	ADDRESS_SIZE = 0x67,
	REX = 0x40,
	REX_MASK = 0xf0,
	REX_W = 8,
	REX_R = 4,
	REX_B = 1,
	ESCAPE = 0x0f,
	ESCAPE_38 = 0x38,
	ESCAPE_3A = 0x3a,
	VEX_SHORT = 0xc5,
	VEX_LONG = 0xc4,
	EVEX = 0x62,
	MAP_OF_HALVES = 5, /* two maps of EVEX alone, for numbers of 16 bits */
	MAP_MAX = 6,
	OPCODES = 256,
	REGISTERS = 16,
	EXTENDED = 8, /* the bit that a prefix adds to a register */
	LOW_BITS = 7,
	IN_REGISTER = 3,
	WITH_BYTE = 1,
	WITH_WORD = 2,
	WITH_SIB = 4,
	NO_BASE = 5,
	NO_INDEX = 4
};

/*
 * What follows an opcode: m ModRM; b ModRM, byte; z ModRM, two or four bytes; n nothing; 1 a byte;
 * 2 two bytes; 4 two or four; v two, four or eight; o an address; t ModRM, a byte if it is a test;
 * T ModRM, two or four if so; ? not known.
 */
static const unsigned char one_byte[OPCODES + 1] = "mmmm14??mmmm14??"
                                                   "mmmm14??mmmm14??"
                                                   "mmmm14??mmmm14??"
                                                   "mmmm14??mmmm14??"
                                                   "????????????????"
                                                   "nnnnnnnnnnnnnnnn"
                                                   "???m????4z1b????"
                                                   "1111111111111111"
                                                   "bz?bmmmmmmmmmmmm"
                                                   "nnnnnnnnnn?nnnnn"
                                                   "oooonnnn14nnnnnn"
                                                   "11111111vvvvvvvv"
                                                   "bb2n??bz?n??n1??"
                                                   "mmmm???nmmmmmmmm"
                                                   "1111????44?1????"
                                                   "????nntTnnnnnnmm";
static const unsigned char after_0f[OPCODES + 1] = "mmmm?n?????n?m??"
                                                   "mmmmmmmmmmmmmmmm"
                                                   "????????mmmmmmmm"
                                                   "?n??????????????"
                                                   "mmmmmmmmmmmmmmmm"
                                                   "mmmmmmmmmmmmmmmm"
                                                   "mmmmmmmmmmmmmmmm"
                                                   "bbbbmmmnmmmmmmmm"
                                                   "4444444444444444"
                                                   "mmmmmmmmmmmmmmmm"
                                                   "??nmbm?????mbmmm"
                                                   "mmmmmmmmm?bmmmmm"
                                                   "mmbmbbbmnnnnnnnn"
                                                   "mmmmmmmmmmmmmmmm"
                                                   "mmmmmmmmmmmmmmmm"
                                                   "mmmmmmmmmmmmmmm?";

/* Bits of registers that come from prefixes. */
struct extension {
	uint8_t reg;
	uint8_t index;
	uint8_t base;
};

static const uint8_t *read_legacy_prefixes(struct x86_instruction *instruction, const uint8_t *at)
{
	static const uint8_t others[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0xf0, ADDRESS_SIZE};

	for (int i = 0; i < X86_INSTRUCTION_BYTES; i++, at++) {
		if (*at == OPERAND_SIZE || *at == 0xf2 || *at == 0xf3)
			instruction->prefix = *at;
		else if (memchr(others, *at, sizeof(others)) == NULL)
			break;
	}
	return at;
}

/* The bits are stored inverted. */
static void extend(struct extension *extension, uint8_t bits)
{
	extension->reg = (bits & 0x80) == 0 ? EXTENDED : 0;
	extension->index = (bits & 0x40) == 0 ? EXTENDED : 0;
	extension->base = (bits & 0x20) == 0 ? EXTENDED : 0;
}

static void set_vector_bits(struct x86_instruction *instruction, uint8_t bits)
{
	static const uint8_t prefixes[] = {0, OPERAND_SIZE, 0xf3, 0xf2};

	instruction->is_vex = true;
	instruction->other = (uint8_t)(~(bits >> 3) & (REGISTERS - 1));
	instruction->prefix = prefixes[bits & 3];
}

static const uint8_t *read_vector_prefix(struct x86_instruction *instruction,
                                         struct extension *extension, const uint8_t *at)
{
	if (at[0] == VEX_SHORT) {
		set_vector_bits(instruction, at[1]);
		extension->reg = (at[1] & 0x80) == 0 ? EXTENDED : 0;
		instruction->map = X86_0F;
		return at + 2;
	}
	set_vector_bits(instruction, at[2]);
	extend(extension, at[1]);
	instruction->wide = (at[2] & 0x80) != 0;
	instruction->is_evex = at[0] == EVEX;
	instruction->map = at[1] & (instruction->is_evex ? 0x07 : 0x1f);
	return at + (instruction->is_evex ? 4 : 3);
}

static const uint8_t *read_rex(struct x86_instruction *instruction, struct extension *extension,
                               const uint8_t *at)
{
	if ((*at & REX_MASK) == REX) {
		instruction->has_rex = true;
		instruction->wide = (*at & REX_W) != 0;
		extension->reg = (*at & REX_R) != 0 ? EXTENDED : 0;
		extension->base = (*at & REX_B) != 0 ? EXTENDED : 0;
		extension->index = (*at & 2) != 0 ? EXTENDED : 0;
		at++;
	}
	if (*at != ESCAPE)
		return at;
	instruction->map = X86_0F;
	at++;
	if (*at == ESCAPE_38 || *at == ESCAPE_3A) {
		instruction->map = *at == ESCAPE_38 ? X86_0F38 : X86_0F3A;
		at++;
	}
	return at;
}

/* The index is that of no register if its number, with its extension, is 4. */
static const uint8_t *read_scaled(struct x86_instruction *instruction,
                                  const struct extension *extension, unsigned mode,
                                  const uint8_t *at, bool *is_long)
{
	uint8_t base = *at & LOW_BITS;

	instruction->has_index = (((*at >> 3) & LOW_BITS) | extension->index) != NO_INDEX;
	*is_long = mode == 0 && base == NO_BASE;
	instruction->base = *is_long ? X86_NO_REGISTER : base | extension->base;
	return at + 1;
}

static uint64_t read_immediate(const uint8_t *at, unsigned bytes)
{
	const unsigned unused = 8 * (8 - bytes);
	uint64_t bits = 0;

	if (bytes == 0)
		return 0;
	memcpy(&bits, at, bytes);
	bits <<= unused;
	return (uint64_t)((int64_t)bits >> unused);
}

static const uint8_t *read_operands(struct x86_instruction *instruction,
                                    const struct extension *extension, const uint8_t *at)
{
	unsigned mode = *at >> 6;
	uint8_t rm = *at & LOW_BITS;
	bool is_long = false; /* has a displacement of four bytes in spite of its mode */

	instruction->has_operands = true;
	instruction->reg = ((*at >> 3) & LOW_BITS) | extension->reg;
	instruction->in_memory = mode != IN_REGISTER;
	at++;
	if (!instruction->in_memory) {
		instruction->rm = rm | extension->base;
		return at;
	}
	if (rm == WITH_SIB) {
		at = read_scaled(instruction, extension, mode, at, &is_long);
	} else {
		is_long = mode == 0 && rm == NO_BASE; /* counted from the next instruction */
		instruction->base = is_long ? X86_NO_REGISTER : rm | extension->base;
	}
	if (mode == WITH_BYTE) {
		instruction->displacement = (int32_t)read_immediate(at, 1);
		at++;
	} else if (mode == WITH_WORD || is_long) {
		memcpy(&instruction->displacement, at, sizeof(instruction->displacement));
		at += sizeof(instruction->displacement);
	}
	return at;
}

static unsigned char what_follows(const struct x86_instruction *instruction)
{
	switch (instruction->map) {
	case X86_ONE_BYTE:
		return instruction->is_vex ? '?' : one_byte[instruction->opcode];
	case X86_0F:
		return after_0f[instruction->opcode];
	case X86_0F3A:
		return 'b';
	case X86_0F38:
	case MAP_OF_HALVES:
	case MAP_MAX:
		return 'm';
	default:
		return '?';
	}
}

static unsigned immediate_bytes(const struct x86_instruction *instruction, unsigned char follows)
{
	unsigned short_or_long = !instruction->wide && instruction->prefix == OPERAND_SIZE ? 2 : 4;
	bool is_test = (instruction->reg & LOW_BITS) <= 1;

	switch (follows) {
	case '1':
	case 'b':
		return 1;
	case '2':
		return 2;
	case '4':
	case 'z':
		return short_or_long;
	case 'v':
		return instruction->wide ? 8 : short_or_long;
	case 'o':
		return 8;
	case 't':
		return is_test ? 1 : 0;
	case 'T':
		return is_test ? short_or_long : 0;
	default:
		return 0;
	}
}

bool x86_instruction_read(struct x86_instruction *instruction, uintptr_t pc)
{
	struct extension extension = {0};
	const uint8_t *at = (const uint8_t *)pc;

	*instruction = (struct x86_instruction){.other = X86_NO_REGISTER, .base = X86_NO_REGISTER};
	at = read_legacy_prefixes(instruction, at);
	if (*at == VEX_SHORT || *at == VEX_LONG || *at == EVEX)
		at = read_vector_prefix(instruction, &extension, at);
	else
		at = read_rex(instruction, &extension, at);
	instruction->opcode = *at++;
	unsigned char follows = what_follows(instruction);
	if (follows == '?')
		return false;
	if (strchr("mbztT", follows) != NULL)
		at = read_operands(instruction, &extension, at);
	else if (instruction->map != X86_0F || instruction->opcode >= 0xc8)
		instruction->rm = (instruction->opcode & LOW_BITS) | extension.base;
	unsigned bytes = immediate_bytes(instruction, follows);
	instruction->immediate = read_immediate(at, bytes);
	instruction->next = (uintptr_t)at + bytes;
	return instruction->next - pc <= X86_INSTRUCTION_BYTES;
}
