/*
 * lwp_files.h: the kernel's files of an LWP of this process under
 * /proc/self/lwp (proc(5)). Private to the platform layer. Any thread; no lock.
 */
#ifndef HPROF_OS_LWP_FILES_H
#define HPROF_OS_LWP_FILES_H

#include "os.h"
#include "time_units.h"

#include <procfs.h>

/* Reads the file lwpusage or lwpsinfo of the LWP. 0, ESRCH when it has ended, or
 * errno, as when there is no /proc. Signal-safe. */
int lwp_usage(os_thread lwp, prusage_t *usage);
int lwp_info(os_thread lwp, lwpsinfo_t *info);

static inline uint64_t lwp_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_SECOND + (uint64_t)time->tv_nsec;
}

#endif
