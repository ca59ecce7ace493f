/*
 * text_details.h: the text of the sections that give the details of a table: SAMPLE TIMES,
 * TRACE COSTS. See record_format.h.
 */
#ifndef HPROF_HPROF_TEXT_DETAILS_H
#define HPROF_HPROF_TEXT_DETAILS_H

#include "base/byte_buffer.h"
#include "hprof/records.h"

void text_sample_times(void *state, struct byte_buffer *out,
                       const struct sample_times_record *record);
void text_trace_costs(void *state, struct byte_buffer *out,
                      const struct trace_costs_record *record);

#endif
