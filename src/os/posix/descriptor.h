/*
 * descriptor.h: what files, sockets and timers share about file descriptors.
 * Private to the platform layer. Any thread; signal-safe.
 */
#ifndef HPROF_OS_DESCRIPTOR_H
#define HPROF_OS_DESCRIPTOR_H

#include "os.h"

/* Moves fd above standard input, output and error, which a program may have
 * closed: what it then prints must not land in a descriptor of ours. Returns
 * the descriptor to use (close on exec), or -1 with errno set and fd closed.
 * fd -1 is passed through. */
int descriptor_above_standard(int fd);

/* What fd is open for; 0 or errno. One system call. */
int descriptor_identify(int fd, struct os_identity *identity);

/* Makes fd the file's or the socket's, with what it is open for. Returns 0, or an error with fd
 * closed. */
int descriptor_to_file(int fd, struct os_file *file);
int descriptor_to_socket(int fd, struct os_socket *socket);

/* 0 if fd is still what it was opened for, else OS_DESCRIPTOR_LOST: then nothing may be done with
 * it that changes anything, such as closing it. The program can still exchange it between the
 * check and the use, which only a descriptor table of our own would prevent. */
int descriptor_check(int fd, const struct os_identity *identity);

/* Closes it if it is; errno if that fails. */
int descriptor_close(int fd, const struct os_identity *identity);

#endif
