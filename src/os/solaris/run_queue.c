/*
 * run_queue.c: how long a thread has waited for a CPU, and the calling one for pages, and how
 * often it gave up its CPU, from the kernel's microstate accounting. No lock.
 */
#include "lwp_files.h"

int os_run_queue_open(struct os_run_queue *queue, os_thread thread)
{
	prusage_t usage;

	queue->lwp = thread;
	return lwp_usage(queue->lwp, &usage);
}

bool os_run_queue_waited(const struct os_run_queue *queue, uint64_t *ns)
{
	prusage_t usage;

	if (lwp_usage(queue->lwp, &usage) != 0)
		return false;
	*ns = lwp_ns(&usage.pr_wtime);
	return true;
}

/* The file is open only while it is read. */
void os_run_queue_close(struct os_run_queue *queue)
{
	queue->lwp = 0;
}

bool os_self_waits(struct os_self_waits *waits)
{
	prusage_t usage;

	if (lwp_usage(os_self_thread(), &usage) != 0)
		return false;
	*waits = (struct os_self_waits){
	        .voluntary_switches = usage.pr_vctx,
	        .faults_known = true,
	        .text_fault_ns = lwp_ns(&usage.pr_tftime),
	        .data_fault_ns = lwp_ns(&usage.pr_dftime) + lwp_ns(&usage.pr_kftime),
	};
	return true;
}
