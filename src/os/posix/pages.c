/*
 * pages.c: memory straight from the system, for rings and tables that are
 * reserved large and touched little. Any thread; no lock.
 */
#include "os.h"

#include <sys/mman.h>

void *os_pages_alloc(size_t size)
{
	if (size == 0)
		return NULL;
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

void os_pages_free(void *pages, size_t size)
{
	if (pages != NULL)
		(void)munmap(pages, size);
}

void os_pages_discard(void *pages, size_t size)
{
	if (pages != NULL)
		(void)mmap(pages, size, PROT_READ | PROT_WRITE,
		           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}
