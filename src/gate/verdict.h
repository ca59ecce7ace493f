/*
 * verdict.h: judges the contexts of two profiles by a budget, and describes the result as text
 * and as JUnit XML. One thread; no lock.
 */
#ifndef HPROF_GATE_VERDICT_H
#define HPROF_GATE_VERDICT_H

#include "base/byte_buffer.h"
#include "gate/contexts.h"

#include <stdbool.h>

/* A context that grew more than its budget allows. */
struct growth {
	enum measure measure;
	uint32_t node;
	struct pair pair;
	size_t rule; /* of the budget; SIZE_MAX: none, so that no growth is allowed */
};

struct judged {
	size_t contexts; /* compared */
	size_t shrank;
	size_t allowed;         /* grew within their budgets */
	struct growth *growths; /* the largest first */
	size_t grew;
	size_t capacity;
};

struct verdict {
	const struct contexts *contexts;
	struct judged of[MEASURES];
};

/* Judges contexts, which must outlive the verdict. False when out of memory; verdict_free() must
 * be called in either case. */
bool verdict_init(struct verdict *verdict, const struct contexts *contexts);
void verdict_free(struct verdict *verdict);

bool verdict_passes(const struct verdict *verdict);

/* Appends lines for a terminal: what was compared and what was not, and the contexts that grew
 * most, up to top of calls and of bytes (0: all). */
void verdict_describe(const struct verdict *verdict, size_t top, struct byte_buffer *out);

/* Appends an XML document in the format of JUnit. */
void verdict_write_junit(const struct verdict *verdict, struct byte_buffer *out);

/* For the descriptions: "calls grew by 1, from 41 to 42 (budget +0%)". */
void growth_describe(const struct verdict *verdict, const struct growth *growth,
                     struct byte_buffer *out);

#endif
