/*
 * failing_allocation.h: lets chosen allocations of a test program fail. For tests
 * named *_oom_test.c, which are linked so that the calls of malloc, calloc, realloc,
 * os_pages_alloc, os_pages_reserve and os_pages_commit in the agent come here first. One thread
 * only.
 */
#ifndef HPROF_TESTS_FAILING_ALLOCATION_H
#define HPROF_TESTS_FAILING_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_os_pages_alloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_os_pages_alloc(size_t size);
void *__real_os_pages_reserve(size_t size);
bool __real_os_pages_commit(void *from, size_t size);
void *__wrap_os_pages_reserve(size_t size);
bool __wrap_os_pages_commit(void *from, size_t size);

/* From now on the allocations numbered first to last fail, counted from 1. */
void fail_allocations(unsigned first, unsigned last);

/* From now on the calls of os_pages_commit() numbered first and later fail. Allocations do not. */
void fail_commits(unsigned first);

/* Ends the failing; true when an allocation has failed. */
bool stop_failing(void);

#endif
