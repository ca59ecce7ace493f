/*
 * perf_file.h: texts in the performance data file of a HotSpot JVM. One thread; no lock.
 */
#ifndef HPROF_ATTACH_PERF_FILE_H
#define HPROF_ATTACH_PERF_FILE_H

#include "os/os.h"

#include <stdbool.h>

/* The command line: main class or jar, and arguments. */
#define PERF_COMMAND "sun.rt.javaCommand"
/* Digits: the first one is 0 if the JVM lets nobody attach. */
#define PERF_CAPABILITIES "sun.rt.jvmCapabilities"

/* Reads the file, which is at its beginning; otherwise as perf_data_text(). False when out of
 * memory, too. */
bool perf_file_text(struct os_file *file, const char *name, char *value, size_t size);

#endif
