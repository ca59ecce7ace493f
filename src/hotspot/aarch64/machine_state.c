/* machine_state.c (64-bit ARM): see machine_state.h. */
#include "hotspot/read_cpu/machine_state.h"

#include "hotspot/aarch64/arm_instruction.h"
#include "hotspot/aarch64/machine_pass.h"
#include "hotspot/frame_layout.h"

void machine_state_begin_at(struct machine_state *state, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	state->pc = pc;
	state->registers[MACHINE_SP] = sp;
	state->registers[MACHINE_FP] = fp;
	state->known = (uint32_t)1 << MACHINE_SP | (uint32_t)1 << MACHINE_FP;
	state->stores = 0;
}

uintptr_t machine_state_sp(const struct machine_state *state)
{
	return state->registers[MACHINE_SP];
}

bool machine_state_fp(const struct machine_state *state, uintptr_t *fp)
{
	*fp = state->registers[MACHINE_FP];
	return machine_state_knows(state, MACHINE_FP);
}

/* ---- instructions ---------------------------------------------------------- */

static void jump(struct machine_step *step, enum machine_flow flow, uintptr_t pc, int64_t distance)
{
	step->flow = flow;
	step->target = pc + (uintptr_t)(distance * ARM_INSTRUCTION_BYTES);
	step->target_known = true;
}

static void jump_by_register(struct machine_step *step, enum machine_flow flow,
                             const struct machine_state *state, uint32_t instruction)
{
	unsigned number = arm_base(instruction);

	step->flow = flow;
	step->target_known = number != MACHINE_ZERO && machine_state_knows(state, number);
	step->target = state->registers[number];
}

/* Branches, calls of the system, and hints. */
static void find_flow(const struct machine_state *state, uint32_t instruction,
                      struct machine_step *step)
{
	uintptr_t pc = state->pc;

	step->flow = MACHINE_ON;
	if (arm_matches(instruction, 0xfc000000, 0x14000000))
		jump(step, MACHINE_JUMP, pc, arm_signed(instruction, 0, 26));
	else if (arm_matches(instruction, 0xfc000000, 0x94000000))
		jump(step, MACHINE_CALL, pc, arm_signed(instruction, 0, 26));
	else if (arm_matches(instruction, 0xff000000, 0x54000000) ||
	         arm_matches(instruction, 0x7e000000, 0x34000000))
		jump(step, MACHINE_BRANCH, pc, arm_signed(instruction, 5, 19));
	else if (arm_matches(instruction, 0x7e000000, 0x36000000))
		jump(step, MACHINE_BRANCH, pc, arm_signed(instruction, 5, 14));
	else if (arm_is_return(instruction) || arm_is_far_jump(instruction))
		step->flow = MACHINE_RETURN;
	else if (arm_matches(instruction, 0xfffffc1f, 0xd61f0000))
		jump_by_register(step, MACHINE_LEAVE, state, instruction);
	else if (arm_matches(instruction, 0xfffffc1f, 0xd63f0000))
		jump_by_register(step, MACHINE_CALL, state, instruction);
	else if (arm_matches(instruction, 0xff000000, 0xd4000000) ||
	         arm_matches(instruction, 0xfe000000, 0xd6000000) ||
	         arm_matches(instruction, 0xffff0000, 0))
		step->flow = MACHINE_END;
}

bool machine_state_step(struct machine_state *state, struct machine_stack *stack,
                        struct machine_step *step)
{
	uint32_t instruction = *(const uint32_t *)state->pc;

	if (state->pc % ARM_INSTRUCTION_BYTES != 0)
		return false;
	find_flow(state, instruction, step);
	if (step->flow == MACHINE_ON && !machine_pass(state, stack, instruction))
		return false;
	if (step->flow != MACHINE_RETURN)
		state->pc += ARM_INSTRUCTION_BYTES;
	return true;
}

void machine_state_pass_call(struct machine_state *state, bool of_c_function)
{
	const uint32_t kept = (uint32_t)1 << MACHINE_SP | (uint32_t)1 << MACHINE_FP;
	const uint32_t kept_by_c = (uint32_t)0x3ff << MACHINE_X19;

	state->known &= of_c_function ? kept | kept_by_c : kept;
}

/* To where a register leads; the instruction is still at pc. */
bool machine_state_pass_return(struct machine_state *state, const struct machine_stack *stack)
{
	uint32_t instruction = *(const uint32_t *)state->pc;
	/* What authenticates has no number, and means the usual register. The function of another
	 * library that takes the place of this one returns as this one would. */
	bool usual = arm_base(instruction) == MACHINE_ZERO || arm_is_far_jump(instruction);
	unsigned number = usual ? MACHINE_LR : arm_base(instruction);

	(void)stack;
	state->pc = state->registers[number] & frame_layout_of(OS_CPU_AARCH64)->address_bits;
	return machine_state_knows(state, number);
}
