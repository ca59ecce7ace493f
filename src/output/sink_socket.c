/*
 * sink_socket.c: a sink into a connection. A write never waits for the peer: bytes go
 * to a ring in memory, and when that is full to temporary files (spill.h); the sink's
 * sender thread sends them. Sent bytes can't be removed, so there are no tails.
 *
 * The record writer calls write under its sink lock, and close after the last write. The
 * sink's own lock, taken last, guards the ring and the spill; the sender holds it while it removes
 * bytes, never while it sends.
 */
#include "output/sink.h"

#include "os/time_units.h"
#include "output/spill.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The sender sends PIECE_BYTES at a time, and checks every WAIT_MS whether the sink is being
 * closed. */
enum { PIECE_BYTES = 64 * 1024, WAIT_MS = 100, IDLE_MS = 10000 };

struct socket_sink {
	struct sink sink; /* first, so that a sink is its socket_sink */
	struct net_link *link;
	struct sink_socket_limits limits;
	struct os_thread_handle sender;
	struct os_event wake; /* wakes the sender: new bytes, or the end */

	struct os_mutex lock; /* guards these */
	uint8_t *ring;        /* limits.memory_bytes long */
	size_t ring_start;    /* index of the oldest byte */
	size_t ring_length;   /* these bytes are older than those of the spill */
	struct spill spill;
	int error; /* the sender's error; nothing more is sent */
	bool closing;
	uint64_t closing_since_ns;
	uint64_t closing_until_ns; /* bytes not sent by then are lost */

	uint8_t piece[PIECE_BYTES]; /* used by the sender only */
};

static struct socket_sink *socket_sink_of(struct sink *sink)
{
	return (struct socket_sink *)sink;
}

/* ---- the queue: under the lock ------------------------------------------ */

static uint64_t waiting(const struct socket_sink *socket)
{
	return socket->ring_length + socket->spill.length;
}

static void ring_put(struct socket_sink *socket, const uint8_t *bytes, size_t length)
{
	size_t size = socket->limits.memory_bytes;
	size_t end = (socket->ring_start + socket->ring_length) % size;
	size_t first = length < size - end ? length : size - end;

	memcpy(socket->ring + end, bytes, first);
	memcpy(socket->ring, bytes + first, length - first);
	socket->ring_length += length;
}

static size_t ring_take(struct socket_sink *socket, uint8_t *bytes, size_t most)
{
	size_t size = socket->limits.memory_bytes;
	size_t length = socket->ring_length < most ? socket->ring_length : most;
	size_t first = length < size - socket->ring_start ? length : size - socket->ring_start;

	memcpy(bytes, socket->ring + socket->ring_start, first);
	memcpy(bytes + first, socket->ring, length - first);
	socket->ring_start = (socket->ring_start + length) % size;
	socket->ring_length -= length;
	return length;
}

/* While the files contain bytes, new ones must not go to memory: they would be sent first. */
static int put(struct socket_sink *socket, const void *bytes, size_t length)
{
	if (socket->error != 0)
		return socket->error;
	if (socket->spill.length == 0 &&
	    length <= socket->limits.memory_bytes - socket->ring_length) {
		ring_put(socket, bytes, length);
		return 0;
	}
	return spill_append(&socket->spill, bytes, length);
}

/* ---- the sender --------------------------------------------------------- */

/* Moves the oldest bytes to piece and returns their number; 0 if there are none. */
static size_t take_piece(struct socket_sink *socket)
{
	size_t length = 0;

	os_mutex_lock(&socket->lock);
	if (socket->error == 0) {
		length = ring_take(socket, socket->piece, PIECE_BYTES);
		if (length == 0)
			socket->error =
			        spill_take(&socket->spill, socket->piece, PIECE_BYTES, &length);
	}
	os_mutex_unlock(&socket->lock);
	return length;
}

static bool is_closing(struct socket_sink *socket)
{
	os_mutex_lock(&socket->lock);
	bool closing = socket->closing;
	os_mutex_unlock(&socket->lock);
	return closing;
}

/* Whether the sink is being closed and the peer, which last received bytes at taken_ns, has
 * exceeded its time. */
static bool too_late(struct socket_sink *socket, uint64_t taken_ns)
{
	if (!is_closing(socket))
		return false;
	/* Read after closing, which is set after closing_since_ns: never before that time. */
	uint64_t now_ns = os_monotonic_ns();
	/* closing is set, so these fields no longer change. */
	if (taken_ns < socket->closing_since_ns)
		taken_ns = socket->closing_since_ns;
	return now_ns >= socket->closing_until_ns ||
	       now_ns - taken_ns >= socket->limits.stall_ms * NS_PER_MS;
}

