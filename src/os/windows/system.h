/*
 * system.h: the system's headers, as every file of this directory includes them.
 * Windows 8 and Server 2012 are the oldest systems meant. Private to the platform
 * layer.
 */
#ifndef HPROF_OS_WINDOWS_SYSTEM_H
#define HPROF_OS_WINDOWS_SYSTEM_H

#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0602

#include <winsock2.h> /* before windows.h, which would include its forerunner */

#include <windows.h>

#include <stdint.h>

/* GetLastError() as a code of os.h, which is never 0 and fits an int. */
static inline int system_error(void)
{
	DWORD code = GetLastError();
	return code != 0 && code <= INT32_MAX ? (int)code : ERROR_GEN_FAILURE;
}

#endif
