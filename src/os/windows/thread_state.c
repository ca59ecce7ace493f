/*
 * thread_state.c: whether a thread runs. Any thread; no lock.
 */
#include "os.h"

/* The system reports it only for all threads of all processes at once, and a cycle
 * counter may stand still while its thread runs on another CPU. */
enum os_answer os_thread_running(os_thread thread)
{
	return thread == os_self_thread() ? OS_YES : OS_UNKNOWN;
}

enum os_answer os_thread_runnable(os_thread thread)
{
	return os_thread_running(thread);
}
