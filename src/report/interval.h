/*
 * interval.h: how far a share of samples can be from the true share. Pure; any thread.
 */
#ifndef HPROF_REPORT_INTERVAL_H
#define HPROF_REPORT_INTERVAL_H

#include <stdint.h>

struct interval {
	double low; /* from 0 to 1 */
	double high;
};

/* The 95% interval of Wilson's score for part of total samples; from 0 to 1 without samples. */
struct interval interval_of_share(uint64_t part, uint64_t total);

#endif
