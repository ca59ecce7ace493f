/*
 * machine_pass.c: see machine_pass.h. An instruction that is not listed here, such as one of
 * vectors, changes no general register.
 */
#include "hotspot/x86_64/machine_pass.h"

#include "hotspot/read_cpu/machine_stack.h"

enum {
	WORD = sizeof(uintptr_t),
	LOW_BITS = 7,
	OPCODES = 256,
	BYTE_OF_WORD = 4, /* without REX, the second byte of the register that is so much lower */
	OPERAND_SIZE = 0x66,
	/* In opcodes, and in instructions with a number. */
	ADD = 0,
	AND = 4,
	SUBTRACT = 5,
	COMPARE = 7
};

/*
 * What an instruction changes, of which no more is known: r its first operand, m its second, x
 * both; a rax; d rax and rdx; q rax, rbx, rcx and rdx; s the registers of string instructions; k
 * the second operand and rax; - nothing, or see below.
 */
static const char one_byte[OPCODES + 1] = "mmrraa--mmrraa--"
                                          "mmrraa--mmrraa--"
                                          "mmrraa--mmrraa--"
                                          "mmrraa----------"
                                          "----------------"
                                          "----------------"
                                          "---r-----r-r----"
                                          "----------------"
                                          "mmmm--xxmmrrmr--"
                                          "kkkkkkkkdd-----a"
                                          "aa--ssss--ssssss"
                                          "mmmmmmmmmmmmmmmm"
                                          "mm----mm--------"
                                          "mmmm---a-------a"
                                          "ssss------------"
                                          "--------------mm";
static const char after_0f[OPCODES + 1] = "-q--------------"
                                          "----------------"
                                          "------------rr--"
                                          "-q--------------"
                                          "rrrrrrrrrrrrrrrr"
                                          "r---------------"
                                          "----------------"
                                          "----------------"
                                          "----------------"
                                          "mmmmmmmmmmmmmmmm"
                                          "--q-mm-----mmmmr"
                                          "kk-m--rrr-mmrrrr"
                                          "xx-m-r-qmmmmmmmm"
                                          "-------r--------"
                                          "----------------"
                                          "----------------";

struct passing {
	struct machine_state *state;
	struct machine_stack *stack;
	const struct x86_instruction *instruction;
};

static void set(struct machine_state *state, unsigned number, uintptr_t value)
{
	state->registers[number] = value;
	state->known |= (uint32_t)1 << number;
}

static void forget(struct machine_state *state, unsigned number)
{
	state->known &= ~((uint32_t)1 << number);
}

static void set_if(struct machine_state *state, unsigned number, bool known, uintptr_t value)
{
	if (known)
		set(state, number, value);
	else
		forget(state, number);
}

/* ---- the stack ------------------------------------------------------------- */

static bool store(const struct passing *passing, uintptr_t address, bool known, uintptr_t word)
{
	return machine_stack_store(passing->state, passing->stack, address, known, word);
}

static bool push(const struct passing *passing, bool known, uintptr_t word)
{
	uintptr_t *top = &passing->state->registers[MACHINE_RSP];

	*top -= WORD;
	return store(passing, *top, known, word);
}

static bool pop(const struct passing *passing, uintptr_t *word)
{
	uintptr_t *top = &passing->state->registers[MACHINE_RSP];
	bool known = machine_stack_load(passing->state, passing->stack, *top, word);

	*top += WORD;
	return known;
}

/* The address in memory, if it is known, of what lies on the stack. */
static bool find_address(const struct passing *passing, uintptr_t *address)
{
	const struct x86_instruction *instruction = passing->instruction;

	if (!instruction->in_memory || instruction->has_index || instruction->is_evex ||
	    instruction->base == X86_NO_REGISTER ||
	    !machine_state_knows(passing->state, instruction->base))
		return false;
	*address = passing->state->registers[instruction->base] +
	           (uintptr_t)(intptr_t)instruction->displacement;
	return true;
}

static bool load(const struct passing *passing, uintptr_t *word)
{
	uintptr_t address;
	return find_address(passing, &address) &&
	       machine_stack_load(passing->state, passing->stack, address, word);
}

/* ---- instructions whose result is not known --------------------------------- */

/* Whether an operand is a byte, of which no REX prefix says that it is the lowest. */
static bool is_high_byte(const struct x86_instruction *instruction, unsigned number)
{
	unsigned opcode = instruction->opcode;
	bool of_byte = instruction->map == X86_ONE_BYTE
	                       ? (opcode & 1) == 0 || (opcode & 0xf8) == 0xb0
	                       : (opcode & 0xf0) == 0x90 || opcode == 0xb0 || opcode == 0xc0;

	return of_byte && !instruction->has_rex && !instruction->is_vex && number >= BYTE_OF_WORD &&
	       number < 2 * BYTE_OF_WORD;
}

