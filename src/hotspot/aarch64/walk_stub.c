/*
 * walk_stub.c (64-bit ARM): see walk_stub.h. The stub's code is followed to where it returns. Where
 * that leads nowhere, places where the return address may be are tried, the certain ones first.
 */
#include "hotspot/read_cpu/walk_stub.h"

#include "hotspot/aarch64/walk_places.h"
#include "hotspot/read_cpu/walk_followed.h"

/* A stub with a frame of a known size. */
static bool try_stub_frame(struct walk_search *search, const struct code_place *place)
{
	uintptr_t sp = search->registers.stack_pointer + place->frame_bytes;
	return place->frame_bytes > 0 && walk_search_is_on_stack(search, sp) &&
	       walk_search_try_caller(
	               search, walk_search_address(search, any_word_at(sp - STACK_WORD)), sp,
	               any_word_at(sp - 2 * (uintptr_t)STACK_WORD), JAVA_WALK_CALLING);
}

/* The stub has set up a frame pointer of its own. */
static bool try_linked(struct walk_search *search)
{
	uintptr_t fp = search->registers.frame_pointer;
	return walk_search_is_on_stack(search, fp) &&
	       walk_search_try_caller(
	               search, walk_search_address(search, any_word_at(fp + STACK_WORD)),
	               fp + 2 * (uintptr_t)STACK_WORD, any_word_at(fp), JAVA_WALK_IN_VM);
}

void walk_stub_search(struct walk_search *search, const struct code_place *place)
{
	(void)(walk_followed_try(search) || try_stub_frame(search, place) ||
	       walk_places_try_link(search, search->registers.stack_pointer, JAVA_WALK_IN_VM) ||
	       walk_places_try_sender(search) ||
	       walk_places_try_below_frame_pointer(search, JAVA_WALK_CALLING) ||
	       try_linked(search));
}
