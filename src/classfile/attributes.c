/*
 * Identifies attributes and iterates over those of Code. Called by the
 * class-file engine from any thread; takes no lock.
 */
#include "classfile/attributes.h"

#include <string.h>

struct attribute_name {
	const char *text;
	uint16_t length;
	uint8_t kind; /* an enum attribute_kind */
};

#define NAME(text, kind)                     \
	{                                    \
		text, sizeof(text) - 1, kind \
	}

static const struct attribute_name names[] = {
        NAME("Code", ATTRIBUTE_CODE),
        NAME("StackMapTable", ATTRIBUTE_STACK_MAP),
        NAME("StackMap", ATTRIBUTE_CLDC_STACK_MAP),
        NAME("LineNumberTable", ATTRIBUTE_LINES),
        NAME("LocalVariableTable", ATTRIBUTE_LOCAL_VARIABLES),
        NAME("LocalVariableTypeTable", ATTRIBUTE_LOCAL_VARIABLE_TYPES),
        NAME("RuntimeVisibleTypeAnnotations", ATTRIBUTE_TYPE_ANNOTATIONS),
        NAME("RuntimeInvisibleTypeAnnotations", ATTRIBUTE_TYPE_ANNOTATIONS),
};

enum attribute_kind attribute_kind(const struct constant_pool *pool, uint16_t name)
{
	struct classfile_name text;

	if (!constant_pool_utf8(pool, name, &text))
		return ATTRIBUTE_OTHER;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].length == text.length &&
		    !memcmp(names[i].text, text.bytes, text.length))
			return (enum attribute_kind)names[i].kind;
	}
	return ATTRIBUTE_OTHER;
}

void attribute_walk_begin(struct attribute_walk *walk, const struct method_record *method)
{
	walk->at = method->attributes;
	walk->left = method->attribute_count;
}

bool attribute_walk_next(struct attribute_walk *walk, const struct constant_pool *pool,
                         struct attribute *attribute)
{
	if (!walk->left)
		return false;
	attribute->name = bytes_u2(walk->at);
	attribute->length = bytes_u4(walk->at + 2);
	attribute->body = walk->at + 6;
	attribute->kind = attribute_kind(pool, attribute->name);
	walk->at = attribute->body + attribute->length;
	walk->left--;
	return true;
}
