/*
 * context.c: machine contexts of interrupted threads. No lock.
 */
#include "system.h"

#include "os.h"

#include <string.h>

_Static_assert(sizeof(((struct os_context *)NULL)->machine) == sizeof(CONTEXT),
               "room for the machine's context");

bool os_context_return(const void *context, struct os_context *returned)
{
	CONTEXT machine;
	memcpy(&machine, context, sizeof(machine));
	memcpy(&machine.Rip, (const void *)(uintptr_t)machine.Rsp, sizeof(machine.Rip));
	machine.Rsp += sizeof(machine.Rip);
	memcpy(returned->machine, &machine, sizeof(machine));
	return true;
}

bool os_call_return_address(const void *stack_pointer, void **address)
{
	memcpy(address, (const char *)stack_pointer - sizeof(*address), sizeof(*address));
	return true;
}
