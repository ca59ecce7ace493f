/*
 * errors.c: words for the codes of os.h. Any thread; no lock.
 */
#undef _GNU_SOURCE /* for the standard strerror_r(), which fills the buffer */

#include "error_texts.h"
#include "os.h"

#include <stdio.h>
#include <string.h>

void os_error_text(int code, char *text, size_t size)
{
	if (size == 0)
		return;
	const char *own = error_text_of_ours(code);
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
