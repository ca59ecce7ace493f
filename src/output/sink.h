/*
 * sink.h: where bytes of a profile go: a file, a socket, memory (tests). A
 * struct of functions, so that tests put a failing one in its place.
 *
 * A sink is used by one thread at a time (the record writer's sink lock). After
 * a failure nothing but close is asked of it.
 */
#ifndef HPROF_OUTPUT_SINK_H
#define HPROF_OUTPUT_SINK_H

#include "os/os.h"
#include "output/net_link.h"

#include <stddef.h>
#include <stdint.h>

struct sink;

struct sink_ops {
	/* Appends all bytes; 0 or an os.h code. A tail that was set is removed
	 * first. */
	int (*write)(struct sink *sink, const void *bytes, size_t length);

	/* Replaces what follows the appended bytes by this provisional tail (none
	 * when length is 0), so that a file whose writer is killed still ends in
	 * the latest summary; 0 or an os.h code. NULL where bytes can't be taken
	 * back (sockets, pipes, devices). */
	int (*set_tail)(struct sink *sink, const void *bytes, size_t length);

	/* Ends the sink and frees it; 0 or an os.h code. */
	int (*close)(struct sink *sink);
};

struct sink {
	const struct sink_ops *ops;
};

/* A file sink that takes over the open file, to which nothing has been written;
 * what a regular file holds from before goes at the first write. When a write to a regular file
 * fails, what arrived of it is cut off again and the last tail put back, so that a full disk leaves
 * whole records that end in a summary. NULL without memory (the file is then still the caller's).
 */
struct sink *sink_file_create(const struct os_file *file);

/* A sink over another one, which it takes over: what goes there is a gzip file (RFC
 * 1952). Each write, and the tail, is a member of its own, so the file is whole
 * after each. NULL without memory (the inner sink is then still the caller's). */
struct sink *sink_gzip_create(struct sink *inner);

struct sink_socket_limits {
	size_t memory_bytes; /* that wait in memory; more wait in temporary files */
	uint32_t stall_ms;   /* closing: the peer has gone when it takes nothing for so long */
	uint32_t deliver_ms; /* closing: in all, for a start … */
	uint32_t bytes_per_second; /* … and so much longer as the rest takes at this rate */
	uint32_t linger_ms;        /* closing: for the peer to see the end */
};

/* A sink into a connection, which it holds until it is closed. A write does not wait
 * for the peer, however slow it is; it fails when the connection has, or when there
 * is no room for what waits. Closing waits for the peer as the limits say, OS_TIMED_OUT
 * when that was not enough; link->undelivered tells how many bytes it has not taken.
 * NULL without memory or without a thread. */
struct sink *sink_socket_create(struct net_link *link, const struct sink_socket_limits *limits);

#endif
