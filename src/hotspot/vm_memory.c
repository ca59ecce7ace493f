/* vm_memory.c: see vm_memory.h. No state. */
#include "hotspot/vm_memory.h"

#include "hotspot/any_memory.h"
#include "os/os_machine.h"

struct copy {
	uintptr_t from;
	unsigned char *to;
	size_t size;
};

static void copy_bytes(void *argument)
{
	const struct copy *copy = argument;

	for (size_t i = 0; i < copy->size; i++)
		copy->to[i] = any_byte_at(copy->from + i);
}

bool vm_memory_read(const void *from, void *to, size_t size)
{
	struct copy copy = {(uintptr_t)from, to, size};
	return from != NULL && os_call_guarded(copy_bytes, &copy);
}
