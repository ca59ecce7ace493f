/*
 * proc_task.c: see proc_task.h. Any thread; no lock, no allocation.
 */
#include "proc_task.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_all(int fd, char *text, size_t size)
{
	size_t length = 0;
	while (length < size - 1) {
		ssize_t got = read(fd, text + length, size - 1 - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0)
			break;
		length += (size_t)got;
	}
	text[length] = '\0';
	return length > 0 ? 0 : ESRCH;
}

int proc_task_read(os_thread thread, const char *name, char *text, size_t size)
{
	char path[64];
	int length = snprintf(path, sizeof(path), "/proc/self/task/%" PRIu64 "/%s", thread, name);
	if (length < 0 || (size_t)length >= sizeof(path))
		return EINVAL;
	int fd;
	do
		fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return errno == ENOENT ? ESRCH : errno;
	int error = read_all(fd, text, size);
	(void)close(fd);
	return error;
}

const char *proc_task_stat_field(const char *stat, int field)
{
	const int first_after_name = 3;
	const char *at = strrchr(stat, ')');
	if (at == NULL || field < first_after_name)
		return NULL;
	for (int i = first_after_name; i <= field; i++) {
		at = strchr(at, ' ');
		if (at == NULL)
			return NULL;
		at++;
	}
	return at;
}

/* Takes a number and the character after it. */
static bool take_number(const char **text, char after, uint64_t *number)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*number = strtoull(*text, &end, 10);
	if (errno != 0 || *end != after)
		return false;
	*text = end + 1;
	return true;
}

bool proc_task_waited(const char *schedstat, uint64_t *ns)
{
	uint64_t ran_ns;
	uint64_t slices;
	return take_number(&schedstat, ' ', &ran_ns) && take_number(&schedstat, ' ', ns) &&
	       take_number(&schedstat, '\n', &slices) && slices > 0;
}
