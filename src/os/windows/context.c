/*
 * context.c: machine contexts of interrupted threads, and frames. No timer
 * interrupts a thread here (cpu_timers.c), so that there are no contexts to work
 * on, and frames are found by tables, not linked by a pointer. No lock.
 */
#include "os_machine.h"

#include <string.h>

bool os_context_return(const void *context, const struct os_code_range *code, unsigned *place,
                       struct os_context *returned)
{
	(void)context;
	(void)code;
	(void)place;
	(void)returned;
	return false;
}

bool os_context_registers(const void *context, struct os_registers *registers)
{
	(void)context;
	(void)registers;
	return false;
}

bool os_frame_caller(void *frame_pointer, struct os_frame *caller)
{
	(void)frame_pointer;
	(void)caller;
	return false;
}

bool os_call_return_address(const void *stack_pointer, void **address)
{
	memcpy(address, (const char *)stack_pointer - sizeof(*address), sizeof(*address));
	return true;
}
