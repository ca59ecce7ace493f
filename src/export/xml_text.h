/*
 * xml_text.h: converts names with any bytes to text of an XML document. Pure.
 */
#ifndef HPROF_EXPORT_XML_TEXT_H
#define HPROF_EXPORT_XML_TEXT_H

#include "base/byte_buffer.h"

#include <stddef.h>

/* Appends text for an element or an attribute value: characters with a meaning in XML become
 * entities; bytes that XML does not allow or that are not UTF-8 become U+FFFD. Text of more
 * than most characters is cut, with ".." as its last two. */
void xml_add_text(struct byte_buffer *out, const char *text, size_t length, size_t most);

#endif
