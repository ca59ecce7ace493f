/*
 * wait.h: the end of child processes, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_WAIT_H
#define TESTS_SOLARIS_SYS_WAIT_H

#include <sys/types.h>

#define WIFSIGNALED(status) ((int)((status)&0xff) > 0 && (int)((status)&0xff00) == 0)
#define WEXITSTATUS(status) ((int)(((status) >> 8) & 0xff))
#define WTERMSIG(status) ((int)((status)&0x7f))

pid_t waitpid(pid_t, int *, int);

#endif
