/*
 * Parses a class file into places of its parts, with every length checked.
 * Called when a class is loaded, from the loading thread; takes no lock.
 */
#include "classfile/reader.h"

#include "classfile/attributes.h"
#include "classfile/memory.h"

#include <string.h>

#define CLASSFILE_MAGIC 0xCAFEBABEu

enum { EXCEPTION_ENTRY_BYTES = 8, LINE_ENTRY_BYTES = 4 };

static const char no_memory[] = "no memory";
static const char ends_early[] = "the file ends early";

bool classfile_has_short_code_layout(const struct classfile *classfile)
{
	return classfile_major_version(classfile) < VERSION_FIRST ||
	       (classfile_major_version(classfile) == VERSION_FIRST &&
	        classfile_minor_version(classfile) < 3);
}

static const char *skip_attributes(struct cursor *cursor)
{
	for (uint32_t left = cursor_u2(cursor); left && !cursor->overrun; left--) {
		cursor_u2(cursor);
		cursor_take(cursor, cursor_u4(cursor));
	}
	return cursor->overrun ? "the file ends in an attribute" : NULL;
}

static const char *skip_fields(struct cursor *cursor)
{
	const char *reason = NULL;

	for (uint32_t left = cursor_u2(cursor); left && !reason; left--) {
		cursor_take(cursor, 6);
		reason = skip_attributes(cursor);
	}
	return reason;
}

/* Reads the body of a Code attribute (JVMS 4.7.3). */
static const char *read_code(struct method_record *method, const uint8_t *body, uint32_t length)
{
	struct cursor cursor = cursor_over(body, length);
	const char *reason;

	method->view.max_stack = cursor_u2(&cursor);
	method->view.max_locals = cursor_u2(&cursor);
	method->view.code_length = cursor_u4(&cursor);
	method->view.code = cursor_take(&cursor, method->view.code_length);
	if (cursor.overrun)
		return "a Code attribute is shorter than its code";
	method->exception_count = cursor_u2(&cursor);
	method->exceptions =
	        cursor_take(&cursor, (size_t)method->exception_count * EXCEPTION_ENTRY_BYTES);
	if (cursor.overrun)
		return "a Code attribute is shorter than its exception table";
	method->attribute_count = cursor_u2(&cursor);
	method->attributes = cursor.at;
	cursor.at -= cursor.overrun ? 0 : 2;
	reason = skip_attributes(&cursor);
	if (!reason && cursor_left(&cursor))
		reason = "a Code attribute is longer than its parts";
	return reason;
}

static const char *read_method_attribute(const struct classfile *classfile,
                                         struct method_record *method, struct cursor *cursor)
{
	const uint8_t *begin = cursor->at;
	uint16_t name = cursor_u2(cursor);
	uint32_t length = cursor_u4(cursor);
	const uint8_t *body = cursor_take(cursor, length);

	if (cursor->overrun)
		return "the file ends in an attribute";
	if (attribute_kind(&classfile->pool, name) != ATTRIBUTE_CODE)
		return NULL;
	if (method->code_attribute)
		return "a method has two Code attributes";
	method->code_attribute = begin;
	method->code_end = cursor->at;
	if (classfile_has_short_code_layout(classfile))
		return NULL;
	return read_code(method, body, length);
}

static const char *read_method(const struct classfile *classfile, struct method_record *method,
                               struct cursor *cursor)
{
	uint16_t name;
	uint16_t descriptor;
	uint32_t left;

	method->begin = cursor->at;
	method->view.access_flags = cursor_u2(cursor);
	name = cursor_u2(cursor);
	descriptor = cursor_u2(cursor);
	left = cursor_u2(cursor);
	if (cursor->overrun)
		return "the file ends in a method";
	if (!constant_pool_utf8(&classfile->pool, name, &method->view.name) ||
	    !constant_pool_utf8(&classfile->pool, descriptor, &method->view.descriptor))
		return "a method's name or descriptor is not a Utf8 constant";
	for (; left; left--) {
		const char *reason = read_method_attribute(classfile, method, cursor);

		if (reason)
			return reason;
	}
	method->end = cursor->at;
	return NULL;
}

static const char *read_methods(struct classfile *classfile, struct cursor *cursor)
{
	size_t size;

	classfile->method_count = cursor_u2(cursor);
	classfile->first_method = cursor->at;
	if (cursor->overrun)
		return ends_early;
	/* A method takes 8 bytes at least: a count that cannot be true costs no memory. */
	if (cursor_left(cursor) / 8 < classfile->method_count)
		return "the file ends in its methods";
	if (classfile->method_count) {
		size = classfile->method_count * sizeof(classfile->methods[0]);
		classfile->methods = class_memory_take(classfile->memory, size);
		if (!classfile->methods)
			return no_memory;
		memset(classfile->methods, 0, size);
	}
	for (uint32_t index = 0; index < classfile->method_count; index++) {
		const char *reason = read_method(classfile, &classfile->methods[index], cursor);

		if (reason)
			return reason;
		classfile->methods[index].view.index = index;
	}
	classfile->after_methods = cursor->at;
	return NULL;
}

