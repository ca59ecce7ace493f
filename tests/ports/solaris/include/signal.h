/*
 * signal.h: signals, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SIGNAL_H
#define TESTS_SOLARIS_SIGNAL_H

#include <sys/types.h>
#include <sys/siginfo.h>

typedef int sig_atomic_t;

typedef struct {
	unsigned int __sigbits[4];
} sigset_t;

struct sigaction {
	int sa_flags;
	union {
		void (*handler)();
		void (*action)(int, siginfo_t *, void *);
	} functions;
	sigset_t sa_mask;
};
#define sa_handler functions.handler
#define sa_sigaction functions.action

typedef struct {
	void *ss_sp;
	size_t ss_size;
	int ss_flags;
} stack_t;

/* In illumos the functions have no prototype, which clang warns of even in its headers. */
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))(-1))

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGUSR1 16
#define SIGUSR2 17
#define SIGCHLD 18
#define SIGSTOP 23
#define SIGCONT 25
#define SIGVTALRM 28
#define SIGPROF 29

#define SA_ONSTACK 0x1
#define SA_RESETHAND 0x2
#define SA_RESTART 0x4
#define SA_SIGINFO 0x8
#define SA_NODEFER 0x10

#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3

int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigaddset(sigset_t *, int);
int sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
int sigaction(int, const struct sigaction *restrict, struct sigaction *restrict);
int pthread_sigmask(int, const sigset_t *restrict, sigset_t *restrict);
int pthread_kill(pthread_t, int);
int kill(pid_t, int);
int raise(int);

#endif
