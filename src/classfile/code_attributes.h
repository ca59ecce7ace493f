/*
 * The attributes of an edited method's Code, with their offsets put right. Used
 * by the rewriter only, from the rewriting thread.
 */
#ifndef HPROF_CLASSFILE_CODE_ATTRIBUTES_H
#define HPROF_CLASSFILE_CODE_ATTRIBUTES_H

#include "classfile/attributes.h"
#include "classfile/stack_map.h"

/*
 * Writes the count and the attributes of the laid out method's Code. Line
 * number entries inside an instruction move to the next one; local variable
 * entries whose range is not of whole instructions are left out (JVMs use them
 * for debugging only). So are a StackMapTable in a class of a version that does
 * not use it, and the StackMap of CLDC. Sets skip for what cannot be put right.
 */
void code_attributes_write(struct method_edit *edit, struct frame_arrays *arrays,
                           struct code_buffer *out);

/* Writes the body of a Runtime(In)VisibleTypeAnnotations attribute of Code (JVMS 4.7.20). */
void type_annotations_write(struct method_edit *edit, const struct attribute *attribute,
                            struct code_buffer *out);

#endif
