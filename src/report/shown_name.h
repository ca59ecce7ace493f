/*
 * shown_name.h: names of methods, classes and the like at the end of a line of a report. One
 * thread; no lock.
 */
#ifndef HPROF_REPORT_SHOWN_NAME_H
#define HPROF_REPORT_SHOWN_NAME_H

#include "console/output.h"
#include "model/strings.h"

/* Adds a name; after is the number of columns of the text that follows it. If the line would be
 * longer than the terminal is wide, packages are shortened to their first letters, the outermost
 * first, as many as necessary: "j.u.concurrent.ForkJoinTask.doExec". What is still too long is cut.
 */
void shown_name_add(struct output *output, const struct string *name, uint32_t after);

#endif
