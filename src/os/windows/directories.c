/*
 * directories.c: see directories.h.
 */
#include "system.h"

#include "directories.h"
#include "names.h"
#include "os.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTEMPTS_MAX 1000

static int systems_directory(char *directory, size_t size)
{
	wchar_t wide[MAX_PATH + 2];
	DWORD length = GetTempPathW(MAX_PATH + 1, wide); /* with the last separator */
	if (length == 0)
		return system_error();
	if (length > MAX_PATH)
		return ERROR_FILENAME_EXCED_RANGE;
	names_prefer_ascii(wide, MAX_PATH + 1);
	return names_to_utf8(wide, directory, size);
}

int directories_choose(const char *beside, char *directory, size_t size)
{
	if (beside == NULL)
		return systems_directory(directory, size);
	size_t length = strlen(beside);
	while (length > 0 && strchr("/\\:", beside[length - 1]) == NULL)
		length--;
	if (length >= size)
		return ERROR_FILENAME_EXCED_RANGE;
	memcpy(directory, beside, length);
	directory[length] = '\0';
	return 0;
}

/* Others may guess the name: an existing file is never used. */
static int name_next(const char *directory, char *path, size_t size)
{
	static _Atomic unsigned names;
	unsigned number = (unsigned)GetTickCount() + atomic_fetch_add(&names, 1) * 7919;
	int length = snprintf(path, size, "%s.hprof-%lu-%08x", directory,
	                      (unsigned long)GetCurrentProcessId(), number);
	return length < 0 || (size_t)length >= size ? ERROR_FILENAME_EXCED_RANGE : 0;
}

int directories_make_new(const char *directory, enum owner_only_of what, directories_make *make,
                         void *user, char *path, size_t size)
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
		error = name_next(directory, path, size);
		wchar_t *wide = error == 0 ? names_path_to_wide(path, &error) : NULL;
		if (wide != NULL)
			error = make(wide, &security, user);
		free(wide);
	}
	owner_only_free(&owner);
	return error;
}
