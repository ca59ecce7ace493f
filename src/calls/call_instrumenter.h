/*
 * call_instrumenter.h: inserts calls of the tracker into class files, for cpu=times and
 * cpu=old. Needs no VM.
 */
#ifndef HPROF_CALLS_CALL_INSTRUMENTER_H
#define HPROF_CALLS_CALL_INSTRUMENTER_H

#include "calls/instrumented_methods.h"
#include "calls/intrinsics.h"
#include "calls/native_calls.h"
#include "options/filter.h"
#include "vm/class_rewriting.h"

/* What the inserted code does besides counting. */
enum call_probes {
	PROBES_COUNT,  /* nothing */
	PROBES_BREAKS, /* notices, by the thread's mark, that the thread was off its CPU */
	PROBES_CLOCKS  /* reads both clocks */
};

struct call_instrumenter {
	struct instrumented_methods *methods;
	const struct filter *filter;
	enum call_probes probes;
	struct native_calls natives;
	struct intrinsics intrinsics;
	struct class_rewriting rewriting;
	_Atomic uint32_t methods_without_waits; /* of those reduced: without causes of waits, too */
};

/* Adds the intrinsics of a class that the filter includes, so that classes instrumented
 * later count calls of them. Any thread. */
void call_instrumenter_add_intrinsics(struct call_instrumenter *instrumenter, const uint8_t *bytes,
                                      size_t length);

/* Rewrites a class file: methods that the filter includes count their calls; other methods
 * with exception handlers restore the open call there. *rewritten is from malloc(). False
 * when the class stays unchanged: it needs no change, the tracker uses it, it can't be
 * parsed, or memory is short. Any thread. */
bool call_instrumenter_rewrite(struct call_instrumenter *instrumenter, const uint8_t *bytes,
                               size_t length, uint8_t **rewritten, size_t *rewritten_length);

#endif
