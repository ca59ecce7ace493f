/*
 * sink.h: the destination of a profile's bytes: a file, a socket, or memory (tests).
 * A table of functions, so that tests can use one that fails.
 *
 * A sink is used by one thread at a time (the record writer's sink lock). After
 * an error only end_group and close are called.
 */
#ifndef HPROF_OUTPUT_SINK_H
#define HPROF_OUTPUT_SINK_H

#include "os/os.h"
#include "output/net_link.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sink;

struct sink_ops {
	/* Removes the tail, if one is set, and appends all bytes; 0 or an os.h
	 * code. */
	int (*write)(struct sink *sink, const void *bytes, size_t length);

	/* Replaces the provisional tail after the appended bytes (length 0: removes
	 * it), so that the file of a killed process still ends in the latest
	 * summary; 0 or an os.h code. NULL where written bytes can't be removed
	 * (sockets, pipes, devices). */
	int (*set_tail)(struct sink *sink, const void *bytes, size_t length);

	/* Begins a group of writes that are of use only together: the sections of a dump, and in it
	 * the parts of a heap dump, a group within the group. Until its end, a write that fails
	 * removes the whole outer group, except inner ones that have been kept and what is before
	 * them. No tail is set within a group. NULL where written bytes can't be removed. */
	void (*begin_group)(struct sink *sink);

	/* Ends the group. keep: what was written stays, and no tail from before is restored any
	 * more, since it would repeat that; otherwise it is removed, and the last tail restored.
	 * Not NULL if begin_group is not. */
	void (*end_group)(struct sink *sink, bool keep);

	/* Ends the sink and frees it; 0 or an os.h code. */
	int (*close)(struct sink *sink);
};

struct sink {
	const struct sink_ops *ops;
};

/* A file sink that owns the open file, to which nothing has been written yet. The first write
 * replaces earlier contents of a regular file. If a write to a regular file fails, the bytes
 * that were written, and those of its group, are cut off and the last tail is restored, so that on
 * a full disk the file ends with whole records and a summary, and has nothing twice. NULL without
 * memory: the caller then still owns the file. */
struct sink *sink_file_create(const struct os_file *file);

/* A sink that writes a gzip file (RFC 1952) to another sink, which it owns. Each write, and
 * the tail, is a separate member, so the file is complete after each. NULL without memory: the
 * caller then still owns the inner sink. */
struct sink *sink_gzip_create(struct sink *inner);

struct sink_socket_limits {
	size_t memory_bytes; /* that may wait in memory; more wait in temporary files */
	/* Closing gives up when the peer has received nothing for stall_ms, or after
	 * deliver_ms plus the time that the waiting bytes take at bytes_per_second. */
	uint32_t stall_ms;
	uint32_t deliver_ms;
	uint32_t bytes_per_second;
	uint32_t linger_ms; /* closing: how long to wait for the peer to end its stream */
};

/* A sink into a connection, which it holds until it is closed. A write never waits for the
 * peer; it fails if the connection has failed, or if there is no room for waiting bytes.
 * Closing waits for the peer within the limits and returns OS_TIMED_OUT if they were too
 * short; link->undelivered is then the number of bytes that the peer did not receive. NULL
 * without memory or if no thread can be started. */
struct sink *sink_socket_create(struct net_link *link, const struct sink_socket_limits *limits);

#endif
