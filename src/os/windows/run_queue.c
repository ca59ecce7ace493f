/*
 * run_queue.c: Windows documents no account of a thread's waits for a CPU, nor of the times
 * that it gave one up.
 */
#include "os.h"

int os_run_queue_open(struct os_run_queue *queue, os_thread thread)
{
	(void)thread;
	queue->fd = -1;
	return OS_UNSUPPORTED;
}

bool os_run_queue_waited(const struct os_run_queue *queue, uint64_t *ns)
{
	(void)queue;
	(void)ns;
	return false;
}

void os_run_queue_close(struct os_run_queue *queue)
{
	(void)queue;
}

bool os_self_waits(struct os_self_waits *waits)
{
	(void)waits;
	return false;
}
