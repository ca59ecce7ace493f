/*
 * report_trace.h: a stack trace as reports use it.
 */
#ifndef HPROF_REPORT_REPORT_TRACE_H
#define HPROF_REPORT_REPORT_TRACE_H

#include "model/strings.h"

#include <stdint.h>

struct report_frame {
	const struct string *method; /* Class.method */
	const struct string *place;  /* "(Source.java:12)", or less if less is known */
};

struct report_trace {
	uint64_t number; /* from 1; a trace that replaces another one has a new number */
	uint32_t thread; /* serial number; 0: of no particular thread */
	uint32_t depth;
	struct report_frame frames[]; /* innermost first */
};

#endif
