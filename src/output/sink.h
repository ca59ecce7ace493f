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

/* A file sink that takes over the open file, to which nothing has been written.
 * When a write to a regular file fails, what arrived of it is cut off again and
 * the last tail put back, so that a full disk leaves whole records that end in a
 * summary. NULL without memory (the file is then still the caller's). */
struct sink *sink_file_create(const struct os_file *file);

/* A socket sink that takes over the connected socket; a peer that takes nothing
 * for deadline_ms is an error. A thread that reads from the socket must be done
 * before the sink is closed (os_socket_shutdown()). NULL without memory (the
 * socket is then still the caller's). */
struct sink *sink_socket_create(const struct os_socket *socket, uint32_t deadline_ms);

#endif
