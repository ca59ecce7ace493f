/*
 * thread_cpu_clock.h: the kernel's id of a thread's CPU clock. Private to the
 * platform layer.
 */
#ifndef HPROF_OS_THREAD_CPU_CLOCK_H
#define HPROF_OS_THREAD_CPU_CLOCK_H

#include "os.h"

#include <time.h>

/* The clock of a thread of this process, for as long as it lives. Pure. */
clockid_t thread_cpu_clock(os_thread thread);

#endif
