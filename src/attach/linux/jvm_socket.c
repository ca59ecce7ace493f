/*
 * jvm_socket.c: see jvm_socket.h. One thread, in a process of its own.
 *
 * The target, or every user, can write to these directories. So names in them are used
 * relative to descriptors, no existing file is opened for writing or removed, and the owner
 * of a socket is taken from the kernel, not from the file.
 */
#include "attach/linux/jvm_socket.h"

#include "os/os_programs.h"
#include "os/time_units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 32, LOOK_MS = 10, TRIGGER_MODE = 0600 };

/* With it, the JVM takes a SIGQUIT for a request to attach, not for a thread dump. */
struct trigger {
	int directory; /* not owned */
	bool created;  /* by us, so ours to remove */
	char name[NAME_BYTES];
};

static int make_trigger(struct trigger *trigger, int directory)
{
	trigger->directory = directory;
	int fd = openat(directory, trigger->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	                TRIGGER_MODE);
	if (fd < 0)
		return errno;
	trigger->created = true;
	(void)close(fd);
	return 0;
}

/* In the working directory, where the JVM looks first, or in its /tmp. An existing file
 * belongs to another attach in progress, or to one that was killed. False after noting an error. */
static bool make_trigger_somewhere(const struct jvm_process *process, int tmp,
                                   struct trigger *trigger, struct attach_result *attach)
{
	char path[2 * NAME_BYTES];
	int error = ENOENT;

	trigger->created = false;
	(void)snprintf(trigger->name, sizeof(trigger->name), ".attach_pid%d",
	               (int)process->inner_pid);
	if (process->cwd >= 0)
		error = make_trigger(trigger, process->cwd);
	if (error != 0)
		error = make_trigger(trigger, tmp);
	if (error == 0 || error == EEXIST)
		return true;
	(void)snprintf(path, sizeof(path), "/tmp/%s", trigger->name);
	jvm_attach_failed(attach, error, "openat", path);
	return false;
}

static void remove_trigger(const struct trigger *trigger)
{
	if (trigger->created)
		(void)unlinkat(trigger->directory, trigger->name, 0);
}

/* The process that listens must be the JVM: any process that may write to its /tmp can create a
 * socket of that name. */
static int check_listener(const struct jvm_process *process, const struct os_socket *socket)
{
	struct ucred listener;
	socklen_t size = sizeof(listener);

	if (getsockopt((int)socket->handle, SOL_SOCKET, SO_PEERCRED, &listener, &size) != 0)
		return errno;
	return listener.pid == process->pid && listener.uid == process->uid ? 0 : OS_NOT_OURS;
}

/* In the JVM's /tmp, which is the working directory. ENOENT and ECONNREFUSED: no process listens.
 */
static int connect_now(const struct jvm_process *process, const char *name, uint32_t deadline_ms,
                       struct os_socket *socket)
{
	struct stat file;

	if (fstatat(AT_FDCWD, name, &file, AT_SYMLINK_NOFOLLOW) != 0)
		return errno;
	if (!S_ISSOCK(file.st_mode) || (file.st_uid != process->uid && file.st_uid != 0))
		return OS_NOT_OURS;
	int error = os_socket_connect_local(name, deadline_ms, socket);
	if (error == EACCES)
		error = OS_NOT_OURS; /* root's, perhaps of a JVM that was killed */
	if (error == 0)
		error = check_listener(process, socket);
	if (error != 0)
		os_socket_close(socket);
	return error;
}

static bool nobody_listens(int error)
{
	return error == ENOENT || error == ECONNREFUSED;
}

/* What is asked for the socket. */
struct asking {
	const struct jvm_process *process;
	const char *name;
	uint32_t deadline_ms;
	bool may_end;
};

static int send_signal(const struct jvm_process *process, struct attach_result *attach)
{
	char path[2 * NAME_BYTES];
	int error = jvm_process_signal(process);

	(void)snprintf(path, sizeof(path), "SIGQUIT to process %d", (int)process->pid);
	jvm_attach_failed(attach, error, "send", path);
	return error;
}

static int connect_noting(const struct asking *asking, struct os_socket *socket,
                          struct attach_result *attach)
{
	char path[2 * NAME_BYTES];
	int error = connect_now(asking->process, asking->name, asking->deadline_ms, socket);

	(void)snprintf(path, sizeof(path), "/tmp/%s", asking->name);
	jvm_attach_failed(attach, error, "connect", path);
	return error;
}

/* Requests the socket: a JVM that is starting may miss the first signal, so it is sent again. */
static int connect_asking(const struct asking *asking, struct os_socket *socket,
                          struct attach_result *attach)
{
	uint64_t start_ns = os_monotonic_ns();
	uint64_t end_ns = start_ns + asking->deadline_ms * NS_PER_MS;
	uint64_t again_ns = start_ns + asking->deadline_ms * NS_PER_MS / 2;
	int error = send_signal(asking->process, attach);

	while (error == 0) {
		if (asking->may_end && os_interrupted())
			return EINTR;
		os_sleep_until(os_monotonic_ns() + LOOK_MS * NS_PER_MS);
		error = connect_noting(asking, socket, attach);
		if (!nobody_listens(error))
			return error;
		uint64_t now_ns = os_monotonic_ns();
		if (now_ns >= end_ns)
			return OS_TIMED_OUT;
		error = 0;
		if (now_ns >= again_ns) {
			again_ns = end_ns;
			error = send_signal(asking->process, attach);
		}
	}
	return error;
}

static enum attach_outcome outcome_of(int error)
{
	switch (error) {
	case 0:
		return ATTACH_ANSWERED;
	case OS_NOT_OURS:
		return ATTACH_SOCKET_FOREIGN;
	case OS_TIMED_OUT:
		return ATTACH_NO_SOCKET;
	case ESRCH:
		return ATTACH_NO_PROCESS;
	case EINTR:
		return ATTACH_INTERRUPTED;
	default:
		return ATTACH_FAILED;
	}
}

/* The JVM's /tmp becomes the working directory; *tmp is its descriptor. */
static int enter_tmp(const struct jvm_process *process, int *tmp, struct attach_result *attach)
{
	int error = jvm_process_open_path(process, "/tmp", O_PATH | O_DIRECTORY, tmp);

	if (error == 0 && fchdir(*tmp) != 0) {
		error = errno;
		(void)close(*tmp);
	}
	jvm_attach_failed(attach, error, "open", "/tmp");
	return error;
}

void jvm_socket_connect(const struct jvm_process *process, uint32_t deadline_ms, bool may_end,
                        struct os_socket *socket, struct attach_result *attach)
{
	char name[NAME_BYTES];
	const struct asking asking = {process, name, deadline_ms, may_end};
	struct trigger trigger;
	int tmp;

	attach->outcome = ATTACH_FAILED;
	if (enter_tmp(process, &tmp, attach) != 0)
		return;
	(void)snprintf(name, sizeof(name), ".java_pid%d", (int)process->inner_pid);
	int error = connect_noting(&asking, socket, attach);
	if (nobody_listens(error)) {
		error = EIO;
		if (make_trigger_somewhere(process, tmp, &trigger, attach)) {
			error = connect_asking(&asking, socket, attach);
			remove_trigger(&trigger);
		}
	}
	(void)close(tmp);
	attach->outcome = outcome_of(error);
}
