/*
 * synch.h: semaphores of Solaris threads on those of POSIX.
 */
#ifndef SHIM_SYNCH_H
#define SHIM_SYNCH_H

#include <semaphore.h>
#include <time.h>

typedef struct timespec timestruc_t;

typedef struct {
	sem_t posix;
} sema_t;

#define USYNC_THREAD 0

int sema_init(sema_t *sema, unsigned int count, int type, void *unused);
int sema_destroy(sema_t *sema);
int sema_post(sema_t *sema);
int sema_reltimedwait(sema_t *sema, const timestruc_t *timeout);

#endif
