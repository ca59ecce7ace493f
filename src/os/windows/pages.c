/*
 * pages.c: memory straight from the system, for rings and tables that are
 * large and sparsely used. Committed, which the system counts against its page
 * file, but backed by physical memory only when touched. Any thread; no lock.
 */
#include "system.h"

#include "os.h"

#include <string.h>

void *os_pages_alloc(size_t size)
{
	if (size == 0)
		return NULL;
	return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void *os_pages_reserve(size_t size)
{
	return VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_NOACCESS);
}

bool os_pages_commit(void *from, size_t size)
{
	return VirtualAlloc(from, size, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

/* There is no way to take the memory while others may read it. */
void os_pages_discard(void *pages, size_t size)
{
	if (pages != NULL)
		memset(pages, 0, size);
}

void os_pages_free(void *pages, size_t size)
{
	(void)size;
	if (pages != NULL)
		(void)VirtualFree(pages, 0, MEM_RELEASE);
}
