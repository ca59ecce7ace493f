/*
 * class_name.c: JVM type signatures (JVMS 4.3.2) in the form of Java source.
 */
#include "model/classes.h"

#include <stdbool.h>
#include <string.h>

/* An output buffer; length includes characters that did not fit. */
struct bounded {
	char *text;
	size_t size;
	size_t length;
};

static void put(struct bounded *out, char c)
{
	if (out->length + 1 < out->size)
		out->text[out->length] = c;
	out->length++;
}

static void put_text(struct bounded *out, const char *text)
{
	for (; *text != '\0'; text++)
		put(out, *text);
}

static const char *primitive_name(char code)
{
	switch (code) {
	case 'Z':
		return "boolean";
	case 'B':
		return "byte";
	case 'C':
		return "char";
	case 'S':
		return "short";
	case 'I':
		return "int";
	case 'J':
		return "long";
	case 'F':
		return "float";
	case 'D':
		return "double";
	case 'V':
		return "void";
	default:
		return NULL;
	}
}

/* A hidden class is "LA$$Lambda.0x1f;" to the JVM, with the only dot that a
 * signature can have. */
static void put_class(struct bounded *out, const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (name[i] == '/')
			put(out, '.');
		else if (name[i] == '.')
			put(out, '/');
		else
			put(out, name[i]);
	}
}

size_t class_name_from_signature(const char *signature, char *name, size_t size)
{
	struct bounded out = {name, size, 0};
	size_t dimensions = strspn(signature, "[");
	const char *element = signature + dimensions;
	size_t length = strlen(element);
	const char *primitive = length == 1 ? primitive_name(element[0]) : NULL;

	if (primitive != NULL)
		put_text(&out, primitive);
	else if (length >= 2 && element[0] == 'L' && element[length - 1] == ';')
		put_class(&out, element + 1, length - 2);
	else
		put_class(&out, element, length);

	for (size_t i = 0; i < dimensions; i++)
		put_text(&out, "[]");
	if (size > 0)
		name[out.length < size ? out.length : size - 1] = '\0';
	return out.length;
}

bool class_signature_is(const char *signature, const char *internal_name)
{
	size_t length = strlen(internal_name);
	return signature[0] == 'L' && strncmp(signature + 1, internal_name, length) == 0 &&
	       strcmp(signature + 1 + length, ";") == 0;
}
