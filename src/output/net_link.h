/*
 * net_link.h: the connection of net=, shared by the sink that writes to it and the
 * thread that reads commands from it. It is closed when the last holder releases it.
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

	/* Set by the writer: bytes that wait to be sent, and, after the sink has been
	 * closed, those that the peer did not receive in time. */
	_Atomic uint64_t waiting;
	_Atomic uint64_t undelivered;

	/* The stream is ending: whatever the peer sends from now on is discarded. */
	_Atomic bool closing;

	/* Readers should stop. */
	_Atomic bool ended;

	/* Set by a reader: the peer has ended its stream. */
	_Atomic bool peer_ended;
};

/* Takes ownership of the connected socket; the caller is the first holder. NULL without
 * memory: the caller then still owns the socket. */
struct net_link *net_link_create(const struct os_socket *socket);

/* Add and remove a holder. Any thread. */
struct net_link *net_link_hold(struct net_link *link);
void net_link_release(struct net_link *link);

/* As os_socket_read(), and records the end of the peer's stream. A caller that interprets the
 * bytes must check link->closing afterwards: if it is set, other threads read too, and bytes
 * may be missing. */
int net_link_read(struct net_link *link, void *bytes, size_t size, uint32_t deadline_ms,
                  size_t *got);

/* Ends the stream so that all of it arrives: shuts down the sending side, then reads and
 * discards what the peer still sends until it ends too, for at most linger_ms. Closing a
 * socket with unread bytes would reset the connection, and the peer would lose what it has not
 * read yet. Another thread may be reading at the same time. */
void net_link_end(struct net_link *link, uint32_t linger_ms);

/* Makes readers stop, at the latest when the deadline of the current read is over. Any
 * thread. */
void net_link_stop_reading(struct net_link *link);

#endif
