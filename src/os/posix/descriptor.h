/*
 * descriptor.h: what files, sockets and timers share about file descriptors.
 * Private to the platform layer.
 */
#ifndef HPROF_OS_DESCRIPTOR_H
#define HPROF_OS_DESCRIPTOR_H

/* Moves fd above standard input, output and error, which a program may have
 * closed: what it then prints must not land in a descriptor of ours. Returns
 * the descriptor to use (close on exec), or -1 with errno set and fd closed.
 * fd -1 is passed through. Any thread. */
int descriptor_above_standard(int fd);

#endif
