/*
 * mutex.c: mutual exclusion. Any thread, never a signal handler.
 */
#include "os.h"

int os_mutex_init(struct os_mutex *mutex)
{
	return pthread_mutex_init(&mutex->mutex, NULL);
}

void os_mutex_destroy(struct os_mutex *mutex)
{
	(void)pthread_mutex_destroy(&mutex->mutex);
}

void os_mutex_lock(struct os_mutex *mutex)
{
	(void)pthread_mutex_lock(&mutex->mutex);
}

void os_mutex_unlock(struct os_mutex *mutex)
{
	(void)pthread_mutex_unlock(&mutex->mutex);
}
