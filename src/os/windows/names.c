/*
 * names.c: see names.h.
 */
#include "system.h"

#include "names.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Up to this length the system takes a path in any form. */
enum { SHORT_PATH_MAX = 240 };

static wchar_t *convert(const char *name, UINT code_page, DWORD flags, int *error)
{
	int length = MultiByteToWideChar(code_page, flags, name, -1, NULL, 0);
	if (length <= 0) {
		*error = system_error();
		return NULL;
	}
	wchar_t *wide = malloc((size_t)length * sizeof(*wide));
	if (wide == NULL) {
		*error = ERROR_NOT_ENOUGH_MEMORY;
		return NULL;
	}
	if (MultiByteToWideChar(code_page, flags, name, -1, wide, length) != length) {
		*error = system_error();
		free(wide);
		return NULL;
	}
	return wide;
}

wchar_t *names_to_wide(const char *name, int *error)
{
	wchar_t *wide = convert(name, CP_UTF8, MB_ERR_INVALID_CHARS, error);
	if (wide == NULL && *error == ERROR_NO_UNICODE_TRANSLATION)
		wide = convert(name, CP_ACP, 0, error);
	return wide;
}

static bool has_prefix(const wchar_t *text, const wchar_t *prefix)
{
	return wcsncmp(text, prefix, wcslen(prefix)) == 0;
}

/* The whole path after the prefix that lifts the limit; the prefix of a path on
 * another machine replaces its leading \\. */
static wchar_t *lift_limit(const wchar_t *path, int *error)
{
	DWORD room = GetFullPathNameW(path, 0, NULL, NULL);
	if (room == 0) {
		*error = system_error();
		return NULL;
	}
	wchar_t *full = malloc(((size_t)room + 8) * sizeof(*full));
	if (full == NULL) {
		*error = ERROR_NOT_ENOUGH_MEMORY;
		return NULL;
	}
	DWORD length = GetFullPathNameW(path, room, full, NULL);
	if (length == 0 || length >= room) {
		*error = length == 0 ? system_error() : ERROR_FILENAME_EXCED_RANGE;
		free(full);
		return NULL;
	}
	const wchar_t *prefix = has_prefix(full, L"\\\\") ? L"\\\\?\\UNC" : L"\\\\?\\";
	size_t skipped = has_prefix(full, L"\\\\") ? 1 : 0;
	size_t prefix_length = wcslen(prefix);
	memmove(full + prefix_length, full + skipped,
	        ((size_t)length - skipped + 1) * sizeof(*full));
	memcpy(full, prefix, prefix_length * sizeof(*full));
	return full;
}

wchar_t *names_path_to_wide(const char *path, int *error)
{
	wchar_t *wide = names_to_wide(path, error);
	if (wide == NULL || wcslen(wide) <= SHORT_PATH_MAX || has_prefix(wide, L"\\\\?\\") ||
	    has_prefix(wide, L"\\\\.\\"))
		return wide;
	wchar_t *lifted = lift_limit(wide, error);
	free(wide);
	return lifted;
}

bool names_are_ascii(const wchar_t *text)
{
	while (*text != L'\0' && *text < 0x80)
		text++;
	return *text == L'\0';
}

void names_prefer_ascii(wchar_t *path, size_t size)
{
	if (names_are_ascii(path))
		return;
	wchar_t *old = malloc(size * sizeof(*old));
	DWORD length = old == NULL ? 0 : GetShortPathNameW(path, old, (DWORD)size);
	if (length > 0 && length < size)
		memcpy(path, old, ((size_t)length + 1) * sizeof(*old));
	free(old);
}

int names_to_utf8(const wchar_t *wide, char *text, size_t size)
{
	int room = size > INT_MAX ? INT_MAX : (int)size;
	if (room == 0)
		return ERROR_INSUFFICIENT_BUFFER;
	return WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, room, NULL, NULL) > 0
	               ? 0
	               : system_error();
}
