/*
 * pages.c: memory straight from the system, for rings and tables that are
 * reserved large and touched little. Any thread; no lock.
 */
#include "pages.h"

#include "os.h"

#include <sys/mman.h>
#include <unistd.h>

void *os_pages_alloc(size_t size)
{
	if (size == 0)
		return NULL;
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

void *os_pages_reserve(size_t size)
{
	void *pages =
	        mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (pages == MAP_FAILED)
		return NULL;
#ifdef MADV_NOHUGEPAGE
	/* A few counts here and there would take 2 MB each. */
	(void)madvise(pages, size, MADV_NOHUGEPAGE);
#endif
	return pages;
}

bool os_pages_commit(void *from, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = (uintptr_t)from & ~(page - 1);
	uintptr_t end = ((uintptr_t)from + size + page - 1) & ~(page - 1);

	return mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE) == 0;
}

void pages_replace(void *pages, size_t size)
{
	(void)mmap(pages, size, PROT_READ | PROT_WRITE,
	           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void os_pages_free(void *pages, size_t size)
{
	if (pages != NULL)
		(void)munmap(pages, size);
}
