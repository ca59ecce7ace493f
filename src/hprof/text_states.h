/*
 * text_states.h: the text of the sections of msa=y: THREAD MICROSTATES, TRACE MICROSTATES. See
 * record_format.h.
 */
#ifndef HPROF_HPROF_TEXT_STATES_H
#define HPROF_HPROF_TEXT_STATES_H

#include "base/byte_buffer.h"
#include "hprof/records.h"

void text_microstates(void *state, struct byte_buffer *out,
                      const struct microstates_record *record);
void text_trace_states(void *state, struct byte_buffer *out,
                       const struct trace_states_record *record);

#endif
