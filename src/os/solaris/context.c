/*
 * context.c: machine contexts of interrupted threads. Signal-safe; no lock.
 */
#include "os.h"

#include <string.h>

#if defined(__x86_64__)

bool os_context_return(const void *context, struct os_context *returned)
{
	memcpy(&returned->machine, context, sizeof(returned->machine));
	greg_t *registers = returned->machine.uc_mcontext.gregs;
	const greg_t *stack = (const greg_t *)(uintptr_t)registers[REG_RSP];
	registers[REG_RIP] = stack[0];
	registers[REG_RSP] = (greg_t)(uintptr_t)(stack + 1);
	return true;
}

bool os_call_return_address(const void *stack_pointer, void **address)
{
	memcpy(address, (const char *)stack_pointer - sizeof(*address), sizeof(*address));
	return true;
}

#elif defined(__sparc)

/* A call leaves its own address in %o7, and one instruction in its delay slot. */
enum { CALL_AND_DELAY_SLOT = 8, INSTRUCTION = 4 };

/* Until its save instruction, and after its restore, a function runs in the
 * window of its caller, whose stack pointer is then right already. */
bool os_context_return(const void *context, struct os_context *returned)
{
	memcpy(&returned->machine, context, sizeof(returned->machine));
	greg_t *registers = returned->machine.uc_mcontext.gregs;
	registers[REG_PC] = registers[REG_O7] + CALL_AND_DELAY_SLOT;
	registers[REG_nPC] = registers[REG_PC] + INSTRUCTION;
	return true;
}

/* The address is in a register, or in the save area of some window. */
bool os_call_return_address(const void *stack_pointer, void **address)
{
	(void)stack_pointer;
	(void)address;
	return false;
}

#else
#error "neither x86-64 nor SPARC: the JVM does not run there on this system"
#endif
