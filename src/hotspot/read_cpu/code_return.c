/* code_return.c: see code_return.h. */
#include "hotspot/read_cpu/code_return.h"

#include "hotspot/machine_code.h"

enum {
	WAYS = 16, /* left to be tried */
	BRANCHES = 256,
	INSTRUCTION_BYTES = 15 /* at most */
};

struct following {
	struct code_return *search;
	struct machine_stack stack;
	struct machine_state ways[WAYS];
	uint32_t way_count;
	uint32_t branches[BRANCHES]; /* that were passed; where they are in the code */
};

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
static bool pass_branch(struct following *following, const struct machine_state *state,
                        uintptr_t pc, uintptr_t target)
{
	if (!note_branch(following, pc))
		return false;
	if (following->way_count < WAYS) {
		following->ways[following->way_count] = *state;
		following->ways[following->way_count++].pc = target;
	}
	return true;
}

/* Follows one way. */
static bool follow(struct following *following, struct machine_state *state)
{
	struct code_return *search = following->search;
	const struct os_code_range *calls = &search->calls;
	struct machine_step step;

	for (; search->steps > 0; search->steps--) {
		uintptr_t pc = state->pc;
		if (!is_in(&search->code, pc) || search->code.high - pc < INSTRUCTION_BYTES ||
		    !machine_state_step(state, &following->stack, &step))
			return false;
		switch (step.flow) {
		case MACHINE_ON:
			break;
		case MACHINE_JUMP:
			state->pc = step.target;
			break;
		case MACHINE_BRANCH:
			if (!pass_branch(following, state, pc, step.target))
				return false;
			break;
		case MACHINE_CALL:
			machine_state_pass_call(state,
			                        step.target_known && !is_in(calls, step.target));
			break;
		case MACHINE_LEAVE:
			/* Of code that has taken its return address off the stack, or to other
			 * code. */
			state->pc = step.target;
			if (!step.target_known)
				return false;
			if (is_in(calls, step.target) && machine_code_follows_call(step.target))
				return true;
			break;
		case MACHINE_RETURN:
			return machine_state_pass_return(state, &following->stack);
		case MACHINE_END:
			return false;
		}
	}
	return false;
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
