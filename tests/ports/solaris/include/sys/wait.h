/*
 * wait.h: the end of child processes, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_WAIT_H
#define TESTS_SOLARIS_SYS_WAIT_H

#include <sys/siginfo.h>
#include <sys/types.h>

#define WIFSIGNALED(status) ((int)((status)&0xff) > 0 && (int)((status)&0xff00) == 0)
#define WEXITSTATUS(status) ((int)(((status) >> 8) & 0xff))
#define WTERMSIG(status) ((int)((status)&0x7f))

#define WEXITED 0001
#define WNOWAIT 0200

typedef enum {
	P_PID,
	P_PPID,
	P_PGID,
	P_SID,
	P_CID,
	P_UID,
	P_GID,
	P_ALL,
	P_LWPID,
	P_TASKID,
	P_PROJID,
	P_POOLID,
	P_ZONEID,
	P_CTID,
	P_CPUID,
	P_PSETID
} idtype_t;

int waitid(idtype_t, id_t, siginfo_t *, int);
pid_t waitpid(pid_t, int *, int);

#endif
