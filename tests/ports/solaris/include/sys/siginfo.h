/*
 * siginfo.h: what signals tell, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_SIGINFO_H
#define TESTS_SOLARIS_SYS_SIGINFO_H

#include <sys/types.h>

union sigval {
	int sival_int;
	void *sival_ptr;
};

typedef struct siginfo {
	int si_signo;
	int si_code;
	int si_errno;
	int si_pad;
	union {
		int pad[256 / sizeof(int) - 4];
		struct {
			pid_t pid;
			union {
				struct {
					uid_t uid;
					union sigval value;
				} kill;
				struct {
					clock_t utime;
					int status;
					clock_t stime;
				} cld;
			} pdata;
			id_t ctid;
			id_t zoneid;
		} proc;
		struct {
			void *addr;
			int trapno;
			caddr_t pc;
		} fault;
		struct {
			int fd;
			long band;
		} file;
	} data;
} siginfo_t;

#define si_pid data.proc.pid
#define si_uid data.proc.pdata.kill.uid
#define si_value data.proc.pdata.kill.value
#define si_addr data.fault.addr
#define si_fd data.file.fd

#define SI_NOINFO 32767
#define SI_USER 0
#define SI_LWP (-1)
#define SI_QUEUE (-2)
#define SI_TIMER (-3)

#endif
