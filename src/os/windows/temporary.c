/*
 * temporary.c: files for what does not fit in memory. Each is used by one thread at a
 * time; no lock here.
 */
#include "system.h"

#include "directories.h"
#include "os.h"

#define NAME_MAX_BYTES 4096
#define READ_MAX ((DWORD)1 << 30)

/* A file has a name here. This one can't be opened by it, and is deleted with the last
 * handle, however the process ends. */
static int create(const wchar_t *path, SECURITY_ATTRIBUTES *security, void *user)
{
	struct os_file *file = user;
	HANDLE handle =
	        CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE, 0, security, CREATE_NEW,
	                    FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE, NULL);
	if (handle == INVALID_HANDLE_VALUE)
		return system_error();
	file->handle = (intptr_t)handle;
	return 0;
}

int os_file_temporary(const char *beside, struct os_file *file)
{
	char directory[NAME_MAX_BYTES];
	char path[NAME_MAX_BYTES];

	file->handle = -1;
	file->shared = false;
	int error = directories_choose(beside, directory, sizeof(directory));
	if (error == 0)
		error = directories_make_new(directory, OWNER_ONLY_FILE, create, file, path,
		                             sizeof(path));
	return error;
}

static int read_part(HANDLE handle, uint64_t offset, void *bytes, size_t length, DWORD *got)
{
	OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
	DWORD part = length < READ_MAX ? (DWORD)length : READ_MAX;
	*got = 0;
	if (!ReadFile(handle, bytes, part, got, &place))
		return system_error();
	return *got > 0 ? 0 : ERROR_HANDLE_EOF;
}

/* Reading at an offset moves the position all the same: it is put back. */
int os_file_read_at(struct os_file *file, uint64_t offset, void *bytes, size_t length)
{
	HANDLE handle = (HANDLE)file->handle;
	const LARGE_INTEGER nowhere = {.QuadPart = 0};
	LARGE_INTEGER position;
	char *rest = bytes;
	int error = 0;

	if (offset > INT64_MAX)
		return ERROR_FILE_TOO_LARGE;
	if (!SetFilePointerEx(handle, nowhere, &position, FILE_CURRENT))
		return system_error();
	while (length > 0 && error == 0) {
		DWORD got;
		error = read_part(handle, offset, rest, length, &got);
		rest += got;
		offset += got;
		length -= got;
	}
	if (!SetFilePointerEx(handle, position, NULL, FILE_BEGIN) && error == 0)
		error = system_error();
	return error;
}
