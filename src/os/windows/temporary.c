/*
 * temporary.c: files and folders for the time of one operation, which nobody else can
 * enter, and reading what is there. Any thread; each file is used by one at a time; no
 * lock here.
 */
#include "system.h"

#include "names.h"
#include "os.h"
#include "owner.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many names are tried, and room for one with its folder. */
enum { NAMES_MAX = 1000, NAME_ROOM = 4096 };

#define READ_MAX ((DWORD)1 << 30)

static HANDLE handle_of(const struct os_file *file)
{
	return (HANDLE)file->handle;
}

/* ---- names --------------------------------------------------------------- */

/* The folder of the file beside with its slash, or the system's for such files. */
static int folder_for(const char *beside, char *folder, size_t size)
{
	wchar_t wide[MAX_PATH + 1];
	if (beside == NULL) {
		DWORD length = GetTempPathW(MAX_PATH + 1, wide);
		return length == 0 ? system_error() : names_to_utf8(wide, folder, size);
	}
	size_t length = strlen(beside);
	while (length > 0 && strchr("/\\:", beside[length - 1]) == NULL)
		length--;
	if (length >= size)
		return ERROR_FILENAME_EXCED_RANGE;
	memcpy(folder, beside, length);
	folder[length] = '\0';
	return 0;
}

/* A name in that folder that nobody has likely used; another with each call. */
static int new_name(const char *folder, char *path, size_t size)
{
	static atomic_uint number;
	int length = snprintf(path, size, "%s.hprof-%lu-%llx-%u", folder, GetCurrentProcessId(),
	                      (unsigned long long)os_ticks(), atomic_fetch_add(&number, 1));
	return length < 0 || (size_t)length >= size ? ERROR_FILENAME_EXCED_RANGE : 0;
}

/* Makes something, with the security given, at the path: 0 or a code. */
typedef int maker(const wchar_t *path, SECURITY_ATTRIBUTES *security, struct os_file *file);

static int make_at(const char *path, maker *make, struct os_file *file)
{
	struct owner_only owner;
	int error = 0;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return error;
	error = owner_only_init(&owner);
	if (error == 0) {
		SECURITY_ATTRIBUTES security = {.nLength = sizeof(security),
		                                .lpSecurityDescriptor = &owner.descriptor,
		                                .bInheritHandle = FALSE};
		error = make(wide, &security, file);
		owner_only_free(&owner);
	}
	free(wide);
	return error;
}

static int make_new(const char *beside, maker *make, struct os_file *file, char *path, size_t size)
{
	char folder[NAME_ROOM];
	int error = folder_for(beside, folder, sizeof(folder));
	if (error != 0)
		return error;
	for (int i = 0; i < NAMES_MAX; i++) {
		error = new_name(folder, path, size);
		if (error == 0)
			error = make_at(path, make, file);
		if (!os_file_exists_error(error))
			break;
	}
	return error;
}

/* ---- making -------------------------------------------------------------- */

static int make_folder(const wchar_t *path, SECURITY_ATTRIBUTES *security, struct os_file *file)
{
	(void)file;
	return CreateDirectoryW(path, security) ? 0 : system_error();
}

/* Gone with its closing, also when the process is killed. */
static int make_temporary(const wchar_t *path, SECURITY_ATTRIBUTES *security, struct os_file *file)
{
	HANDLE handle = CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_DELETE,
	                            security, CREATE_NEW,
	                            FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
	if (handle == INVALID_HANDLE_VALUE)
		return system_error();
	file->handle = (intptr_t)handle;
	return 0;
}

int os_private_folder(const char *beside, char *path, size_t size)
{
	return make_new(beside, make_folder, NULL, path, size);
}

int os_file_temporary(const char *beside, struct os_file *file)
{
	char path[NAME_ROOM];
	file->handle = -1;
	file->shared = false;
	return make_new(beside, make_temporary, file, path, sizeof(path));
}

/* ---- removing ------------------------------------------------------------ */

static int remove_by(BOOL WINAPI remove(const wchar_t *), const char *path)
{
	int error = 0;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return error;
	error = remove(wide) ? 0 : system_error();
	free(wide);
	return error;
}

int os_folder_remove(const char *path)
{
	return remove_by(RemoveDirectoryW, path);
}

int os_file_remove(const char *path)
{
	return remove_by(DeleteFileW, path);
}

/* ---- reading ------------------------------------------------------------- */

static bool is_plain_and_ours(HANDLE handle)
{
	BY_HANDLE_FILE_INFORMATION file;
	const DWORD others = FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DIRECTORY;
	return GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, &file) &&
	       (file.dwFileAttributes & others) == 0 && owner_is_us(handle);
}

int os_file_open(const char *path, struct os_file *file)
{
	int error = 0;
	file->handle = -1;
	file->shared = false;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return error;
	HANDLE handle = CreateFileW(wide, GENERIC_READ,
	                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	                            OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	error = handle == INVALID_HANDLE_VALUE ? system_error() : 0;
	free(wide);
	if (error != 0)
		return error;
	if (!is_plain_and_ours(handle)) {
		(void)CloseHandle(handle);
		return OS_NOT_OURS;
	}
	file->handle = (intptr_t)handle;
	return 0;
}

static int move_to(struct os_file *file, LARGE_INTEGER position)
{
	return SetFilePointerEx(handle_of(file), position, NULL, FILE_BEGIN) ? 0 : system_error();
}

int os_file_rewind(struct os_file *file)
{
	return move_to(file, (LARGE_INTEGER){.QuadPart = 0});
}

int os_file_read(struct os_file *file, void *bytes, size_t size, size_t *got)
{
	DWORD length = 0;
	if (!ReadFile(handle_of(file), bytes, size < READ_MAX ? (DWORD)size : READ_MAX, &length,
	              NULL))
		return system_error();
	*got = length;
	return 0;
}

static int read_whole(struct os_file *file, void *bytes, size_t length)
{
	char *rest = bytes;
	while (length > 0) {
		size_t got = 0;
		int error = os_file_read(file, rest, length, &got);
		if (error != 0 || got == 0)
			return error != 0 ? error : ERROR_HANDLE_EOF;
		rest += got;
		length -= got;
	}
	return 0;
}

/* The system has one position for reading and writing: it is put back. */
int os_file_read_at(struct os_file *file, uint64_t offset, void *bytes, size_t length)
{
	LARGE_INTEGER here = {.QuadPart = 0};
	LARGE_INTEGER there = {.QuadPart = (LONGLONG)offset};
	if (offset > INT64_MAX)
		return ERROR_FILE_TOO_LARGE;
	if (!SetFilePointerEx(handle_of(file), here, &here, FILE_CURRENT))
		return system_error();
	int error = move_to(file, there);
	if (error == 0)
		error = read_whole(file, bytes, length);
	int back = move_to(file, here);
	return error != 0 ? error : back;
}

uint64_t os_file_length(const char *path)
{
	WIN32_FILE_ATTRIBUTE_DATA data;
	int error = 0;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return 0;
	bool there = GetFileAttributesExW(wide, GetFileExInfoStandard, &data);
	free(wide);
	return there ? (uint64_t)data.nFileSizeHigh << 32 | data.nFileSizeLow : 0;
}
