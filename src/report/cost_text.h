/*
 * cost_text.h: costs as the text of reports shows them: times in ms, others as they are. Pure; any
 * thread.
 */
#ifndef HPROF_REPORT_COST_TEXT_H
#define HPROF_REPORT_COST_TEXT_H

#include "base/byte_buffer.h"
#include "report/section.h"

#include <stdint.h>

/* Whether costs of that kind are nanoseconds. kind is one with stacks. */
bool cost_is_time(enum section_kind kind);

/* "ms", "bytes" or "samples". */
const char *cost_unit(enum section_kind kind);

/* Appends a cost right-aligned, at least width characters, without its unit. */
void cost_add_text(struct byte_buffer *out, enum section_kind kind, uint64_t cost, int width);

#endif
