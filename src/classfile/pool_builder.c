/*
 * Adds constants to a class's pool without repeating any. Called by the
 * rewriter from the rewriting thread; takes no lock.
 */
#include "classfile/pool_builder.h"

#include <string.h>

enum {
	POOL_COUNT_MAX = 65535, /* constant_pool_count is a u2 */
	SMALL_ENTRY_BYTES = 9   /* the largest entry that is not Utf8 */
};

void pool_builder_init(struct pool_builder *builder, const struct constant_pool *base,
                       const struct classfile_memory *memory)
{
	memset(builder, 0, sizeof(*builder));
	builder->base = base;
	builder->count = base->count;
	code_buffer_init(&builder->added, memory);
}

void pool_builder_free(struct pool_builder *builder)
{
	const struct classfile_memory *memory = builder->added.memory;

	class_memory_give_back(memory, builder->added_offsets);
	class_memory_give_back(memory, builder->heads);
	class_memory_give_back(memory, builder->next);
	code_buffer_free(&builder->added);
}

static const uint8_t *entry_at(const struct pool_builder *builder, uint32_t index)
{
	if (index < builder->base->count)
		return builder->base->bytes + builder->base->offsets[index];
	return builder->added.bytes + builder->added_offsets[index - builder->base->count];
}

/* Multiplies words of the entry into a hash; entries are short. */
static uint32_t hash_bytes(const uint8_t *bytes, size_t length)
{
	uint64_t hash = length;

	for (; length >= 4; bytes += 4, length -= 4)
		hash = (hash ^ bytes_u4(bytes)) * 0x9E3779B97F4A7C15u;
	for (; length; bytes++, length--)
		hash = (hash ^ *bytes) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(hash >> 32);
}

static void link_entry(struct pool_builder *builder, uint32_t index, uint32_t hash)
{
	uint16_t *head = &builder->heads[hash & builder->mask];

	builder->next[index] = *head;
	*head = (uint16_t)index;
}

static bool reserve_chains(struct pool_builder *builder, size_t entries)
{
	uint16_t *next =
	        class_memory_grow(builder->added.memory, builder->next, &builder->next_capacity,
	                          entries, sizeof(builder->next[0]));

	if (!next) {
		builder->no_memory = true;
		return false;
	}
	builder->next = next;
	return true;
}

/* Hashes the file's own entries, once, before the first addition. */
static bool index_base(struct pool_builder *builder)
{
	uint32_t buckets = 256;

	if (builder->heads)
		return true;
	while (buckets < builder->base->count)
		buckets *= 2;
	if (!reserve_chains(builder, builder->base->count + 64u))
		return false;
	builder->heads =
	        class_memory_take(builder->added.memory, buckets * sizeof(builder->heads[0]));
	if (!builder->heads) {
		builder->no_memory = true;
		return false;
	}
	memset(builder->heads, 0, buckets * sizeof(builder->heads[0]));
	builder->mask = buckets - 1;
	for (uint32_t index = 1; index < builder->base->count; index++) {
		if (builder->base->offsets[index]) {
			const uint8_t *entry = entry_at(builder, index);

			link_entry(builder, index,
			           hash_bytes(entry, constant_pool_entry_size(entry)));
		}
	}
	return true;
}

static uint16_t find(const struct pool_builder *builder, const uint8_t *entry, size_t size,
                     uint32_t hash)
{
	uint16_t index = builder->heads[hash & builder->mask];

	for (; index; index = builder->next[index]) {
		const uint8_t *other = entry_at(builder, index);

		if (constant_pool_entry_size(other) == size && !memcmp(other, entry, size))
			return index;
	}
	return 0;
}

static uint16_t append(struct pool_builder *builder, const uint8_t *entry, size_t size,
                       uint32_t hash)
{
	uint32_t index = builder->count;
	uint32_t width = entry[0] == CONSTANT_LONG ? 2 : 1;
	size_t added = index - builder->base->count;
	uint32_t *offsets;

	if (index + width > POOL_COUNT_MAX) {
		builder->full = true;
		return 0;
	}
	offsets = class_memory_grow(builder->added.memory, builder->added_offsets,
	                            &builder->added_capacity, added + 32,
	                            sizeof(builder->added_offsets[0]));
	if (offsets)
		builder->added_offsets = offsets;
	if (!offsets || !reserve_chains(builder, index + width)) {
		builder->no_memory = true;
		return 0;
	}
	offsets[added] = (uint32_t)builder->added.length;
	if (width == 2)
		offsets[added + 1] = offsets[added];
	code_buffer_put_bytes(&builder->added, entry, size);
	if (builder->added.failed) {
		builder->no_memory = true;
		return 0;
	}
	link_entry(builder, index, hash);
	builder->count += width;
	return (uint16_t)index;
}

