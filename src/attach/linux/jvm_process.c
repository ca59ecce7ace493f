/*
 * jvm_process.c: see jvm_process.h. One thread; no lock.
 */
#include "attach/linux/jvm_process.h"
#include "os/posix/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GROUPS_MAX = 65536, NAME_BYTES = 32 };

/* HotSpot's thread that takes SIGQUIT, its name cut as the kernel does. */
static const char dispatcher_name[] = "Signal Dispatch";

static int open_in(int directory, const char *name, int flags)
{
	return descriptor_above_standard(openat(directory, name, flags | O_CLOEXEC));
}

/* ---- /proc/PID/status ---------------------------------------------------------------- */

struct status {
	uint64_t caught; /* a bit for each signal with a handler, signal 1 the lowest */
	pid_t thread_group;
	char state;
};

/* "Groups:	4 24 27" of any length. */
static int take_groups(struct jvm_process *process, const char *text)
{
	size_t room = 0;
	char *end;

	for (unsigned long id = strtoul(text, &end, 10); end != text;
	     id = strtoul(text, &end, 10)) {
		if (process->group_count == room) {
			room = room == 0 ? 16 : 2 * room;
			gid_t *more = room > GROUPS_MAX
			                      ? NULL
			                      : realloc(process->groups, room * sizeof(*more));
			if (more == NULL)
				return ENOMEM;
			process->groups = more;
		}
		process->groups[process->group_count++] = (gid_t)id;
		text = end;
	}
	return 0;
}

/* The text after the name of a line; NULL if the line has another name. */
static const char *after(const char *line, const char *name)
{
	size_t length = strlen(name);
	return strncmp(line, name, length) == 0 ? line + length : NULL;
}

static int take_line(struct jvm_process *process, struct status *status, const char *line)
{
	const char *rest;

	if ((rest = after(line, "State:")) != NULL)
		status->state = rest[strspn(rest, " \t")];
	else if ((rest = after(line, "Tgid:")) != NULL)
		status->thread_group = (pid_t)strtol(rest, NULL, 10);
	else if ((rest = after(line, "Uid:")) != NULL)
		(void)sscanf(rest, "%*u %u", &process->uid);
	else if ((rest = after(line, "Gid:")) != NULL)
		(void)sscanf(rest, "%*u %u", &process->gid);
	else if ((rest = after(line, "Groups:")) != NULL)
		return take_groups(process, rest);
	else if (after(line, "NSpid:\t") != NULL)
		/* One in each namespace that it is in, its own the last. */
		process->inner_pid = (pid_t)strtol(strrchr(line, '\t') + 1, NULL, 10);
	else if ((rest = after(line, "SigCgt:")) != NULL)
		status->caught = strtoull(rest, NULL, 16);
	return 0;
}

static int read_status(struct jvm_process *process, struct status *status)
{
	int fd = open_in(process->proc, "status", O_RDONLY);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t size = 0;
	int error = 0;

	if (file == NULL) {
		error = errno;
		if (fd >= 0)
			(void)close(fd);
		return error;
	}
	while (error == 0 && getline(&line, &size, file) >= 0)
		error = take_line(process, status, line);
	if (error == 0 && ferror(file))
		error = errno;
	free(line);
	(void)fclose(file);
	return error;
}

/* ---- whether it is a JVM --------------------------------------------------------------- */

static bool is_dispatcher(int tasks, const char *thread)
{
	char path[NAME_BYTES];
	char name[NAME_BYTES] = "";

	(void)snprintf(path, sizeof(path), "%.16s/comm", thread);
	int fd = open_in(tasks, path, O_RDONLY);
	if (fd < 0)
		return false;
	ssize_t length = read(fd, name, sizeof(name) - 1);
	(void)close(fd);
	name[strcspn(name, "\n")] = '\0';
	return length > 0 && strcmp(name, dispatcher_name) == 0;
}

/* Of other programs SIGQUIT would be the end, or an order to end. */
static bool has_dispatcher(const struct jvm_process *process)
{
	int fd = open_in(process->proc, "task", O_RDONLY | O_DIRECTORY);
	DIR *tasks = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool found = false;

	if (tasks == NULL) {
		if (fd >= 0)
			(void)close(fd);
		return false;
	}
	while (!found && (entry = readdir(tasks)) != NULL)
		found = entry->d_name[0] != '.' && is_dispatcher(dirfd(tasks), entry->d_name);
	(void)closedir(tasks);
	return found;
}

static bool has_ended(const struct status *status)
{
	return status->state == 'Z' || status->state == 'X';
}

static bool is_jvm(const struct jvm_process *process, const struct status *status)
{
	return (status->caught >> (SIGQUIT - 1) & 1) != 0 && has_dispatcher(process);
}

/* ---- its rights and its files ------------------------------------------------------------ */

static bool is_ours(const struct jvm_process *process)
{
	return process->uid == geteuid() && process->gid == getegid();
}

/* Opens a directory of /proc/PID; -1 after noting the error. */
static int open_directory(const struct jvm_process *process, const char *name,
                          struct attach_result *attach)
{
	char path[2 * NAME_BYTES];
	int fd = open_in(process->proc, name, O_PATH | O_DIRECTORY);

	if (fd < 0) {
		(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)process->pid, name);
		jvm_attach_failed(attach, errno, "openat", path);
	}
	return fd;
}

