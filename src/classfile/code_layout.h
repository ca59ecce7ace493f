/*
 * Assigns offsets to everything in an edited method, and writes its code and
 * exception table. Used by the rewriter only, from the rewriting thread.
 */
#ifndef HPROF_CLASSFILE_CODE_LAYOUT_H
#define HPROF_CLASSFILE_CODE_LAYOUT_H

#include "classfile/code_edit.h"

/*
 * Gives each instruction its place in the new code: entry code, body, then the
 * handlers. Branches that no longer reach become wide ones. Sets skip when the
 * code becomes too long.
 */
void code_layout(struct method_edit *edit);

/* Writes the new code, of edit->new_length bytes. */
void code_layout_write_code(const struct method_edit *edit, struct code_buffer *out);

/*
 * Writes the new exception table with its count: the old entries, in their
 * order and at their indexes, then those of the handler. Sets skip when there
 * are too many.
 */
void code_layout_write_exceptions(struct method_edit *edit, struct code_buffer *out);

/* Bytes of a conditional branch that has become an inverted one over a goto_w. */
enum { WIDENED_IF_BYTES = 8 };

#endif
