/*
 * thread_set.c: see thread_set.h. Exceptions are few: those that somebody named.
 */
#include "sampling/thread_set.h"

#include "base/array.h"
#include "base/ordered_numbers.h"

#include <stdlib.h>
#include <string.h>

void thread_set_assign_all(struct thread_set *set, bool on)
{
	set->others = on;
	set->count = 0;
}

static bool is_exception(const struct thread_set *set, uint32_t serial, size_t *at)
{
	*at = ordered_numbers_find(set->exceptions, set->count, serial);
	return *at < set->count && set->exceptions[*at] == serial;
}

bool thread_set_assign(struct thread_set *set, uint32_t serial, bool on)
{
	size_t at;
	bool excepted = is_exception(set, serial, &at);

	if (excepted == (on != set->others))
		return true;
	uint32_t *place = set->exceptions + at;
	if (excepted) {
		set->count--;
		memmove(place, place + 1, (set->count - at) * sizeof(*place));
		return true;
	}
	if (!array_grow(&set->exceptions, &set->capacity, set->count, sizeof(*set->exceptions)))
		return false;
	place = set->exceptions + at;
	memmove(place + 1, place, (set->count - at) * sizeof(*place));
	*place = serial;
	set->count++;
	return true;
}

bool thread_set_has(const struct thread_set *set, uint32_t serial)
{
	size_t at;
	return is_exception(set, serial, &at) ? !set->others : set->others;
}

bool thread_set_has_any(const struct thread_set *set)
{
	return set->others || set->count > 0;
}

void thread_set_free(struct thread_set *set)
{
	free(set->exceptions);
	set->exceptions = NULL;
	set->count = 0;
	set->capacity = 0;
}
