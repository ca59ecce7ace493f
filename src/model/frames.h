/*
 * frames.h: the unique stack frames of the output. A frame is a method and a line, so two
 * bytecode indexes of one line are one frame.
 */
#ifndef HPROF_MODEL_FRAMES_H
#define HPROF_MODEL_FRAMES_H

#include "model/methods.h"

#include <stdint.h>

struct frame {
	uint32_t id; /* dense, from 1 */
	const struct method *method;
	int32_t line; /* > 0, or one of LINE_* */
};

struct frame_table;

struct frame_table *frame_table_create(void);
void frame_table_destroy(struct frame_table *table);

/* The unique frame of method at line, added if it is new. The table owns it; it stays valid
 * as long as the table. NULL without memory. Any thread; takes the table's lock. */
const struct frame *frame_table_intern(struct frame_table *table, const struct method *method,
                                       int32_t line);

#endif
