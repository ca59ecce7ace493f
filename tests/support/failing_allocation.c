/* failing_allocation.c: see failing_allocation.h. */
#include "failing_allocation.h"

#include <stdint.h>

static bool failing_armed;
static unsigned failing_seen;  /* allocations since it was armed */
static unsigned failing_first; /* the first that fails */
static unsigned failing_last;  /* the last that fails */
static bool failing_commits;   /* these only */

static bool allocation_fails(void)
{
	if (!failing_armed || failing_commits)
		return false;
	failing_seen++;
	return failing_seen >= failing_first && failing_seen <= failing_last;
}

void *__wrap_os_pages_alloc(size_t size)
{
	return allocation_fails() ? NULL : __real_os_pages_alloc(size);
}

void *__wrap_os_pages_reserve(size_t size)
{
	return allocation_fails() ? NULL : __real_os_pages_reserve(size);
}

bool __wrap_os_pages_commit(void *from, size_t size)
{
	if (failing_commits)
		return ++failing_seen < failing_first && __real_os_pages_commit(from, size);
	return !allocation_fails() && __real_os_pages_commit(from, size);
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
	failing_commits = false;
}

void fail_commits(unsigned first)
{
	fail_allocations(first, UINT32_MAX);
	failing_commits = true;
}

bool stop_failing(void)
{
	failing_armed = false;
	failing_commits = false;
	return failing_seen >= failing_first;
}
