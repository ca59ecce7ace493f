/*
 * Adds constants after those of a class's own constant pool, each once: an equal
 * constant in the file or among the added ones is used again. Used by
 * the rewriter only, from the rewriting thread; no locks.
 */
#ifndef HPROF_CLASSFILE_POOL_BUILDER_H
#define HPROF_CLASSFILE_POOL_BUILDER_H

#include "classfile/constant_pool.h"
#include "classfile/memory.h"

struct pool_builder {
	const struct constant_pool *base;
	struct code_buffer added; /* the new entries */
	uint32_t *added_offsets;  /* by index minus base->count */
	size_t added_capacity;
	uint16_t *heads; /* hash chains over all entries; NULL until first needed */
	uint16_t *next;
	size_t next_capacity;
	uint32_t mask;
	uint32_t count; /* constant_pool_count with the additions */
	bool full;      /* an addition was refused: there are 65,535 already */
	bool no_memory;
};

/* Where the pool stood, to take back what a method added when it is left alone after all. */
struct pool_mark {
	uint32_t count;
	size_t length;
};

void pool_builder_init(struct pool_builder *builder, const struct constant_pool *base,
                       const struct classfile_memory *memory);
void pool_builder_free(struct pool_builder *builder);

struct pool_mark pool_builder_mark(const struct pool_builder *builder);

/* Removes everything added since the mark, and forgets full. */
void pool_builder_roll_back(struct pool_builder *builder, struct pool_mark mark);

/* Each returns the index of the constant, or 0 after setting full or no_memory. */
uint16_t pool_builder_utf8(struct pool_builder *builder, struct classfile_name text);
uint16_t pool_builder_text(struct pool_builder *builder, const char *text);
uint16_t pool_builder_integer(struct pool_builder *builder, int32_t value);
uint16_t pool_builder_long(struct pool_builder *builder, int64_t value);
uint16_t pool_builder_class(struct pool_builder *builder, struct classfile_name name);
uint16_t pool_builder_string(struct pool_builder *builder, struct classfile_name text);

/* A Methodref, InterfaceMethodref or Fieldref, by its tag. */
uint16_t pool_builder_member(struct pool_builder *builder, enum constant_tag tag,
                             const char *class_name, const char *name, const char *descriptor);

/* A name from a C string; a text over 65,535 bytes is cut to length 0. */
struct classfile_name pool_builder_name(const char *text);

#endif
