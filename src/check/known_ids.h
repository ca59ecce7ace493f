/*
 * known_ids.h: the identifiers that a binary file has defined so far, and references to ones it
 * has not. One thread; no lock.
 */
#ifndef HPROF_CHECK_KNOWN_IDS_H
#define HPROF_CHECK_KNOWN_IDS_H

#include "base/address_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum known_id {
	KNOWN_STRING,
	KNOWN_CLASS,        /* by serial number */
	KNOWN_CLASS_OBJECT, /* by object id */
	KNOWN_FRAME,
	KNOWN_TRACE,
	KNOWN_THREAD,
	KNOWN_IDS
};

enum known_id_added { KNOWN_ID_NEW, KNOWN_ID_TWICE, KNOWN_ID_ZERO, KNOWN_ID_NO_MEMORY };

struct known_ids {
	struct address_map of[KNOWN_IDS];
	struct address_map required; /* undefined traces: serial to offset of first reference */
	size_t required_at;          /* position of known_ids_next_missing() */
	struct address_map early;    /* undefined threads, likewise */
	size_t early_at;             /* position of known_ids_next_early() */
};

void known_ids_init(struct known_ids *ids);
void known_ids_free(struct known_ids *ids);

enum known_id_added known_ids_add(struct known_ids *ids, enum known_id kind, uint64_t id);
bool known_ids_has(const struct known_ids *ids, enum known_id kind, uint64_t id);

/* Notes that the record at offset refers to a trace, which may be defined later. False when out
 * of memory. */
bool known_ids_require_trace(struct known_ids *ids, uint32_t serial, uint64_t offset);

/* Iterates over the traces that are referred to but were never defined, with the offset of the
 * first reference; false at the end. */
bool known_ids_next_missing(struct known_ids *ids, uint64_t *serial, uint64_t *offset);

/* Notes that the record at offset refers to a thread, unless it is defined. False when out of
 * memory. */
bool known_ids_name_thread(struct known_ids *ids, uint32_t serial, uint64_t offset);

/* Iterates over the threads that were referred to before they were defined, if ever, with the
 * offset of the first reference; false at the end. */
bool known_ids_next_early(struct known_ids *ids, uint64_t *serial, uint64_t *offset);

#endif
