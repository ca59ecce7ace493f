/*
 * frame_names.c: see frame_names.h.
 */
#include "report/frame_names.h"

#include <stdlib.h>
#include <string.h>

/* The length of the text before the last dot of its first length bytes; 0 if there is none. */
static size_t before_dot(const char *text, size_t length)
{
	while (length > 0 && text[length - 1] != '.')
		length--;
	return length == 0 ? 0 : length - 1;
}

const struct string *frame_class(const struct report_profile *profile, const struct string *method)
{
	size_t length = before_dot(method->text, method->length);
	return length == 0 ? method : string_table_intern(profile->strings, method->text, length);
}

const struct string *frame_package(const struct report_profile *profile,
                                   const struct string *method)
{
	static const char none[] = "(no package)";
	const struct string *name = frame_class(profile, method);

	if (name == NULL || name->length == 0 || name->text[0] == '<')
		return name;
	size_t length = before_dot(name->text, name->length);
	return length == 0 ? string_table_intern(profile->strings, none, strlen(none))
	                   : string_table_intern(profile->strings, name->text, length);
}

/* Interns two texts, one after the other. */
static const struct string *joined(const struct report_profile *profile, const char *first,
                                   size_t first_length, const char *second, size_t second_length)
{
	char *text = malloc(first_length + second_length + 1);
	if (text == NULL)
		return NULL;
	memcpy(text, first, first_length);
	memcpy(text + first_length, second, second_length);
	const struct string *result =
	        string_table_intern(profile->strings, text, first_length + second_length);
	free(text);
	return result;
}

const struct string *frame_line(const struct report_profile *profile,
                                const struct report_frame *frame)
{
	return joined(profile, frame->method->text, frame->method->length, frame->place->text,
	              frame->place->length);
}

const struct string *frame_thread(const struct report_profile *profile, uint32_t thread)
{
	static const char prefix[] = "thread ";
	const struct string *name = report_find_thread(profile, thread);
	if (name == NULL)
		return string_table_intern(profile->strings, "thread", strlen("thread"));
	return joined(profile, prefix, strlen(prefix), name->text, name->length);
}

bool trace_is_stackless(const struct report_profile *profile, uint32_t serial)
{
	static const char class_name[] = "<no_stack>.";
	const struct report_trace *trace = report_find_trace(profile, serial);
	return trace == NULL || trace->depth == 0 ||
	       (trace->depth == 1 &&
	        strncmp(trace->frames[0].method->text, class_name, strlen(class_name)) == 0);
}
