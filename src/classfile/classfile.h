/*
 * Class-file reader: checks the structure of a class file and gives access to
 * its names, methods and line tables. It knows nothing of a JVM.
 *
 * No global state and no locks: any thread may call it, and a parsed class may
 * be read by several threads at once.
 */
#ifndef HPROF_CLASSFILE_CLASSFILE_H
#define HPROF_CLASSFILE_CLASSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A parsed class file. Points into the bytes it was parsed from. */
struct classfile;

/*
 * Where the engine takes its memory. resize works like realloc; a size of 0
 * frees the block and returns NULL. NULL instead of a struct classfile_memory
 * stands for the C library's allocator.
 */
struct classfile_memory {
	void *(*resize)(void *context, void *block, size_t bytes);
	void *context;
};

/* A name or descriptor in modified UTF-8 (JVMS 4.4.7), not terminated. */
struct classfile_name {
	const uint8_t *bytes;
	uint16_t length;
};

/* Why a class file was refused: a constant text, and the offset where it showed. */
struct classfile_error {
	const char *reason;
	size_t offset;
};

/* One method, as read. The code fields are 0 where the method has no Code attribute. */
struct classfile_method {
	struct classfile_name name;
	struct classfile_name descriptor;
	const uint8_t *code;
	uint32_t code_length;
	uint32_t index; /* position in the class's method table */
	uint16_t access_flags;
	uint16_t max_stack;
	uint16_t max_locals;
};

/* A line number table entry: the line that starts at a bytecode offset. */
struct classfile_line {
	uint16_t offset;
	uint16_t line;
};

/* What a Fieldref, Methodref or InterfaceMethodref names. */
struct classfile_member {
	struct classfile_name class_name;
	struct classfile_name name;
	struct classfile_name descriptor;
};

/* Access flags (JVMS 4.1, 4.6) that users of the engine ask for. */
enum {
	CLASSFILE_PRIVATE = 0x0002,
	CLASSFILE_STATIC = 0x0008,
	CLASSFILE_FINAL = 0x0010,
	CLASSFILE_SYNCHRONIZED = 0x0020,
	CLASSFILE_BRIDGE = 0x0040,
	CLASSFILE_NATIVE = 0x0100,
	CLASSFILE_INTERFACE = 0x0200,
	CLASSFILE_ABSTRACT = 0x0400,
	CLASSFILE_SYNTHETIC = 0x1000,
	CLASSFILE_MODULE = 0x8000
};

/*
 * Parses a class file (JVMS 4.1). Every length is checked before it is used;
 * version numbers are not judged, so that files newer than this code parse as
 * long as their structure is the known one. Names are not checked to be
 * well-formed modified UTF-8.
 *
 * The bytes must stay valid and unchanged while the result lives. memory may be
 * NULL. On failure returns NULL and, if error is not NULL, sets it.
 * Free the result with classfile_free.
 */
struct classfile *classfile_parse(const uint8_t *bytes, size_t length,
                                  const struct classfile_memory *memory,
                                  struct classfile_error *error);

/* Frees a parsed class; NULL is allowed. */
void classfile_free(struct classfile *classfile);

/* The version the file was written for, as in its header. */
uint16_t classfile_major_version(const struct classfile *classfile);
uint16_t classfile_minor_version(const struct classfile *classfile);

/* The first major version in which code can load a class as a constant (JVMS 4.9.1). */
enum { CLASSFILE_LOADS_CLASSES = 49 };

/* The class's access flags (JVMS table 4.1-B). */
uint16_t classfile_access_flags(const struct classfile *classfile);

/* The class's internal name ("java/lang/Object"). */
struct classfile_name classfile_class_name(const struct classfile *classfile);

/* The superclass's internal name; length 0 for java/lang/Object and module-info. */
struct classfile_name classfile_super_name(const struct classfile *classfile);

/* The number of methods, and the method at an index below it (else NULL). */
uint32_t classfile_method_count(const struct classfile *classfile);
const struct classfile_method *classfile_method(const struct classfile *classfile, uint32_t index);

/*
 * Copies at most capacity entries of a method's LineNumberTable attributes
 * (JVMS 4.7.12), in the file's order, and returns how many there are.
 */
size_t classfile_method_lines(const struct classfile *classfile, uint32_t index,
                              struct classfile_line *lines, size_t capacity);

/*
 * The name of the class that a CONSTANT_Class entry stands for, as operands of
 * new, anewarray, checkcast and multianewarray have it. False if the index is
 * not such an entry.
 */
bool classfile_class_at(const struct classfile *classfile, uint16_t pool_index,
                        struct classfile_name *name);

/* What a Fieldref, Methodref or InterfaceMethodref entry names. False if it is none. */
bool classfile_member_at(const struct classfile *classfile, uint16_t pool_index,
                         struct classfile_member *member);

/* True if the name consists of exactly the characters of the C string. */
bool classfile_name_is(struct classfile_name name, const char *text);

#endif
