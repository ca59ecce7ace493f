/* walk_followed.c: see walk_followed.h. */
#include "hotspot/read_cpu/walk_followed.h"

#include "hotspot/read_cpu/code_return.h"
#include "hotspot/machine_code.h"
#include "hotspot/read_cpu/machine_call.h"

enum {
	FOLLOWED_RETURNS = 4,
	PUSHED_BYTES = 512 /* on a method's frame */
};

struct follow_call {
	struct code_return search;
	struct machine_state *state;
	bool found;
};

static void follow(void *argument)
{
	struct follow_call *call = argument;
	call->found = code_return_find(&call->search, call->state);
}

bool walk_followed_to_return(struct walk_search *search, const struct os_code_range *code,
                             struct machine_state *state)
{
	struct follow_call call = {.search = {.code = *code,
	                                      .calls = search->starter->code,
	                                      .stack_low = search->registers.stack_pointer,
	                                      .stack_base = search->base,
	                                      .steps = search->follow_steps},
	                           .state = state};
	bool survived = os_call_guarded(follow, &call);

	search->follow_steps = call.search.steps;
	return survived && call.found && walk_search_is_on_stack(search, machine_state_sp(state));
}

static uintptr_t frame_pointer_of(const struct walk_search *search,
                                  const struct machine_state *state)
{
	uintptr_t fp;
	return machine_state_fp(state, &fp) ? fp : search->registers.frame_pointer;
}

/* Whether the method's frame with that stack pointer was made by a call of the method. */
static bool is_called(const struct walk_search *search, const struct code_place *place,
                      uintptr_t sp)
{
	const struct code_cache *cache = &search->starter->walker.stack.code;
	uintptr_t end = sp + place->frame_bytes;
	uintptr_t target;

	if (!walk_search_is_on_stack(search, end))
		return false;
	uintptr_t pc = walk_search_address(search, any_word_at(end - STACK_WORD));
	if (pc == cache->call_stub_return ||
	    (pc >= cache->interpreter_begin && pc < cache->interpreter_end))
		return true;
	return walk_search_is_code(search, pc) && machine_code_call_target(pc, &target) &&
	       target - (uintptr_t)place->blob < place->blob_bytes;
}

bool walk_followed_try_method(struct walk_search *search, const struct code_place *place,
                              const struct machine_state *state, enum java_walk_frame frame)
{
	const struct code_cache *cache = &search->starter->walker.stack.code;
	uintptr_t sp = machine_state_sp(state);
	uintptr_t fp = frame_pointer_of(search, state);
	struct os_code_range code = {code_cache_begin(cache, place->blob),
	                             (uintptr_t)place->blob + place->blob_bytes};
	struct machine_state returned = *state;

	if (is_called(search, place, sp) && walk_search_try(search, state->pc, sp, fp, frame))
		return true;
	if (walk_followed_to_return(search, &code, &returned)) {
		uintptr_t whole = machine_state_sp(&returned) - place->frame_bytes;
		return whole >= sp && whole - sp <= PUSHED_BYTES &&
		       walk_search_try(search, state->pc, whole, fp, frame);
	}
	return walk_search_try(search, state->pc, sp, fp, frame);
}

bool walk_followed_try_returned(struct walk_search *search, struct machine_state *state)
{
	const struct java_walker *walker = &search->starter->walker;
	struct code_place place;

	for (int i = 0; i < FOLLOWED_RETURNS; i++) {
		struct stack_position at = {.pc = state->pc};
		struct machine_state here = *state;
		bool interpreted = stack_is_interpreted(&walker->stack, &at);

		if (!interpreted) {
			code_cache_look_up(&walker->stack.code, at.pc, &place);
			if (place.blob != NULL &&
			    code_methods_owner(&walker->code, place.blob) != CODE_OF_VM)
				return walk_followed_try_method(search, &place, state,
				                                JAVA_WALK_IN_VM);
		}
		if (!walk_search_is_code(search, at.pc) || !machine_code_follows_call(at.pc))
			return false;
		/* Intrinsics of the interpreter have no frame. */
		if (!walk_followed_to_return(search, &search->starter->code, state))
			return walk_search_try(search, here.pc, machine_state_sp(&here),
			                       frame_pointer_of(search, &here), JAVA_WALK_IN_VM);
	}
	return false;
}

bool walk_followed_try(struct walk_search *search)
{
	struct machine_state state;

	machine_state_begin(&state, &search->registers);
	return walk_followed_to_return(search, &search->starter->code, &state) &&
	       walk_followed_try_returned(search, &state);
}
