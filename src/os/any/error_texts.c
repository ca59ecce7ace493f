/*
 * error_texts.c: see error_texts.h. Any thread; no lock.
 */
#include "error_texts.h"

#include "os.h"

#include <stddef.h>

const char *error_text_of_ours(int code)
{
	switch (code) {
#define OS_ERROR_TEXT(name, number, text) \
	case name:                        \
		return text;
		OS_ERRORS(OS_ERROR_TEXT)
#undef OS_ERROR_TEXT
	default:
		return NULL;
	}
}
