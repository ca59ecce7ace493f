/* walk_java.c (64-bit ARM): see walk_java.h. */
#include "hotspot/read_cpu/walk_java.h"

#include "hotspot/aarch64/machine_code.h"
#include "hotspot/aarch64/machine_registers.h"
#include "hotspot/aarch64/walk_places.h"
#include "hotspot/read_cpu/walk_followed.h"

enum { BCI_FIRST = 0, BCI_UNKNOWN = -1 };

/* ---- interpreted code ------------------------------------------------------ */

/* The frame pointer leads to what is saved. */
static bool try_begun(struct walk_search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t fp = registers->frame_pointer;
	uintptr_t sender = walk_places_sender(search);

	return walk_search_is_on_stack(search, fp) &&
	       walk_search_try_caller(search, walk_search_address(search, stack_frame_word(fp, 1)),
	                              sender > fp ? sender : fp + 2 * (uintptr_t)STACK_WORD,
	                              any_word_at(fp), JAVA_WALK_CALLING);
}

static bool try_leaving(struct walk_search *search)
{
	struct machine_state state;
	uintptr_t fp;

	machine_state_begin(&state, &search->registers);
	return walk_followed_to_return(search, &search->starter->code, &state) &&
	       machine_state_fp(&state, &fp) &&
	       walk_search_try_caller(search, state.pc, machine_state_sp(&state), fp,
	                              JAVA_WALK_CALLING);
}

/* A method that may have no whole frame at this instruction; what is entered is in a register. */
static bool try_around_interpreted(struct walk_search *search)
{
	const struct os_registers *registers = &search->registers;

	search->method = registers->general[MACHINE_X12];
	search->bci = BCI_FIRST;
	switch (machine_code_interpreted_frame(registers->program_counter)) {
	case INTERPRETED_NONE_YET:
		return walk_places_try_sender(search) ||
		       walk_places_try_link(search, registers->stack_pointer, JAVA_WALK_CALLING);
	case INTERPRETED_BEGUN:
		return try_begun(search);
	case INTERPRETED_LEAVING:
		search->method = 0;
		return try_leaving(search);
	default:
		return false;
	}
}

void walk_java_search_interpreted(struct walk_search *search)
{
	const struct os_registers *registers = &search->registers;

	if (try_around_interpreted(search))
		return;
	search->method = 0;
	(void)walk_search_try(search, registers->program_counter,
	                      registers->stack_pointer - STACK_WORD, registers->frame_pointer,
	                      JAVA_WALK_INTERRUPTED);
}

/* ---- compiled code --------------------------------------------------------- */

/* A method that may have no frame at this instruction. */
static bool try_around_frame(struct walk_search *search, const struct code_place *place)
{
	const struct os_registers *registers = &search->registers;
	const struct code_cache *cache = &search->starter->walker.stack.code;
	uintptr_t sp = registers->stack_pointer;

	bool entered;
	enum code_frame frame = machine_code_frame(code_cache_begin(cache, place->blob),
	                                           registers->program_counter, &entered);

	search->bci = entered ? BCI_FIRST : BCI_UNKNOWN;
	switch (frame) {
	case CODE_FRAME_NONE:
		return walk_places_try_link(search, sp, JAVA_WALK_CALLING);
	case CODE_FRAME_TAKEN:
		return walk_places_try_link(search, sp + place->frame_bytes, JAVA_WALK_CALLING);
	case CODE_FRAME_ON_TOP:
		return walk_places_try_below_frame_pointer(search, JAVA_WALK_CALLING);
	default:
		return false;
	}
}

/* What lies after a method's code leads to interpreted methods, or to code that is far away. */
void walk_java_search_compiled(struct walk_search *search, const struct code_place *place)
{
	const struct code_methods *code = &search->starter->walker.code;
	uintptr_t pc = search->registers.program_counter;

	if (code_methods_is_stub(code, place->blob, pc) &&
	    walk_places_try_link(search, search->registers.stack_pointer, JAVA_WALK_CALLING))
		return;
	search->method = code_methods_root(code, place->blob);
	if (try_around_frame(search, place))
		return;
	search->method = 0;
	struct machine_state state;
	machine_state_begin(&state, &search->registers);
	(void)walk_followed_try_method(search, place, &state, JAVA_WALK_INTERRUPTED);
}
