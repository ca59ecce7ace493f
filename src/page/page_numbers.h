/*
 * page_numbers.h: numbers of the page as text, for readers without JavaScript. Pure.
 */
#ifndef HPROF_PAGE_PAGE_NUMBERS_H
#define HPROF_PAGE_PAGE_NUMBERS_H

#include "base/byte_buffer.h"
#include "page/page_data.h"

#include <stdint.h>

/* Append a number with separators, "1,234,567"; a share of a total, "3.27%"; a cost with its
 * unit, "1,234 samples", "12.3 ms", "1.2 MB". */
void page_add_number(struct byte_buffer *out, uint64_t number);
void page_add_share(struct byte_buffer *out, uint64_t part, uint64_t total);
void page_add_cost(struct byte_buffer *out, enum page_set_kind kind, uint64_t cost);

#endif
