/*
 * pages.c: memory straight from the system, for rings and tables that are made
 * large and touched little. Committed, which the system counts against its page
 * file, but given physical memory only as it is touched. Any thread; no lock.
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
