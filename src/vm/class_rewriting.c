/*
 * class_rewriting.c: see class_rewriting.h.
 */
#include "vm/class_rewriting.h"

#include "base/messages.h"
#include "output/record_writer.h"

#include <stdio.h>
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

struct classfile *class_rewriting_parse(struct class_rewriting *rewriting, const uint8_t *bytes,
                                        size_t length)
{
	struct classfile_error error;
	struct classfile *classfile = classfile_parse(bytes, length, NULL, &error);

	if (classfile == NULL)
		atomic_fetch_add(&rewriting->classes_refused, 1);
	return classfile;
}

bool class_rewriting_apply(struct class_rewriting *rewriting, const struct classfile *classfile,
                           const struct rewrite_plan *plan, uint8_t **rewritten,
                           size_t *rewritten_length)
{
	struct rewrite_result result;
	uint32_t skipped = 0;

	enum rewrite_status status = rewrite_class(classfile, plan, &result);
	for (int i = 0; i < REWRITE_SKIP_COUNT; i++)
		skipped += result.skipped[i];
	atomic_fetch_add(&rewriting->methods_skipped, skipped);
	atomic_fetch_add(&rewriting->methods_grown_huge, result.methods_grown_huge);
	if (status != REWRITE_CHANGED)
		return false;
	*rewritten = result.bytes;
	*rewritten_length = result.length;
	return true;
}

void class_rewriting_print_skipped(const struct class_rewriting *rewriting,
                                   const struct classfile *classfile,
                                   const struct classfile_method *method, enum rewrite_skip reason)
{
	if (!rewriting->verbose)
		return;
	char *class_name = class_rewriting_dotted_name(classfile_class_name(classfile));
	if (class_name != NULL)
		message_print("left alone: %s.%.*s (%s)", class_name, method->name.length,
		              (const char *)method->name.bytes, rewrite_skip_text(reason));
	free(class_name);
}

void class_rewriting_add_reduced(struct class_rewriting *rewriting,
                                 const struct classfile *classfile,
                                 const struct classfile_method *method, const char *what)
{
	atomic_fetch_add(&rewriting->methods_reduced, 1);
	if (!rewriting->verbose)
		return;
	char *class_name = class_rewriting_dotted_name(classfile_class_name(classfile));
	if (class_name != NULL)
		message_print("too long for all code: %s.%.*s (without %s)", class_name,
		              method->name.length, (const char *)method->name.bytes, what);
	free(class_name);
}

void class_rewriting_write_note(const struct class_rewriting *rewriting,
                                struct record_writer *writer, const char *consequence)
{
	uint32_t skipped = atomic_load(&rewriting->methods_skipped);
	uint32_t refused = atomic_load(&rewriting->classes_refused);
	char text[256];

	if (skipped == 0 && refused == 0)
		return;
	(void)snprintf(text, sizeof(text),
	               "%u methods and %u classes could not be instrumented; %s", skipped, refused,
	               consequence);
	writer_note(writer, text);
}
