/*
 * machine_pass.c (64-bit ARM): see machine_pass.h. Followed are the stack pointer, numbers in
 * registers, and words that go to the stack and come back. Any other instruction makes the register
 * unknown that it writes, or that it would write if it had one.
 */
#include "hotspot/aarch64/machine_pass.h"

#include "hotspot/aarch64/arm_instruction.h"
#include "hotspot/any_memory.h"
#include "hotspot/read_cpu/machine_stack.h"

enum { WORD = sizeof(uintptr_t), PAGE_BITS = 12 };

struct passing {
	struct machine_state *state;
	struct machine_stack *stack;
	uint32_t instruction;
};

/* A number; or not known. */
struct value {
	bool known;
	uintptr_t word;
};

static const struct value unknown = {false, 0};

static bool is(const struct passing *passing, uint32_t mask, uint32_t bits)
{
	return arm_matches(passing->instruction, mask, bits);
}

static struct value get(const struct passing *passing, unsigned number)
{
	return (struct value){machine_state_knows(passing->state, number),
	                      passing->state->registers[number]};
}

static void set(const struct passing *passing, unsigned number, struct value value)
{
	passing->state->registers[number] = value.word;
	if (value.known)
		passing->state->known |= (uint32_t)1 << number;
	else
		passing->state->known &= ~((uint32_t)1 << number);
}

/* In most instructions number 31 is no register. */
static void set_unless_zero(const struct passing *passing, unsigned number, struct value value)
{
	if (number != MACHINE_ZERO)
		set(passing, number, value);
}

static struct value get_or_zero(const struct passing *passing, unsigned number)
{
	return number == MACHINE_ZERO ? (struct value){true, 0} : get(passing, number);
}

static struct value add(struct value value, struct value other, bool subtract)
{
	return (struct value){value.known && other.known,
	                      subtract ? value.word - other.word : value.word + other.word};
}

/* ---- numbers --------------------------------------------------------------- */

/* adr, adrp */
static void pass_address(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;
	uintptr_t pc = passing->state->pc;
	int64_t distance = arm_signed(instruction, 5, 19) * 4 + arm_bits(instruction, 29, 2);

	if (arm_bits(instruction, 31, 1) != 0) {
		pc = pc >> PAGE_BITS << PAGE_BITS;
		distance *= 1 << PAGE_BITS;
	}
	set_unless_zero(passing, arm_first(instruction),
	                (struct value){true, pc + (uintptr_t)distance});
}

/* add, sub of a number; with flags or without. */
static void pass_addition(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;
	bool subtract = arm_bits(instruction, 30, 1) != 0;
	struct value number = {true, arm_number(instruction)};
	struct value sum = add(get(passing, arm_base(instruction)), number, subtract);

	sum.known = sum.known && arm_bits(instruction, 31, 1) != 0;
	if (arm_bits(instruction, 29, 1) != 0)
		set_unless_zero(passing, arm_first(instruction), sum);
	else
		set(passing, arm_first(instruction), sum);
}

/* and, orr, eor, ands of a number; known is what clears the lowest bits of an address. */
static void pass_logic(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;
	struct value value = unknown;

	if (is(passing, 0xfffffc00, 0x927cec00)) { /* and …, …, -16 */
		value = get_or_zero(passing, arm_base(instruction));
		value.word &= ~(uintptr_t)15;
	}
	if (arm_bits(instruction, 29, 2) == 3)
		set_unless_zero(passing, arm_first(instruction), value);
	else
		set(passing, arm_first(instruction), value);
}

/* movz, movn, movk */
static void pass_move(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;
	unsigned shift = 16 * arm_bits(instruction, 21, 2);
	uintptr_t part = (uintptr_t)arm_bits(instruction, 5, 16) << shift;
	struct value value = {true, part};

	if (arm_bits(instruction, 29, 2) == 0)
		value.word = ~part;
	if (arm_bits(instruction, 29, 2) == 3) {
		value = get_or_zero(passing, arm_first(instruction));
		value.word = (value.word & ~((uintptr_t)0xffff << shift)) | part;
	}
	if (arm_bits(instruction, 31, 1) == 0)
		value.word = (uint32_t)value.word;
	set_unless_zero(passing, arm_first(instruction), value);
}

