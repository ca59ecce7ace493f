/*
 * annotations.c: see annotations.h. Called when a class is loaded, from the
 * loading thread; takes no lock.
 */
#include "classfile/annotations.h"

#include "classfile/reader.h"

enum {
	METHOD_HEADER_BYTES = 6, /* flags, name, descriptor */
	NESTING_MAX = 16         /* of annotations within annotations */
};

/* Finds the attribute of that name in a list of them; its body in *body. */
static bool find_attribute(const struct classfile *classfile, struct cursor list, const char *name,
                           struct cursor *body)
{
	for (uint32_t left = cursor_u2(&list); left && !list.overrun; left--) {
		struct classfile_name found;
		uint16_t name_index = cursor_u2(&list);
		uint32_t length = cursor_u4(&list);
		const uint8_t *bytes = cursor_take(&list, length);

		if (bytes && constant_pool_utf8(&classfile->pool, name_index, &found) &&
		    classfile_name_is(found, name)) {
			*body = cursor_over(bytes, length);
			return true;
		}
	}
	return false;
}

bool classfile_source_file(const struct classfile *classfile, struct classfile_name *name)
{
	const uint8_t *end = classfile->bytes + classfile->length;
	struct cursor list =
	        cursor_over(classfile->after_methods, (size_t)(end - classfile->after_methods));
	struct cursor body;

	return find_attribute(classfile, list, "SourceFile", &body) &&
	       constant_pool_utf8(&classfile->pool, cursor_u2(&body), name);
}

static void skip_annotation(struct cursor *cursor, int nesting);

/* Moves over an element_value (JVMS 4.7.16.1). */
static void skip_element_value(struct cursor *cursor, int nesting)
{
	if (nesting > NESTING_MAX) {
		cursor->overrun = true;
		return;
	}
	switch (cursor_u1(cursor)) {
	case 'e':
		cursor_take(cursor, 4);
		break;
	case '@':
		cursor_u2(cursor);
		skip_annotation(cursor, nesting + 1);
		break;
	case '[':
		for (uint32_t left = cursor_u2(cursor); left && !cursor->overrun; left--)
			skip_element_value(cursor, nesting + 1);
		break;
	default: /* a constant or a class */
		cursor_u2(cursor);
		break;
	}
}

/* Skips the rest of an annotation after its type. */
static void skip_annotation(struct cursor *cursor, int nesting)
{
	for (uint32_t left = cursor_u2(cursor); left && !cursor->overrun; left--) {
		cursor_u2(cursor);
		skip_element_value(cursor, nesting);
	}
}

bool classfile_method_has_annotation(const struct classfile *classfile, uint32_t index,
                                     const char *type)
{
	struct cursor annotations;

	if (index >= classfile->method_count)
		return false;
	const struct method_record *method = &classfile->methods[index];
	struct cursor list =
	        cursor_over(method->begin + METHOD_HEADER_BYTES,
	                    (size_t)(method->end - method->begin) - METHOD_HEADER_BYTES);
	if (!find_attribute(classfile, list, "RuntimeVisibleAnnotations", &annotations))
		return false;
	for (uint32_t left = cursor_u2(&annotations); left && !annotations.overrun; left--) {
		struct classfile_name found;

		if (constant_pool_utf8(&classfile->pool, cursor_u2(&annotations), &found) &&
		    classfile_name_is(found, type))
			return true;
		skip_annotation(&annotations, 0);
	}
	return false;
}
