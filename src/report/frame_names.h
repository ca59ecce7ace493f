/*
 * frame_names.h: names that reports derive from those in a profile. NULL when out of memory.
 * One thread; no lock.
 */
#ifndef HPROF_REPORT_FRAME_NAMES_H
#define HPROF_REPORT_FRAME_NAMES_H

#include "report/report_profile.h"

/* The class of "java.util.HashMap.getNode", or the package of that class. */
const struct string *frame_class(const struct report_profile *profile, const struct string *method);
const struct string *frame_package(const struct report_profile *profile,
                                   const struct string *method);

/* "A.inner(A.java:12)". */
const struct string *frame_line(const struct report_profile *profile,
                                const struct report_frame *frame);

/* "thread NAME", or "thread" if the name is not known. */
const struct string *frame_thread(const struct report_profile *profile, uint32_t thread);

/* Whether a trace stands for costs without a stack: it is missing, empty, or has the agent's frame
 * with the reason. */
bool trace_is_stackless(const struct report_profile *profile, uint32_t serial);

#endif
