/*
 * run_queue.c: how long a thread has waited for a CPU, from an open file of /proc, and how
 * often the calling thread gave one up. No lock.
 *
 * The kernel adds a wait when the thread gets its CPU, so that the thread itself always
 * reads complete waits.
 */
#include "descriptor.h"
#include "proc_task.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static bool read_waited(int fd, uint64_t *ns)
{
	char text[sizeof("18446744073709551615 18446744073709551615 18446744073709551615\n")];
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);

	if (length <= 0)
		return false;
	text[length] = '\0';
	return proc_task_waited(text, ns);
}

/* The kernel hands out the lowest number that is free: a number in the upper
 * half means that the lower half is taken. */
static bool too_few_left(int fd)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)fd > limit.rlim_cur / 2;
}

int os_run_queue_open(struct os_run_queue *queue, os_thread thread)
{
	char path[64];
	uint64_t ns;

	(void)snprintf(path, sizeof(path), "/proc/self/task/%" PRIu64 "/schedstat", thread);
	int fd = descriptor_above_standard(open(path, O_RDONLY | O_CLOEXEC));

	queue->fd = -1;
	if (fd < 0)
		return errno == ENOENT ? OS_UNSUPPORTED : errno;
	int error = too_few_left(fd) ? EMFILE : read_waited(fd, &ns) ? 0 : OS_UNSUPPORTED;
	if (error == 0)
		error = descriptor_identify(fd, &queue->identity);
	if (error == 0)
		queue->fd = fd;
	else
		(void)close(fd);
	return error;
}

bool os_run_queue_waited(const struct os_run_queue *queue, uint64_t *ns)
{
	return read_waited(queue->fd, ns);
}

void os_run_queue_close(struct os_run_queue *queue)
{
	if (queue->fd >= 0)
		(void)descriptor_close(queue->fd, &queue->identity);
	queue->fd = -1;
}

bool os_self_waits(struct os_self_waits *waits)
{
	struct rusage usage;
	if (getrusage(RUSAGE_THREAD, &usage) != 0)
		return false;
	*waits = (struct os_self_waits){.voluntary_switches = (uint64_t)usage.ru_nvcsw};
	return true;
}
