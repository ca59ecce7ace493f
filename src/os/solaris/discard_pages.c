/*
 * discard_pages.c: takes the memory of pages; see os_pages_discard(). Any thread; no lock.
 */
#include "os.h"

#include <sys/mman.h>

/* No advice to the system sets pages to 0. */
void os_pages_discard(void *pages, size_t size)
{
	if (pages != NULL)
		(void)mmap(pages, size, PROT_READ | PROT_WRITE,
		           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}
