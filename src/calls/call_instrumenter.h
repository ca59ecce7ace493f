/*
 * call_instrumenter.h: puts the tracker's calls into classes, for cpu=times and
 * cpu=old. It knows class files, not the VM.
 */
#ifndef HPROF_CALLS_CALL_INSTRUMENTER_H
#define HPROF_CALLS_CALL_INSTRUMENTER_H

#include "calls/instrumented_methods.h"
#include "calls/intrinsics.h"
#include "calls/native_calls.h"
#include "profile/filter.h"
#include "vm/class_rewriting.h"

struct call_instrumenter {
	struct instrumented_methods *methods;
	const struct filter *filter;
	bool clocked; /* the tracker's entry and exit that read both clocks */
	struct native_calls natives;
	struct intrinsics intrinsics;
	struct class_rewriting rewriting;
};

/* Notes the methods of a class that compilers replace and the filter wants, so that their
 * calls are counted in what is instrumented from then on. Any thread. */
void call_instrumenter_add_intrinsics(struct call_instrumenter *instrumenter, const uint8_t *bytes,
                                      size_t length);

/* Rewrites a class file: each method that the filter wants counts its calls, and
 * methods that are not counted but handle exceptions keep the place of the open
 * call. *rewritten is from malloc(). False when the class stays as it is: nothing
 * to do in it, it is one that the tracker itself needs, it can't be read, or there
 * is no memory. Any thread. */
bool call_instrumenter_rewrite(struct call_instrumenter *instrumenter, const uint8_t *bytes,
                               size_t length, uint8_t **rewritten, size_t *rewritten_length);

#endif
