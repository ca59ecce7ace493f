/*
 * net_link.h: the connection of net=, shared by the sink that writes to it and the
 * thread that reads commands from it. It is closed when the last of them lets go.
 */
#ifndef HPROF_OUTPUT_NET_LINK_H
#define HPROF_OUTPUT_NET_LINK_H

#include "os/os.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct net_link {
	struct os_socket socket; /* one thread writes, others read */
	_Atomic unsigned holders;

	/* What the writer tells: bytes that wait to be sent, and, after the sink's
	 * close, those that the peer did not take in time. */
	_Atomic uint64_t waiting;
	_Atomic uint64_t undelivered;

	/* The stream ends: what the peer sends from now on is not looked at, whoever
	 * reads it. */
	_Atomic bool closing;

	/* Nobody needs to read any more. */
	_Atomic bool ended;

	/* What a reader tells: the peer writes no more. */
	_Atomic bool peer_ended;
};

/* Takes over the connected socket; held once. NULL without memory (the socket is
 * then still the caller's). */
struct net_link *net_link_create(const struct os_socket *socket);

/* Any thread. */
struct net_link *net_link_hold(struct net_link *link);
void net_link_release(struct net_link *link);

/* os_socket_read(), which notes the peer's end. Who wants to know what the bytes say asks
 * afterwards whether the link is closing: then others read too, and some are missing. */
int net_link_read(struct net_link *link, void *bytes, size_t size, uint32_t deadline_ms,
                  size_t *got);

/* Ends the stream so that all of it arrives: says the end, and takes what the peer
 * still writes, until it ends too, at most for linger_ms. A socket that is closed with
 * bytes unread would be reset, and what the peer has not read yet be lost. Another
 * thread may be reading, or be held up and not read. */
void net_link_end(struct net_link *link, uint32_t linger_ms);

/* Has who reads stop, within the deadline of the read under way. Any thread. */
void net_link_stop_reading(struct net_link *link);

#endif
