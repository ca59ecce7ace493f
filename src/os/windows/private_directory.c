/*
 * private_directory.c: a directory of this user only, for the time of one operation, and
 * reading files in it. Any thread; no lock.
 */
#include "system.h"

#include "directories.h"
#include "names.h"
#include "os.h"

#include <stdio.h>
#include <stdlib.h>

#define DIRECTORY_MAX_BYTES 4096
#define READ_MAX ((DWORD)1 << 30)

static int create(const wchar_t *path, SECURITY_ATTRIBUTES *security, void *user)
{
	(void)user;
	return CreateDirectoryW(path, security) ? 0 : system_error();
}

int os_private_directory(const char *beside, char *path, size_t size)
{
	char directory[DIRECTORY_MAX_BYTES];
	int error = directories_choose(beside, directory, sizeof(directory));
	if (error == 0)
		error = directories_make_new(directory, OWNER_ONLY_DIRECTORY, create, NULL, path,
		                             size);
	return error;
}

/* ---- removal ----------------------------------------------------------- */

int os_directory_remove(const char *path)
{
	int error = 0;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return error;
	if (!RemoveDirectoryW(wide))
		error = system_error();
	free(wide);
	return error;
}

/* A file that is open keeps its name, and so its directory, until it is closed (before
 * Windows 10, and on disks other than NTFS): it is moved first, to beside the directory.
 * *moved stays NULL when it can't be. */
static void move_out(const wchar_t *path, wchar_t **moved)
{
	size_t length = wcslen(path);
	size_t end = length;
	while (end > 0 && path[end - 1] != L'\\' && path[end - 1] != L'/')
		end--;
	wchar_t *to = end > 0 ? malloc((length + 2) * sizeof(*to)) : NULL;
	if (to == NULL)
		return;
	/* directory\name becomes directory-name. */
	memcpy(to, path, (length + 1) * sizeof(*to));
	to[end - 1] = L'-';
	if (MoveFileExW(path, to, 0))
		*moved = to;
	else
		free(to);
}

int os_file_remove(const char *path)
{
	int error = 0;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return error;
	wchar_t *moved = NULL;
	move_out(wide, &moved);
	if (!DeleteFileW(moved != NULL ? moved : wide))
		error = system_error();
	free(moved);
	free(wide);
	return error;
}

/* ---- reading ----------------------------------------------------------- */

static bool is_readable(HANDLE handle)
{
	BY_HANDLE_FILE_INFORMATION file;
	const DWORD refused = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
	return GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, &file) &&
	       (file.dwFileAttributes & refused) == 0 && owner_is_us(handle);
}

/* Its name may be removed while it is read. */
int os_file_open(const char *path, struct os_file *file)
{
	int error = 0;

	file->handle = -1;
	file->shared = false;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return error;
	HANDLE handle = CreateFileW(
	        wide, GENERIC_READ | READ_CONTROL,
	        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
	        FILE_FLAG_OPEN_REPARSE_POINT | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION,
	        NULL);
	error = handle == INVALID_HANDLE_VALUE ? system_error() : 0;
	free(wide);
	if (error != 0)
		return error;
	if (!is_readable(handle)) {
		(void)CloseHandle(handle);
		return OS_NOT_OURS;
	}
	file->handle = (intptr_t)handle;
	return 0;
}

int os_file_rewind(struct os_file *file)
{
	const LARGE_INTEGER start = {.QuadPart = 0};
	return SetFilePointerEx((HANDLE)file->handle, start, NULL, FILE_BEGIN) ? 0 : system_error();
}

int os_file_read(struct os_file *file, void *bytes, size_t size, size_t *got)
{
	DWORD length = 0;
	DWORD most = size < READ_MAX ? (DWORD)size : READ_MAX;
	*got = 0;
	if (!ReadFile((HANDLE)file->handle, bytes, most, &length, NULL)) {
		int error = system_error();
		return error == ERROR_BROKEN_PIPE ? 0 : error; /* the end of a pipe */
	}
	*got = length;
	return 0;
}

/* There are no signals here, and no thread is ever stopped while it allocates. */
uint64_t os_file_length(const char *path)
{
	WIN32_FILE_ATTRIBUTE_DATA file;
	int error;
	wchar_t *wide = names_path_to_wide(path, &error);
	bool found = wide != NULL && GetFileAttributesExW(wide, GetFileExInfoStandard, &file);
	free(wide);
	return found ? (uint64_t)file.nFileSizeHigh << 32 | file.nFileSizeLow : 0;
}
