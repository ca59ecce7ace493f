/*
 * linux_side.h: the verbs of src/os/linux under names of their own, beside those of
 * src/os/solaris that stand on the shim.
 */
#ifndef SHIM_LINUX_SIDE_H
#define SHIM_LINUX_SIDE_H

#define os_monotonic_ns linux_monotonic_ns
#define os_self_cpu_ns linux_self_cpu_ns
#define os_self_thread linux_self_thread
#define os_thread_cpu_ns linux_thread_cpu_ns
#define os_sleep_until linux_sleep_until
#define os_thread_running linux_thread_running
#define os_thread_runnable linux_thread_runnable
#define os_thread_microstates linux_thread_microstates
#define os_microstates_enable linux_microstates_enable

#include "os.h"

#endif
