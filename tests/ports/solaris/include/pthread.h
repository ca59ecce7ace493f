/*
 * pthread.h: threads, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_PTHREAD_H
#define TESTS_SOLARIS_PTHREAD_H

#include <sched.h>
#include <sys/types.h>
#include <time.h>

#define PTHREAD_ONCE_INIT          \
	{                          \
		{                  \
			0, 0, 0, 0 \
		}                  \
	}
#define PTHREAD_MUTEX_INITIALIZER                \
	{                                        \
		{0, 0, 0, 0, 0x4d58}, {{{0}}}, 0 \
	}

int pthread_create(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *),
                   void *restrict);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
pthread_t pthread_self(void);
int pthread_once(pthread_once_t *, void (*)(void));
int pthread_mutex_init(pthread_mutex_t *restrict, const pthread_mutexattr_t *restrict);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_setspecific(pthread_key_t, const void *);
void *pthread_getspecific(pthread_key_t);

#endif
