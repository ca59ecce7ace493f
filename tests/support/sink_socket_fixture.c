/* sink_socket_fixture.c: see sink_socket_fixture.h. */
#include "sink_socket_fixture.h"

struct os_socket peer;
struct net_link *net;

void connect_sink(uint32_t stall_ms, uint32_t linger_ms)
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

void let_go(void)
{
	net_link_release(net);
	os_socket_close(&peer);
}

/* Byte number at of what the tests send much of. */
static uint8_t byte_at(size_t at)
{
	return (uint8_t)(at ^ at >> 8 ^ at >> 16);
}

int send_pieces(size_t first, size_t count)
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

size_t receive(size_t at, size_t to)
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

void *receive_all(void *argument)
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
