/* machine_stack.c: see machine_stack.h. */
#include "hotspot/read_cpu/machine_stack.h"

#include "hotspot/any_memory.h"

enum { WORD = sizeof(uintptr_t) };

bool machine_stack_load(const struct machine_state *state, const struct machine_stack *stack,
                        uintptr_t address, uintptr_t *word)
{
	if (address % WORD != 0)
		return false;
	for (uint32_t i = state->stores; i > 0; i--) {
		const struct machine_store *store = &stack->stores[i - 1];
		if (store->address == address) {
			*word = store->word;
			return store->known;
		}
	}
	if (address < stack->low || address >= stack->base)
		return false;
	*word = any_word_at(address);
	return true;
}

bool machine_stack_store(struct machine_state *state, struct machine_stack *stack,
                         uintptr_t address, bool known, uintptr_t word)
{
	if (state->stores == MACHINE_STORES)
		return false;
	stack->stores[state->stores++] =
	        (struct machine_store){address & ~(uintptr_t)(WORD - 1), word, known};
	return true;
}
