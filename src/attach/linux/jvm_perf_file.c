/*
 * jvm_perf_file.c: see jvm_perf_file.h. HotSpot keeps a file for each JVM,
 * /tmp/hsperfdata_USER/PID, in its own file system and with its number in its own PID namespace.
 *
 * Every user can create such directories and files: each is checked to be the process's own.
 */
#include "attach/linux/jvm_perf_file.h"

#include "os/posix/descriptor.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 32 };

static const char directory_prefix[] = "hsperfdata_";

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

bool jvm_perf_file_open(const struct jvm_process *process, struct os_file *file)
{
	int fd = find_data(process);

	*file = (struct os_file){.shared = false};
	return fd >= 0 && descriptor_to_file(fd, file) == 0;
}
