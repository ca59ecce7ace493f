/*
 * net_link.c: see net_link.h. No lock: shared fields are atomic.
 */
#include "output/net_link.h"

#include "os/time_units.h"

#include <stdlib.h>

enum { POLL_MS = 10 };

struct net_link *net_link_create(const struct os_socket *socket)
{
	struct net_link *link = calloc(1, sizeof(*link));
	if (link == NULL)
		return NULL;
	link->socket = *socket;
	atomic_init(&link->holders, 1);
	return link;
}

struct net_link *net_link_hold(struct net_link *link)
{
	atomic_fetch_add(&link->holders, 1);
	return link;
}

void net_link_release(struct net_link *link)
{
	if (link == NULL || atomic_fetch_sub(&link->holders, 1) > 1)
		return;
	os_socket_close(&link->socket);
	free(link);
}

int net_link_read(struct net_link *link, void *bytes, size_t size, uint32_t deadline_ms,
                  size_t *got)
{
	int error = os_socket_read(&link->socket, bytes, size, deadline_ms, got);
	if (error != 0 && error != OS_TIMED_OUT)
		atomic_store(&link->peer_ended, true);
	return error;
}

void net_link_end(struct net_link *link, uint32_t linger_ms)
{
	uint64_t until_ns = os_monotonic_ns() + linger_ms * NS_PER_MS;
	char dropped[4096];
	size_t got;

	atomic_store(&link->closing, true);
	os_socket_end_writing(&link->socket);
	while (!atomic_load(&link->peer_ended) && os_monotonic_ns() < until_ns)
		(void)net_link_read(link, dropped, sizeof(dropped), POLL_MS, &got);
	net_link_stop_reading(link);
}

void net_link_stop_reading(struct net_link *link)
{
	atomic_store(&link->closing, true);
	atomic_store(&link->ended, true);
}
