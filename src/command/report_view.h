/*
 * report_view.h: what `hprof report` prints of a profile as text. One thread; no lock.
 */
#ifndef HPROF_COMMAND_REPORT_VIEW_H
#define HPROF_COMMAND_REPORT_VIEW_H

#include "command/profile_job.h"
#include "console/output.h"

/* Reads the job's input and prints the view that its selection names. False after printing an
 * error; what was printed before an error of the input is valid. */
bool report_view_write(const struct profile_job *job, struct output *output);

#endif
