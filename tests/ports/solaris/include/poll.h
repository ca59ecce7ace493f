/*
 * poll.h: waiting for descriptors, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_POLL_H
#define TESTS_SOLARIS_POLL_H

#include <sys/types.h>

struct pollfd {
	int fd;
	short events;
	short revents;
};
typedef unsigned long nfds_t;

#define POLLIN 0x0001
#define POLLPRI 0x0002
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020

int poll(struct pollfd *, nfds_t, int);

#endif
