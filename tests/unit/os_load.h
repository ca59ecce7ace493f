/*
 * os_load.h: load of known size for the tests of the platform layer.
 */
#ifndef HPROF_OS_LOAD_H
#define HPROF_OS_LOAD_H

#include "os.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#define NS_PER_MS UINT64_C(1000000)

/* Uses ns of the calling thread's CPU time, by the kernel's own clock, nearly
 * all of it in user mode. */
static inline void burn_cpu(uint64_t ns)
{
	uint64_t end = os_self_cpu_ns() + ns;
	volatile unsigned sink = 0;
	while (os_self_cpu_ns() < end)
		for (unsigned i = 0; i < 20000; i++)
			sink = sink + i;
}

/* The same, nearly all of it in system calls. False when it can't. */
static inline bool burn_system_cpu(uint64_t ns)
{
	static char bytes[1 << 18];
	int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (zeros < 0)
		return false;
	uint64_t end = os_self_cpu_ns() + ns;
	ssize_t got = 1;
	while (got > 0 && os_self_cpu_ns() < end)
		got = read(zeros, bytes, sizeof(bytes));
	(void)close(zeros);
	return got > 0;
}

static inline void sleep_ms(uint32_t ms)
{
	os_sleep_until(os_monotonic_ns() + ms * NS_PER_MS);
}

/* Entries of a folder, or -1. */
static inline int count_entries(const char *folder)
{
	DIR *dir = opendir(folder);
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
