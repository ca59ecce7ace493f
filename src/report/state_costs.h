/*
 * state_costs.h: where the time of calls went, state by state, from the sections TRACE MICROSTATES
 * of a content. One thread; no lock.
 */
#ifndef HPROF_REPORT_STATE_COSTS_H
#define HPROF_REPORT_STATE_COSTS_H

#include "report/content.h"
#include "report/method_costs.h"

struct state_costs {
	const struct report_content *content;
	bool last;
	bool sampled;
	const struct string *const *names; /* of the states; NULL: there is no section */
	size_t count;
	uint64_t ns[SECTION_STATES_MAX];
	uint64_t known_ns; /* their sum */
	uint64_t total_ns;
	size_t order[SECTION_STATES_MAX]; /* states that have time, the longest first */
	size_t order_count;
};

/* Adds up all sections of the content, which must outlive the costs; with last, only the last one.
 * False when out of memory; nothing need be freed. */
bool state_costs_init(struct state_costs *costs, const struct report_content *content, bool last);

/* The time of no row; 0 if it is less than a millisecond, since times of rows are cut to a
 * microsecond. */
uint64_t state_costs_rest(const struct state_costs *costs);

/* What the state means; empty if that is not known. */
const char *state_costs_meaning(const struct state_costs *costs, size_t state);

/* Initializes the costs by method of the time in one state. False when out of memory;
 * method_costs_free() must be called in either case. */
bool state_costs_by_method(const struct state_costs *costs, size_t state,
                           struct method_costs *methods);

#endif
