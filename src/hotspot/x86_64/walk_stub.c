/*
 * walk_stub.c: see walk_stub.h. The stub's code is followed to where it returns. Where that leads
 * nowhere, places where the return address may be are tried, the certain ones first, those that are
 * nearer to the top of the stack before others.
 */
#include "hotspot/read_cpu/walk_stub.h"

#include "hotspot/read_cpu/walk_followed.h"
#include "hotspot/x86_64/walk_places.h"

enum {
	STUB_BYTES = 2048, /* of a stub's frame */
	STUB_WORDS = 16,   /* on top of the stack, where a stub's return address may be */
	PUSHED_WORDS = 4   /* that a caller of a stub may take off the stack itself */
};

/* The function has set up its frame pointer. */
static bool try_linked(struct walk_search *search)
{
	uintptr_t fp = search->registers.frame_pointer;
	return walk_search_is_on_stack(search, fp) &&
	       walk_search_try_caller(search, any_word_at(fp + STACK_WORD),
	                              fp + 2 * (uintptr_t)STACK_WORD, any_word_at(fp),
	                              JAVA_WALK_IN_VM);
}

/* A stub has pushed something, or its caller has. */
static bool try_pushed(struct walk_search *search)
{
	uintptr_t fp = search->registers.frame_pointer;
	uintptr_t place = search->registers.stack_pointer;

	for (int i = 0; i < STUB_WORDS && search->walk.steps > 0; i++, place += STACK_WORD) {
		for (uintptr_t pushed = 1;
		     walk_search_is_code(search, any_word_at(place)) && pushed <= 1 + PUSHED_WORDS;
		     pushed++) {
			if (walk_search_try_caller(search, any_word_at(place),
			                           place + pushed * STACK_WORD, fp,
			                           JAVA_WALK_CALLING))
				return true;
		}
	}
	return false;
}

struct method_call {
	const struct vm_methods *methods;
	uintptr_t method;
	bool known;
};

static void look_for_id(void *argument)
{
	struct method_call *call = argument;
	call->known = vm_methods_id(call->methods, call->method) != NULL;
}

/* Whether a word, whatever it is, is the address of a method. */
static bool is_method(const struct vm_methods *methods, uintptr_t word)
{
	struct method_call call = {methods, word, false};
	return os_call_guarded(look_for_id, &call) && call.known;
}

/* Compiled code leaves the frame pointer of the interpreted frame above it as it is. */
static bool is_interpreted_frame(const struct walk_search *search, uintptr_t fp)
{
	const struct vm_methods *methods = &search->starter->walker.methods;
	int32_t slot = search->starter->walker.stack.layout.bytecode_slot;
	uintptr_t method = stack_frame_word(fp, STACK_INTERPRETED_METHOD);
	uintptr_t bytecode = stack_frame_word(fp, slot);
	int32_t bci;

	return is_method(methods, method) &&
	       (bytecode == 0 || vm_methods_bytecode(methods, method, bytecode, &bci));
}

/* A stub has set up a frame pointer of its own. */
static bool try_stub_link(struct walk_search *search)
{
	uintptr_t fp = search->registers.frame_pointer;

	if (!walk_search_is_on_stack(search, fp) ||
	    fp - search->registers.stack_pointer > STUB_BYTES || search->starter->compiled_links ||
	    is_interpreted_frame(search, fp))
		return false;
	for (uintptr_t pushed = 0; pushed <= PUSHED_WORDS; pushed++) {
		if (walk_search_try_caller(search, any_word_at(fp + STACK_WORD),
		                           fp + (2 + pushed) * STACK_WORD, any_word_at(fp),
		                           JAVA_WALK_IN_VM))
			return true;
	}
	return false;
}

/* A stub with a frame of a known size. */
static bool try_stub_frame(struct walk_search *search, const struct code_place *place)
{
	uintptr_t sp = search->registers.stack_pointer + place->frame_bytes;
	return place->frame_bytes > 0 && walk_search_is_on_stack(search, sp) &&
	       walk_search_try_caller(search, any_word_at(sp - STACK_WORD), sp,
	                              any_word_at(sp - 2 * (uintptr_t)STACK_WORD),
	                              JAVA_WALK_CALLING);
}

void walk_stub_search(struct walk_search *search, const struct code_place *place)
{
	(void)(walk_followed_try(search) || try_stub_link(search) ||
	       try_stub_frame(search, place) || walk_places_try_sender(search) ||
	       walk_places_try_top(search, JAVA_WALK_IN_VM) ||
	       walk_places_try_below_frame_pointer(search, JAVA_WALK_CALLING) ||
	       try_pushed(search) || try_linked(search));
}