static void pass_number(const struct passing *passing)
{
	if (is(passing, 0x1f000000, 0x10000000))
		pass_address(passing);
	else if (is(passing, 0x1f800000, 0x11000000))
		pass_addition(passing);
	else if (is(passing, 0x1f800000, 0x12000000))
		pass_logic(passing);
	else if (is(passing, 0x1f800000, 0x12800000))
		pass_move(passing);
	else
		set_unless_zero(passing, arm_first(passing->instruction), unknown);
}

static void pass_registers(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;
	unsigned first = arm_first(instruction);
	bool subtract = arm_bits(instruction, 30, 1) != 0;

	if (is(passing, 0xffe0ffe0, 0xaa0003e0)) { /* mov */
		set_unless_zero(passing, first, get_or_zero(passing, arm_other(instruction)));
	} else if (is(passing, 0xbfe0fc00, 0x8b206000)) { /* add, sub with the stack pointer */
		set(passing, first,
		    add(get(passing, arm_base(instruction)),
		        get_or_zero(passing, arm_other(instruction)), subtract));
	} else if (is(passing, 0xbfe0fc00, 0x8b000000)) { /* add, sub */
		set_unless_zero(passing, first,
		                add(get_or_zero(passing, arm_base(instruction)),
		                    get_or_zero(passing, arm_other(instruction)), subtract));
	} else if (is(passing, 0x3fe00000, 0x0b200000)) {
		set(passing, first, unknown); /* shifted, or of 32 bits */
	} else if (!is(passing, 0xffffe000, 0xdac10000)) {
		/* Not what signs an address, or authenticates one. */
		set_unless_zero(passing, first, unknown);
	}
}

/* What moves numbers from vectors to registers. */
static void pass_vector(const struct passing *passing)
{
	if (is(passing, 0x5f20fc00, 0x1e200000) || is(passing, 0xbfe0fc00, 0x0e003c00) ||
	    is(passing, 0xbfe0fc00, 0x0e002c00))
		set_unless_zero(passing, arm_first(passing->instruction), unknown);
}

/* ---- memory ---------------------------------------------------------------- */

/* A place in memory, and what it is for. */
struct access {
	struct value address;
	uint32_t bytes; /* of each register */
	bool loads;
	bool vector;
	/* The base is changed, to that. */
	bool writes_base;
	struct value base;
};

static bool is_in_stack(const struct passing *passing, uintptr_t address)
{
	return address < passing->stack->base;
}

/* One register: number, in memory at the place that is so far from the first. */
static bool pass_one(const struct passing *passing, const struct access *access, unsigned number,
                     uint32_t distance)
{
	uintptr_t address = access->address.word + distance;
	struct value value = unknown;

	if (access->loads) {
		if (access->address.known && access->bytes == WORD)
			value.known = machine_stack_load(passing->state, passing->stack, address,
			                                 &value.word);
		if (!access->vector)
			set_unless_zero(passing, number, value);
		return true;
	}
	if (!access->address.known || !is_in_stack(passing, address))
		return true;
	if (!access->vector && access->bytes == WORD)
		value = get_or_zero(passing, number);
	for (uint32_t i = 0; i < access->bytes; i += WORD) {
		if (!machine_stack_store(passing->state, passing->stack, address + i, value.known,
		                         value.word))
			return false;
	}
	return true;
}

/* The base register, with a number added before the access or after it. */
static void find_place(const struct passing *passing, struct access *access, int64_t distance,
                       bool before, bool after)
{
	struct value base = get(passing, arm_base(passing->instruction));
	struct value moved = {base.known, base.word + (uintptr_t)distance};

	access->address = after ? base : moved;
	access->writes_base = before || after;
	access->base = moved;
}

static void write_base(const struct passing *passing, const struct access *access)
{
	if (access->writes_base)
		set(passing, arm_base(passing->instruction), access->base);
}

/* ldp, stp */
static bool pass_pair(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;
	unsigned size = arm_bits(instruction, 30, 2);
	unsigned mode = arm_bits(instruction, 23, 2);
	struct access access = {.loads = arm_bits(instruction, 22, 1) != 0,
	                        .vector = arm_bits(instruction, 26, 1) != 0};

	access.bytes = access.vector ? 4U << size : (size == 2 ? 8 : 4);
	find_place(passing, &access, arm_signed(instruction, 15, 7) * access.bytes, mode == 3,
	           mode == 1);
	bool passed = pass_one(passing, &access, arm_first(instruction), 0) &&
	              pass_one(passing, &access, arm_second(instruction), access.bytes);
	write_base(passing, &access);
	return passed;
}

