/*
 * Growable arrays and byte buffers over the caller's allocator. Called by the
 * class-file engine from whatever thread parses or rewrites; takes no lock.
 */
#include "classfile/memory.h"

#include "classfile/bytes.h"
#include "classfile/classfile.h"

#include <stdlib.h>
#include <string.h>

static void *resize_with_libc(void *context, void *block, size_t bytes)
{
	(void)context;
	if (!bytes) {
		free(block);
		return NULL;
	}
	return realloc(block, bytes);
}

static const struct classfile_memory libc_memory = {resize_with_libc, NULL};

const struct classfile_memory *class_memory_or_default(const struct classfile_memory *memory)
{
	return memory ? memory : &libc_memory;
}

void *class_memory_take(const struct classfile_memory *memory, size_t bytes)
{
	return memory->resize(memory->context, NULL, bytes);
}

void class_memory_give_back(const struct classfile_memory *memory, void *block)
{
	if (block)
		memory->resize(memory->context, block, 0);
}

void *class_memory_grow(const struct classfile_memory *memory, void *array, size_t *capacity,
                        size_t required, size_t element_size)
{
	size_t larger;
	void *moved;

	if (array && required <= *capacity)
		return array;
	if (required > SIZE_MAX / 2 / element_size)
		return NULL;
	larger = *capacity + *capacity / 2;
	if (larger < required || larger > SIZE_MAX / 2 / element_size)
		larger = required;
	moved = memory->resize(memory->context, array, larger * element_size);
	if (moved)
		*capacity = larger;
	return moved;
}

void code_buffer_init(struct code_buffer *buffer, const struct classfile_memory *memory)
{
	memset(buffer, 0, sizeof(*buffer));
	buffer->memory = memory;
}

void code_buffer_free(struct code_buffer *buffer)
{
	class_memory_give_back(buffer->memory, buffer->bytes);
	code_buffer_init(buffer, buffer->memory);
}

uint8_t *code_buffer_extend(struct code_buffer *buffer, size_t count)
{
	uint8_t *bytes;

	if (buffer->failed)
		return NULL;
	if (count > buffer->capacity - buffer->length) {
		size_t required = buffer->length + count + 64;

		bytes = required < count ? NULL
		                         : class_memory_grow(buffer->memory, buffer->bytes,
		                                             &buffer->capacity, required, 1);
		if (!bytes) {
			buffer->failed = true;
			return NULL;
		}
		buffer->bytes = bytes;
	}
	bytes = buffer->bytes + buffer->length;
	buffer->length += count;
	return bytes;
}

void code_buffer_put_u1(struct code_buffer *buffer, uint32_t value)
{
	uint8_t *at = code_buffer_extend(buffer, 1);

	if (at)
		*at = (uint8_t)value;
}

void code_buffer_put_u2(struct code_buffer *buffer, uint32_t value)
{
	uint8_t *at = code_buffer_extend(buffer, 2);

	if (at)
		bytes_put_u2(at, value);
}

void code_buffer_put_u4(struct code_buffer *buffer, uint32_t value)
{
	uint8_t *at = code_buffer_extend(buffer, 4);

	if (at)
		bytes_put_u4(at, value);
}

void code_buffer_put_bytes(struct code_buffer *buffer, const uint8_t *bytes, size_t count)
{
	uint8_t *at = count ? code_buffer_extend(buffer, count) : NULL;

	if (at)
		memcpy(at, bytes, count);
}

void code_buffer_patch_u2(struct code_buffer *buffer, size_t offset, uint32_t value)
{
	if (!buffer->failed)
		bytes_put_u2(buffer->bytes + offset, value);
}

void code_buffer_patch_u4(struct code_buffer *buffer, size_t offset, uint32_t value)
{
	if (!buffer->failed)
		bytes_put_u4(buffer->bytes + offset, value);
}
