/*
 * page_methods.h: costs by method, for the table that needs no JavaScript. One thread; no lock.
 */
#ifndef HPROF_PAGE_PAGE_METHODS_H
#define HPROF_PAGE_PAGE_METHODS_H

#include "page/page_data.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page_method {
	const struct string *name;
	uint64_t self[PAGE_SIDES];
	uint64_t total[PAGE_SIDES]; /* with all that it calls; a recursive call counts once */
	uint32_t active;            /* scratch */
};

/* The methods with costs in the primary set, those with the highest own cost first, or if two
 * profiles are compared, with the largest change of it. The caller frees *methods. False when out
 * of memory. */
bool page_methods_count(const struct page_data *data, struct page_method **methods, size_t *count);

#endif
