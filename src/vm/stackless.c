/*
 * stackless.c: see stackless.h.
 */
#include "vm/stackless.h"

#include "vm/stack_traces.h"

#include <string.h>

enum { REASON_MAX = 64 };

static const struct string *name_of(struct profile *profile, const char *reason)
{
	char name[REASON_MAX];
	(void)strlcpy(name, reason, sizeof(name));
	for (char *at = name; *at != '\0'; at++) {
		if (*at == ' ')
			*at = '_';
	}
	return string_table_intern_jvm(profile->model.strings, name);
}

/* NULL without memory. */
static const struct frame *frame_of(struct stackless *stackless, struct profile *profile,
                                    const char *reason)
{
	struct model *model = &profile->model;

	if (stackless->class == NULL)
		stackless->class = class_table_add(model->classes, "L" STACKLESS_CLASS ";");
	const struct method names = {
	        .class = stackless->class,
	        .name = name_of(profile, reason),
	        .signature = string_table_intern_jvm(model->strings, "()V"),
	};
	if (names.class == NULL || names.name == NULL || names.signature == NULL)
		return NULL;
	const struct method *method = method_table_intern_named(model->methods, &names);
	return method == NULL ? NULL : frame_table_intern(model->frames, method, LINE_UNKNOWN);
}

const struct trace *stackless_trace(struct stackless *stackless, struct profile *profile,
                                    const char *reason, uint32_t thread_serial)
{
	const struct frame *frame = frame_of(stackless, profile, reason);

	if (frame == NULL) {
		profile_out_of_memory(profile);
		return NULL;
	}
	return trace_publish(profile, &frame, 1, thread_serial);
}
