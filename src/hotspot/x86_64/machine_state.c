/* machine_state.c (x86-64): see machine_state.h. */
#include "hotspot/read_cpu/machine_state.h"

#include "hotspot/read_cpu/machine_stack.h"
#include "hotspot/x86_64/machine_pass.h"

enum { LOW_BITS = 7, CALL = 2, JUMP = 4, CALL_RELATIVE = 0xe8 };

void machine_state_begin_at(struct machine_state *state, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	state->pc = pc;
	state->registers[MACHINE_RSP] = sp;
	state->registers[MACHINE_RBP] = fp;
	state->known = 1U << MACHINE_RSP | 1U << MACHINE_RBP;
	state->stores = 0;
}

uintptr_t machine_state_sp(const struct machine_state *state)
{
	return state->registers[MACHINE_RSP];
}

bool machine_state_fp(const struct machine_state *state, uintptr_t *fp)
{
	*fp = state->registers[MACHINE_RBP];
	return machine_state_knows(state, MACHINE_RBP);
}

/* ---- instructions ---------------------------------------------------------- */

static enum machine_flow flow_of_one_byte(const struct x86_instruction *instruction)
{
	unsigned opcode = instruction->opcode;
	unsigned operation = instruction->reg & LOW_BITS;

	if ((opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0)
		return MACHINE_BRANCH;
	switch (opcode) {
	case 0xc3:
		return MACHINE_RETURN;
	case 0xe8:
		return MACHINE_CALL;
	case 0xe9:
	case 0xeb:
		return MACHINE_JUMP;
	case 0xff:
		if (operation == CALL)
			return MACHINE_CALL;
		if (operation == JUMP)
			return MACHINE_LEAVE;
		return operation == CALL + 1 || operation == JUMP + 1 ? MACHINE_END : MACHINE_ON;
	case 0xc2: /* ret, with arguments */
	case 0xcc: /* int3 */
	case 0xcd: /* int */
	case 0xf4: /* hlt */
		return MACHINE_END;
	default:
		return MACHINE_ON;
	}
}

static enum machine_flow flow_of(const struct x86_instruction *instruction)
{
	if (instruction->map == X86_ONE_BYTE)
		return flow_of_one_byte(instruction);
	if (instruction->map != X86_0F || instruction->is_vex)
		return MACHINE_ON;
	if ((instruction->opcode & 0xf0) == 0x80)
		return MACHINE_BRANCH;
	/* syscall, ud2 */
	return instruction->opcode == 0x05 || instruction->opcode == 0x0b ? MACHINE_END
	                                                                  : MACHINE_ON;
}

/* Where an instruction leads besides to the next one: by a distance, or by a register. */
static void find_target(const struct machine_state *state,
                        const struct x86_instruction *instruction, struct machine_step *step)
{
	bool by_register = step->flow == MACHINE_LEAVE ||
	                   (step->flow == MACHINE_CALL && instruction->opcode != CALL_RELATIVE);

	step->target = instruction->next + (uintptr_t)instruction->immediate;
	step->target_known = true;
	if (!by_register)
		return;
	step->target_known = !instruction->in_memory && machine_state_knows(state, instruction->rm);
	if (step->target_known)
		step->target = state->registers[instruction->rm];
}

bool machine_state_step(struct machine_state *state, struct machine_stack *stack,
                        struct machine_step *step)
{
	struct x86_instruction instruction;

	if (!x86_instruction_read(&instruction, state->pc))
		return false;
	step->flow = flow_of(&instruction);
	find_target(state, &instruction, step);
	if (step->flow == MACHINE_ON || step->flow == MACHINE_BRANCH)
		return machine_pass(state, stack, &instruction);
	state->pc = instruction.next;
	return true;
}

void machine_state_pass_call(struct machine_state *state, bool of_c_function)
{
	const uint32_t kept = (uint32_t)1 << MACHINE_RSP | (uint32_t)1 << MACHINE_RBP;
	const uint32_t kept_by_c = (uint32_t)1 << MACHINE_RBX | (uint32_t)0xf << MACHINE_R12;

	state->known &= of_c_function ? kept | kept_by_c : kept;
}

bool machine_state_pass_return(struct machine_state *state, const struct machine_stack *stack)
{
	uintptr_t *top = &state->registers[MACHINE_RSP];
	bool known = machine_stack_load(state, stack, *top, &state->pc);

	*top += sizeof(uintptr_t);
	return known;
}
