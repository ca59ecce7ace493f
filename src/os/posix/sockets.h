/*
 * sockets.h: what sockets.c shares with local_sockets.c. Private to the platform layer. Any
 * thread; no lock.
 */
#ifndef HPROF_OS_SOCKETS_H
#define HPROF_OS_SOCKETS_H

#include <stdint.h>

/* Waits for the end of a connection attempt that connect() left in progress, until
 * os_monotonic_ns() is deadline_ns. Its result, or OS_TIMED_OUT. */
int socket_finish_connect(int fd, uint64_t deadline_ns);

#endif
