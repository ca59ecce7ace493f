/*
 * errors.c: words for the codes of os.h, which here are GetLastError()'s and
 * Winsock's: the system has texts for both. Any thread; no lock.
 */
#include "system.h"

#include "error_texts.h"
#include "names.h"
#include "os.h"

#include <stdio.h>

/* The system ends its sentences with a full stop and a new line. */
static void cut_end(char *text)
{
	size_t length = strlen(text);
	while (length > 0 && strchr(" .\r\n", text[length - 1]) != NULL)
		text[--length] = '\0';
}

static bool system_text(int code, char *text, size_t size)
{
	wchar_t wide[OS_ERROR_TEXT_MAX];
	const DWORD how = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS |
	                  FORMAT_MESSAGE_MAX_WIDTH_MASK;
	if (code <= 0 || FormatMessageW(how, NULL, (DWORD)code, 0, wide,
	                                sizeof(wide) / sizeof(wide[0]), NULL) == 0)
		return false;
	if (names_to_utf8(wide, text, size) != 0)
		return false;
	cut_end(text);
	return text[0] != '\0';
}

void os_error_text(int code, char *text, size_t size)
{
	char whole[3 * OS_ERROR_TEXT_MAX + 1]; /* UTF-8 takes three bytes a unit at most */
	if (size == 0)
		return;
	const char *own = error_text_of_ours(code);
	if (own != NULL)
		(void)snprintf(text, size, "%s", own);
	else if (system_text(code, whole, sizeof(whole)))
		(void)snprintf(text, size, "%s", whole);
	else
		(void)snprintf(text, size, "error %d", code);
}