/* Sends the piece, however long the peer takes; on close, within its limits. */
static int send_piece(struct socket_sink *socket, size_t length)
{
	const uint8_t *rest = socket->piece;
	uint64_t taken_ns = os_monotonic_ns();

	while (length > 0) {
		size_t sent = 0;
		int error =
		        os_socket_write_some(&socket->link->socket, rest, length, WAIT_MS, &sent);
		if (error != 0 && error != OS_TIMED_OUT)
			return error;
		if (sent > 0)
			taken_ns = os_monotonic_ns();
		rest += sent;
		length -= sent;
		atomic_fetch_sub(&socket->link->waiting, sent);
		if (length > 0 && too_late(socket, taken_ns))
			return OS_TIMED_OUT;
	}
	return 0;
}

static void fail(struct socket_sink *socket, int error)
{
	os_mutex_lock(&socket->lock);
	socket->error = error;
	spill_free(&socket->spill); /* the bytes are useless now, the disk space is not */
	os_mutex_unlock(&socket->lock);
}

static void send_all(void *argument)
{
	struct socket_sink *socket = argument;

	for (;;) {
		/* Checked before taking bytes: no bytes arrive after it is set. */
		bool last = is_closing(socket);
		size_t length = take_piece(socket);
		int error = length > 0 ? send_piece(socket, length) : 0;
		if (error != 0)
			fail(socket, error);
		if (length == 0 && last)
			break;
		if (length == 0)
			(void)os_event_wait(&socket->wake, IDLE_MS);
	}
	net_link_end(socket->link, socket->error == 0 ? socket->limits.linger_ms : 0);
}

/* ---- the sink ----------------------------------------------------------- */

static int socket_write(struct sink *sink, const void *bytes, size_t length)
{
	struct socket_sink *socket = socket_sink_of(sink);

	os_mutex_lock(&socket->lock);
	int error = put(socket, bytes, length);
	if (error == 0)
		atomic_fetch_add(&socket->link->waiting, length);
	os_mutex_unlock(&socket->lock);
	if (error == 0)
		os_event_signal(&socket->wake);
	return error;
}

static void destroy(struct socket_sink *socket)
{
	os_mutex_destroy(&socket->lock);
	os_event_destroy(&socket->wake);
	spill_free(&socket->spill);
	free(socket->ring);
	free(socket);
}

static int socket_close(struct sink *sink)
{
	struct socket_sink *socket = socket_sink_of(sink);

	atomic_store(&socket->link->closing, true);
	os_mutex_lock(&socket->lock);
	socket->closing = true;
	socket->closing_since_ns = os_monotonic_ns();
	socket->closing_until_ns =
	        socket->closing_since_ns + socket->limits.deliver_ms * NS_PER_MS +
	        waiting(socket) / socket->limits.bytes_per_second * NS_PER_SECOND;
	os_mutex_unlock(&socket->lock);
	os_event_signal(&socket->wake);
	os_thread_join(&socket->sender);

	int error = socket->error;
	if (error == OS_TIMED_OUT)
		atomic_store(&socket->link->undelivered, atomic_load(&socket->link->waiting));
	net_link_release(socket->link);
	destroy(socket);
	return error;
}

static const struct sink_ops socket_ops = {
        .write = socket_write,
        .close = socket_close,
};

/* Everything except the sender; NULL without memory. */
static struct socket_sink *allocate(const struct sink_socket_limits *limits)
{
	struct socket_sink *created = calloc(1, sizeof(*created));
	if (created == NULL)
		return NULL;
	created->sink.ops = &socket_ops;
	created->limits = *limits;
	spill_init(&created->spill);
	created->ring = malloc(limits->memory_bytes);
	if (created->ring == NULL || os_mutex_init(&created->lock) != 0) {
		free(created->ring);
		free(created);
		return NULL;
	}
	if (os_event_init(&created->wake) != 0) {
		os_mutex_destroy(&created->lock);
		free(created->ring);
		free(created);
		return NULL;
	}
	return created;
}

struct sink *sink_socket_create(struct net_link *link, const struct sink_socket_limits *limits)
{
	struct socket_sink *created = allocate(limits);
	if (created == NULL)
		return NULL;
	created->link = net_link_hold(link);
	if (os_thread_start(&created->sender, send_all, created) != 0) {
		net_link_release(link);
		destroy(created);
		return NULL;
	}
	return &created->sink;
}
