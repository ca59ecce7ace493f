/*
 * machine_state.h: what is known of a thread's registers and stack while its x86-64 code is
 * followed instruction by instruction, without running it. A register is known or not: what depends
 * on anything but registers that are known and the thread's own stack is not.
 *
 * Reads the stack: for use within os_call_guarded(). Signal-safe.
 */
#ifndef HPROF_HOTSPOT_X86_64_MACHINE_STATE_H
#define HPROF_HOTSPOT_X86_64_MACHINE_STATE_H

#include "hotspot/x86_64/x86_instruction.h"

enum {
	MACHINE_REGISTERS = 16,
	MACHINE_STORES = 64 /* of words on the stack */
};

/* Numbers of registers in instructions. */
enum machine_register {
	MACHINE_RAX = 0,
	MACHINE_RCX = 1,
	MACHINE_RDX = 2,
	MACHINE_RBX = 3,
	MACHINE_RSP = 4,
	MACHINE_RBP = 5,
	MACHINE_RSI = 6,
	MACHINE_RDI = 7,
	MACHINE_R12 = 12,
	MACHINE_R13 = 13
};

/* A state; may be copied, to go on from it in two ways. */
struct machine_state {
	uintptr_t pc;
	uintptr_t registers[MACHINE_REGISTERS];
	uint32_t known;  /* a bit for each register */
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

/* Whether the register of that number is known. */
bool machine_state_knows(const struct machine_state *state, unsigned number);

/* The word on the stack at that address; false when it is not known. */
bool machine_state_load(const struct machine_state *state, const struct machine_stack *stack,
                        uintptr_t address, uintptr_t *word);

/* Passes an instruction that does not jump. False when the stack pointer is not known any more, or
 * there is no room for what is stored. */
bool machine_state_pass(struct machine_state *state, struct machine_stack *stack,
                        const struct x86_instruction *instruction);

/* Passes a call: of a C function, which keeps some registers, or of other code, which is taken to
 * keep the frame pointer alone. */
void machine_state_pass_call(struct machine_state *state, bool of_c_function);

#endif
