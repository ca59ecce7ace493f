/*
 * arguments.c: arguments of this process and of a JVM. The system gives main() those in its code
 * page, which has not all letters. For the hprof command: one thread, no lock.
 */
#include "system.h"

#include "names.h"
#include "os_programs.h"

#include <stdlib.h>
#include <string.h>

/* Of UTF-8 for a unit of UTF-16. */
enum { BYTES_MOST = 3 };

typedef LPWSTR *WINAPI split_line(LPCWSTR line, int *count);

/* To be freed with LocalFree(). NULL when there is no memory. The module takes a while to load:
 * only those who need it wait for it. */
static wchar_t **split(const wchar_t *line, int *count)
{
	HMODULE shell = LoadLibraryExW(L"shell32.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
	FARPROC symbol = shell != NULL ? GetProcAddress(shell, "CommandLineToArgvW") : NULL;
	split_line *function = NULL;

	memcpy(&function, &symbol, sizeof(function)); /* C has no such conversion */
	return function != NULL ? function(line, count) : NULL;
}

/* One block: the pointers, then the texts. */
static char **to_utf8(wchar_t *const *words, int count)
{
	size_t pointers = ((size_t)count + 1) * sizeof(char *);
	size_t room = 0;
	for (int i = 0; i < count; i++)
		room += wcslen(words[i]) * BYTES_MOST + 1;
	char **arguments = malloc(pointers + room);
	if (arguments == NULL)
		return NULL;
	char *text = (char *)arguments + pointers;
	for (int i = 0; i < count; i++) {
		if (names_to_utf8(words[i], text, room) != 0) {
			free(arguments);
			return NULL;
		}
		arguments[i] = text;
		room -= strlen(text) + 1;
		text += strlen(text) + 1;
	}
	arguments[count] = NULL;
	return arguments;
}

void os_program_arguments(int *count, char ***arguments)
{
	const wchar_t *line = GetCommandLineW();
	int words_count = 0;
	wchar_t **words = names_are_ascii(line) ? NULL : split(line, &words_count);
	char **converted = words != NULL ? to_utf8(words, words_count) : NULL;

	(void)LocalFree(words);
	if (converted == NULL)
		return;
	*count = words_count;
	*arguments = converted;
}

/* As a JVM has it, in memory from malloc(). */
static char *to_code_page(const wchar_t *wide)
{
	int length = WideCharToMultiByte(CP_ACP, 0, wide, -1, NULL, 0, NULL, NULL);
	char *narrow = length > 0 ? malloc((size_t)length) : NULL;
	if (narrow != NULL)
		(void)WideCharToMultiByte(CP_ACP, 0, wide, -1, narrow, length, NULL, NULL);
	return narrow;
}

bool os_program_passes_path(const char *path)
{
	int error = 0;
	wchar_t *wide = names_to_wide(path, &error);
	char *narrow = wide != NULL ? to_code_page(wide) : NULL;
	wchar_t *read = narrow != NULL ? names_to_wide(narrow, &error) : NULL;
	bool same = read != NULL && wcscmp(read, wide) == 0;

	free(read);
	free(narrow);
	free(wide);
	return same;
}
