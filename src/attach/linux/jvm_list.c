/*
 * jvm_list.c: the performance data files of the running JVMs. For the hprof command: one thread, no
 * lock.
 */
#include "attach/jvm.h"
#include "attach/linux/jvm_perf_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

struct listing {
	void (*each)(void *user, uint64_t pid, struct os_file *data);
	void *user;
};

static void look_at(const struct listing *listing, uint64_t pid)
{
	static struct attach_result attach;
	struct jvm_process process;

	jvm_process_open(pid, &process, &attach);
	if (attach.outcome == ATTACH_ANSWERED) {
		struct os_file data;
		if (jvm_perf_file_open(&process, &data)) {
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
