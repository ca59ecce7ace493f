/* walk_java.c (x86-64): see walk_java.h. */
#include "hotspot/read_cpu/walk_java.h"

#include "hotspot/read_cpu/walk_followed.h"
#include "hotspot/x86_64/machine_code.h"
#include "hotspot/x86_64/machine_registers.h"
#include "hotspot/x86_64/walk_places.h"

enum { INTERPRETED_WORDS = 8, BCI_FIRST = 0, BCI_UNKNOWN = -1 };

/* ---- interpreted code ------------------------------------------------------ */

/* The frame pointer is that of a new frame, on which at most some words are. */
static void search_new_interpreted(struct walk_search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t fp = registers->frame_pointer;
	uintptr_t sender = registers->general[MACHINE_R13];

	if (registers->stack_pointer < fp)
		sender = stack_frame_word(fp, STACK_INTERPRETED_SENDER_SP);
	(void)walk_search_try_caller(search, stack_frame_word(fp, 1), sender, any_word_at(fp),
	                             JAVA_WALK_CALLING);
}

void walk_java_search_interpreted(struct walk_search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t sp = registers->stack_pointer;
	uintptr_t fp = registers->frame_pointer;
	const uintptr_t frame_bytes = (uintptr_t)INTERPRETED_WORDS * STACK_WORD;

	/* A method that is entered is in rbx; what is no method is left out. */
	search->method = registers->general[MACHINE_RBX];
	search->bci = BCI_FIRST;
	if (fp >= sp && fp - sp < frame_bytes && fp < search->base)
		search_new_interpreted(search);
	if (search->found || walk_places_try_sender(search))
		return;
	/* One that is left: the return address in r13, or the caller's stack in rbx. */
	search->method = 0;
	if (walk_places_try_top(search, JAVA_WALK_CALLING) ||
	    walk_places_try_below_frame_pointer(search, JAVA_WALK_CALLING) ||
	    walk_search_try_caller(search, registers->general[MACHINE_R13], sp, fp,
	                           JAVA_WALK_CALLING) ||
	    walk_search_try_caller(search, any_word_at(sp), registers->general[MACHINE_RBX], fp,
	                           JAVA_WALK_CALLING))
		return;
	if (fp > sp && fp - sp >= frame_bytes && fp < search->base)
		(void)walk_search_try(search, registers->program_counter, sp - STACK_WORD, fp,
		                      JAVA_WALK_INTERRUPTED);
}

/* ---- compiled code --------------------------------------------------------- */

/* A method that may have no frame at this instruction. */
static bool try_around_frame(struct walk_search *search, const struct code_place *place)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t sp = registers->stack_pointer;

	search->bci = BCI_FIRST;
	switch (machine_code_frame(registers->program_counter)) {
	case CODE_FRAME_GONE:
		search->bci = BCI_UNKNOWN;
		return walk_places_try_top(search, JAVA_WALK_CALLING);
	case CODE_FRAME_ENDING:
		search->bci = BCI_UNKNOWN;
		return walk_places_try_below_frame_pointer(search, JAVA_WALK_CALLING);
	case CODE_FRAME_NONE_YET:
		return walk_places_try_top(search, JAVA_WALK_CALLING);
	case CODE_FRAME_BEGUN:
		return walk_places_try_below_frame_pointer(search, JAVA_WALK_CALLING);
	case CODE_FRAME_UNSAVED:
		sp += place->frame_bytes;
		return walk_search_is_on_stack(search, sp) &&
		       walk_search_try_caller(search, any_word_at(sp - STACK_WORD), sp,
		                              registers->frame_pointer, JAVA_WALK_CALLING);
	default:
		return false;
	}
}

/* What lies after a method's code leads to interpreted methods. */
void walk_java_search_compiled(struct walk_search *search, const struct code_place *place)
{
	const struct code_methods *code = &search->starter->walker.code;
	uintptr_t pc = search->registers.program_counter;

	if (code_methods_is_stub(code, place->blob, pc)) {
		(void)walk_places_try_top(search, JAVA_WALK_CALLING);
		return;
	}
	search->method = code_methods_root(code, place->blob);
	if (try_around_frame(search, place))
		return;
	search->method = 0;
	struct machine_state state;
	machine_state_begin(&state, &search->registers);
	(void)walk_followed_try_method(search, place, &state, JAVA_WALK_INTERRUPTED);
}
