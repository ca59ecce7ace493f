/*
 * instrumented_class.h: for tests of the instrumenters: builds a class, has it
 * instrumented, and parses the result, which stays until the next one, or tear-down.
 */
#ifndef HPROF_TESTS_INSTRUMENTED_CLASS_H
#define HPROF_TESTS_INSTRUMENTED_CLASS_H

#include "class_builder.h"

#include <stdio.h>

/* The function under test: as the rewrite_class hook of mode.h. */
typedef bool instrument_bytes(const uint8_t *bytes, size_t length, uint8_t **rewritten,
                              size_t *rewritten_length);

extern struct classfile *after; /* NULL when there is none */

void free_instrumented(void);

/* Builds the class, frees the builder, and leaves the instrumented class in after.
 * Returns false when the class stays unchanged. */
bool instrument_built(struct class_builder *builder, instrument_bytes *instrument);

/* Checks that no proper prefix of the built class is instrumented; frees the builder.
 * Returns the number of prefixes. */
size_t assert_prefixes_unchanged(struct class_builder *builder, instrument_bytes *instrument);

/* The first method of the instrumented class. */
const struct classfile_method *method_after(void);

/* The method that the invokestatic at an offset of the first method's code calls, as
 * "package/Class.name(descriptor)"; valid until the next call. */
const char *called_at(uint32_t offset);

#endif
