/*
 * jvm_list.c: the performance data files of the running JVMs. HotSpot keeps one for each JVM,
 * /tmp/hsperfdata_USER/PID, in its own file system and with its number in its own PID namespace.
 * For the hprof command: one thread, no lock.
 *
 * Every user can create such directories and files: each is checked to be the process's own.
 */
#include "attach/jvm.h"
#include "attach/linux/jvm_process.h"
#include "os/posix/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 32 };

static const char directory_prefix[] = "hsperfdata_";

struct listing {
	void (*each)(void *user, uint64_t pid, struct os_file *data);
	void *user;
};

/* The regular file of the process in that directory, or -1. */
static int open_data(const struct jvm_process *process, int tmp, const char *directory_name)
{
	char name[NAME_BYTES];
	struct stat status;
	int directory =
	        openat(tmp, directory_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (directory < 0)
		return -1;
	(void)snprintf(name, sizeof(name), "%d", (int)process->inner_pid);
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	(void)close(directory);
	fd = descriptor_above_standard(fd);
	if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
	                status.st_uid != process->uid)) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

static int find_data(const struct jvm_process *process)
{
	const struct dirent *entry;
	int fd = -1;
	int tmp = -1;

	(void)jvm_process_open_path(process, "/tmp", O_RDONLY | O_DIRECTORY, &tmp);
	DIR *entries = tmp < 0 ? NULL : fdopendir(tmp);
	if (entries == NULL) {
		if (tmp >= 0)
			(void)close(tmp);
		return -1;
	}
	while (fd < 0 && (entry = readdir(entries)) != NULL) {
		if (strncmp(entry->d_name, directory_prefix, sizeof(directory_prefix) - 1) == 0)
			fd = open_data(process, tmp, entry->d_name);
	}
	(void)closedir(entries);
	return fd;
}

static void look_at(const struct listing *listing, uint64_t pid)
{
	static struct attach_result attach;
	struct jvm_process process;

	jvm_process_open(pid, &process, &attach);
	if (attach.outcome == ATTACH_ANSWERED) {
		struct os_file data = {.shared = false};
		int fd = find_data(&process);
		if (fd >= 0 && descriptor_to_file(fd, &data) == 0) {
			listing->each(listing->user, pid, &data);
			(void)os_file_close(&data);
		}
	}
	jvm_process_close(&process);
}

int jvm_each(void (*each)(void *user, uint64_t pid, struct os_file *data), void *user)
{
	const struct listing listing = {.each = each, .user = user};
	const struct dirent *entry;
	DIR *processes = opendir("/proc");

	if (processes == NULL)
		return errno;
	while ((entry = readdir(processes)) != NULL) {
		char *end;
		unsigned long long pid = strtoull(entry->d_name, &end, 10);
		if (pid > 0 && *end == '\0')
			look_at(&listing, pid);
	}
	(void)closedir(processes);
	return 0;
}
