/*
 * Tests of what src/os/windows promises of temporary files and private directories.
 */
#include "system.h"

#include "os.h"
#include "private_check.h"
#include "run_suite.h"

#include <stdio.h>
#include <string.h>

/* A directory of the test's own with a name that is in no code page at once, and the name
 * of a file in it, which is not there. */
static wchar_t directory[MAX_PATH];
static char beside[4 * MAX_PATH];

static void set_up(void)
{
	static unsigned number; /* a failed test leaves its directory */
	wchar_t parent[MAX_PATH];
	char name[3 * MAX_PATH];
	ck_assert_uint_gt(GetTempPathW(MAX_PATH, parent), 0);
	(void)_snwprintf(directory, MAX_PATH, L"%lshprof-\x00fc\x65e5-%llu-%u", parent,
	                 GetTickCount64(), number++);
	ck_assert(CreateDirectoryW(directory, NULL));
	ck_assert_int_gt(
	        WideCharToMultiByte(CP_UTF8, 0, directory, -1, name, sizeof(name), NULL, NULL), 0);
	(void)snprintf(beside, sizeof(beside), "%s\\profile", name);
}

/* How many files and directories there are in the test's directory; the name of one of them. */
static int count_there(wchar_t *name)
{
	wchar_t pattern[MAX_PATH + 4];
	WIN32_FIND_DATAW found;
	int count = 0;
	(void)_snwprintf(pattern, MAX_PATH + 4, L"%ls\\*", directory);
	HANDLE search = FindFirstFileW(pattern, &found);
	ck_assert(search != INVALID_HANDLE_VALUE);
	do {
		if (wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0)
			continue;
		count++;
		if (name != NULL)
			(void)_snwprintf(name, MAX_PATH, L"%ls\\%ls", directory, found.cFileName);
	} while (FindNextFileW(search, &found));
	(void)FindClose(search);
	return count;
}

/* Fails when something is left. */
static void tear_down(void)
{
	ck_assert_int_eq(count_there(NULL), 0);
	ck_assert(RemoveDirectoryW(directory));
}

static void write_file(const char *path, const char *text)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(path, OS_FILE_EXCLUSIVE, &file), 0);
	ck_assert_int_eq(os_file_write(&file, text, strlen(text)), 0);
	ck_assert_int_eq(os_file_close(&file), 0);
}

