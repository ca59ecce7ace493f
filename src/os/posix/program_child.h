/*
 * program_child.h: what running a program to its end consists of. Private to the platform layer.
 * For a process with one thread.
 */
#ifndef HPROF_OS_PROGRAM_CHILD_H
#define HPROF_OS_PROGRAM_CHILD_H

#include <stddef.h>
#include <sys/types.h>

/* The arguments in execvp()'s type; it does not change them. */
char *const *program_vector(const char *const *arguments);

/* A pipe that programs do not inherit. 0 or errno. */
int program_pipe(int ends[2]);

/* In the child, when the program did not start: the reason goes to the pipe report, which the
 * start of the program would have closed. Ends the child. */
void program_child_failed(int report, int error) __attribute__((noreturn));

/* In the parent: that reason, or 0 once the program has started. The parent must have closed its
 * own writing end. */
int program_failure(int report);

/* read(2), again when a signal interrupts it. */
ssize_t program_read(int fd, void *bytes, size_t size);

/* Waits for the child. *exit_code is its own, or 128 and the signal that ended it. 0 or errno. */
int program_wait(pid_t child, int *exit_code);

#endif
