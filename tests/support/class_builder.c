/* class_builder.c: see class_builder.h. */
#include "class_builder.h"

void put(struct built_bytes *to, const void *bytes, size_t count)
{
	QUICK_CHECK(to->length + count <= BUILDER_MAX_BYTES, "the class is too large to be built");
	memcpy(to->bytes + to->length, bytes, count);
	to->length += count;
}

void put1(struct built_bytes *to, uint32_t value)
{
	uint8_t byte = (uint8_t)value;

	put(to, &byte, 1);
}

void put2(struct built_bytes *to, uint32_t value)
{
	put1(to, value >> 8);
	put1(to, value);
}

void put4(struct built_bytes *to, uint32_t value)
{
	put2(to, value >> 16);
	put2(to, value);
}

void put_repeated(struct built_bytes *to, uint8_t byte, size_t count)
{
	for (; count; count--)
		put1(to, byte);
}

uint16_t add_utf8(struct class_builder *builder, const char *text)
{
	put1(&builder->pool, CONSTANT_UTF8);
	put2(&builder->pool, (uint32_t)strlen(text));
	put(&builder->pool, text, strlen(text));
	return builder->pool_count++;
}

uint16_t add_class(struct class_builder *builder, const char *name)
{
	uint16_t utf8 = add_utf8(builder, name);

	put1(&builder->pool, CONSTANT_CLASS);
	put2(&builder->pool, utf8);
	return builder->pool_count++;
}

uint16_t add_member(struct class_builder *builder, enum constant_tag tag, const char *class_name,
                    const char *name, const char *descriptor)
{
	uint16_t owner = add_class(builder, class_name);
	uint16_t name_index = add_utf8(builder, name);
	uint16_t descriptor_index = add_utf8(builder, descriptor);
	uint16_t pair = builder->pool_count++;

	put1(&builder->pool, CONSTANT_NAME_AND_TYPE);
	put2(&builder->pool, name_index);
	put2(&builder->pool, descriptor_index);
	put1(&builder->pool, (uint32_t)tag);
	put2(&builder->pool, owner);
	put2(&builder->pool, pair);
	return builder->pool_count++;
}

void add_field(struct class_builder *builder, const char *name, const char *descriptor)
{
	uint16_t name_index = add_utf8(builder, name);
	uint16_t descriptor_index = add_utf8(builder, descriptor);

	put2(&builder->fields, CLASSFILE_STATIC);
	put2(&builder->fields, name_index);
	put2(&builder->fields, descriptor_index);
	put2(&builder->fields, 1);
	put2(&builder->fields, add_utf8(builder, "Deprecated"));
	put4(&builder->fields, 0);
	builder->field_count++;
}

void add_attribute(struct class_builder *builder, const char *name, const uint8_t *body,
                   size_t length)
{
	put2(&builder->attributes, add_utf8(builder, name));
	put4(&builder->attributes, (uint32_t)length);
	put(&builder->attributes, body, length);
	builder->attribute_count++;
}

void add_exception(struct class_builder *builder, uint32_t start, uint32_t end, uint32_t handler,
                   uint32_t type)
{
	put2(&builder->exceptions, start);
	put2(&builder->exceptions, end);
	put2(&builder->exceptions, handler);
	put2(&builder->exceptions, type);
}

struct class_builder *new_builder(void)
{
	struct class_builder *builder = calloc(1, sizeof(*builder));

	ck_assert_ptr_nonnull(builder);
	builder->major = 52;
	builder->name = "T";
	builder->super = "java/lang/Object";
	builder->method = "m";
	builder->descriptor = "()V";
	builder->method_flags = CLASSFILE_STATIC;
	builder->max_stack = 4;
	builder->max_locals = 4;
	builder->pool_count = 1;
	return builder;
}

static void put_method(struct built_bytes *file, const struct class_builder *builder,
                       uint16_t code_name, uint16_t method, uint16_t descriptor)
{
	put2(file, builder->method_flags);
	put2(file, method);
	put2(file, descriptor);
	put2(file, builder->method_attribute_count + !builder->without_code);
	put(file, builder->method_attributes.bytes, builder->method_attributes.length);
	if (builder->without_code)
		return;
	put2(file, code_name);
	put4(file, (uint32_t)(12 + builder->code.length + builder->exceptions.length +
	                      builder->attributes.length));
	put2(file, builder->max_stack);
	put2(file, builder->max_locals);
	put4(file, (uint32_t)builder->code.length);
	put(file, builder->code.bytes, builder->code.length);
	put2(file, (uint32_t)(builder->exceptions.length / 8));
	put(file, builder->exceptions.bytes, builder->exceptions.length);
	put2(file, builder->attribute_count);
	put(file, builder->attributes.bytes, builder->attributes.length);
}

