/*
 * thread_set.c: see thread_set.h. Exceptions are few: those that somebody named.
 */
#include "sampling/thread_set.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 16 };

void thread_choice_set_all(struct thread_choice *choice, bool on)
{
	choice->others = on;
	choice->count = 0;
}

/* Where the serial is, or would be. */
static size_t place_of(const struct thread_choice *choice, uint32_t serial)
{
	size_t low = 0;
	size_t high = choice->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (choice->exceptions[middle] < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_exception(const struct thread_choice *choice, uint32_t serial, size_t *at)
{
	*at = place_of(choice, serial);
	return *at < choice->count && choice->exceptions[*at] == serial;
}

static bool make_room(struct thread_choice *choice)
{
	if (choice->count < choice->room)
		return true;
	size_t room = choice->room == 0 ? ROOM_MIN : 2 * choice->room;
	uint32_t *larger = realloc(choice->exceptions, room * sizeof(*larger));
	if (larger == NULL)
		return false;
	choice->exceptions = larger;
	choice->room = room;
	return true;
}

bool thread_choice_set(struct thread_choice *choice, uint32_t serial, bool on)
{
	size_t at;
	bool excepted = is_exception(choice, serial, &at);

	if (excepted == (on != choice->others))
		return true;
	uint32_t *place = choice->exceptions + at;
	if (excepted) {
		choice->count--;
		memmove(place, place + 1, (choice->count - at) * sizeof(*place));
		return true;
	}
	if (!make_room(choice))
		return false;
	place = choice->exceptions + at;
	memmove(place + 1, place, (choice->count - at) * sizeof(*place));
	*place = serial;
	choice->count++;
	return true;
}

bool thread_choice_has(const struct thread_choice *choice, uint32_t serial)
{
	size_t at;
	return is_exception(choice, serial, &at) ? !choice->others : choice->others;
}

bool thread_choice_any(const struct thread_choice *choice)
{
	return choice->others || choice->count > 0;
}

void thread_choice_free(struct thread_choice *choice)
{
	free(choice->exceptions);
	choice->exceptions = NULL;
	choice->count = 0;
	choice->room = 0;
}
