/*
 * discard_pages.c: takes the memory of pages; see os_pages_discard(). Any thread; no lock.
 */
#include "os.h"
#include "pages.h"

#include <sys/mman.h>

/* Other pages at that place would be a mapping of their own, of which there may be no more. They
 * are for a program that has its memory locked. */
void os_pages_discard(void *pages, size_t size)
{
	if (pages != NULL && madvise(pages, size, MADV_DONTNEED) != 0)
		pages_replace(pages, size);
}
