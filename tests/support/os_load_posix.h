/*
 * os_load_posix.h: more load, and what the process has open, on POSIX systems.
 */
#ifndef HPROF_OS_LOAD_POSIX_H
#define HPROF_OS_LOAD_POSIX_H

#include "os_load.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same, nearly all of it in system calls. False when it can't. */
static inline bool burn_system_cpu(uint64_t ns)
{
	static char bytes[1 << 18];
	int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (zeros < 0)
		return false;
	uint64_t end = os_self_cpu_ns() + ns;
	long got = 1;
	/* Not by read(): sanitizers look at each byte of its buffer, in user mode. */
	while (got > 0 && os_self_cpu_ns() < end)
		got = syscall(SYS_read, zeros, bytes, sizeof(bytes));
	(void)close(zeros);
	return got > 0;
}

/* Entries of a directory, or -1. */
static inline int count_entries(const char *directory)
{
	DIR *dir = opendir(directory);
	if (dir == NULL)
		return -1;
	int count = 0;
	while (readdir(dir) != NULL)
		count++;
	(void)closedir(dir);
	return count;
}

static inline int open_descriptors(void)
{
	return count_entries("/proc/self/fd");
}

#endif
