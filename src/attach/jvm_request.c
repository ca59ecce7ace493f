/*
 * jvm_request.c: see jvm_request.h. No lock.
 *
 * A request of protocol version 1, which all JVMs take, is five texts, each ended by a NUL:
 * the version, the command, and its three arguments.
 */
#include "attach/jvm_request.h"
#include "attach/jvm_load.h"
#include "os/time_units.h"

#include <string.h>

enum { REQUEST_BYTES = 2 * ATTACH_TEXT_MAX + 64, WRITE_MS = 10 * 1000 };

/* "true": the library is named by its absolute path. */
static size_t encode(const char *library, const char *options, char bytes[REQUEST_BYTES])
{
	const char *const words[] = {"1", "load", library, "true", options};
	size_t length = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t size = strlen(words[i]) + 1;
		memcpy(bytes + length, words[i], size);
		length += size;
	}
	return length;
}

/* Bytes that do not fit are read, so that the JVM can end, and dropped. */
static int read_answer(struct os_socket *socket, uint32_t deadline_ms, char *answer, size_t size)
{
	uint64_t start_ns = os_monotonic_ns();
	size_t used = 0;
	int error = 0;

	while (error == 0) {
		char piece[1024];
		size_t got = 0;
		uint64_t passed_ms = (os_monotonic_ns() - start_ns) / NS_PER_MS;
		if (passed_ms >= deadline_ms)
			return OS_TIMED_OUT;
		error = os_socket_read(socket, piece, sizeof(piece),
		                       deadline_ms - (uint32_t)passed_ms, &got);
		size_t kept = got < size - 1 - used ? got : size - 1 - used;
		memcpy(answer + used, piece, kept);
		used += kept;
		answer[used] = '\0';
	}
	return error == OS_CLOSED && used > 0 ? 0 : error;
}

int jvm_request_load(struct os_socket *socket, const char *library, const char *options,
                     uint32_t deadline_ms, char *answer, size_t size)
{
	char bytes[REQUEST_BYTES];

	answer[0] = '\0';
	size_t length = encode(library, options, bytes);
	int error = os_socket_write(socket, bytes, length, WRITE_MS);
	return error == 0 ? read_answer(socket, deadline_ms, answer, size) : error;
}
