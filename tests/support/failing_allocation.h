/*
 * failing_allocation.h: lets chosen allocations of a test program fail. For tests
 * named *_oom_test.c, which are linked so that the calls of malloc, calloc, realloc
 * and os_pages_alloc in the agent come here first. One thread only.
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

/* From now on the allocations numbered first to last fail, counted from 1. */
void fail_allocations(unsigned first, unsigned last);

/* Ends the failing; true when an allocation has failed. */
bool stop_failing(void);

#endif