static uint16_t intern(struct pool_builder *builder, const uint8_t *entry, size_t size)
{
	uint32_t hash;
	uint16_t index;

	if (builder->no_memory || !index_base(builder))
		return 0;
	hash = hash_bytes(entry, size);
	index = find(builder, entry, size, hash);
	return index ? index : append(builder, entry, size, hash);
}

struct pool_mark pool_builder_mark(const struct pool_builder *builder)
{
	struct pool_mark mark = {builder->count, builder->added.length};

	return mark;
}

void pool_builder_roll_back(struct pool_builder *builder, struct pool_mark mark)
{
	while (builder->count > mark.count) {
		uint32_t index = --builder->count;
		const uint8_t *entry;

		/* The second index of a long has the offset of its first and is in no chain. */
		if (index > mark.count &&
		    builder->added_offsets[index - builder->base->count] ==
		            builder->added_offsets[index - 1 - builder->base->count])
			index = --builder->count;
		entry = entry_at(builder, index);
		builder->heads[hash_bytes(entry, constant_pool_entry_size(entry)) & builder->mask] =
		        builder->next[index];
	}
	builder->added.length = mark.length;
	builder->full = false;
}

struct classfile_name pool_builder_name(const char *text)
{
	size_t length = strlen(text);
	struct classfile_name name = {(const uint8_t *)text,
	                              (uint16_t)(length <= UINT16_MAX ? length : 0)};

	return name;
}

uint16_t pool_builder_utf8(struct pool_builder *builder, struct classfile_name text)
{
	uint8_t small[256];
	uint8_t *entry = small;
	size_t size = 3 + (size_t)text.length;
	uint16_t index;

	if (size > sizeof(small))
		entry = class_memory_take(builder->added.memory, size);
	if (!entry) {
		builder->no_memory = true;
		return 0;
	}
	entry[0] = CONSTANT_UTF8;
	bytes_put_u2(entry + 1, text.length);
	memcpy(entry + 3, text.bytes, text.length);
	index = intern(builder, entry, size);
	if (entry != small)
		class_memory_give_back(builder->added.memory, entry);
	return index;
}

uint16_t pool_builder_text(struct pool_builder *builder, const char *text)
{
	return pool_builder_utf8(builder, pool_builder_name(text));
}

uint16_t pool_builder_integer(struct pool_builder *builder, int32_t value)
{
	uint8_t entry[5] = {CONSTANT_INTEGER};

	bytes_put_u4(entry + 1, (uint32_t)value);
	return intern(builder, entry, sizeof(entry));
}

uint16_t pool_builder_long(struct pool_builder *builder, int64_t value)
{
	uint8_t entry[SMALL_ENTRY_BYTES] = {CONSTANT_LONG};

	bytes_put_u4(entry + 1, (uint32_t)((uint64_t)value >> 32));
	bytes_put_u4(entry + 5, (uint32_t)value);
	return intern(builder, entry, sizeof(entry));
}

/* An entry of one or two indexes; a 0 among them is a failure passed on. */
static uint16_t intern_indexes(struct pool_builder *builder, enum constant_tag tag, uint16_t first,
                               uint16_t second, size_t size)
{
	uint8_t entry[5] = {(uint8_t)tag};

	if (!first || !second)
		return 0;
	bytes_put_u2(entry + 1, first);
	bytes_put_u2(entry + 3, second);
	return intern(builder, entry, size);
}

uint16_t pool_builder_class(struct pool_builder *builder, struct classfile_name name)
{
	return intern_indexes(builder, CONSTANT_CLASS, pool_builder_utf8(builder, name), 1, 3);
}

uint16_t pool_builder_string(struct pool_builder *builder, struct classfile_name text)
{
	return intern_indexes(builder, CONSTANT_STRING, pool_builder_utf8(builder, text), 1, 3);
}

uint16_t pool_builder_member(struct pool_builder *builder, enum constant_tag tag,
                             const char *class_name, const char *name, const char *descriptor)
{
	uint16_t owner = pool_builder_class(builder, pool_builder_name(class_name));
	uint16_t pair =
	        intern_indexes(builder, CONSTANT_NAME_AND_TYPE, pool_builder_text(builder, name),
	                       pool_builder_text(builder, descriptor), 5);

	return intern_indexes(builder, tag, owner, pair, 5);
}
