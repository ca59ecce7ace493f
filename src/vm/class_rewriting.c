/*
 * class_rewriting.c: see class_rewriting.h.
 */
#include "vm/class_rewriting.h"

#include "base/messages.h"

#include <stdlib.h>
#include <string.h>

char *class_rewriting_name(struct classfile_name name)
{
	char *copy = malloc((size_t)name.length + 1);
	if (copy == NULL)
		return NULL;
	memcpy(copy, name.bytes, name.length);
	copy[name.length] = '\0';
	return copy;
}

char *class_rewriting_dotted_name(struct classfile_name name)
{
	char *copy = class_rewriting_name(name);
	for (char *at = copy; at != NULL && *at != '\0'; at++) {
		if (*at == '/')
			*at = '.';
	}
	return copy;
}

void class_rewriting_print_skipped(const struct classfile *classfile,
                                   const struct classfile_method *method, enum rewrite_skip reason)
{
	char *class_name = class_rewriting_dotted_name(classfile_class_name(classfile));
	if (class_name != NULL)
		message_print("left alone: %s.%.*s (%s)", class_name, method->name.length,
		              (const char *)method->name.bytes, rewrite_skip_text(reason));
	free(class_name);
}

uint32_t class_rewriting_skipped(const struct rewrite_result *result)
{
	uint32_t left_alone = 0;
	for (int i = 0; i < REWRITE_SKIP_COUNT; i++)
		left_alone += result->skipped[i];
	return left_alone;
}
