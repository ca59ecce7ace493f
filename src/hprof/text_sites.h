/*
 * text_sites.h: the SITES section of a text profile. Called by the record writer under
 * its record lock.
 */
#ifndef HPROF_HPROF_TEXT_SITES_H
#define HPROF_HPROF_TEXT_SITES_H

#include "base/byte_buffer.h"
#include "hprof/records.h"

/* Appends a SITES section; state is not used. */
void text_sites(void *state, struct byte_buffer *out, const struct sites_record *record);

#endif
