/*
 * heap_histogram.h: counts the objects of a heap dump by class. One thread; no lock.
 */
#ifndef HPROF_REPORT_HEAP_HISTOGRAM_H
#define HPROF_REPORT_HEAP_HISTOGRAM_H

#include "base/address_map.h"
#include "report/section.h"

struct heap_histogram {
	struct address_map places; /* id of the class name to index in the section, plus 1 */
	struct report_section section;
};

void heap_histogram_begin(struct heap_histogram *histogram, const char *title, size_t title_length);
void heap_histogram_free(struct heap_histogram *histogram);
/* Counts objects of a class, with the sum of their bytes. False when out of memory. */
bool heap_histogram_add(struct heap_histogram *histogram, const struct string *class_name,
                        uint64_t count, uint64_t bytes);
/* The section, sorted by bytes; owned by the histogram. */
const struct report_section *heap_histogram_section(struct heap_histogram *histogram);

#endif
