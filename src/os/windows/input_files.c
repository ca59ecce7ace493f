/*
 * input_files.c: input files of the hprof command, the standard streams, and
 * paths. Any thread; no lock.
 */
#include "system.h"

#include "names.h"
#include "os.h"

#include <stdlib.h>
#include <string.h>

int os_file_open_any(const char *path, struct os_file *file)
{
	int error = 0;

	file->handle = -1;
	file->shared = false;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return error;
	HANDLE handle = CreateFileW(
	        wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	        OPEN_EXISTING, SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, NULL);
	error = handle == INVALID_HANDLE_VALUE ? system_error() : 0;
	free(wide);
	if (error == 0)
		file->handle = (intptr_t)handle;
	return error;
}

int os_file_standard(enum os_standard which, struct os_file *file)
{
	HANDLE handle = GetStdHandle(which == OS_STANDARD_INPUT    ? STD_INPUT_HANDLE
	                             : which == OS_STANDARD_OUTPUT ? STD_OUTPUT_HANDLE
	                                                           : STD_ERROR_HANDLE);
	file->shared = true;
	file->handle = -1;
	if (handle == INVALID_HANDLE_VALUE)
		return system_error();
	if (handle == NULL)
		return ERROR_INVALID_HANDLE;
	file->handle = (intptr_t)handle;
	return 0;
}

int os_path_absolute(const char *path, char *absolute, size_t size)
{
	int error = 0;
	wchar_t full[32768];
	wchar_t *wide = names_to_wide(path, &error);

	if (wide == NULL)
		return error;
	const DWORD room = sizeof(full) / sizeof(full[0]);
	DWORD length = GetFullPathNameW(wide, room, full, NULL);
	free(wide);
	if (length == 0)
		return system_error();
	return length < room ? names_to_utf8(full, absolute, size) : OS_TOO_LARGE;
}

size_t os_path_directory_length(const char *path)
{
	size_t length = strlen(path);
	while (length > 0 && strchr("/\\:", path[length - 1]) == NULL)
		length--;
	return length;
}