static void forget_first(const struct passing *passing)
{
	unsigned number = passing->instruction->reg;
	forget(passing->state,
	       is_high_byte(passing->instruction, number) ? number - BYTE_OF_WORD : number);
}

/* Sets the second operand. What is written above the stack or far below it is not of interest. */
static bool write_second(const struct passing *passing, bool known, uintptr_t word)
{
	const struct machine_stack *stack = passing->stack;
	unsigned number = passing->instruction->rm;
	uintptr_t address;

	if (!passing->instruction->in_memory) {
		number -= is_high_byte(passing->instruction, number) ? BYTE_OF_WORD : 0;
		set_if(passing->state, number, known, word);
		return true;
	}
	if (!find_address(passing, &address) || address >= stack->base)
		return true;
	return store(passing, address, known, word);
}

static bool change(const struct passing *passing, char what)
{
	struct machine_state *state = passing->state;

	switch (what) {
	case 'x':
		forget_first(passing);
		return write_second(passing, false, 0);
	case 'r':
		forget_first(passing);
		return true;
	case 'k':
		forget(state, MACHINE_RAX);
		return write_second(passing, false, 0);
	case 'm':
		return write_second(passing, false, 0);
	case 's':
		forget(state, MACHINE_RSI);
		forget(state, MACHINE_RDI);
		forget(state, MACHINE_RCX);
		forget(state, MACHINE_RAX);
		return true;
	case 'q':
		forget(state, MACHINE_RBX);
		forget(state, MACHINE_RCX);
		forget(state, MACHINE_RDX);
		forget(state, MACHINE_RAX);
		return true;
	case 'd':
		forget(state, MACHINE_RDX);
		forget(state, MACHINE_RAX);
		return true;
	case 'a':
		forget(state, MACHINE_RAX);
		return true;
	default:
		return true;
	}
}

/* Vector instructions with a result in a general register. */
static bool pass_vex_0f(const struct passing *passing)
{
	const struct x86_instruction *instruction = passing->instruction;

	switch (instruction->opcode) {
	case 0x2c:
	case 0x2d:
	case 0x50:
	case 0x93:
	case 0xc5:
	case 0xd7:
		return change(passing, 'r');
	case 0x78:
	case 0x79:
		return change(passing, instruction->prefix >= 0xf2 ? 'r' : '-');
	case 0x7e:
		return change(passing, instruction->prefix == OPERAND_SIZE ? 'm' : '-');
	default:
		return true;
	}
}

static bool pass_0f38(const struct passing *passing)
{
	const struct x86_instruction *instruction = passing->instruction;
	unsigned opcode = instruction->opcode;

	if (opcode < 0xf0 || opcode > 0xf7 || instruction->is_evex)
		return true;
	if (instruction->is_vex && (opcode == 0xf3 || opcode == 0xf6))
		forget(passing->state, instruction->other);
	if (!instruction->is_vex || opcode != 0xf3)
		forget(passing->state, instruction->reg);
	return true;
}

static bool pass_0f3a(const struct passing *passing)
{
	unsigned opcode = passing->instruction->opcode;

	if (opcode >= 0x14 && opcode <= 0x17)
		return change(passing, 'm');
	if (opcode >= 0x60 && opcode <= 0x63)
		forget(passing->state, MACHINE_RCX);
	return change(passing, opcode == 0xf0 ? 'r' : '-');
}

static bool pass_0f(const struct passing *passing)
{
	const struct x86_instruction *instruction = passing->instruction;

	if (instruction->is_vex)
		return pass_vex_0f(passing);
	if (instruction->opcode == 0x7e)
		return change(passing, instruction->prefix == OPERAND_SIZE ? 'm' : '-');
	return change(passing, after_0f[instruction->opcode]);
}

/* ---- instructions of one byte whose result may be known --------------------- */

static uintptr_t calculate(unsigned operation, uintptr_t first, uintptr_t second)
{
	if (operation == ADD)
		return first + second;
	return operation == AND ? first & second : first - second;
}

/* An operation of a register with a number. */
static bool pass_number(const struct passing *passing)
{
	const struct x86_instruction *instruction = passing->instruction;
	unsigned operation = instruction->reg & LOW_BITS;
	bool known = instruction->wide && !instruction->in_memory &&
	             (operation == ADD || operation == AND || operation == SUBTRACT) &&
	             machine_state_knows(passing->state, instruction->rm);

	if (operation == COMPARE)
		return true;
	return write_second(passing, known,
	                    known ? calculate(operation, passing->state->registers[instruction->rm],
	                                      instruction->immediate)
	                          : 0);
}

