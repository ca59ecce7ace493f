/* failing_allocation.c: see failing_allocation.h. */
#include "failing_allocation.h"

static bool failing_armed;
static unsigned failing_seen;  /* allocations since it was armed */
static unsigned failing_first; /* the first that fails */
static unsigned failing_last;  /* the last that fails */

static bool allocation_fails(void)
{
	if (!failing_armed)
		return false;
	failing_seen++;
	return failing_seen >= failing_first && failing_seen <= failing_last;
}

void *__wrap_os_pages_alloc(size_t size)
{
	return allocation_fails() ? NULL : __real_os_pages_alloc(size);
}

void *__wrap_malloc(size_t size)
{
	return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return allocation_fails() ? NULL : __real_realloc(memory, size);
}

void fail_allocations(unsigned first, unsigned last)
{
	failing_seen = 0;
	failing_first = first;
	failing_last = last;
	failing_armed = true;
}

bool stop_failing(void)
{
	failing_armed = false;
	return failing_seen >= failing_first;
}