uint8_t *build_class(struct class_builder *builder, size_t *length)
{
	struct built_bytes *file = calloc(1, sizeof(*file));
	uint16_t this_class = add_class(builder, builder->name);
	uint16_t super_class = builder->super ? add_class(builder, builder->super) : 0;
	uint16_t code_name = add_utf8(builder, "Code");
	uint16_t method = add_utf8(builder, builder->method);
	uint16_t descriptor = add_utf8(builder, builder->descriptor);
	uint8_t *exact;

	ck_assert_ptr_nonnull(file);
	put4(file, 0xCAFEBABE);
	put2(file, builder->minor);
	put2(file, builder->major);
	put2(file, builder->pool_count);
	put(file, builder->pool.bytes, builder->pool.length);
	put2(file, 0x21); /* public, super */
	put2(file, this_class);
	put2(file, super_class);
	put2(file, 0);
	put2(file, builder->field_count);
	put(file, builder->fields.bytes, builder->fields.length);
	put2(file, builder->twice ? 2 : 1);
	for (int left = builder->twice ? 2 : 1; left; left--)
		put_method(file, builder, code_name, method, descriptor);
	put2(file, 0);
	exact = malloc(file->length);
	ck_assert_ptr_nonnull(exact);
	memcpy(exact, file->bytes, file->length);
	*length = file->length;
	free(file);
	return exact;
}

struct rewritten rewrite_built(struct class_builder *builder, const struct rewrite_plan *plan)
{
	struct rewritten rewritten = {NULL};
	struct classfile_error error = {NULL, 0};
	size_t length;

	rewritten.bytes = build_class(builder, &length);
	free(builder);
	rewritten.before = classfile_parse(rewritten.bytes, length, NULL, &error);
	ck_assert_msg(rewritten.before != NULL, "%s", error.reason);
	rewritten.status = rewrite_class(rewritten.before, plan, &rewritten.result);
	if (rewritten.status == REWRITE_CHANGED) {
		rewritten.after = classfile_parse(rewritten.result.bytes, rewritten.result.length,
		                                  NULL, &error);
		ck_assert_msg(rewritten.after != NULL, "%s", error.reason);
	}
	return rewritten;
}

void release(struct rewritten *rewritten)
{
	classfile_free(rewritten->after);
	rewrite_result_free(rewritten->before, &rewritten->result);
	classfile_free(rewritten->before);
	free(rewritten->bytes);
}

const struct method_record *new_method(const struct rewritten *rewritten)
{
	ck_assert_int_eq((int)rewritten->status, (int)REWRITE_CHANGED);
	return &rewritten->after->methods[0];
}

void assert_bytes(const char *what, const uint8_t *seen, size_t seen_length, const uint8_t *wanted,
                  size_t wanted_length)
{
	size_t i = 0;

	while (i < seen_length && i < wanted_length && seen[i] == wanted[i])
		i++;
	if (i < seen_length || i < wanted_length)
		ck_abort_msg("%s: %zu bytes, wanted %zu; they differ at %zu: %02x, wanted %02x",
		             what, seen_length, wanted_length, i,
		             i < seen_length ? seen[i] : 0xFFFFu,
		             i < wanted_length ? wanted[i] : 0xFFFFu);
}

const uint8_t *new_attribute(const struct rewritten *rewritten, const char *name, size_t *length)
{
	const struct method_record *method = new_method(rewritten);
	const uint8_t *at = method->attributes;

	for (uint32_t left = method->attribute_count; left; left--) {
		struct classfile_name text = {NULL, 0};

		ck_assert(constant_pool_utf8(&rewritten->after->pool, bytes_u2(at), &text));
		*length = bytes_u4(at + 2);
		if (classfile_name_is(text, name))
			return at + 6;
		at += 6 + *length;
	}
	return NULL;
}
