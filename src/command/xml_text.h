/*
 * xml_text.h: names as text of an XML document, whatever bytes they hold. Pure.
 */
#ifndef HPROF_COMMAND_XML_TEXT_H
#define HPROF_COMMAND_XML_TEXT_H

#include "base/byte_buffer.h"

#include <stddef.h>

/* Appends text, fit for an element and for an attribute's value: what XML gives a meaning is
 * written as an entity, and what it does not allow, or is not UTF-8, as U+FFFD. Of more than
 * most characters the first are written, with ".." in the place of the last two. */
void xml_add_text(struct byte_buffer *out, const char *text, size_t length, size_t most);

#endif
