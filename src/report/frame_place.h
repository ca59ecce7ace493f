/*
 * frame_place.h: the parts of a frame's place, "(Source.java:12)". Pure.
 */
#ifndef HPROF_REPORT_FRAME_PLACE_H
#define HPROF_REPORT_FRAME_PLACE_H

#include "model/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame_place {
	const char *file;   /* part of the place, not terminated */
	size_t file_length; /* 0: not known */
	uint32_t line;      /* 0: not known */
	bool native;        /* a native method */
};

struct frame_place frame_place_of(const struct string *place);

#endif