/* 0, or the error of what failed. */
static int open_process(uint64_t pid, struct jvm_process *process, struct status *status,
                        struct attach_result *attach)
{
	char path[NAME_BYTES];

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu64, pid);
	process->proc = open_in(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
	if (process->proc < 0) {
		jvm_attach_failed(attach, errno, "open", path);
		return attach->error;
	}
	process->pid = process->inner_pid = (pid_t)pid;
	int error = read_status(process, status);
	if (error != 0) {
		(void)strlcat(path, "/status", sizeof(path));
		jvm_attach_failed(attach, error, "read", path);
	}
	return error;
}

static enum attach_outcome look_at(uint64_t pid, struct jvm_process *process,
                                   struct attach_result *attach)
{
	struct status status = {.caught = 0};
	int error = open_process(pid, process, &status, attach);

	if ((process->proc < 0 && error == ENOENT) || error == ESRCH)
		return ATTACH_NO_PROCESS;
	if (error != 0)
		return ATTACH_FAILED;
	/* A thread has a directory there, too, and so has a process that ended and was not waited
	 * for. */
	if (status.thread_group != process->pid || has_ended(&status))
		return ATTACH_NO_PROCESS;
	if (!is_jvm(process, &status))
		return ATTACH_NO_JVM;
	if (!is_ours(process) && geteuid() != 0)
		return ATTACH_NOT_PERMITTED;
	process->root = open_directory(process, "root", attach);
	if (process->root < 0)
		return attach->error == EACCES || attach->error == EPERM ? ATTACH_NOT_PERMITTED
		                                                         : ATTACH_FAILED;
	process->cwd = open_in(process->proc, "cwd", O_PATH | O_DIRECTORY);
	return ATTACH_ANSWERED;
}

void jvm_process_open(uint64_t pid, struct jvm_process *process, struct attach_result *attach)
{
	*process = (struct jvm_process){.proc = -1, .root = -1, .cwd = -1};
	memset(attach, 0, sizeof(*attach));
	attach->outcome = look_at(pid, process, attach);
	attach->uid = process->uid;
	attach->gid = process->gid;
	attach->inner_pid = (uint64_t)process->inner_pid;
}

void jvm_attach_failed(struct attach_result *attach, int error, const char *call, const char *of)
{
	attach->error = error;
	attach->failed[0] = '\0';
	if (error != 0)
		(void)snprintf(attach->failed, sizeof(attach->failed), "%s %s", call, of);
}

void jvm_process_close(struct jvm_process *process)
{
	const int open[] = {process->proc, process->root, process->cwd};

	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
		if (open[i] >= 0)
			(void)close(open[i]);
	}
	free(process->groups);
}

bool jvm_process_is_running(const struct jvm_process *process)
{
	struct jvm_process now = {.proc = process->proc};
	struct status status = {.caught = 0};
	int error = read_status(&now, &status);

	free(now.groups);
	return error != 0 ? error != ESRCH : !has_ended(&status);
}

/* ---- acting as the process, and on it ------------------------------------------------------ */

/* A process with PR_SET_KEEPCAPS keeps them when its user changes. */
static int drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{.effective = 0}};
	return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

int jvm_process_become(const struct jvm_process *process, const char **call)
{
	uid_t uid = process->uid;
	gid_t gid = process->gid;

	*call = "setgroups";
	if (is_ours(process))
		return 0;
	if (geteuid() != 0)
		return EPERM;
	if (setgroups(process->group_count, process->groups) != 0)
		return errno;
	*call = "setresgid";
	if (setresgid(gid, gid, gid) != 0)
		return errno;
	*call = "setresuid";
	if (setresuid(uid, uid, uid) != 0)
		return errno;
	*call = "capset";
	return uid == 0 ? 0 : drop_capabilities();
}

static bool is_same_file(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bool jvm_process_sees_our_files(const struct jvm_process *process)
{
	struct stat ours;
	struct stat its;
	return stat("/", &ours) == 0 && fstat(process->root, &its) == 0 &&
	       is_same_file(&ours, &its) && stat("/proc/self/ns/mnt", &ours) == 0 &&
	       fstatat(process->proc, "ns/mnt", &its, 0) == 0 && is_same_file(&ours, &its);
}

/* Whether a system call is to be replaced by an older one: an old kernel does not have it, or the
 * filter of a container, which may be older than the call, refuses it by either number. */
static bool is_unavailable(int error)
{
	return error == ENOSYS || error == EPERM;
}

/* Linux before 5.6 can't resolve links within the process's root. Where that is another one, none
 * is followed. */
static int open_path_before_openat2(const struct jvm_process *process, const char *path, int flags)
{
	if (jvm_process_sees_our_files(process))
		return open_in(AT_FDCWD, path, flags);
	return open_in(process->root, path + strspn(path, "/"), flags | O_NOFOLLOW);
}

int jvm_process_open_path(const struct jvm_process *process, const char *path, int flags,
                          int *opened)
{
	const struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC,
	                             .resolve = RESOLVE_IN_ROOT};

	*opened = descriptor_above_standard(
	        (int)syscall(SYS_openat2, process->root, path, &how, sizeof(how)));
	if (*opened < 0 && is_unavailable(errno))
		*opened = open_path_before_openat2(process, path, flags);
	return *opened < 0 ? errno : 0;
}

int jvm_process_signal(const struct jvm_process *process)
{
	if (syscall(SYS_pidfd_send_signal, process->proc, SIGQUIT, NULL, 0) == 0)
		return 0;
	if (!is_unavailable(errno))
		return errno;
	/* Linux before 5.1: what remains is to look first. */
	if (faccessat(process->proc, "status", F_OK, 0) != 0)
		return errno;
	return kill(process->pid, SIGQUIT) == 0 ? 0 : errno;
}
