/*
 * The engine's memory: growable arrays and a byte buffer for output. The one
 * place in the engine that calls the allocator. No locks, any thread.
 */
#ifndef HPROF_CLASSFILE_MEMORY_H
#define HPROF_CLASSFILE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct classfile_memory;

/* The C library's allocator, which stands in for NULL. */
const struct classfile_memory *class_memory_or_default(const struct classfile_memory *memory);

/* A new block, or NULL. */
void *class_memory_take(const struct classfile_memory *memory, size_t bytes);

/* Frees a block; NULL is allowed. */
void class_memory_give_back(const struct classfile_memory *memory, void *block);

/*
 * Grows an array to hold at least required elements. Returns the array, which may
 * have moved, and raises *capacity; returns NULL, with the old array intact,
 * when there is no memory. Never call it with required 0.
 */
void *class_memory_grow(const struct classfile_memory *memory, void *array, size_t *capacity,
                        size_t required, size_t element_size);

/*
 * Bytes being written. After an allocation failure, or past the limit that the
 * owner may set, failed is true and further writes do nothing: check it once at the end.
 */
struct code_buffer {
	const struct classfile_memory *memory;
	uint8_t *bytes;
	size_t length;
	size_t capacity;
	bool failed;
};

void code_buffer_init(struct code_buffer *buffer, const struct classfile_memory *memory);
void code_buffer_free(struct code_buffer *buffer);

/* Appends count bytes to be filled in by the caller; NULL if there is no memory. */
uint8_t *code_buffer_extend(struct code_buffer *buffer, size_t count);

void code_buffer_put_u1(struct code_buffer *buffer, uint32_t value);
void code_buffer_put_u2(struct code_buffer *buffer, uint32_t value);
void code_buffer_put_u4(struct code_buffer *buffer, uint32_t value);
void code_buffer_put_bytes(struct code_buffer *buffer, const uint8_t *bytes, size_t count);

/* Overwrites bytes already written at an offset. Nothing happens once failed. */
void code_buffer_patch_u2(struct code_buffer *buffer, size_t offset, uint32_t value);
void code_buffer_patch_u4(struct code_buffer *buffer, size_t offset, uint32_t value);

#endif
