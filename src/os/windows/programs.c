/*
 * programs.c: other programs, for the hprof command. Its one thread; no lock.
 */
#include "system.h"

#include "names.h"
#include "os_programs.h"

#include <stdlib.h>
#include <string.h>

enum { COMMAND_LINE_MAX = 32768 };

/* ---- the command line ----------------------------------------------------- */

/* Appends a letter as long as there is room for it. */
static void put(wchar_t *line, size_t *length, wchar_t letter)
{
	if (*length < COMMAND_LINE_MAX)
		line[(*length)++] = letter;
}

/* In the form that a program's start-up code parses: a backslash stands for itself, except
 * before a quote, where two stand for one. */
static void put_argument(wchar_t *line, size_t *length, const wchar_t *argument)
{
	size_t backslashes = 0;

	put(line, length, L'"');
	for (const wchar_t *at = argument; *at != L'\0'; at++) {
		if (*at == L'"') {
			for (size_t i = 0; i < backslashes + 1; i++)
				put(line, length, L'\\');
		}
		backslashes = *at == L'\\' ? backslashes + 1 : 0;
		put(line, length, *at);
	}
	for (size_t i = 0; i < backslashes; i++)
		put(line, length, L'\\');
	put(line, length, L'"');
}

/* Each argument may be in another encoding: the environment's is the system's code page. */
static int put_arguments(wchar_t *line, size_t *length, const char *const *arguments)
{
	int error = 0;

	for (size_t i = 0; arguments[i] != NULL; i++) {
		wchar_t *argument = names_to_wide(arguments[i], &error);
		if (argument == NULL)
			return error;
		if (i > 0)
			put(line, length, L' ');
		put_argument(line, length, argument);
		free(argument);
	}
	return *length < COMMAND_LINE_MAX ? 0 : ERROR_FILENAME_EXCED_RANGE;
}

/* NULL with the reason in *error. */
static wchar_t *command_line(const char *const *arguments, int *error)
{
	size_t length = 0;
	wchar_t *line = malloc((COMMAND_LINE_MAX + 1) * sizeof(*line));

	*error = line == NULL ? ERROR_NOT_ENOUGH_MEMORY : put_arguments(line, &length, arguments);
	if (*error == 0) {
		line[length] = L'\0';
		return line;
	}
	free(line);
	return NULL;
}

/* The file of a program that is named without a directory, from PATH alone: by itself the
 * system would look into the current directory first. NULL when there is none. */
static wchar_t *find_on_path(const char *name, int *error)
{
	wchar_t *path = malloc(COMMAND_LINE_MAX * sizeof(*path));
	wchar_t *found = malloc(COMMAND_LINE_MAX * sizeof(*found));
	wchar_t *wide = names_to_wide(name, error);
	DWORD length = 0;

	if (path != NULL && found != NULL && wide != NULL) {
		length = GetEnvironmentVariableW(L"PATH", path, COMMAND_LINE_MAX);
		*error = ERROR_FILE_NOT_FOUND;
		if (length > 0 && length < COMMAND_LINE_MAX)
			length = SearchPathW(path, wide, L".exe", COMMAND_LINE_MAX, found, NULL);
	} else if (wide != NULL) {
		*error = ERROR_NOT_ENOUGH_MEMORY;
	}
	free(path);
	free(wide);
	if (length > 0 && length < COMMAND_LINE_MAX)
		return found;
	free(found);
	return NULL;
}

static int create_process(const char *const *arguments, STARTUPINFOW *startup,
                          PROCESS_INFORMATION *process)
{
	int error = 0;
	wchar_t *program = NULL;
	if (os_path_directory_length(arguments[0]) == 0) {
		program = find_on_path(arguments[0], &error);
		if (program == NULL)
			return error;
	}
	wchar_t *line = command_line(arguments, &error);
	if (line != NULL)
		error = CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, NULL, startup,
		                       process)
		                ? 0
		                : system_error();
	free(line);
	free(program);
	if (error == 0)
		(void)CloseHandle(process->hThread);
	return error;
}

static int wait_for(HANDLE process, DWORD *exit_code)
{
	int error = 0;
	if (WaitForSingleObject(process, INFINITE) != WAIT_OBJECT_0 ||
	    !GetExitCodeProcess(process, exit_code))
		error = system_error();
	(void)CloseHandle(process);
	return error;
}

/* ---- the verbs ------------------------------------------------------------ */

/* The program has the same console, and gets the event too. */
static BOOL WINAPI leave_to_program(DWORD event)
{
	return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

int os_program_attend(const char *const *arguments, int *exit_code)
{
	STARTUPINFOW startup = {.cb = sizeof(startup)};
	PROCESS_INFORMATION process;
	DWORD code = 0;

	(void)SetConsoleCtrlHandler(leave_to_program, TRUE);
	int error = create_process(arguments, &startup, &process);
	if (error == 0)
		error = wait_for(process.hProcess, &code);
	os_interrupts_catch();
	(void)SetConsoleCtrlHandler(leave_to_program, FALSE);
	*exit_code = (int)code;
	return error;
}

int os_program_become(const char *const *arguments)
{
	int exit_code = 0;
	int error = os_program_attend(arguments, &exit_code);
	if (error == 0)
		ExitProcess((UINT)exit_code);
	return error;
}

/* All of it is read, so that the program never waits; what fits is kept. */
static void collect(HANDLE pipe, char *output, size_t size)
{
	char piece[4096];
	size_t used = 0;
	DWORD got = 0;

	while (ReadFile(pipe, piece, sizeof(piece), &got, NULL) && got > 0) {
		size_t room = size - 1 - used;
		size_t kept = got < room ? got : room;
		memcpy(output + used, piece, kept);
		used += kept;
	}
	output[used] = '\0';
}

int os_program_run(const char *const *arguments, char *output, size_t size, int *exit_code)
{
	SECURITY_ATTRIBUTES inherited = {.nLength = sizeof(inherited), .bInheritHandle = TRUE};
	PROCESS_INFORMATION process;
	HANDLE reading = NULL;
	HANDLE writing = NULL;
	DWORD code = 0;

	output[0] = '\0';
	if (!CreatePipe(&reading, &writing, &inherited, 0))
		return system_error();
	(void)SetHandleInformation(reading, HANDLE_FLAG_INHERIT, 0);
	HANDLE nothing = CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
	                             &inherited, OPEN_EXISTING, 0, NULL);
	STARTUPINFOW startup = {.cb = sizeof(startup),
	                        .dwFlags = STARTF_USESTDHANDLES,
	                        .hStdInput = nothing,
	                        .hStdOutput = writing,
	                        .hStdError = writing};
	int error = nothing == INVALID_HANDLE_VALUE ? system_error()
	                                            : create_process(arguments, &startup, &process);
	(void)CloseHandle(writing);
	if (nothing != INVALID_HANDLE_VALUE)
		(void)CloseHandle(nothing);
	if (error == 0) {
		collect(reading, output, size);
		error = wait_for(process.hProcess, &code);
	}
	(void)CloseHandle(reading);
	*exit_code = (int)code;
	return error;
}
