/*
 * known_ids.c: see known_ids.h.
 */
#include "check/known_ids.h"

void known_ids_init(struct known_ids *ids)
{
	for (int kind = 0; kind < KNOWN_IDS; kind++)
		address_map_init(&ids->of[kind]);
	address_map_init(&ids->required);
	ids->required_at = 0;
	address_map_init(&ids->early);
	ids->early_at = 0;
}

void known_ids_free(struct known_ids *ids)
{
	for (int kind = 0; kind < KNOWN_IDS; kind++)
		address_map_free(&ids->of[kind]);
	address_map_free(&ids->required);
	address_map_free(&ids->early);
}

enum known_id_added known_ids_add(struct known_ids *ids, enum known_id kind, uint64_t id)
{
	if (id == 0)
		return KNOWN_ID_ZERO;
	if (known_ids_has(ids, kind, id))
		return KNOWN_ID_TWICE;
	return address_map_set(&ids->of[kind], id, 1) ? KNOWN_ID_NEW : KNOWN_ID_NO_MEMORY;
}

bool known_ids_has(const struct known_ids *ids, enum known_id kind, uint64_t id)
{
	return address_map_find(&ids->of[kind], id) != NULL;
}

bool known_ids_require_trace(struct known_ids *ids, uint32_t serial, uint64_t offset)
{
	if (known_ids_has(ids, KNOWN_TRACE, serial) ||
	    address_map_find(&ids->required, serial) != NULL)
		return true;
	return address_map_set(&ids->required, serial, offset);
}

bool known_ids_next_missing(struct known_ids *ids, uint64_t *serial, uint64_t *offset)
{
	while (ids->required_at < ids->required.capacity) {
		const struct address_entry *entry = &ids->required.entries[ids->required_at++];
		if (entry->key == 0 || known_ids_has(ids, KNOWN_TRACE, entry->key))
			continue;
		*serial = entry->key;
		*offset = entry->value;
		return true;
	}
	return false;
}

bool known_ids_name_thread(struct known_ids *ids, uint32_t serial, uint64_t offset)
{
	if (known_ids_has(ids, KNOWN_THREAD, serial) ||
	    address_map_find(&ids->early, serial) != NULL)
		return true;
	return address_map_set(&ids->early, serial, offset);
}

bool known_ids_next_early(struct known_ids *ids, uint64_t *serial, uint64_t *offset)
{
	while (ids->early_at < ids->early.capacity) {
		const struct address_entry *entry = &ids->early.entries[ids->early_at++];
		if (entry->key == 0)
			continue;
		*serial = entry->key;
		*offset = entry->value;
		return true;
	}
	return false;
}