/* Reads this_class, super_class and the interfaces (JVMS 4.1). */
static const char *read_names(struct classfile *classfile, struct cursor *cursor)
{
	uint16_t super;

	classfile->after_pool = cursor->at;
	classfile->access_flags = cursor_u2(cursor);
	classfile->this_class = cursor_u2(cursor);
	super = cursor_u2(cursor);
	cursor_take(cursor, 2 * (size_t)cursor_u2(cursor));
	if (cursor->overrun)
		return ends_early;
	if (!constant_pool_class_name(&classfile->pool, classfile->this_class,
	                              &classfile->class_name))
		return "this_class is not a Class constant";
	if (super && !constant_pool_class_name(&classfile->pool, super, &classfile->super_name))
		return "super_class is not a Class constant";
	return NULL;
}

static const char *read_class(struct classfile *classfile, struct cursor *cursor)
{
	const char *reason;

	if (cursor_u4(cursor) != CLASSFILE_MAGIC)
		return "the file does not begin with the class-file magic";
	cursor_u4(cursor);
	reason = constant_pool_read(&classfile->pool, cursor, classfile->memory);
	if (!reason)
		reason = read_names(classfile, cursor);
	if (!reason)
		reason = skip_fields(cursor);
	if (!reason)
		reason = read_methods(classfile, cursor);
	if (!reason)
		reason = skip_attributes(cursor);
	if (!reason && cursor_left(cursor))
		reason = "extra bytes after the end of the class";
	return reason;
}

struct classfile *classfile_parse(const uint8_t *bytes, size_t length,
                                  const struct classfile_memory *memory,
                                  struct classfile_error *error)
{
	const struct classfile_memory *source = class_memory_or_default(memory);
	struct classfile *classfile = class_memory_take(source, sizeof(*classfile));
	struct cursor cursor = cursor_over(bytes, length);
	const char *reason = no_memory;

	if (classfile) {
		memset(classfile, 0, sizeof(*classfile));
		classfile->memory = source;
		classfile->bytes = bytes;
		classfile->length = length;
		classfile->pool.bytes = bytes;
		reason = length > INT32_MAX ? "the file is larger than 2 GiB"
		                            : read_class(classfile, &cursor);
	}
	if (!reason)
		return classfile;
	if (error) {
		error->reason = reason;
		error->offset = (size_t)(cursor.at - bytes);
	}
	classfile_free(classfile);
	return NULL;
}

void classfile_free(struct classfile *classfile)
{
	if (!classfile)
		return;
	class_memory_give_back(classfile->memory, classfile->pool.offsets);
	class_memory_give_back(classfile->memory, classfile->methods);
	class_memory_give_back(classfile->memory, classfile);
}

uint16_t classfile_major_version(const struct classfile *classfile)
{
	return bytes_u2(classfile->bytes + 6);
}

uint16_t classfile_minor_version(const struct classfile *classfile)
{
	return bytes_u2(classfile->bytes + 4);
}

uint16_t classfile_access_flags(const struct classfile *classfile)
{
	return classfile->access_flags;
}

struct classfile_name classfile_class_name(const struct classfile *classfile)
{
	return classfile->class_name;
}

struct classfile_name classfile_super_name(const struct classfile *classfile)
{
	return classfile->super_name;
}

uint32_t classfile_method_count(const struct classfile *classfile)
{
	return classfile->method_count;
}

const struct classfile_method *classfile_method(const struct classfile *classfile, uint32_t index)
{
	return index < classfile->method_count ? &classfile->methods[index].view : NULL;
}

size_t classfile_method_lines(const struct classfile *classfile, uint32_t index,
                              struct classfile_line *lines, size_t capacity)
{
	struct attribute_walk walk;
	struct attribute attribute;
	size_t count = 0;

	if (index >= classfile->method_count)
		return 0;
	attribute_walk_begin(&walk, &classfile->methods[index]);
	while (attribute_walk_next(&walk, &classfile->pool, &attribute)) {
		struct cursor entries = cursor_over(attribute.body, attribute.length);
		uint32_t left = attribute.kind == ATTRIBUTE_LINES ? cursor_u2(&entries) : 0;

		for (; left && cursor_left(&entries) >= LINE_ENTRY_BYTES; left--, count++) {
			struct classfile_line line = {cursor_u2(&entries), 0};

			line.line = cursor_u2(&entries);
			if (count < capacity)
				lines[count] = line;
		}
	}
	return count;
}

bool classfile_class_at(const struct classfile *classfile, uint16_t pool_index,
                        struct classfile_name *name)
{
	return constant_pool_class_name(&classfile->pool, pool_index, name);
}

bool classfile_member_at(const struct classfile *classfile, uint16_t pool_index,
                         struct classfile_member *member)
{
	const struct constant_pool *pool = &classfile->pool;
	uint8_t tag = constant_pool_tag(pool, pool_index);

	if (tag != CONSTANT_FIELDREF && tag != CONSTANT_METHODREF &&
	    tag != CONSTANT_INTERFACE_METHODREF)
		return false;
	return constant_pool_class_name(pool, bytes_u2(constant_pool_data(pool, pool_index)),
	                                &member->class_name) &&
	       constant_pool_name_and_type(pool, pool_index, &member->name, &member->descriptor);
}

bool classfile_name_is(struct classfile_name name, const char *text)
{
	size_t length = strlen(text);

	return name.length == length && !memcmp(name.bytes, text, length);
}
