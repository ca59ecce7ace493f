/*
 * attach_result.h: what came of an access to a JVM of another process. Constant.
 */
#ifndef HPROF_ATTACH_ATTACH_RESULT_H
#define HPROF_ATTACH_ATTACH_RESULT_H

#include <stdint.h>

enum attach_outcome {
	ATTACH_ANSWERED,
	ATTACH_NO_PROCESS,
	ATTACH_NO_JVM,             /* or one that does not handle SIGQUIT; no signal was sent */
	ATTACH_NOT_PERMITTED,      /* this user can't act as that of the process */
	ATTACH_LIBRARY_ELSEWHERE,  /* not in the process's mount namespace or root directory */
	ATTACH_LIBRARY_UNREADABLE, /* by its user; see error */
	ATTACH_TEXT_TOO_LONG,
	ATTACH_DISABLED,       /* the JVM lets nobody attach; no signal was sent */
	ATTACH_INTERRUPTED,    /* by a request to end, before the JVM had the request */
	ATTACH_NO_SOCKET,      /* the JVM does not open its socket */
	ATTACH_SOCKET_FOREIGN, /* another process has, or left, a socket of its name */
	ATTACH_NO_ANSWER,      /* the request was sent; see error */
	ATTACH_FAILED          /* see error */
};

struct attach_result {
	enum attach_outcome outcome;
	int error; /* 0 where the outcome needs none */
	/* The system call with that error, and what it was called for; or empty. */
	char failed[160];
	uint64_t uid; /* the user and group of the process, once it is known to be a JVM */
	uint64_t gid;
	uint64_t inner_pid; /* the number of the process in its own PID namespace */
	char answer[16 * 1024];
};

#endif
