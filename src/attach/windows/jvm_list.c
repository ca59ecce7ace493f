/*
 * jvm_list.c: the performance data files of the running JVMs of this user, which HotSpot keeps as
 * hsperfdata_USER\\PID in the directory of temporary files. For the hprof command: one thread, no
 * lock.
 */
#include "os/windows/system.h"

#include "attach/jvm.h"
#include "os/windows/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

enum { PATH_WIDE = 1024, PATH_BYTES = 4096 };

struct listing {
	void (*each)(void *user, uint64_t pid, struct os_file *data);
	void *user;
};

static bool is_running(uint64_t pid)
{
	HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)pid);
	bool running = process != NULL && WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
	if (process != NULL)
		(void)CloseHandle(process);
	return running;
}

/* os_file_open() takes files of this user only, and follows no link to one. */
static void look_at(const struct listing *listing, const wchar_t *directory, const wchar_t *name)
{
	wchar_t wide[PATH_WIDE];
	char path[PATH_BYTES];
	struct os_file data;
	wchar_t *end;
	unsigned long long pid = wcstoull(name, &end, 10);

	if (pid == 0 || pid > UINT32_MAX || *end != L'\0' || !is_running(pid))
		return;
	int length = _snwprintf(wide, PATH_WIDE, L"%ls\\%ls", directory, name);
	if (length < 0 || length >= PATH_WIDE || names_to_utf8(wide, path, sizeof(path)) != 0 ||
	    os_file_open(path, &data) != 0)
		return;
	listing->each(listing->user, pid, &data);
	(void)os_file_close(&data);
}

/* Calls found() for each name that matches pattern. */
static void find(const wchar_t *pattern, const struct listing *listing, const wchar_t *directory,
                 void (*found)(const struct listing *, const wchar_t *, const wchar_t *))
{
	WIN32_FIND_DATAW entry;
	HANDLE search = FindFirstFileW(pattern, &entry);

	if (search == INVALID_HANDLE_VALUE)
		return;
	do
		found(listing, directory, entry.cFileName);
	while (FindNextFileW(search, &entry));
	(void)FindClose(search);
}

static void look_into(const struct listing *listing, const wchar_t *directory, const wchar_t *name)
{
	wchar_t path[PATH_WIDE];
	wchar_t pattern[PATH_WIDE];
	int length = _snwprintf(path, PATH_WIDE, L"%ls%ls", directory, name);

	if (length < 0 || length >= PATH_WIDE)
		return;
	length = _snwprintf(pattern, PATH_WIDE, L"%ls\\*", path);
	if (length > 0 && length < PATH_WIDE)
		find(pattern, listing, path, look_at);
}

int jvm_each(void (*each)(void *user, uint64_t pid, struct os_file *data), void *user)
{
	const struct listing listing = {.each = each, .user = user};
	wchar_t directory[PATH_WIDE];
	wchar_t pattern[PATH_WIDE];
	DWORD length = GetTempPathW(PATH_WIDE, directory); /* ends in a separator */

	if (length == 0)
		return system_error();
	if (length >= PATH_WIDE)
		return OS_TOO_LARGE;
	int pattern_length = _snwprintf(pattern, PATH_WIDE, L"%lshsperfdata_*", directory);
	if (pattern_length < 0 || pattern_length >= PATH_WIDE)
		return OS_TOO_LARGE;
	find(pattern, &listing, directory, look_into);
	return 0;
}
