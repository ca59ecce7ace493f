/*
 * error_texts.c: see error_texts.h. Any thread; no lock.
 */
#include "error_texts.h"

#include "os.h"

#include <stddef.h>

const char *error_text_of_ours(int code)
{
	switch (code) {
	case OS_TIMED_OUT:
		return "timed out";
	case OS_UNSUPPORTED:
		return "not supported on this system";
	case OS_CLOSED:
		return "connection closed by the peer";
	case OS_NOT_OURS:
		return "belongs to another user, or is reached by a link of one";
	case OS_NO_SUCH_HOST:
		return "host name does not resolve";
	case OS_NO_MEMORY:
		return "out of memory";
	case OS_HARD_LINK:
		return "the file has another name (a hard link)";
	case OS_DESCRIPTOR_LOST:
		return "the program has closed its descriptor";
	case OS_TOO_LARGE:
		return "a value is too large for its field";
	default:
		return NULL;
	}
}
