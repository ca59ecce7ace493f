/*
 * class_builder.h: class files made by hand for the tests of the class-file
 * engine: a class T with one method, whose code and tables a test gives as bytes.
 */
#ifndef HPROF_TESTS_CLASS_BUILDER_H
#define HPROF_TESTS_CLASS_BUILDER_H

#include "classfile/reader.h"
#include "classfile/rewrite.h"
#include "quick_check.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { BUILDER_MAX_BYTES = 1 << 20 };

/* Bytes being put together. */
struct built_bytes {
	uint8_t bytes[BUILDER_MAX_BYTES];
	size_t length;
};

struct class_builder {
	uint16_t major;
	uint16_t minor;
	const char *super; /* NULL for none */
	const char *name;
	const char *method;
	const char *descriptor;
	uint16_t method_flags;
	uint16_t max_stack;
	uint16_t max_locals;
	struct built_bytes pool;
	uint16_t pool_count;
	struct built_bytes fields;
	uint16_t field_count;
	struct built_bytes code;
	struct built_bytes exceptions;
	struct built_bytes attributes; /* of Code */
	uint16_t attribute_count;
	struct built_bytes method_attributes; /* besides Code */
	uint16_t method_attribute_count;
	bool without_code; /* the method is abstract or native */
	bool twice;        /* the class has the method two times */
};

void put(struct built_bytes *to, const void *bytes, size_t count);
void put1(struct built_bytes *to, uint32_t value);
void put2(struct built_bytes *to, uint32_t value);
void put4(struct built_bytes *to, uint32_t value);
void put_repeated(struct built_bytes *to, uint8_t byte, size_t count);
uint16_t add_utf8(struct class_builder *builder, const char *text);
uint16_t add_class(struct class_builder *builder, const char *name);
uint16_t add_member(struct class_builder *builder, enum constant_tag tag, const char *class_name,
                    const char *name, const char *descriptor);

/* A static field of the class. */
void add_field(struct class_builder *builder, const char *name, const char *descriptor);
void add_attribute(struct class_builder *builder, const char *name, const uint8_t *body,
                   size_t length);
void add_exception(struct class_builder *builder, uint32_t start, uint32_t end, uint32_t handler,
                   uint32_t type);

#define ADD_ATTRIBUTE(builder, name, ...)                                             \
	do {                                                                          \
		static const uint8_t attribute_body[] = {__VA_ARGS__};                \
		add_attribute(builder, name, attribute_body, sizeof(attribute_body)); \
	} while (0)

#define ADD_CODE(builder, ...)                                         \
	do {                                                           \
		static const uint8_t code_bytes[] = {__VA_ARGS__};     \
		put(&(builder)->code, code_bytes, sizeof(code_bytes)); \
	} while (0)

/* A static method T.m()V of version 52 with room for stack and locals; free() it. */
struct class_builder *new_builder(void);

/* The class file, from malloc, of exactly *length bytes. Can be called once. */
uint8_t *build_class(struct class_builder *builder, size_t *length);

/* A class before and after it was rewritten; release() it. */
struct rewritten {
	uint8_t *bytes;
	struct classfile *before;
	struct classfile *after; /* NULL if it was not changed */
	struct rewrite_result result;
	enum rewrite_status status;
};

/* Builds, frees the builder, rewrites. */
struct rewritten rewrite_built(struct class_builder *builder, const struct rewrite_plan *plan);
void release(struct rewritten *rewritten);

/* The method of the rewritten class. */
const struct method_record *new_method(const struct rewritten *rewritten);
void assert_bytes(const char *what, const uint8_t *seen, size_t seen_length, const uint8_t *wanted,
                  size_t wanted_length);

#define ASSERT_CODE(rewritten, ...)                                                        \
	do {                                                                               \
		static const uint8_t wanted_code[] = {__VA_ARGS__};                        \
		const struct classfile_method *code_view = &new_method(rewritten)->view;   \
		assert_bytes("code", code_view->code, code_view->code_length, wanted_code, \
		             sizeof(wanted_code));                                         \
	} while (0)

#define ASSERT_EXCEPTIONS(rewritten, ...)                                                \
	do {                                                                             \
		static const uint8_t wanted_entries[] = {__VA_ARGS__};                   \
		const struct method_record *exceptions_of = new_method(rewritten);       \
		assert_bytes("exception table", exceptions_of->exceptions,               \
		             8 * (size_t)exceptions_of->exception_count, wanted_entries, \
		             sizeof(wanted_entries));                                    \
	} while (0)

/* The body of an attribute of the rewritten method's Code; NULL if there is none. */
const uint8_t *new_attribute(const struct rewritten *rewritten, const char *name, size_t *length);

#define ASSERT_ATTRIBUTE(rewritten, name, ...)                                           \
	do {                                                                             \
		static const uint8_t wanted_body[] = {__VA_ARGS__};                      \
		size_t body_length = 0;                                                  \
		const uint8_t *body = new_attribute(rewritten, name, &body_length);      \
		ck_assert_msg(body != NULL, "no attribute " name);                       \
		assert_bytes(name, body, body_length, wanted_body, sizeof(wanted_body)); \
	} while (0)

#endif
