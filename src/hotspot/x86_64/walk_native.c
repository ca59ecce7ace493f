/*
 * walk_native.c: see walk_native.h. Functions of the VM have frame pointers, except in their first
 * and last instructions; small ones that call nothing, and those of the C library, have none: then
 * the return address is searched for, and any saved frame pointer that leads up to Java code does.
 */
#include "hotspot/read_cpu/walk_native.h"

#include "hotspot/read_cpu/walk_followed.h"
#include "hotspot/x86_64/machine_code.h"
#include "hotspot/read_cpu/machine_call.h"

enum {
	NATIVE_WORDS = 512, /* of functions without a frame pointer */
	LEAF_WORDS = 32,    /* of those that call nothing */
	LINKS_MAX = 64      /* frames of the VM's functions */
};

/* Whether code calls a function of the VM, or of the C library, that returns to pc. */
static bool is_native_call(const struct walk_search *search, uintptr_t pc)
{
	uintptr_t target;
	return walk_search_is_code(search, pc) && machine_code_follows_call(pc) &&
	       !(machine_code_call_target(pc, &target) && walk_search_is_code(search, target));
}

/* Goes on in code that has called a function, with that stack and frame pointer. */
static bool try_native_call(struct walk_search *search, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	struct machine_state state;

	machine_state_begin_at(&state, pc, sp, fp);
	return walk_search_is_on_stack(search, sp) && is_native_call(search, pc) &&
	       walk_followed_try_returned(search, &state);
}

/* Follows frame pointers up to the first frame of Java code or a stub: beyond that, they leave out
 * frames. */
static bool try_links(struct walk_search *search, uintptr_t fp)
{
	for (int i = 0; i < LINKS_MAX && walk_search_is_on_stack(search, fp); i++) {
		uintptr_t pc = any_word_at(fp + STACK_WORD);
		uintptr_t next = any_word_at(fp);
		if (walk_search_is_code(search, pc))
			return try_native_call(search, pc, fp + 2 * (uintptr_t)STACK_WORD, next);
		if (next <= fp)
			return false;
		fp = next;
	}
	return false;
}

void walk_native_search(struct walk_search *search)
{
	uintptr_t sp = search->registers.stack_pointer;
	uintptr_t fp = search->registers.frame_pointer;
	enum code_frame frame = machine_code_linked_frame(search->registers.program_counter);

	if ((frame == CODE_FRAME_GONE &&
	     try_native_call(search, any_word_at(sp), sp + STACK_WORD, fp)) ||
	    (frame == CODE_FRAME_ENDING &&
	     try_native_call(search, any_word_at(sp + STACK_WORD), sp + 2 * (uintptr_t)STACK_WORD,
	                     any_word_at(sp))) ||
	    try_links(search, fp))
		return;
	for (int i = 0; i < NATIVE_WORDS && search->walk.steps > 0; i++, sp += STACK_WORD) {
		if (i < LEAF_WORDS && try_native_call(search, any_word_at(sp), sp + STACK_WORD, fp))
			return;
		if (walk_search_is_on_stack(search, any_word_at(sp)) && any_word_at(sp) > sp &&
		    try_links(search, sp))
			return;
	}
}
