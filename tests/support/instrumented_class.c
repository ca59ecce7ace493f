/* instrumented_class.c: see instrumented_class.h. */
#include "instrumented_class.h"

static uint8_t *rewritten_bytes;
struct classfile *after;

void free_instrumented(void)
{
	classfile_free(after);
	free(rewritten_bytes);
	after = NULL;
	rewritten_bytes = NULL;
}

bool instrument_built(struct class_builder *builder, instrument_bytes *instrument)
{
	struct classfile_error error;
	size_t length;
	size_t rewritten_length;
	uint8_t *bytes = build_class(builder, &length);

	free_instrumented();
	free(builder);
	bool changed = instrument(bytes, length, &rewritten_bytes, &rewritten_length);
	free(bytes);
	if (!changed)
		return false;
	after = classfile_parse(rewritten_bytes, rewritten_length, NULL, &error);
	ck_assert_msg(after != NULL, "%s", error.reason);
	return true;
}

size_t assert_prefixes_unchanged(struct class_builder *builder, instrument_bytes *instrument)
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

const struct classfile_method *method_after(void)
{
	return &after->methods[0].view;
}

const char *called_at(uint32_t offset)
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
