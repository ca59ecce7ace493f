/*
 * freed_memory.c: a library for LD_PRELOAD that makes each use of freed memory end the program,
 * whoever uses it: the agent, the JVM, or code that the JVM has compiled. For blocks of 1 to 4 KB,
 * such as HotSpot's threads; others come from the C library.
 *
 * Each such block has a page of its own at an address that is not used again. When it is freed the
 * page becomes inaccessible. Linux with glibc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

enum { LEAST = 1024, PAGE = 4096, ALIGNMENT = 16, MOST = PAGE - ALIGNMENT };

/* Addresses alone, for more than a million blocks. */
#define AREA_BYTES (UINT64_C(8) << 30)
static char *area;
static _Atomic uint64_t used;

__attribute__((constructor)) static void reserve(void)
{
	void *found = mmap(NULL, AREA_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	                   -1, 0);
	if (found == MAP_FAILED)
		abort();
	area = found;
}

static bool is_guarded(const void *block)
{
	return area != NULL && (uintptr_t)block - (uintptr_t)area < AREA_BYTES;
}

/* The page begins with the block's size, and ends with the block. */
static char *page_of(void *block)
{
	return (char *)block - (uintptr_t)block % PAGE;
}

static size_t size_of(void *block)
{
	size_t size;
	memcpy(&size, page_of(block), sizeof(size));
	return size;
}

/* NULL for a block of another size, and when the area is used up. */
static void *guarded(size_t size)
{
	if (area == NULL || size < LEAST || size > MOST)
		return NULL;
	uint64_t at = atomic_fetch_add(&used, PAGE);
	if (at >= AREA_BYTES)
		return NULL;
	char *page = area + at;
	if (mprotect(page, PAGE, PROT_READ | PROT_WRITE) != 0)
		abort();
	memcpy(page, &size, sizeof(size));
	return page + PAGE - (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *malloc(size_t size)
{
	void *block = guarded(size);
	return block != NULL ? block : __libc_malloc(size);
}

/* Pages of the area have never been written. */
void *calloc(size_t count, size_t size)
{
	void *block = size > 0 && count <= MOST / size ? guarded(count * size) : NULL;
	return block != NULL ? block : __libc_calloc(count, size);
}

void free(void *block)
{
	if (!is_guarded(block)) {
		__libc_free(block);
		return;
	}
	/* Maps it anew, which also gives the memory back. */
	if (mmap(page_of(block), PAGE, PROT_NONE,
	         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		abort();
}

size_t malloc_usable_size(void *block)
{
	static size_t (*_Atomic next)(void *block);

	if (block == NULL)
		return 0;
	if (is_guarded(block))
		return size_of(block);
	size_t (*original)(void *) = atomic_load(&next);
	if (original == NULL) {
		void *symbol = dlsym(RTLD_NEXT, "malloc_usable_size");
		memcpy(&original, &symbol, sizeof(original));
		atomic_store(&next, original);
	}
	return original(block);
}

void *realloc(void *block, size_t size)
{
	if (block == NULL)
		return malloc(size);
	if (!is_guarded(block) && (size < LEAST || size > MOST))
		return __libc_realloc(block, size);
	if (size == 0) {
		free(block);
		return NULL;
	}
	size_t before = malloc_usable_size(block);
	void *moved = malloc(size);
	if (moved != NULL) {
		memcpy(moved, block, before < size ? before : size);
		free(block);
	}
	return moved;
}
