/*
 * sink_socket_fixture.h: what the tests of the sink on a socket share: one that is
 * connected, and bytes that are known by their place.
 */
#ifndef HPROF_TESTS_SINK_SOCKET_FIXTURE_H
#define HPROF_TESTS_SINK_SOCKET_FIXTURE_H

#include "sink_fixture.h"

#include <pthread.h>

#define DEADLINE_MS 10000u

enum { PIECE = 64 * 1024, MEMORY = 256 * 1024 };

extern struct os_socket peer;
extern struct net_link *net;

void connect_sink(uint32_t stall_ms, uint32_t linger_ms);
void let_go(void);
int send_pieces(size_t first, size_t count);

/* Reads on from byte number at, up to the number to; returns where it is then. */
size_t receive(size_t at, size_t to);

/* On a thread of its own, where nothing may be asserted: *length stops growing at a
 * byte that is wrong. */
void *receive_all(void *argument);

#endif
