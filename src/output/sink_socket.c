/*
 * sink_socket.c: a sink into a connected socket. What was sent can't be taken
 * back, so it has no tails. Called under the record writer's sink lock.
 */
#include "output/sink.h"

#include <stdlib.h>

struct socket_sink {
	struct sink sink; /* first, so that a sink is its socket_sink */
	struct os_socket socket;
	uint32_t deadline_ms;
};

static struct socket_sink *socket_sink_of(struct sink *sink)
{
	return (struct socket_sink *)sink;
}

static int socket_write(struct sink *sink, const void *bytes, size_t length)
{
	struct socket_sink *socket = socket_sink_of(sink);
	return os_socket_write(&socket->socket, bytes, length, socket->deadline_ms);
}

static int socket_close(struct sink *sink)
{
	struct socket_sink *socket = socket_sink_of(sink);
	os_socket_close(&socket->socket);
	free(socket);
	return 0;
}

static const struct sink_ops socket_ops = {
        .write = socket_write,
        .close = socket_close,
};

struct sink *sink_socket_create(const struct os_socket *socket, uint32_t deadline_ms)
{
	struct socket_sink *created = calloc(1, sizeof(*created));
	if (!created)
		return NULL;
	created->sink.ops = &socket_ops;
	created->socket = *socket;
	created->deadline_ms = deadline_ms;
	return &created->sink;
}
