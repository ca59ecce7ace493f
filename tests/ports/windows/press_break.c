/*
 * press_break.c: press_break.exe PID presses Ctrl-Break in a process, as the system does: by a
 * thread there that runs CtrlRoutine(). Wine's GenerateConsoleCtrlEvent() knows Ctrl-C alone, and
 * only in a console.
 */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static int failed(const char *call)
{
	(void)fprintf(stderr, "press_break: error %lu of %s\n", GetLastError(), call);
	return 1;
}

int main(int count, char **words)
{
	/* The module is at one address in all processes of a boot. */
	FARPROC routine = GetProcAddress(GetModuleHandleA("kernelbase.dll"), "CtrlRoutine");
	DWORD pid = count == 2 ? strtoul(words[1], NULL, 10) : 0;
	HANDLE process = OpenProcess(PROCESS_ALL_ACCESS, FALSE, pid);

	if (routine == NULL)
		return failed("GetProcAddress");
	if (process == NULL)
		return failed("OpenProcess");
	HANDLE thread =
	        CreateRemoteThread(process, NULL, 0, (LPTHREAD_START_ROUTINE)(void *)routine,
	                           (void *)(ULONG_PTR)CTRL_BREAK_EVENT, 0, NULL);
	return thread == NULL ? failed("CreateRemoteThread") : 0;
}
