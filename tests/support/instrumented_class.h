/*
 * instrumented_class.h: for tests of the instrumenters: builds a class, has it
 * instrumented, and parses the result, which stays until the next tear-down.
 */
#ifndef HPROF_TESTS_INSTRUMENTED_CLASS_H
#define HPROF_TESTS_INSTRUMENTED_CLASS_H

#include "class_builder.h"

#include <stdio.h>

/* The function under test: as the rewrite_class hook of mode.h. */
typedef bool instrument_bytes(const uint8_t *bytes, size_t length, uint8_t **rewritten,
                              size_t *rewritten_length);

static uint8_t *rewritten_bytes;
static struct classfile *after; /* NULL when there is none */

static inline void free_instrumented(void)
{
	classfile_free(after);
	free(rewritten_bytes);
	after = NULL;
	rewritten_bytes = NULL;
}

/* Builds the class, frees the builder, and leaves the instrumented class in after.
 * Returns false when the class stays unchanged. */
static inline bool instrument_built(struct class_builder *builder, instrument_bytes *instrument)
{
	struct classfile_error error;
	size_t length;
	size_t rewritten_length;
	uint8_t *bytes = build_class(builder, &length);

	free(builder);
	bool changed = instrument(bytes, length, &rewritten_bytes, &rewritten_length);
	free(bytes);
	if (!changed)
		return false;
	after = classfile_parse(rewritten_bytes, rewritten_length, NULL, &error);
	ck_assert_msg(after != NULL, "%s", error.reason);
	return true;
}

/* Checks that no proper prefix of the built class is instrumented; frees the builder.
 * Returns the number of prefixes. */
static inline size_t assert_prefixes_unchanged(struct class_builder *builder,
                                               instrument_bytes *instrument)
{
	size_t length;
	uint8_t *bytes = build_class(builder, &length);

	free(builder);
	for (size_t cut = 0; cut < length; cut++) {
		/* An allocation of that length, so that a sanitizer detects a read past it. */
		uint8_t *exact = malloc(cut > 0 ? cut : 1);
		size_t rewritten_length;
		ck_assert_ptr_nonnull(exact);
		memcpy(exact, bytes, cut);
		ck_assert(!instrument(exact, cut, &rewritten_bytes, &rewritten_length));
		free(exact);
	}
	free(bytes);
	return length;
}

/* The first method of the instrumented class. */
static inline const struct classfile_method *method_after(void)
{
	return &after->methods[0].view;
}

/* The method that the invokestatic at an offset of the first method's code calls, as
 * "package/Class.name(descriptor)"; valid until the next call. */
static inline const char *called_at(uint32_t offset)
{
	static char text[256];
	const struct classfile_method *method = method_after();
	struct classfile_member member;

	ck_assert_uint_lt(offset + 2, method->code_length);
	ck_assert_uint_eq(method->code[offset], OP_INVOKESTATIC);
	ck_assert(classfile_member_at(after, bytes_u2(method->code + offset + 1), &member));
	(void)snprintf(text, sizeof(text), "%.*s.%.*s%.*s", member.class_name.length,
	               (const char *)member.class_name.bytes, member.name.length,
	               (const char *)member.name.bytes, member.descriptor.length,
	               (const char *)member.descriptor.bytes);
	return text;
}

#endif
