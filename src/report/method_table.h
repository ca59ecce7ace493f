/*
 * method_table.h: prints what a profile is of, and its costs by method. One thread; no lock.
 */
#ifndef HPROF_REPORT_METHOD_TABLE_H
#define HPROF_REPORT_METHOD_TABLE_H

#include "console/output.h"
#include "report/method_costs.h"

/* Prints the program, the JVM, the options, and when and how long it was profiled, as far as they
 * are known. */
void facts_write(const struct report_facts *facts, struct output *output);

/* Prints a line of title with the total of costs, and the shares that have no stack. interval_ms is
 * the CPU time of a sample, 0 if it is not known. */
void method_costs_write_title(const struct method_costs *costs, const char *title,
                              uint32_t interval_ms, struct output *output);

/* Prints at most rows_max rows of sorted costs, all if it is 0, and those of the rest. False after
 * an error of the output. */
bool method_costs_write(const struct method_costs *costs, uint32_t interval_ms, size_t rows_max,
                        struct output *output);

#endif
