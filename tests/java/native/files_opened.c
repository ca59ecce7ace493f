/*
 * files_opened.c: preloaded, writes a line to the file of FILES_OPENED_LOG for each file that a
 * program opens, "open NAME", and each socket that it asks for, "socket".
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void note(const char *what, const char *name)
{
	const char *log = getenv("FILES_OPENED_LOG");
	if (log == NULL)
		return;
	int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0600);
	(void)dprintf(file, "%s%s\n", what, name);
	(void)syscall(SYS_close, file);
}

static int opened(int directory, const char *name, int flags, va_list more)
{
	int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;

	note("open ", name);
	return (int)syscall(SYS_openat, directory, name, flags, mode);
}

int open(const char *name, int flags, ...)
{
	va_list more;
	va_start(more, flags);
	int file = opened(AT_FDCWD, name, flags, more);
	va_end(more);
	return file;
}

int openat(int directory, const char *name, int flags, ...)
{
	va_list more;
	va_start(more, flags);
	int file = opened(directory, name, flags, more);
	va_end(more);
	return file;
}

int socket(int domain, int type, int protocol)
{
	note("socket", "");
	return (int)syscall(SYS_socket, domain, type, protocol);
}
