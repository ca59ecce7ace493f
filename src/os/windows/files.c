/*
 * files.c: output files, opened so that another user can neither read what we
 * write nor choose which file of ours is emptied. Each file is used by one
 * thread at a time; no lock here.
 */
#include "system.h"

#include "names.h"
#include "os.h"
#include "owner.h"

#include <stdlib.h>
#include <string.h>

/* Others may read the file while it grows, and rename or delete it. A file to append to may be open
 * more than once: the system puts each write at its end, as the handle has no right to write
 * elsewhere. */
static DWORD sharing(enum os_file_create how)
{
	return FILE_SHARE_READ | FILE_SHARE_DELETE | (how == OS_FILE_APPEND ? FILE_SHARE_WRITE : 0);
}

static DWORD rights(enum os_file_create how)
{
	const DWORD write = how == OS_FILE_APPEND ? FILE_GENERIC_WRITE & ~(DWORD)FILE_WRITE_DATA
	                                          : GENERIC_WRITE;
	return write | READ_CONTROL | WRITE_DAC;
}

/* A pipe's server must not act as the user of this process. */
#define PIPE_SAFETY (SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION)

#define WRITE_MAX ((DWORD)1 << 30)

/* ---- what is at a path ------------------------------------------------- */

static HANDLE open_to_look(const wchar_t *path, DWORD flags)
{
	return CreateFileW(path, READ_CONTROL | FILE_READ_ATTRIBUTES,
	                   FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	                   OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | PIPE_SAFETY | flags, NULL);
}

/* Whether path is a link (a symbolic one or a junction) that a user other than this one
 * and the system's administrators created. */
