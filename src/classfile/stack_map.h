/*
 * The StackMapTable of an edited method, and the state of this in
 * constructors by its frames. Used by the rewriter only, from the rewriting thread.
 */
#ifndef HPROF_CLASSFILE_STACK_MAP_H
#define HPROF_CLASSFILE_STACK_MAP_H

#include "classfile/code_edit.h"
#include "classfile/verification_type.h"

/* Arrays for frames, taken once and used for one method after the other. */
struct frame_arrays {
	struct verification_type *block;
	size_t capacity;
	struct verification_type *read_locals;
	struct verification_type *read_stack;
	struct verification_type *state_locals;
	struct verification_type *state_stack;
	struct verification_type *stored_locals;
	struct verification_type *stored_stack;
	struct verification_type *written_locals; /* of the frame written last */
	struct verification_type *next_locals;    /* of the frame being written */
};

/* Makes the arrays large enough for the method. Sets no_memory on failure. */
bool frame_arrays_reserve(struct frame_arrays *arrays, struct method_edit *edit);
void frame_arrays_free(struct frame_arrays *arrays, const struct classfile_memory *memory);

/*
 * Writes the body of the new StackMapTable for the laid out method: the old
 * frames at their new places, one after each widened conditional branch, one
 * for each handler. With no frame, nothing is written. Sets skip on failure.
 */
void stack_map_write(struct method_edit *edit, struct frame_arrays *arrays,
                     struct code_buffer *out);

/* True if methods of the class need frames. */
bool stack_map_is_used(const struct classfile *classfile);

/*
 * Finds, for a constructor that gets a handler, which instructions run with this
 * uninitialised, as the verifier sees it, and points edit->this_states to the result.
 * Does nothing for other methods, and where there are no frames: the verifier
 * of such classes lets one handler cover both. Sets skip if it can't be determined.
 */
void constructor_flow_find(struct method_edit *edit, struct frame_arrays *arrays);

#endif
