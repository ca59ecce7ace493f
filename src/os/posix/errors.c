/*
 * errors.c: words for the codes of os.h. Any thread; no lock.
 */
#undef _GNU_SOURCE /* for the standard strerror_r(), which fills the buffer */

#include "os.h"

#include <stdio.h>
#include <string.h>

static const char *own_text(int code)
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
	default:
		return NULL;
	}
}

void os_error_text(int code, char *text, size_t size)
{
	if (size == 0)
		return;
	const char *own = own_text(code);
	if (own != NULL) {
		(void)snprintf(text, size, "%s", own);
		return;
	}
	char system[OS_ERROR_TEXT_MAX];
	if (code > 0 && strerror_r(code, system, sizeof(system)) == 0)
		(void)snprintf(text, size, "%s", system);
	else
		(void)snprintf(text, size, "error %d", code);
}
