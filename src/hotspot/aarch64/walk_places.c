/* walk_places.c (64-bit ARM): see walk_places.h. */
#include "hotspot/aarch64/walk_places.h"

#include "hotspot/aarch64/machine_registers.h"

enum { SENDER_BYTES = 4096 /* arguments between two frames */ };

bool walk_places_try_link(struct walk_search *search, uintptr_t sp, enum java_walk_frame frame)
{
	const struct os_registers *registers = &search->registers;
	return walk_search_try_caller(search,
	                              walk_search_address(search, registers->general[MACHINE_LR]),
	                              sp, registers->frame_pointer, frame);
}

uintptr_t walk_places_sender(const struct walk_search *search)
{
	/* Since JDK 20, and before. */
	static const enum machine_register senders[] = {MACHINE_X19, MACHINE_X13};

	for (int i = 0; i < 2; i++) {
		uintptr_t sender = search->registers.general[senders[i]];
		if (sender >= search->registers.stack_pointer && sender % STACK_WORD == 0 &&
		    sender - search->registers.stack_pointer <= SENDER_BYTES)
			return sender;
	}
	return 0;
}

bool walk_places_try_sender(struct walk_search *search)
{
	uintptr_t sender = walk_places_sender(search);
	return sender != 0 && walk_places_try_link(search, sender, JAVA_WALK_CALLING);
}

bool walk_places_try_below_frame_pointer(struct walk_search *search, enum java_walk_frame frame)
{
	uintptr_t sp = search->registers.stack_pointer;
	return walk_search_try_caller(search,
	                              walk_search_address(search, any_word_at(sp + STACK_WORD)),
	                              sp + 2 * (uintptr_t)STACK_WORD, any_word_at(sp), frame);
}
