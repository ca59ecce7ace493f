/*
 * machine_state.h: what is known of a thread's registers and stack while its machine code is
 * followed instruction by instruction, without running it. A register is known or not: what depends
 * on anything but registers that are known and the thread's own stack is not. The directory of the
 * CPU knows the instructions.
 *
 * Reads the code and the stack: for use within os_call_guarded(). Signal-safe.
 */
#ifndef HPROF_HOTSPOT_READ_CPU_MACHINE_STATE_H
#define HPROF_HOTSPOT_READ_CPU_MACHINE_STATE_H

#include "os/os_machine.h"

#include <string.h>

enum {
	MACHINE_REGISTERS = OS_GENERAL_REGISTERS,
	MACHINE_STORES = 64 /* of words on the stack */
};

/* A state; may be copied, to go on from it in two ways. */
struct machine_state {
	uintptr_t pc;
	uintptr_t registers[MACHINE_REGISTERS]; /* as instructions number them */
	uint32_t known;                         /* a bit for each register */
	uint32_t stores; /* of those in struct machine_stack, how many have been made */
};

/* The stack from low, the stack pointer where the code was interrupted, to base; and what code that
 * was followed would have stored there, the last last. */
struct machine_stack {
	uintptr_t low;
	uintptr_t base;
	struct machine_store {
		uintptr_t address;
		uintptr_t word;
		bool known;
	} stores[MACHINE_STORES];
};

/* The registers of an interrupted thread, all known. */
static inline void machine_state_begin(struct machine_state *state,
                                       const struct os_registers *registers)
{
	state->pc = registers->program_counter;
	memcpy(state->registers, registers->general, sizeof(state->registers));
	state->known = UINT32_MAX;
	state->stores = 0;
}

/* A place that a call returns to: only the stack and frame pointer are known. */
void machine_state_begin_at(struct machine_state *state, uintptr_t pc, uintptr_t sp, uintptr_t fp);

/* The stack pointer, which is always known. */
uintptr_t machine_state_sp(const struct machine_state *state);

/* The frame pointer; false when it is not known. */
bool machine_state_fp(const struct machine_state *state, uintptr_t *fp);

/* What comes after an instruction. */
enum machine_flow {
	MACHINE_ON,     /* the next one */
	MACHINE_JUMP,   /* target */
	MACHINE_BRANCH, /* the next one, or target */
	MACHINE_CALL,   /* a call of target, which may not be known, and then the next one */
	MACHINE_LEAVE,  /* target, in a register or in memory, which may not be known */
	MACHINE_RETURN, /* the caller */
	MACHINE_END     /* nothing */
};

struct machine_step {
	enum machine_flow flow;
	uintptr_t target;
	bool target_known;
};

/* Reads the instruction at state->pc and passes it: state->pc is that of the next one. A call is
 * passed by machine_state_pass_call(), a return by machine_state_pass_return(). False when the
 * instruction is not known, or the stack pointer not any more, or when there is no room for what is
 * stored. */
bool machine_state_step(struct machine_state *state, struct machine_stack *stack,
                        struct machine_step *step);

/* Passes a call: of a C function, which keeps some registers, or of other code, which is taken to
 * keep the frame pointer alone. */
void machine_state_pass_call(struct machine_state *state, bool of_c_function);

/* Goes to where the code returns to, with the stack pointer of the caller; false when that is not
 * known. */
bool machine_state_pass_return(struct machine_state *state, const struct machine_stack *stack);

#endif
