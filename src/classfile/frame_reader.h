/*
 * Reads the frames of a StackMapTable (JVMS 4.7.4), each as the complete frame
 * that it stands for. Used by the rewriter only, from the rewriting thread.
 */
#ifndef HPROF_CLASSFILE_FRAME_READER_H
#define HPROF_CLASSFILE_FRAME_READER_H

#include "classfile/attributes.h"
#include "classfile/verification_type.h"

struct frame_reader {
	const struct method_code *code;
	struct cursor cursor;
	uint32_t left; /* frames not yet read */
	bool first;
	bool malformed;
	bool pending;       /* frame is one of the table's, not yet passed */
	uint32_t max_stack; /* slots */
	uint32_t max_locals;
	struct frame frame;
};

/*
 * Begins with the frame that the method's descriptor implies at offset 0; it is
 * in frame, and not pending. locals and stack have room for max_locals and
 * max_stack entries. Sets malformed when the descriptor does not fit.
 */
void frame_reader_begin(struct frame_reader *reader, const struct method_code *code,
                        struct verification_type *locals, struct verification_type *stack);

/*
 * Reads the next frame of the table into frame, and sets pending to whether
 * there was one. Sets malformed, with nothing pending, if it is wrong.
 */
void frame_reader_next(struct frame_reader *reader);

/* True if the pending frame belongs to the instruction. */
static inline bool frame_reader_is_at(const struct frame_reader *reader,
                                      const struct instruction *instruction)
{
	return reader->pending && reader->frame.offset == instruction->offset;
}

#endif
