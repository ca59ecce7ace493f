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

#elif defined(__aarch64__)

enum { LINK_REGISTER = 30 };

bool os_context_return(const void *context, struct os_context *returned)
{
	memcpy(&returned->machine, context, sizeof(returned->machine));
	mcontext_t *machine = &returned->machine.uc_mcontext;
	machine->pc = machine->regs[LINK_REGISTER];
	return true;
}

#else

bool os_context_return(const void *context, struct os_context *returned)
{
	(void)context;
	(void)returned;
	return false;
}

#endif

#if !defined(__x86_64__)

bool os_call_return_address(const void *stack_pointer, void **address)
{
	(void)stack_pointer;
	(void)address;
	return false;
}

#endif
