/*
 * jvm_perf_file.h: finds the performance data file of a process. Private to the platform.
 */
#ifndef HPROF_ATTACH_JVM_PERF_FILE_H
#define HPROF_ATTACH_JVM_PERF_FILE_H

#include "attach/linux/jvm_process.h"

/* Opens the file that the process has created, to be closed by the caller. False if there is none,
 * or this user has not the rights. One thread. */
bool jvm_perf_file_open(const struct jvm_process *process, struct os_file *file);

#endif
