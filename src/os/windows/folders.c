/*
 * folders.c: see folders.h.
 */
#include "system.h"

#include "folders.h"
#include "names.h"
#include "os.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTEMPTS_MAX 1000

/* The name of a folder in the system's old form has letters of ASCII alone: a JVM reads
 * it right whatever encoding it takes for granted. Not every disk has such names. */
static void prefer_short_name(wchar_t *folder, DWORD size)
{
	wchar_t old[MAX_PATH + 1];
	bool ascii = true;
	for (const wchar_t *letter = folder; *letter != L'\0'; letter++)
		ascii = ascii && *letter < 0x80;
	DWORD length = ascii ? 0 : GetShortPathNameW(folder, old, MAX_PATH + 1);
	if (length > 0 && length < size)
		memcpy(folder, old, ((size_t)length + 1) * sizeof(*old));
}

static int systems_folder(char *folder, size_t size)
{
	wchar_t wide[MAX_PATH + 2];
	DWORD length = GetTempPathW(MAX_PATH + 1, wide); /* with the last separator */
	if (length == 0)
		return system_error();
	if (length > MAX_PATH)
		return ERROR_FILENAME_EXCED_RANGE;
	prefer_short_name(wide, MAX_PATH + 1);
	return names_to_utf8(wide, folder, size);
}

int folders_choose(const char *beside, char *folder, size_t size)
{
	if (beside == NULL)
		return systems_folder(folder, size);
	size_t length = strlen(beside);
	while (length > 0 && strchr("/\\:", beside[length - 1]) == NULL)
		length--;
	if (length >= size)
		return ERROR_FILENAME_EXCED_RANGE;
	memcpy(folder, beside, length);
	folder[length] = '\0';
	return 0;
}

/* Others may guess the name: what is there already is never taken. */
static int name_next(const char *folder, char *path, size_t size)
{
	static _Atomic unsigned names;
	unsigned number = (unsigned)GetTickCount() + atomic_fetch_add(&names, 1) * 7919;
	int length = snprintf(path, size, "%s.hprof-%lu-%08x", folder,
	                      (unsigned long)GetCurrentProcessId(), number);
	return length < 0 || (size_t)length >= size ? ERROR_FILENAME_EXCED_RANGE : 0;
}

int folders_make_new(const char *folder, enum owner_only_of what, folders_make *make, void *user,
                     char *path, size_t size)
{
	struct owner_only owner;
	int error = owner_only_init(&owner, what);
	if (error != 0)
		return error;
	SECURITY_ATTRIBUTES security = {.nLength = sizeof(security),
	                                .lpSecurityDescriptor = &owner.descriptor,
	                                .bInheritHandle = FALSE};
	error = ERROR_FILE_EXISTS;
	for (int i = 0; i < ATTEMPTS_MAX && os_file_exists_error(error); i++) {
		error = name_next(folder, path, size);
		wchar_t *wide = error == 0 ? names_path_to_wide(path, &error) : NULL;
		if (wide != NULL)
			error = make(wide, &security, user);
		free(wide);
	}
	owner_only_free(&owner);
	return error;
}
