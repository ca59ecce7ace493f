/* walk_registers.c (CPUs whose code is read): see walk_registers.h. */
#include "hotspot/walk_registers.h"

#include "hotspot/read_cpu/walk_java.h"
#include "hotspot/read_cpu/walk_native.h"
#include "hotspot/read_cpu/walk_stub.h"

static void search_code(struct walk_search *search)
{
	const struct java_walker *walker = &search->starter->walker;
	struct stack_position at = {.pc = search->registers.program_counter};
	struct code_place place;

	if (stack_is_interpreted(&walker->stack, &at)) {
		walk_java_search_interpreted(search);
		return;
	}
	code_cache_look_up(&walker->stack.code, at.pc, &place);
	if (place.blob != NULL && code_methods_owner(&walker->code, place.blob) != CODE_OF_VM)
		walk_java_search_compiled(search, &place);
	else
		walk_stub_search(search, &place);
}

void walk_registers_search(struct walk_search *search)
{
	if (walk_search_is_code(search, search->registers.program_counter))
		search_code(search);
	else
		walk_native_search(search);
}
