/*
 * walk_native.c (64-bit ARM): see walk_native.h. Functions link their frames, as the procedure call
 * standard says, except small ones that call nothing and the first and last instructions of others:
 * there the return address is in its register.
 */
#include "hotspot/read_cpu/walk_native.h"

#include "hotspot/machine_code.h"
#include "hotspot/read_cpu/walk_followed.h"
#include "hotspot/read_cpu/machine_call.h"

enum {
	LINKS_MAX = 64 /* frames of the VM's functions */
};

/* Whether code calls a function of the VM, or of the C library, that returns to pc. */
static bool is_native_call(const struct walk_search *search, uintptr_t pc)
{
	uintptr_t target;
	return walk_search_is_code(search, pc) && machine_code_follows_call(pc) &&
	       !(machine_code_call_target(pc, &target) && walk_search_is_code(search, target));
}

/* Follows the code of functions, which goes on with that state, to where it returns. */
static bool follow(struct walk_search *search, struct machine_state *state)
{
	static const struct os_code_range any = {0, UINTPTR_MAX};
	return walk_followed_to_return(search, &any, state);
}

/* Goes on in code that has called a function, with that state. */
static bool try_native_call(struct walk_search *search, struct machine_state *state)
{
	return walk_search_is_on_stack(search, machine_state_sp(state)) &&
	       is_native_call(search, state->pc) && walk_followed_try_returned(search, state);
}

/* Follows frame pointers up to the first function that Java code or a stub has called: beyond that,
 * they leave out frames. Where its frame ends its code shows. */
static bool try_links(struct walk_search *search, const struct machine_state *first)
{
	struct machine_state state = *first;
	uintptr_t fp;

	for (int i = 0; i < LINKS_MAX && machine_state_fp(&state, &fp); i++) {
		if (!walk_search_is_on_stack(search, fp))
			return false;
		uintptr_t pc = walk_search_address(search, any_word_at(fp + STACK_WORD));
		uintptr_t next = any_word_at(fp);
		if (walk_search_is_code(search, pc))
			return follow(search, &state) && try_native_call(search, &state);
		if (next <= fp)
			return false;
		/* Functions have their links at the end of their frame, which is the top. */
		machine_state_begin_at(&state, pc, next, next);
	}
	return false;
}

/* The interrupted function may have no frame yet, or will have none. */
void walk_native_search(struct walk_search *search)
{
	struct machine_state state;
	struct machine_state interrupted;

	machine_state_begin(&interrupted, &search->registers);
	state = interrupted;
	if (!follow(search, &state)) {
		(void)try_links(search, &interrupted);
		return;
	}
	if (walk_search_is_code(search, state.pc))
		(void)try_native_call(search, &state);
	else
		(void)try_links(search, &state);
}
