/*
 * cost_text.h: costs as the text of reports shows them: times in ms, others as they are. One
 * thread; no lock.
 */
#ifndef HPROF_REPORT_COST_TEXT_H
#define HPROF_REPORT_COST_TEXT_H

#include "console/output.h"
#include "report/section.h"

#include <stdint.h>

/* Whether costs of that kind are nanoseconds. kind is one with stacks. */
bool cost_is_time(enum section_kind kind);

/* "ms", "bytes" or "samples". */
const char *cost_unit(enum section_kind kind);

/* Appends a cost right-aligned, at least width characters, without its unit. */
void cost_add_text(struct byte_buffer *out, enum section_kind kind, uint64_t cost, int width);

/* The same of a time in nanoseconds: "12.345". */
void cost_add_ms(struct byte_buffer *out, uint64_t ns, int width);

/* Appends a share as share_add_text() does. That of a cost itself, without those of its callees,
 * stands out on a terminal from 5% on. */
void cost_add_own_share(struct output *output, uint32_t share);

#endif
