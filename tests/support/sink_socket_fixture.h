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

static struct os_socket peer;
static struct net_link *net;

static inline void connect_sink(uint32_t stall_ms, uint32_t linger_ms)
{
	struct os_socket listener;
	struct os_socket socket;
	uint16_t port = 0;
	const struct sink_socket_limits limits = {
	        .memory_bytes = MEMORY,
	        .stall_ms = stall_ms,
	        .deliver_ms = 20000,
	        .bytes_per_second = 1024 * 1024,
	        .linger_ms = linger_ms,
	};

	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	ck_assert_int_eq(os_socket_connect("localhost", port, DEADLINE_MS, &socket), 0);
	ck_assert_int_eq(os_socket_accept(&listener, DEADLINE_MS, &peer), 0);
	os_socket_close(&listener);
	net = net_link_create(&socket);
	ck_assert_ptr_nonnull(net);
	sink = sink_socket_create(net, &limits);
	ck_assert_ptr_nonnull(sink);
}

static inline void let_go(void)
{
	net_link_release(net);
	os_socket_close(&peer);
}

/* Byte number at of what the tests send much of. */
static inline uint8_t byte_at(size_t at)
{
	return (uint8_t)(at ^ at >> 8 ^ at >> 16);
}

static inline int send_pieces(size_t first, size_t count)
{
	static uint8_t bytes[PIECE];
	int error = 0;

	for (size_t i = first; i < first + count && error == 0; i++) {
		for (size_t at = 0; at < PIECE; at++)
			bytes[at] = byte_at(i * PIECE + at);
		error = sink->ops->write(sink, bytes, PIECE);
	}
	return error;
}

/* Reads on from byte number at, up to the number to; returns where it is then. */
static inline size_t receive(size_t at, size_t to)
{
	static uint8_t bytes[PIECE];
	size_t got;

	while (at < to) {
		size_t most = to - at < PIECE ? to - at : PIECE;
		ck_assert_int_eq(os_socket_read(&peer, bytes, most, DEADLINE_MS, &got), 0);
		size_t right = 0;
		while (right < got && bytes[right] == byte_at(at + right))
			right++;
		ck_assert_msg(right == got, "byte %zu is wrong", at + right);
		at += got;
	}
	return at;
}

/* On a thread of its own, where nothing may be asserted: *length stops growing at a
 * byte that is wrong. */
static inline void *receive_all(void *argument)
{
	size_t *length = argument;
	static uint8_t bytes[PIECE];
	bool right = true;
	size_t got;

	while (os_socket_read(&peer, bytes, PIECE, DEADLINE_MS, &got) == 0) {
		for (size_t i = 0; i < got; i++) {
			right = right && bytes[i] == byte_at(*length);
			*length += right;
		}
	}
	os_socket_close(&peer);
	return NULL;
}

#endif
