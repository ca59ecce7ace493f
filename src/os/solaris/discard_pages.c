/*
 * discard_pages.c: takes the memory of pages; see os_pages_discard(). Any thread; no lock.
 */
#include "os.h"
#include "pages.h"

/* No advice to the system sets pages to 0. */
void os_pages_discard(void *pages, size_t size)
{
	if (pages != NULL)
		pages_replace(pages, size);
}
