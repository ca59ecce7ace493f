/*
 * walk_search.h: a search for the place on an interrupted thread's stack where a walk of its Java
 * frames can begin: places are tried until a walk from one succeeds. On the thread itself, in its
 * signal handler, within os_call_guarded().
 */
#ifndef HPROF_HOTSPOT_WALK_SEARCH_H
#define HPROF_HOTSPOT_WALK_SEARCH_H

#include "hotspot/walk_starter.h"

/* Instructions, for all code that a search follows. */
enum { WALK_FOLLOWED_STEPS = 4096 };

struct walk_search {
	const struct walk_starter *starter;
	struct java_walk walk;
	struct os_registers registers;
	uintptr_t base; /* where the stack begins */
	/* The interrupted method if it has no frame, with its bytecode index; or 0. */
	uintptr_t method;
	int32_t bci;
	bool found;
	uint32_t follow_steps; /* left, of WALK_FOLLOWED_STEPS */
};

static inline bool walk_search_is_code(const struct walk_search *search, uintptr_t address)
{
	return address >= search->starter->code.low && address < search->starter->code.high;
}

/* Whether the stack pointer of a caller may be that address. */
static inline bool walk_search_is_on_stack(const struct walk_search *search, uintptr_t address)
{
	const struct frame_layout *layout = &search->starter->walker.stack.layout;
	return address >= search->registers.stack_pointer + layout->pushed_by_call &&
	       address < search->base && address % STACK_WORD == 0;
}

/* What a return address with a signature leads to. */
static inline uintptr_t walk_search_address(const struct walk_search *search, uintptr_t word)
{
	return word & search->starter->walker.stack.layout.address_bits;
}

/* Tries to walk from there; true once a walk has succeeded. */
bool walk_search_try(struct walk_search *search, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                     enum java_walk_frame frame);

/* The same in the frame that is returned to: to pc, with that stack and frame pointer. */
bool walk_search_try_caller(struct walk_search *search, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                            enum java_walk_frame frame);

#endif
