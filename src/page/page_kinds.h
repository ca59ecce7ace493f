/*
 * page_kinds.h: what kind of code a frame is, by its name. Pure.
 */
#ifndef HPROF_PAGE_PAGE_KINDS_H
#define HPROF_PAGE_PAGE_KINDS_H

#include "model/strings.h"

#include <stdbool.h>
#include <stddef.h>

/* The script has the same numbers. */
enum page_kind {
	PAGE_APPLICATION,
	PAGE_LIBRARY,
	PAGE_JDK,
	PAGE_NATIVE, /* a native method */
	PAGE_NO_CODE /* no stack, below the cutoff */
};

enum { PAGE_PREFIX_MAX = 256 };

/* Where the application's classes are. */
struct page_application {
	char prefix[PAGE_PREFIX_MAX]; /* of its packages, with a dot at the end; empty: unknown */
	bool is_jdk;                  /* it is a program of the JDK, such as javac */
};

/* Finds the application's packages: those of its main class, from the command line as the profile
 * has it; or else, if the outermost frame is a main method, those of its class. Either may be
 * NULL. */
void page_application_init(struct page_application *application, const struct string *program,
                           const struct string *outermost);

enum page_kind page_kind_of(const struct page_application *application, const struct string *method,
                            bool native);

#endif
