/*
 * host_library.c: see ../host_library.h.
 */
#include "../host_library.h"

#include "system.h"

#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *host_library_load(const char *path)
{
	HMODULE library = LoadLibraryA(path);
	if (library == NULL)
		(void)fprintf(stderr, "jvmti_host: can't load %s (error %lu)\n", path,
		              GetLastError());
	return library;
}

static char *to_utf8(const wchar_t *wide)
{
	int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
	char *text = malloc((size_t)size);
	if (text != NULL)
		(void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
	return text;
}

char **host_library_arguments(int *count, char **arguments)
{
	wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), count);
	char **texts = calloc((size_t)*count + 1, sizeof(*texts));
	if (wide == NULL || texts == NULL)
		return arguments;
	for (int i = 0; i < *count; i++)
		texts[i] = to_utf8(wide[i]);
	return texts;
}

void *host_library_symbol(void *library, const char *name)
{
	FARPROC symbol = GetProcAddress(library, name);
	void *found = NULL;
	memcpy(&found, &symbol, sizeof(found));
	return found;
}