/* ldr, str and the like, at a number or a register from the base. */
static bool pass_single(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;
	unsigned kind = arm_bits(instruction, 22, 2);
	unsigned mode = arm_bits(instruction, 10, 2);
	struct access access = {.loads = kind != 0,
	                        .vector = arm_bits(instruction, 26, 1) != 0,
	                        .bytes = 1U << arm_bits(instruction, 30, 2)};

	if (access.vector) {
		access.loads = (kind & 1) != 0;
		access.bytes = kind > 1 ? 16 : access.bytes;
	}
	if (is(passing, 0x01000000, 0x01000000))
		find_place(passing, &access, (int64_t)arm_bits(instruction, 10, 12) * access.bytes,
		           false, false);
	else if (is(passing, 0x00200000, 0))
		find_place(passing, &access, arm_signed(instruction, 12, 9), mode == 3, mode == 1);
	else
		access.loads = access.loads || mode == 0; /* an exchange, whose place is unknown */
	bool passed = pass_one(passing, &access, arm_first(instruction), 0);
	write_base(passing, &access);
	return passed;
}

/* A constant beside the code. */
static void pass_literal(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;
	uintptr_t address = passing->state->pc +
	                    (uintptr_t)(arm_signed(instruction, 5, 19) * ARM_INSTRUCTION_BYTES);
	struct value value = unknown;

	if (arm_bits(instruction, 26, 1) != 0)
		return;
	if (arm_bits(instruction, 30, 2) == 1 && address % WORD == 0)
		value = (struct value){true, any_word_at(address)};
	set_unless_zero(passing, arm_first(instruction), value);
}

/* Vectors of structures, ld1 to st4: with a number, that of their bytes, added to the base. */
static void pass_structures(const struct passing *passing)
{
	static const uint8_t registers[16] = {
	        [0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2};
	uint32_t instruction = passing->instruction;
	unsigned base = arm_base(instruction);
	struct value bytes = {arm_other(instruction) == MACHINE_ZERO &&
	                              is(passing, 0xbf800000, 0x0c800000),
	                      (uintptr_t)registers[arm_bits(instruction, 12, 4)] * 8
	                              << arm_bits(instruction, 30, 1)};

	if (arm_bits(instruction, 23, 1) != 0)
		set(passing, base, add(get(passing, base), bytes, false));
}

static bool pass_memory(const struct passing *passing)
{
	uint32_t instruction = passing->instruction;

	if (is(passing, 0x3a000000, 0x28000000))
		return pass_pair(passing);
	if (is(passing, 0x3a000000, 0x38000000))
		return pass_single(passing);
	if (is(passing, 0x3b000000, 0x18000000)) {
		pass_literal(passing);
	} else if (is(passing, 0xbe000000, 0x0c000000)) {
		pass_structures(passing);
	} else {
		/* Exclusive, and others. */
		set_unless_zero(passing, arm_first(instruction), unknown);
		set_unless_zero(passing, arm_second(instruction), unknown);
		set_unless_zero(passing, arm_other(instruction), unknown);
	}
	return true;
}

/* ---- any ------------------------------------------------------------------- */

bool machine_pass(struct machine_state *state, struct machine_stack *stack, uint32_t instruction)
{
	const struct passing passing = {state, stack, instruction};
	bool passed = true;

	if (is(&passing, 0x1c000000, 0x10000000))
		pass_number(&passing);
	else if (is(&passing, 0x0e000000, 0x0a000000))
		pass_registers(&passing);
	else if (is(&passing, 0x0e000000, 0x0e000000))
		pass_vector(&passing);
	else if (is(&passing, 0x0a000000, 0x08000000))
		passed = pass_memory(&passing);
	else if (is(&passing, 0xfff00000, 0xd5300000)) /* mrs */
		set_unless_zero(&passing, arm_first(instruction), unknown);
	return passed && machine_state_knows(state, MACHINE_SP);
}
