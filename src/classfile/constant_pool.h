/*
 * The constant pool as read (JVMS 4.4). Used by the class-file engine only;
 * read-only after constant_pool_read, so any thread may use it.
 */
#ifndef HPROF_CLASSFILE_CONSTANT_POOL_H
#define HPROF_CLASSFILE_CONSTANT_POOL_H

#include "classfile/bytes.h"
#include "classfile/classfile.h"

enum constant_tag {
	CONSTANT_UTF8 = 1,
	CONSTANT_INTEGER = 3,
	CONSTANT_FLOAT = 4,
	CONSTANT_LONG = 5,
	CONSTANT_DOUBLE = 6,
	CONSTANT_CLASS = 7,
	CONSTANT_STRING = 8,
	CONSTANT_FIELDREF = 9,
	CONSTANT_METHODREF = 10,
	CONSTANT_INTERFACE_METHODREF = 11,
	CONSTANT_NAME_AND_TYPE = 12,
	CONSTANT_METHOD_HANDLE = 15,
	CONSTANT_METHOD_TYPE = 16,
	CONSTANT_DYNAMIC = 17,
	CONSTANT_INVOKE_DYNAMIC = 18,
	CONSTANT_MODULE = 19,
	CONSTANT_PACKAGE = 20
};

struct constant_pool {
	const uint8_t *bytes; /* of the whole class file */
	uint32_t *offsets;    /* of each entry's tag; 0 where an index is unusable */
	uint16_t count;       /* as in the file: one more than the last index */
};

/*
 * Reads the pool's count and entries and leaves the cursor after them. On
 * failure returns a reason; on success NULL, and the caller frees offsets.
 */
const char *constant_pool_read(struct constant_pool *pool, struct cursor *cursor,
                               const struct classfile_memory *memory);

/* Bytes that an entry occupies, its tag included. 0 for an unknown tag. */
uint32_t constant_pool_entry_size(const uint8_t *entry);

/* The tag at an index; 0 where there is no entry. */
uint8_t constant_pool_tag(const struct constant_pool *pool, uint16_t index);

/* The entry's bytes after its tag. The index must have a tag. */
const uint8_t *constant_pool_data(const struct constant_pool *pool, uint16_t index);

/* The text of a Utf8 entry; false if the index is none. */
bool constant_pool_utf8(const struct constant_pool *pool, uint16_t index,
                        struct classfile_name *text);

/* The name in a Class entry; false if the index is none. */
bool constant_pool_class_name(const struct constant_pool *pool, uint16_t index,
                              struct classfile_name *name);

/* Name and descriptor of a reference, Dynamic or InvokeDynamic entry; false if it is none. */
bool constant_pool_name_and_type(const struct constant_pool *pool, uint16_t index,
                                 struct classfile_name *name, struct classfile_name *descriptor);

#endif