static bool is_planted_link(const wchar_t *path)
{
	BY_HANDLE_FILE_INFORMATION file;
	HANDLE link = open_to_look(path, FILE_FLAG_OPEN_REPARSE_POINT);
	if (link == INVALID_HANDLE_VALUE)
		return false;
	bool planted = GetFileInformationByHandle(link, &file) &&
	               (file.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
	               !owner_is_us_or_system(link);
	(void)CloseHandle(link);
	return planted;
}

/* The same of the directories that path goes through. */
static bool has_planted_directory(wchar_t *path)
{
	for (wchar_t *at = path; *at != L'\0'; at++) {
		if (*at != L'\\' && *at != L'/')
			continue;
		wchar_t separator = *at;
		*at = L'\0';
		bool planted = path[0] != L'\0' && is_planted_link(path);
		*at = separator;
		if (planted)
			return true;
	}
	return false;
}

static bool is_same_file(HANDLE one, HANDLE other)
{
	BY_HANDLE_FILE_INFORMATION a;
	BY_HANDLE_FILE_INFORMATION b;
	return GetFileType(other) == FILE_TYPE_DISK && GetFileInformationByHandle(one, &a) &&
	       GetFileInformationByHandle(other, &b) &&
	       a.dwVolumeSerialNumber == b.dwVolumeSerialNumber &&
	       a.nFileIndexHigh == b.nFileIndexHigh && a.nFileIndexLow == b.nFileIndexLow;
}

/* The handle of standard output or error, if that goes to the file at path; NULL
 * otherwise. */
static HANDLE standard_output_at(const wchar_t *path)
{
	static const DWORD standard[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
	HANDLE found = NULL;
	HANDLE named = open_to_look(path, 0);
	if (named == INVALID_HANDLE_VALUE)
		return NULL;
	if (GetFileType(named) == FILE_TYPE_DISK) {
		for (size_t i = 0; i < sizeof(standard) / sizeof(standard[0]); i++) {
			HANDLE there = GetStdHandle(standard[i]);
			if (found == NULL && there != NULL && there != INVALID_HANDLE_VALUE &&
			    is_same_file(named, there))
				found = there;
		}
	}
	(void)CloseHandle(named);
	return found;
}

/* ---- opening ----------------------------------------------------------- */

static int share_standard(HANDLE standard, struct os_file *file)
{
	HANDLE own = NULL;
	if (!DuplicateHandle(GetCurrentProcess(), standard, GetCurrentProcess(), &own, 0, FALSE,
	                     DUPLICATE_SAME_ACCESS))
		return system_error();
	file->handle = (intptr_t)own;
	return 0;
}

static int create_new(const wchar_t *path, enum os_file_create how, struct os_file *file)
{
	struct owner_only owner;
	int error = owner_only_init(&owner, OWNER_ONLY_FILE);
	if (error != 0)
		return error;
	SECURITY_ATTRIBUTES security = {.nLength = sizeof(security),
	                                .lpSecurityDescriptor = &owner.descriptor,
	                                .bInheritHandle = FALSE};
	HANDLE handle = CreateFileW(path, rights(how), sharing(how), &security, CREATE_NEW,
	                            FILE_ATTRIBUTE_NORMAL | PIPE_SAFETY, NULL);
	error = handle != INVALID_HANDLE_VALUE ? 0 : system_error();
	owner_only_free(&owner);
	file->handle = (intptr_t)handle;
	return error;
}

/* Takes over an existing file. Its owner is checked on the open handle, which
 * can't be replaced. */
static int make_ours(HANDLE handle, enum os_file_create how)
{
	BY_HANDLE_FILE_INFORMATION file;
	if (!owner_is_us(handle))
		return OS_NOT_OURS;
	if (GetFileInformationByHandle(handle, &file) && file.nNumberOfLinks > 1)
		return OS_HARD_LINK;
	int error = owner_only_apply(handle);
	if (error != 0 || how != OS_FILE_OVERWRITE)
		return error;
	return SetEndOfFile(handle) ? 0 : system_error();
}

static int open_disk_file(const wchar_t *path, enum os_file_create how, struct os_file *file)
{
	if (is_planted_link(path))
		return OS_NOT_OURS;
	HANDLE handle = CreateFileW(path, rights(how), sharing(how), NULL, OPEN_EXISTING,
	                            FILE_ATTRIBUTE_NORMAL | PIPE_SAFETY, NULL);
	if (handle == INVALID_HANDLE_VALUE)
		return system_error();
	int error = GetFileType(handle) == FILE_TYPE_DISK ? make_ours(handle, how) : 0;
	if (error != 0) {
		(void)CloseHandle(handle);
		return error;
	}
	file->handle = (intptr_t)handle;
	return 0;
}

/* Whether path names a device or a pipe, where writing loses no bytes;
 * it is opened as it is. */
static bool open_stream(const wchar_t *path, struct os_file *file)
{
	HANDLE handle = CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
	                            OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL | PIPE_SAFETY, NULL);
	if (handle == INVALID_HANDLE_VALUE)
		return false;
	if (GetFileType(handle) == FILE_TYPE_DISK) {
		(void)CloseHandle(handle);
		return false;
	}
	file->handle = (intptr_t)handle;
	return true;
}

static int create(wchar_t *path, enum os_file_create how, struct os_file *file)
{
	HANDLE standard = standard_output_at(path);
	file->shared = standard != NULL;
	if (file->shared)
		return share_standard(standard, file);
	if (open_stream(path, file))
		return 0;
	if (has_planted_directory(path))
		return OS_NOT_OURS;
	int error = create_new(path, how, file);
	if (how != OS_FILE_EXCLUSIVE && os_file_exists_error(error))
		error = open_disk_file(path, how, file);
	return error;
}

int os_file_create(const char *path, enum os_file_create how, struct os_file *file)
{
	int error = 0;
	file->handle = -1;
	file->shared = false;
	wchar_t *wide = names_path_to_wide(path, &error);
	if (wide == NULL)
		return error;
	error = create(wide, how, file);
	free(wide);
	if (error != 0)
		file->handle = -1;
	return error;
}

bool os_file_exists_error(int code)
{
	return code == ERROR_FILE_EXISTS || code == ERROR_ALREADY_EXISTS;
}

/* ---- use --------------------------------------------------------------- */

static HANDLE handle_of(const struct os_file *file)
{
	return (HANDLE)file->handle;
}

bool os_file_seekable(const struct os_file *file)
{
	return !file->shared && GetFileType(handle_of(file)) == FILE_TYPE_DISK;
}

int os_file_write(struct os_file *file, const void *bytes, size_t length)
{
	const char *rest = bytes;
	while (length > 0) {
		DWORD written = 0;
		DWORD part = length < WRITE_MAX ? (DWORD)length : WRITE_MAX;
		if (!WriteFile(handle_of(file), rest, part, &written, NULL))
			return system_error();
		if (written == 0)
			return ERROR_WRITE_FAULT;
		rest += written;
		length -= written;
	}
	return 0;
}

int os_file_truncate(struct os_file *file, uint64_t length)
{
	if (length > INT64_MAX)
		return ERROR_FILE_TOO_LARGE;
	LARGE_INTEGER position = {.QuadPart = (LONGLONG)length};
	if (!SetFilePointerEx(handle_of(file), position, NULL, FILE_BEGIN) ||
	    !SetEndOfFile(handle_of(file)))
		return system_error();
	return 0;
}

int os_file_close(struct os_file *file)
{
	if (file->handle == -1)
		return 0;
	BOOL closed = CloseHandle(handle_of(file));
	file->handle = -1;
	return closed ? 0 : system_error();
}
