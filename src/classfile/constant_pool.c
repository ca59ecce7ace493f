/*
 * Reads the constant pool and answers questions about its entries. Called by
 * the class-file engine from any thread; takes no lock.
 */
#include "classfile/constant_pool.h"

#include "classfile/memory.h"

/* Bytes after the tag, by tag; Utf8 is sized by its own length field. */
static const uint8_t data_sizes[] = {
        [CONSTANT_UTF8] = 2,           [CONSTANT_INTEGER] = 4,
        [CONSTANT_FLOAT] = 4,          [CONSTANT_LONG] = 8,
        [CONSTANT_DOUBLE] = 8,         [CONSTANT_CLASS] = 2,
        [CONSTANT_STRING] = 2,         [CONSTANT_FIELDREF] = 4,
        [CONSTANT_METHODREF] = 4,      [CONSTANT_INTERFACE_METHODREF] = 4,
        [CONSTANT_NAME_AND_TYPE] = 4,  [CONSTANT_METHOD_HANDLE] = 3,
        [CONSTANT_METHOD_TYPE] = 2,    [CONSTANT_DYNAMIC] = 4,
        [CONSTANT_INVOKE_DYNAMIC] = 4, [CONSTANT_MODULE] = 2,
        [CONSTANT_PACKAGE] = 2,
};

static uint32_t data_size(uint8_t tag)
{
	return tag < sizeof(data_sizes) ? data_sizes[tag] : 0;
}

uint32_t constant_pool_entry_size(const uint8_t *entry)
{
	uint32_t size = data_size(entry[0]);

	if (!size)
		return 0;
	return 1 + size + (entry[0] == CONSTANT_UTF8 ? bytes_u2(entry + 1) : 0);
}

static const char *read_entries(struct constant_pool *pool, struct cursor *cursor)
{
	for (uint32_t index = 1; index < pool->count; index++) {
		const uint8_t *entry = cursor->at;
		uint8_t tag = cursor_u1(cursor);
		uint32_t size = data_size(tag);

		if (cursor->overrun)
			return "the file ends in the constant pool";
		if (!size)
			return "a constant pool entry has an unknown tag";
		if (tag == CONSTANT_UTF8)
			cursor_take(cursor, cursor_u2(cursor));
		else
			cursor_take(cursor, size);
		if (cursor->overrun)
			return "the file ends in the constant pool";
		pool->offsets[index] = (uint32_t)(entry - pool->bytes);
		if (tag == CONSTANT_LONG || tag == CONSTANT_DOUBLE) {
			if (++index >= pool->count)
				return "a long or double constant has no second index";
			pool->offsets[index] = 0;
		}
	}
	return NULL;
}

const char *constant_pool_read(struct constant_pool *pool, struct cursor *cursor,
                               const struct classfile_memory *memory)
{
	pool->count = cursor_u2(cursor);
	if (cursor->overrun)
		return "the file ends in its header";
	if (!pool->count)
		return "the constant pool's count is 0";
	pool->offsets = class_memory_take(memory, pool->count * sizeof(pool->offsets[0]));
	if (!pool->offsets)
		return "no memory";
	pool->offsets[0] = 0;
	return read_entries(pool, cursor);
}

uint8_t constant_pool_tag(const struct constant_pool *pool, uint16_t index)
{
	if (index >= pool->count || !pool->offsets[index])
		return 0;
	return pool->bytes[pool->offsets[index]];
}

const uint8_t *constant_pool_data(const struct constant_pool *pool, uint16_t index)
{
	return pool->bytes + pool->offsets[index] + 1;
}

bool constant_pool_utf8(const struct constant_pool *pool, uint16_t index,
                        struct classfile_name *text)
{
	const uint8_t *data;

	if (constant_pool_tag(pool, index) != CONSTANT_UTF8)
		return false;
	data = constant_pool_data(pool, index);
	text->length = bytes_u2(data);
	text->bytes = data + 2;
	return true;
}

bool constant_pool_class_name(const struct constant_pool *pool, uint16_t index,
                              struct classfile_name *name)
{
	return constant_pool_tag(pool, index) == CONSTANT_CLASS &&
	       constant_pool_utf8(pool, bytes_u2(constant_pool_data(pool, index)), name);
}

bool constant_pool_name_and_type(const struct constant_pool *pool, uint16_t index,
                                 struct classfile_name *name, struct classfile_name *descriptor)
{
	const uint8_t *data;
	uint16_t pair;

	switch (constant_pool_tag(pool, index)) {
	case CONSTANT_FIELDREF:
	case CONSTANT_METHODREF:
	case CONSTANT_INTERFACE_METHODREF:
	case CONSTANT_DYNAMIC:
	case CONSTANT_INVOKE_DYNAMIC:
		pair = bytes_u2(constant_pool_data(pool, index) + 2);
		break;
	default:
		return false;
	}
	if (constant_pool_tag(pool, pair) != CONSTANT_NAME_AND_TYPE)
		return false;
	data = constant_pool_data(pool, pair);
	return constant_pool_utf8(pool, bytes_u2(data), name) &&
	       constant_pool_utf8(pool, bytes_u2(data + 2), descriptor);
}