/* An operation of two registers, the result in one of them. */
static bool pass_two(const struct passing *passing)
{
	const struct x86_instruction *instruction = passing->instruction;
	struct machine_state *state = passing->state;
	unsigned operation = instruction->opcode >> 3;
	bool to_first = (instruction->opcode & 2) != 0;

	if (!instruction->wide || instruction->in_memory ||
	    !machine_state_knows(state, instruction->reg) ||
	    !machine_state_knows(state, instruction->rm))
		return change(passing, one_byte[instruction->opcode]);
	unsigned result = to_first ? instruction->reg : instruction->rm;
	unsigned other = to_first ? instruction->rm : instruction->reg;
	set(state, result, calculate(operation, state->registers[result], state->registers[other]));
	return true;
}

/* Loads a register, or copies it from another one. */
static bool pass_load(const struct passing *passing)
{
	const struct x86_instruction *instruction = passing->instruction;
	struct machine_state *state = passing->state;
	uintptr_t word = state->registers[instruction->rm];
	bool known = instruction->in_memory ? load(passing, &word)
	                                    : machine_state_knows(state, instruction->rm);

	if (!instruction->wide)
		return change(passing, 'r');
	set_if(state, instruction->reg, known, word);
	return true;
}

static bool pass_leave(const struct passing *passing)
{
	struct machine_state *state = passing->state;
	uintptr_t word;

	if (!machine_state_knows(state, MACHINE_RBP))
		return false;
	state->registers[MACHINE_RSP] = state->registers[MACHINE_RBP];
	bool known = pop(passing, &word);
	set_if(state, MACHINE_RBP, known, known ? word : 0);
	return true;
}

static bool pass_push_or_pop(const struct passing *passing)
{
	struct machine_state *state = passing->state;
	unsigned number = passing->instruction->rm;
	uintptr_t word = state->registers[number];

	if (passing->instruction->opcode < 0x58)
		return push(passing, machine_state_knows(state, number), word);
	bool known = pop(passing, &word);
	set_if(state, number, known, known ? word : 0);
	return true;
}

/* inc, dec and push; test, not, neg, and multiplications. */
static bool pass_group(const struct passing *passing)
{
	enum { PUSH = 6, MULTIPLY = 4, NOT = 2 };
	unsigned operation = passing->instruction->reg & LOW_BITS;

	if (passing->instruction->opcode >= 0xfe)
		return operation == PUSH ? push(passing, false, 0) : change(passing, 'm');
	if (operation >= MULTIPLY)
		return change(passing, 'd');
	return operation < NOT || change(passing, 'm');
}

static bool pass_address(const struct passing *passing)
{
	uintptr_t address = 0;
	bool known = passing->instruction->wide && find_address(passing, &address);

	set_if(passing->state, passing->instruction->reg, known, address);
	return true;
}

static bool pass_one_byte(const struct passing *passing)
{
	const struct x86_instruction *instruction = passing->instruction;
	struct machine_state *state = passing->state;
	unsigned opcode = instruction->opcode;
	uintptr_t word;

	if (opcode >= 0x50 && opcode <= 0x5f)
		return pass_push_or_pop(passing);
	if (opcode >= 0xb8 && opcode <= 0xbf) {
		set(state, instruction->rm,
		    instruction->wide ? instruction->immediate : (uint32_t)instruction->immediate);
		return true;
	}
	switch (opcode) {
	case 0x01:
	case 0x03:
	case 0x21:
	case 0x23:
	case 0x29:
	case 0x2b:
		return pass_two(passing);
	case 0x68:
	case 0x6a:
	case 0x9c:
		return push(passing, false, 0);
	case 0x81:
	case 0x83:
		return pass_number(passing);
	case 0x89:
		return write_second(
		        passing, instruction->wide && machine_state_knows(state, instruction->reg),
		        state->registers[instruction->reg]);
	case 0x8b:
		return pass_load(passing);
	case 0x8d:
		return pass_address(passing);
	case 0x8f:
		(void)pop(passing, &word);
		return write_second(passing, false, 0);
	case 0x90:
		return instruction->rm == MACHINE_RAX || change(passing, 'k');
	case 0x9d:
		(void)pop(passing, &word);
		return true;
	case 0xc9:
		return pass_leave(passing);
	case 0xf6:
	case 0xf7:
	case 0xfe:
	case 0xff:
		return pass_group(passing);
	default:
		return change(passing, one_byte[opcode]);
	}
}

bool machine_pass(struct machine_state *state, struct machine_stack *stack,
                  const struct x86_instruction *instruction)
{
	const struct passing passing = {state, stack, instruction};
	bool passed = true;

	switch (instruction->map) {
	case X86_ONE_BYTE:
		passed = pass_one_byte(&passing);
		break;
	case X86_0F:
		passed = pass_0f(&passing);
		break;
	case X86_0F38:
		passed = pass_0f38(&passing);
		break;
	case X86_0F3A:
		passed = pass_0f3a(&passing);
		break;
	default: /* vectors of short numbers */
		break;
	}
	state->pc = instruction->next;
	return passed && machine_state_knows(state, MACHINE_RSP);
}
