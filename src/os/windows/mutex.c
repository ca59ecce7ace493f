/*
 * mutex.c: mutual exclusion. Any thread.
 */
#include "system.h"

#include "os.h"

_Static_assert(sizeof(struct os_mutex) == sizeof(SRWLOCK), "the lock is kept in a pointer");

static SRWLOCK *lock_of(struct os_mutex *mutex)
{
	return (SRWLOCK *)(void *)mutex;
}

int os_mutex_init(struct os_mutex *mutex)
{
	InitializeSRWLock(lock_of(mutex));
	return 0;
}

void os_mutex_destroy(struct os_mutex *mutex)
{
	(void)mutex;
}

void os_mutex_lock(struct os_mutex *mutex)
{
	AcquireSRWLockExclusive(lock_of(mutex));
}

void os_mutex_unlock(struct os_mutex *mutex)
{
	ReleaseSRWLockExclusive(lock_of(mutex));
}