START_TEST(reading_at_an_offset_leaves_the_position)
{
	struct os_file file;
	char text[8] = "";
	ck_assert_int_eq(os_file_temporary(NULL, &file), 0);
	ck_assert(os_file_seekable(&file));
	ck_assert_int_eq(os_file_write(&file, "abcdef", 6), 0);
	ck_assert_int_eq(os_file_read_at(&file, 2, text, 3), 0);
	ck_assert_str_eq(text, "cde");
	ck_assert_int_eq(os_file_write(&file, "g", 1), 0);
	ck_assert_int_eq(os_file_read_at(&file, 0, text, 7), 0);
	ck_assert_str_eq(text, "abcdefg");
	ck_assert_int_eq(os_file_read_at(&file, 5, text, 3), ERROR_HANDLE_EOF);
	ck_assert_int_eq(os_file_read_at(&file, UINT64_MAX, text, 1), ERROR_FILE_TOO_LARGE);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(a_file_may_be_longer_than_32_bits_count)
{
	const uint64_t distant = UINT64_C(5) << 30;
	struct os_file file;
	char text[8] = "";
	ck_assert_int_eq(os_file_temporary(beside, &file), 0);
	ck_assert_int_eq(os_file_truncate(&file, distant), 0);
	ck_assert_int_eq(os_file_write(&file, "far", 3), 0);
	ck_assert_int_eq(os_file_read_at(&file, distant, text, 3), 0);
	ck_assert_str_eq(text, "far");
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(nobody_else_opens_a_temporary_file_and_it_goes_with_its_closing)
{
	struct os_file file;
	struct os_file other;
	wchar_t name[MAX_PATH];
	DWORD flags = HANDLE_FLAG_INHERIT;
	ck_assert_int_eq(os_file_temporary(beside, &file), 0);
	ck_assert_int_eq(os_file_temporary(beside, &other), 0);
	ck_assert(GetHandleInformation((HANDLE)file.handle, &flags));
	ck_assert_uint_eq(flags & HANDLE_FLAG_INHERIT, 0);
	ck_assert_int_eq(count_there(name), 2);
	ck_assert(CreateFileW(name, GENERIC_READ,
	                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	                      OPEN_EXISTING, 0, NULL) == INVALID_HANDLE_VALUE);
	ck_assert_uint_eq(GetLastError(), ERROR_SHARING_VIOLATION);
	check_private(name);
	ck_assert_int_eq(os_file_close(&file), 0);
	ck_assert_int_eq(os_file_close(&other), 0);
	ck_assert_int_eq(count_there(NULL), 0);
}
END_TEST

START_TEST(where_no_temporary_file_can_be_the_reason_is_reported)
{
	struct os_file file;
	char path[64];
	ck_assert_int_eq(os_file_temporary("C:\\no-such-directory\\x", &file), ERROR_PATH_NOT_FOUND);
	ck_assert_int_eq(file.handle, -1);
	ck_assert_int_eq(os_private_directory("C:\\no-such-directory\\x", path, sizeof(path)),
	                 ERROR_PATH_NOT_FOUND);
	ck_assert_int_eq(os_private_directory(beside, path, 5), ERROR_FILENAME_EXCED_RANGE);
}
END_TEST

START_TEST(a_directory_is_private_and_beside_the_file)
{
	char path[4 * MAX_PATH];
	char second[4 * MAX_PATH];
	wchar_t name[MAX_PATH];
	ck_assert_int_eq(os_private_directory(beside, path, sizeof(path)), 0);
	ck_assert_int_eq(count_there(name), 1);
	check_private(name);
	ck_assert_int_eq(os_private_directory(beside, second, sizeof(second)), 0);
	ck_assert_str_ne(path, second);
	ck_assert_int_eq(os_directory_remove(path), 0);
	ck_assert_int_eq(os_directory_remove(second), 0);
	ck_assert_int_eq(os_directory_remove(second), ERROR_FILE_NOT_FOUND);

	ck_assert_int_eq(os_private_directory(NULL, path, sizeof(path)), 0);
	ck_assert_int_eq(os_directory_remove(path), 0);
}
END_TEST

START_TEST(a_directory_of_a_name_without_a_path_is_the_current_one)
{
	char path[4 * MAX_PATH];
	wchar_t before[MAX_PATH];
	ck_assert_uint_gt(GetCurrentDirectoryW(MAX_PATH, before), 0);
	ck_assert(SetCurrentDirectoryW(directory));
	int error = os_private_directory("profile", path, sizeof(path));
	int there = count_there(NULL);
	int removed = os_directory_remove(path);
	ck_assert(SetCurrentDirectoryW(before));
	ck_assert_int_eq(error, 0);
	ck_assert_int_eq(there, 1);
	ck_assert_int_eq(removed, 0);
}
END_TEST

/* As a dump of the JVM is: opened, removed, its directory removed, and read. */
START_TEST(a_file_is_read_on_after_its_directory_is_gone)
{
	char path[4 * MAX_PATH];
	char name[4 * MAX_PATH + 8];
	char text[32] = "";
	size_t got = 0;
	struct os_file file;
	ck_assert_int_eq(os_private_directory(beside, path, sizeof(path)), 0);
	(void)snprintf(name, sizeof(name), "%s/heap", path);
	ck_assert_uint_eq(os_file_length(name), 0);
	write_file(name, "the heap");
	ck_assert_uint_eq(os_file_length(name), 8);
	ck_assert_int_ne(os_directory_remove(path), 0);

	ck_assert_int_eq(os_file_open(name, &file), 0);
	ck_assert_int_eq(os_file_remove(name), 0);
	ck_assert_int_eq(os_directory_remove(path), 0);
	ck_assert_int_eq(os_file_read(&file, text, 4, &got), 0);
	ck_assert_uint_eq(got, 4);
	ck_assert_int_eq(os_file_read(&file, text + 4, sizeof(text) - 5, &got), 0);
	ck_assert_uint_eq(got, 4);
	ck_assert_str_eq(text, "the heap");
	ck_assert_int_eq(os_file_read(&file, text, sizeof(text), &got), 0);
	ck_assert_uint_eq(got, 0);
	ck_assert_int_eq(os_file_rewind(&file), 0);
	ck_assert_int_eq(os_file_read(&file, text, 3, &got), 0);
	ck_assert_mem_eq(text, "the", 3);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

START_TEST(what_is_no_file_is_not_opened)
{
	struct os_file file;
	char path[4 * MAX_PATH];
	ck_assert_int_eq(os_file_open(beside, &file), ERROR_FILE_NOT_FOUND);
	ck_assert_int_eq(file.handle, -1);
	ck_assert_int_eq(os_file_open("NUL", &file), OS_NOT_OURS);
	ck_assert_int_eq(os_private_directory(beside, path, sizeof(path)), 0);
	ck_assert_int_ne(os_file_open(path, &file), 0);
	ck_assert_int_eq(os_directory_remove(path), 0);
	ck_assert_int_eq(os_file_remove(beside), ERROR_FILE_NOT_FOUND);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("os_windows_temporary");
	TCase *tc = tcase_create("temporary");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, reading_at_an_offset_leaves_the_position);
	tcase_add_test(tc, a_file_may_be_longer_than_32_bits_count);
	tcase_add_test(tc, nobody_else_opens_a_temporary_file_and_it_goes_with_its_closing);
	tcase_add_test(tc, where_no_temporary_file_can_be_the_reason_is_reported);
	tcase_add_test(tc, a_directory_is_private_and_beside_the_file);
	tcase_add_test(tc, a_directory_of_a_name_without_a_path_is_the_current_one);
	tcase_add_test(tc, a_file_is_read_on_after_its_directory_is_gone);
	tcase_add_test(tc, what_is_no_file_is_not_opened);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
