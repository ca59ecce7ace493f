/* code_return.c: see code_return.h. */
#include "hotspot/x86_64/code_return.h"

#include "hotspot/x86_64/machine_code.h"

enum {
	WAYS = 16, /* left to be tried */
	BRANCHES = 256,
	LOW_BITS = 7,
	CALL = 2,
	JUMP = 4
};

/* What comes after an instruction. */
enum flow { FLOW_ON, FLOW_JUMP, FLOW_BRANCH, FLOW_CALL, FLOW_LEAVE, FLOW_RETURN, FLOW_END };

struct following {
	struct code_return *search;
	struct machine_stack stack;
	struct machine_state ways[WAYS];
	uint32_t way_count;
	uint32_t branches[BRANCHES]; /* that were passed; where they are in the code */
};

static enum flow flow_of_one_byte(const struct x86_instruction *instruction)
{
	unsigned opcode = instruction->opcode;
	unsigned operation = instruction->reg & LOW_BITS;

	if ((opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0)
		return FLOW_BRANCH;
	switch (opcode) {
	case 0xc3:
		return FLOW_RETURN;
	case 0xe8:
		return FLOW_CALL;
	case 0xe9:
	case 0xeb:
		return FLOW_JUMP;
	case 0xff:
		if (operation == CALL)
			return FLOW_CALL;
		if (operation == JUMP)
			return FLOW_LEAVE;
		return operation == CALL + 1 || operation == JUMP + 1 ? FLOW_END : FLOW_ON;
	case 0xc2: /* ret, with arguments */
	case 0xcc: /* int3 */
	case 0xcd: /* int */
	case 0xf4: /* hlt */
		return FLOW_END;
	default:
		return FLOW_ON;
	}
}

static enum flow flow_of(const struct x86_instruction *instruction)
{
	if (instruction->map == X86_ONE_BYTE)
		return flow_of_one_byte(instruction);
	if (instruction->map != X86_0F || instruction->is_vex)
		return FLOW_ON;
	if ((instruction->opcode & 0xf0) == 0x80)
		return FLOW_BRANCH;
	/* syscall, ud2 */
	return instruction->opcode == 0x05 || instruction->opcode == 0x0b ? FLOW_END : FLOW_ON;
}

static bool is_in(const struct os_code_range *range, uintptr_t address)
{
	return address >= range->low && address < range->high;
}

/* Notes a branch; false if it has been passed before, or there are too many. */
static bool note_branch(struct following *following, uintptr_t pc)
{
	/* Not 0, which is an empty place. */
	uint32_t place = (uint32_t)(pc - following->search->code.low) + 1;
	uint32_t at = place * 2654435761U >> 24;

	for (int i = 0; i < BRANCHES; i++, at = (at + 1) % BRANCHES) {
		if (following->branches[at] == place)
			return false;
		if (following->branches[at] == 0) {
			following->branches[at] = place;
			return true;
		}
	}
	return false;
}

/* Goes on after a branch, and, if that leads nowhere, where it jumps to. */
static bool pass_branch(struct following *following, struct machine_state *state,
                        const struct x86_instruction *instruction)
{
	if (!note_branch(following, state->pc) ||
	    !machine_state_pass(state, &following->stack, instruction))
		return false;
	if (following->way_count < WAYS) {
		following->ways[following->way_count] = *state;
		following->ways[following->way_count++].pc =
		        instruction->next + (uintptr_t)instruction->immediate;
	}
	return true;
}

static void pass_call(const struct following *following, struct machine_state *state,
                      const struct x86_instruction *instruction)
{
	uintptr_t target = instruction->next + (uintptr_t)instruction->immediate;
	bool known = instruction->opcode == 0xe8;

	if (!known && !instruction->in_memory && machine_state_knows(state, instruction->rm)) {
		known = true;
		target = state->registers[instruction->rm];
	}
	machine_state_pass_call(state, known && !is_in(&following->search->calls, target));
	state->pc = instruction->next;
}

static bool pass_return(const struct following *following, struct machine_state *state)
{
	uintptr_t *top = &state->registers[MACHINE_RSP];
	bool known = machine_state_load(state, &following->stack, *top, &state->pc);

	*top += sizeof(uintptr_t);
	return known;
}

/* A jump to an address in a register: of code that has taken its return address off the stack, or
 * to other code. */
static bool pass_leave(const struct following *following, struct machine_state *state,
                       const struct x86_instruction *instruction, bool *returned)
{
	if (instruction->in_memory || !machine_state_knows(state, instruction->rm))
		return false;
	state->pc = state->registers[instruction->rm];
	*returned =
	        is_in(&following->search->calls, state->pc) && machine_code_follows_call(state->pc);
	return true;
}

/* Follows one way. */
static bool follow(struct following *following, struct machine_state *state)
{
	struct code_return *search = following->search;
	struct x86_instruction instruction;
	bool returned = false;

	for (bool on = true; on && !returned && search->steps > 0; search->steps--) {
		if (!is_in(&search->code, state->pc) ||
		    search->code.high - state->pc < X86_INSTRUCTION_BYTES ||
		    !x86_instruction_read(&instruction, state->pc))
			return false;
		switch (flow_of(&instruction)) {
		case FLOW_ON:
			on = machine_state_pass(state, &following->stack, &instruction);
			break;
		case FLOW_JUMP:
			state->pc = instruction.next + (uintptr_t)instruction.immediate;
			break;
		case FLOW_BRANCH:
			on = pass_branch(following, state, &instruction);
			break;
		case FLOW_CALL:
			pass_call(following, state, &instruction);
			break;
		case FLOW_LEAVE:
			on = pass_leave(following, state, &instruction, &returned);
			break;
		case FLOW_RETURN:
			return pass_return(following, state);
		case FLOW_END:
			return false;
		}
	}
	return returned;
}

bool code_return_find(struct code_return *search, struct machine_state *state)
{
	struct following following;

	following.search = search;
	following.stack.low = search->stack_low;
	following.stack.base = search->stack_base;
	following.way_count = 1;
	following.ways[0] = *state;
	for (int i = 0; i < BRANCHES; i++)
		following.branches[i] = 0;
	while (following.way_count > 0) {
		*state = following.ways[--following.way_count];
		if (follow(&following, state))
			return true;
	}
	return false;
}
