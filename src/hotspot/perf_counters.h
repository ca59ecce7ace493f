/*
 * perf_counters.h: counters that HotSpot keeps for monitoring tools such as jstat, in memory of
 * its own that its JDK can map. Unavailable with -XX:-UsePerfData.
 */
#ifndef HPROF_HOTSPOT_PERF_COUNTERS_H
#define HPROF_HOTSPOT_PERF_COUNTERS_H

#include <jni.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the performance data, valid for the life of the VM; *length is their number. NULL if
 * the VM has none. Runs Java code of the JDK. Live phase, no exception pending. */
const char *perf_counters_memory(JNIEnv *jni, size_t *length);

/* The counter of that name in these bytes; NULL if there is none. The VM changes it at any
 * time. */
const volatile uint64_t *perf_counters_find(const char *bytes, size_t length, const char *name);

#endif
