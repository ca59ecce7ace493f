/*
 * jvm_list.c: the performance data files of the running JVMs of this user, which HotSpot keeps as
 * /tmp/hsperfdata_USER/PID. For the hprof command: one thread, no lock.
 */
#include "attach/jvm.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

static const char directory_prefix[] = "hsperfdata_";

struct listing {
	void (*each)(void *user, uint64_t pid, struct os_file *data);
	void *user;
};

/* os_file_open() takes files of this user only, and follows no link to one. */
static void look_at(const struct listing *listing, const char *directory, const char *name)
{
	char path[PATH_BYTES];
	struct os_file data;
	char *end;
	unsigned long long pid = strtoull(name, &end, 10);

	if (pid == 0 || pid > INT32_MAX || *end != '\0' || kill((pid_t)pid, 0) != 0 ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", directory, name) >= sizeof(path) ||
	    os_file_open(path, &data) != 0)
		return;
	listing->each(listing->user, pid, &data);
	(void)os_file_close(&data);
}

static void list(const struct listing *listing, const char *directory)
{
	const struct dirent *entry;
	DIR *entries = opendir(directory);

	if (entries == NULL)
		return;
	while ((entry = readdir(entries)) != NULL)
		look_at(listing, directory, entry->d_name);
	(void)closedir(entries);
}

int jvm_each(void (*each)(void *user, uint64_t pid, struct os_file *data), void *user)
{
	const struct listing listing = {.each = each, .user = user};
	char path[PATH_BYTES];
	const struct dirent *entry;
	DIR *entries = opendir("/tmp");

	if (entries == NULL)
		return errno;
	while ((entry = readdir(entries)) != NULL) {
		if (strncmp(entry->d_name, directory_prefix, sizeof(directory_prefix) - 1) == 0 &&
		    (size_t)snprintf(path, sizeof(path), "/tmp/%s", entry->d_name) < sizeof(path))
			list(&listing, path);
	}
	(void)closedir(entries);
	return 0;
}
