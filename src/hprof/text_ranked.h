/*
 * text_ranked.h: the text of the sections that rank traces by cost: CPU SAMPLES, CPU TIME, OFF-CPU
 * TIME. See record_format.h.
 */
#ifndef HPROF_HPROF_TEXT_RANKED_H
#define HPROF_HPROF_TEXT_RANKED_H

#include "base/byte_buffer.h"
#include "hprof/records.h"

void text_cpu_samples(void *state, struct byte_buffer *out,
                      const struct cpu_samples_record *record);
void text_times(void *state, struct byte_buffer *out, const struct times_record *record);

#endif
