/*
 * modified_utf8.h: conversion of the JVM's modified UTF-8 (JVMS 4.4.7) to plain UTF-8. Pure
 * functions; any thread.
 */
#ifndef HPROF_BASE_MODIFIED_UTF8_H
#define HPROF_BASE_MODIFIED_UTF8_H

#include <stddef.h>

/* The most bytes that utf8_from_modified() writes for length bytes of input: an invalid
 * byte becomes the three bytes of U+FFFD. */
#define UTF8_FROM_MODIFIED_MAX(length) ((length)*3)

/* Whether the bytes are the same in both encodings (plain ASCII without NUL,
 * the common case), so that no conversion is needed. */
int modified_utf8_is_ascii(const char *bytes, size_t length);

/* Converts length bytes; utf8 must have room for UTF8_FROM_MODIFIED_MAX(length) bytes.
 * Returns the number of bytes written, without a terminator. A surrogate pair becomes one
 * four-byte character, C0 80 becomes NUL; lone surrogates and invalid bytes become
 * U+FFFD. */
size_t utf8_from_modified(const char *modified, size_t length, char *utf8);

#endif
