/*
 * numbering.c: see numbering.h.
 */
#include "export/numbering.h"

void numbering_init(struct numbering *numbering, uint32_t first)
{
	address_map_init(&numbering->numbers);
	numbering->next = first;
}

void numbering_free(struct numbering *numbering)
{
	address_map_free(&numbering->numbers);
}

bool numbering_find(struct numbering *numbering, uint64_t key, uint32_t *number, bool *is_new)
{
	const uint64_t *found = address_map_find(&numbering->numbers, key);

	*is_new = found == NULL;
	*number = found == NULL ? numbering->next : (uint32_t)*found;
	if (found != NULL)
		return true;
	if (numbering->next == UINT32_MAX ||
	    !address_map_set(&numbering->numbers, key, numbering->next))
		return false;
	numbering->next++;
	return true;
}
