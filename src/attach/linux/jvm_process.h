/*
 * jvm_process.h: a process that may be a JVM, held by its directory of /proc, through which
 * nothing of a later process with the same number is ever seen. Private to the platform.
 */
#ifndef HPROF_ATTACH_JVM_PROCESS_H
#define HPROF_ATTACH_JVM_PROCESS_H

#include "attach/attach_result.h"
#include "os/os.h"

#include <sys/types.h>

struct jvm_process {
	int proc; /* descriptors: /proc/PID, */
	int root; /* its root directory, */
	int cwd;  /* and its working directory, or -1 */
	pid_t pid;
	pid_t inner_pid; /* in its own PID namespace */
	uid_t uid;       /* effective, as the JVM compares it */
	gid_t gid;
	gid_t *groups; /* supplementary; owned */
	size_t group_count;
};

/* Looks at the process and opens its directories. Any outcome but ATTACH_ANSWERED is why it
 * can't be attached to. Sets all of attach but its answer, which it clears. To be closed in any
 * case. One thread. */
void jvm_process_open(uint64_t pid, struct jvm_process *process, struct attach_result *attach);
void jvm_process_close(struct jvm_process *process);

/* Whether it has not ended, also while nobody has waited for it. */
bool jvm_process_is_running(const struct jvm_process *process);

/* Takes the process's user, group and groups for good, and gives up all capabilities, in a
 * process of our own that ends afterwards. Nothing happens when they are ours already. EPERM
 * when they are not, and we are not root. *call is the system call that failed. */
int jvm_process_become(const struct jvm_process *process, const char **call);

/* Whether the process has the same root directory and mount namespace as this one. */
bool jvm_process_sees_our_files(const struct jvm_process *process);

/* Opens a path as the process itself would find it: its root directory is that of absolute
 * paths and links. Without openat2(2) no link at its end is followed in the root directory of
 * another container. */
int jvm_process_open_path(const struct jvm_process *process, const char *path, int flags,
                          int *opened);

/* Sends SIGQUIT to this very process. */
int jvm_process_signal(const struct jvm_process *process);

/* Sets the error and what failed with it, the call and what it was called for: "openat
 * /proc/12/root"; nothing if the error is 0. */
void jvm_attach_failed(struct attach_result *attach, int error, const char *call, const char *of);

#endif
