/*
 * state_table.h: prints where the time of calls went, state by state, from TRACE MICROSTATES. One
 * thread; no lock.
 */
#ifndef HPROF_REPORT_STATE_TABLE_H
#define HPROF_REPORT_STATE_TABLE_H

#include "console/output.h"
#include "report/content.h"

/* Prints the states of all sections of the content together, or with last of the last one: the
 * time in each state, then for each the methods with the most of it, at most rows_max or all if
 * that is 0. Nothing without such a section. False after an error of the output, or when out of
 * memory, which sets *out_of_memory. */
bool state_table_write(const struct report_content *content, bool last, size_t rows_max,
                       struct output *output, bool *out_of_memory);

#endif
