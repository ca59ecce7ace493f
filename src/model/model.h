/*
 * model.h: the tables that all modes of one profile share. Each table has its own lock, which
 * is taken last, and any thread may use it.
 */
#ifndef HPROF_MODEL_MODEL_H
#define HPROF_MODEL_MODEL_H

#include "model/classes.h"
#include "model/frames.h"
#include "model/methods.h"
#include "model/object_ids.h"
#include "model/strings.h"
#include "model/threads.h"
#include "model/traces.h"

struct model {
	struct object_ids object_ids;
	struct string_table *strings;
	struct class_table *classes;
	struct method_table *methods;
	struct frame_table *frames;
	struct trace_table *traces;
	struct thread_table *threads;
};

/* Creates empty tables; false without memory, and then nothing needs to be destroyed. */
bool model_init(struct model *model);
void model_destroy(struct model *model);

#endif
