/*
 * perf_data.h: reads the performance data file of a HotSpot JVM (jstat's "hsperfdata" files,
 * version 2). Its contents are untrusted. Pure.
 */
#ifndef HPROF_ATTACH_PERF_DATA_H
#define HPROF_ATTACH_PERF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of the text entry of that name goes to value, terminated and cut to size. False when
 * there is none, or the bytes are no such file. */
bool perf_data_text(const uint8_t *bytes, size_t length, const char *name, char *value,
                    size_t size);

#endif
