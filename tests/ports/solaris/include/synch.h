/*
 * synch.h: semaphores of Solaris threads, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYNCH_H
#define TESTS_SOLARIS_SYNCH_H

#include <sys/types.h>
#include <time.h>

#define USYNC_THREAD 0x00
#define USYNC_PROCESS 0x01

typedef struct {
	uint32_t count;
	uint16_t type;
	uint16_t magic;
	upad64_t pad1[3];
	upad64_t pad2[2];
} sema_t;

int sema_init(sema_t *, unsigned int, int, void *);
int sema_destroy(sema_t *);
int sema_post(sema_t *);
int sema_wait(sema_t *);
int sema_trywait(sema_t *);
int sema_reltimedwait(sema_t *, const timestruc_t *);

#endif
