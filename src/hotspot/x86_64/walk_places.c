/* walk_places.c: see walk_places.h. */
#include "hotspot/x86_64/walk_places.h"

#include "hotspot/x86_64/machine_registers.h"

enum { SENDER_BYTES = 4096 /* arguments between two frames */ };

bool walk_places_try_top(struct walk_search *search, enum java_walk_frame frame)
{
	uintptr_t sp = search->registers.stack_pointer;
	return walk_search_try_caller(search, any_word_at(sp), sp + STACK_WORD,
	                              search->registers.frame_pointer, frame);
}

bool walk_places_try_below_frame_pointer(struct walk_search *search, enum java_walk_frame frame)
{
	uintptr_t sp = search->registers.stack_pointer;
	return walk_search_try_caller(search, any_word_at(sp + STACK_WORD),
	                              sp + 2 * (uintptr_t)STACK_WORD, any_word_at(sp), frame);
}

bool walk_places_try_sender(struct walk_search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t sender = registers->general[MACHINE_R13];
	uintptr_t sp = registers->stack_pointer;
	uintptr_t fp = registers->frame_pointer;

	if (!walk_search_is_on_stack(search, sender) || sender - sp > SENDER_BYTES)
		return false;
	return walk_search_try_caller(search, any_word_at(sp), sender, fp, JAVA_WALK_CALLING) ||
	       walk_search_try_caller(search, registers->general[MACHINE_RAX], sender, fp,
	                              JAVA_WALK_CALLING) ||
	       walk_search_try_caller(search, any_word_at(sender - STACK_WORD), sender, fp,
	                              JAVA_WALK_CALLING);
}
