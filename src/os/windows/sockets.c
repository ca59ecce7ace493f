/*
 * sockets.c: TCP with deadlines, by Winsock 2. Every socket is non-blocking and
 * select() does the waiting. One thread reads and one writes a socket at a time;
 * shutdown may come from any other. No lock.
 *
 * Each library of a process starts Winsock for itself, and the system counts: the
 * JVM's own start and end don't touch ours, which is never ended, since threads may
 * still write when the process exits.
 */
#include "system.h"

#include "os.h"
#include "time_units.h"

#include <stdio.h>
#include <string.h>
#include <ws2tcpip.h>

#define BACKLOG 16

/* A shutdown does not reliably end another thread's select(): it looks again after
 * so long. */
enum { SLICE_MS = 100 };

/* The system can't shut a listener down. We mark it by a receive timeout, which no
 * listener uses otherwise; accept looks for the mark. */
enum { SHUT_LISTENER_MARK = 4711 };

static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
static int start_error; /* written once, under once */

static BOOL CALLBACK start(INIT_ONCE *init, void *argument, void **context)
{
	WSADATA data;
	(void)init;
	(void)argument;
	(void)context;
	start_error = WSAStartup(MAKEWORD(2, 2), &data);
	return TRUE;
}

static int start_winsock(void)
{
	(void)InitOnceExecuteOnce(&once, start, NULL, NULL);
	return start_error;
}

static SOCKET socket_of(const struct os_socket *socket)
{
	return (SOCKET)socket->handle;
}

/* ---- waiting ------------------------------------------------------------- */

static uint64_t deadline_after_ms(uint32_t ms)
{
	return os_monotonic_ns() + ms * NS_PER_MS;
}

/* Milliseconds left until deadline_ns, rounded up so as not to spin, at most a
 * slice. */
static long left_ms(uint64_t deadline_ns)
{
	uint64_t now = os_monotonic_ns();
	if (now >= deadline_ns)
		return 0;
	uint64_t ms = (deadline_ns - now + NS_PER_MS - 1) / NS_PER_MS;
	return ms < SLICE_MS ? (long)ms : SLICE_MS;
}

enum direction { TO_READ, TO_WRITE };

/* 0 when the socket is ready or has failed (the next call reports it), or when a
 * slice is over: the caller tries again. */
static int wait_for(SOCKET socket, enum direction direction, uint64_t deadline_ns)
{
	long ms = left_ms(deadline_ns);
	if (ms == 0)
		return OS_TIMED_OUT;
	struct timeval timeout = {.tv_usec = ms * (long)US_PER_MS};
	fd_set ready = {.fd_count = 1, .fd_array = {socket}};
	fd_set failed = {.fd_count = 1, .fd_array = {socket}};
	int count = select(0, direction == TO_READ ? &ready : NULL,
	                   direction == TO_WRITE ? &ready : NULL, &failed, &timeout);
	return count == SOCKET_ERROR ? WSAGetLastError() : 0;
}

/* ---- making -------------------------------------------------------------- */

static int set_non_blocking(SOCKET socket)
{
	u_long on = 1;
	return ioctlsocket(socket, (long)FIONBIO, &on) == 0 ? 0 : WSAGetLastError();
}

static int new_socket(int family, SOCKET *created)
{
	*created = WSASocketW(family, SOCK_STREAM, IPPROTO_TCP, NULL, 0,
	                      WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
	if (*created == INVALID_SOCKET)
		return WSAGetLastError();
	int error = set_non_blocking(*created);
	if (error != 0)
		(void)closesocket(*created);
	return error;
}

static int pending_error(SOCKET socket)
{
	int error = 0;
	int size = sizeof(error);
	if (getsockopt(socket, SOL_SOCKET, SO_ERROR, (char *)&error, &size) != 0)
		return WSAGetLastError();
	return error;
}

/* Whether there is a peer: a connection in progress has none. */
static bool is_connected(SOCKET socket)
{
	struct sockaddr_storage peer;
	int size = sizeof(peer);
	return getpeername(socket, (struct sockaddr *)&peer, &size) == 0;
}

/* Waits for a connection attempt and returns its result. */
static int finish_connect(SOCKET socket, uint64_t deadline_ns)
{
	for (;;) {
		int error = wait_for(socket, TO_WRITE, deadline_ns);
		if (error != 0)
			return error;
		error = pending_error(socket);
		if (error != 0)
			return error;
		if (is_connected(socket))
			return 0;
	}
}

static int connect_one(const struct addrinfo *address, uint64_t deadline_ns,
                       struct os_socket *socket)
{
	SOCKET created;
	int error = new_socket(address->ai_family, &created);
	if (error != 0)
		return error;
	if (connect(created, address->ai_addr, (int)address->ai_addrlen) != 0) {
		error = WSAGetLastError();
		if (error == WSAEWOULDBLOCK)
			error = finish_connect(created, deadline_ns);
	}
	if (error != 0) {
		(void)closesocket(created);
		return error;
	}
	socket->handle = (intptr_t)created;
	return 0;
}

/* Each address may use an equal share of what is left, so that one that does
 * not answer leaves time for the next. */
static int connect_any(const struct addrinfo *first, uint64_t deadline_ns, struct os_socket *socket)
{
	uint64_t left = 0;
	for (const struct addrinfo *a = first; a != NULL; a = a->ai_next)
		left++;
	int error = OS_NO_SUCH_HOST;
	for (const struct addrinfo *a = first; a != NULL; a = a->ai_next, left--) {
		uint64_t now = os_monotonic_ns();
		uint64_t share_end = now < deadline_ns ? now + (deadline_ns - now) / left : now;
		error = connect_one(a, share_end, socket);
		if (error == 0)
			return 0;
	}
	return error;
}

int os_socket_connect(const char *host, uint16_t port, uint32_t deadline_ms,
                      struct os_socket *socket)
{
	uint64_t deadline_ns = deadline_after_ms(deadline_ms);
	const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	char service[8];
	struct addrinfo *addresses = NULL;

	socket->handle = -1;
	int error = start_winsock();
	if (error != 0)
		return error;
	(void)snprintf(service, sizeof(service), "%u", (unsigned)port);
	int code = getaddrinfo(host, service, &hints, &addresses);
	if (code != 0)
		return code == WSA_NOT_ENOUGH_MEMORY ? code : OS_NO_SUCH_HOST;
	error = connect_any(addresses, deadline_ns, socket);
	freeaddrinfo(addresses);
	return error;
}

/* ---- within this system: not offered here --------------------------------- */

int os_socket_connect_local(const char *name, uint32_t deadline_ms, struct os_socket *socket)
{
	(void)name;
	(void)deadline_ms;
	socket->handle = -1;
	return OS_UNSUPPORTED;
}

int os_socket_listen_local(const char *name, struct os_socket *listener)
{
	(void)name;
	listener->handle = -1;
	return OS_UNSUPPORTED;
}

int os_socket_check_peer(const struct os_socket *socket)
{
	(void)socket;
	return OS_UNSUPPORTED;
}

/* ---- listening ----------------------------------------------------------- */

static int set_option(SOCKET socket, int level, int option, int value)
{
	return setsockopt(socket, level, option, (const char *)&value, sizeof(value)) == 0
	               ? 0
	               : WSAGetLastError();
}

/* A local address of either family. */
union address {
	struct sockaddr any;
	struct sockaddr_in ip4;
	struct sockaddr_in6 ip6;
};

/* Binds to all addresses of family and listens; for IPv6 that includes IPv4. The
 * port is ours alone: SO_REUSEADDR would let others take it from us here. */
static int listen_on(SOCKET socket, int family, uint16_t port)
{
	union address address;
	int size = sizeof(address.ip4);
	memset(&address, 0, sizeof(address)); /* all zero is "any" in both families */
	address.any.sa_family = (u_short)family;
	address.ip4.sin_port = htons(port);

	int error = set_option(socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, 1);
	if (error == 0 && family == AF_INET6) {
		address.ip6.sin6_port = htons(port);
		size = sizeof(address.ip6);
		error = set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
	}
	if (error == 0 && (bind(socket, &address.any, size) != 0 || listen(socket, BACKLOG) != 0))
		error = WSAGetLastError();
	return error;
}

static int bound_port_of(SOCKET socket, int family, uint16_t *port)
{
	union address address;
	int size = sizeof(address);
	memset(&address, 0, sizeof(address));
	if (getsockname(socket, &address.any, &size) != 0)
		return WSAGetLastError();
	*port = ntohs(family == AF_INET6 ? address.ip6.sin6_port : address.ip4.sin_port);
	return 0;
}

static int listen_family(int family, uint16_t port, struct os_socket *listener,
                         uint16_t *bound_port)
{
	SOCKET created;
	int error = new_socket(family, &created);
	if (error != 0)
		return error;
	error = listen_on(created, family, port);
	if (error == 0)
		error = bound_port_of(created, family, bound_port);
	if (error != 0) {
		(void)closesocket(created);
		return error;
	}
	listener->handle = (intptr_t)created;
	return 0;
}

int os_socket_listen(uint16_t port, struct os_socket *listener, uint16_t *bound_port)
{
	listener->handle = -1;
	int error = start_winsock();
	if (error != 0)
		return error;
	error = listen_family(AF_INET6, port, listener, bound_port);
	if (error == WSAEAFNOSUPPORT || error == WSAEADDRNOTAVAIL || error == WSAEPROTONOSUPPORT)
		error = listen_family(AF_INET, port, listener, bound_port);
	return error;
}

static int listen_address(const struct addrinfo *address, struct os_socket *listener,
                          uint16_t *bound_port)
{
	SOCKET created;
	int error = new_socket(address->ai_family, &created);
	if (error != 0)
		return error;
	error = set_option(created, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, 1);
	if (error == 0 && (bind(created, address->ai_addr, (int)address->ai_addrlen) != 0 ||
	                   listen(created, BACKLOG) != 0))
		error = WSAGetLastError();
	if (error == 0)
		error = bound_port_of(created, address->ai_family, bound_port);
	if (error != 0)
		(void)closesocket(created);
	else
		listener->handle = (intptr_t)created;
	return error;
}

int os_socket_listen_on(const char *host, uint16_t port, struct os_socket *listener,
                        uint16_t *bound_port)
{
	const struct addrinfo hints = {
	        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	char service[8];
	struct addrinfo *addresses = NULL;

	listener->handle = -1;
	int error = start_winsock();
	if (error != 0)
		return error;
	(void)snprintf(service, sizeof(service), "%u", (unsigned)port);
	if (getaddrinfo(host, service, &hints, &addresses) != 0)
		return OS_NO_SUCH_HOST;
	error = OS_NO_SUCH_HOST;
	for (const struct addrinfo *a = addresses; a != NULL && error != 0; a = a->ai_next)
		error = listen_address(a, listener, bound_port);
	freeaddrinfo(addresses);
	return error;
}

static bool is_listener(SOCKET socket)
{
	int listens = 0;
	int size = sizeof(listens);
	return getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, (char *)&listens, &size) == 0 &&
	       listens != 0;
}

static bool is_shut(SOCKET listener)
{
	int mark = 0;
	int size = sizeof(mark);
	return getsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, (char *)&mark, &size) != 0 ||
	       mark == SHUT_LISTENER_MARK;
}

/* Errors of accept() that concern one connection that came and went. */
static bool connection_went_away(int code)
{
	return code == WSAEWOULDBLOCK || code == WSAEINTR || code == WSAECONNRESET;
}

static int take_accepted(SOCKET accepted, struct os_socket *socket)
{
	int error = set_non_blocking(accepted);
	if (error == 0 && !SetHandleInformation((HANDLE)accepted, HANDLE_FLAG_INHERIT, 0))
		error = system_error();
	if (error != 0) {
		(void)closesocket(accepted);
		return error;
	}
	socket->handle = (intptr_t)accepted;
	return 0;
}

int os_socket_accept(struct os_socket *listener, uint32_t deadline_ms, struct os_socket *socket)
{
	uint64_t deadline_ns = deadline_after_ms(deadline_ms);
	socket->handle = -1;
	for (;;) {
		int error = wait_for(socket_of(listener), TO_READ, deadline_ns);
		if (error != 0)
			return error;
		if (is_shut(socket_of(listener)))
			return WSAESHUTDOWN;
		SOCKET accepted = accept(socket_of(listener), NULL, NULL);
		if (accepted != INVALID_SOCKET)
			return take_accepted(accepted, socket);
		if (!connection_went_away(WSAGetLastError()))
			return WSAGetLastError();
	}
}

/* ---- bytes --------------------------------------------------------------- */

/* Winsock counts in int. */
static int part_of(size_t length)
{
	const size_t part_max = (size_t)1 << 30;
	return (int)(length < part_max ? length : part_max);
}

int os_socket_read(struct os_socket *socket, void *bytes, size_t size, uint32_t deadline_ms,
                   size_t *got)
{
	uint64_t deadline_ns = deadline_after_ms(deadline_ms);
	*got = 0;
	if (size == 0)
		return ERROR_INVALID_PARAMETER;
	for (;;) {
		int length = recv(socket_of(socket), bytes, part_of(size), 0);
		if (length > 0) {
			*got = (size_t)length;
			return 0;
		}
		int error = length == 0 ? OS_CLOSED : WSAGetLastError();
		if (error == WSAESHUTDOWN)
			return OS_CLOSED;
		if (error != WSAEWOULDBLOCK)
			return error;
		error = wait_for(socket_of(socket), TO_READ, deadline_ns);
		if (error != 0)
			return error;
	}
}

int os_socket_write_some(struct os_socket *socket, const void *bytes, size_t length,
                         uint32_t deadline_ms, size_t *sent)
{
	uint64_t deadline_ns = deadline_after_ms(deadline_ms);
	*sent = 0;
	if (length == 0)
		return ERROR_INVALID_PARAMETER;
	for (;;) {
		int went = send(socket_of(socket), bytes, part_of(length), 0);
		if (went > 0) {
			*sent = (size_t)went;
			return 0;
		}
		int error = went == 0 ? WSAEWOULDBLOCK : WSAGetLastError();
		if (error != WSAEWOULDBLOCK)
			return error;
		error = wait_for(socket_of(socket), TO_WRITE, deadline_ns);
		if (error != 0)
			return error;
	}
}

int os_socket_write(struct os_socket *socket, const void *bytes, size_t length,
                    uint32_t deadline_ms)
{
	const char *rest = bytes;
	while (length > 0) {
		size_t sent = 0;
		int error = os_socket_write_some(socket, rest, length, deadline_ms, &sent);
		if (error != 0)
			return error;
		rest += sent;
		length -= sent;
	}
	return 0;
}

void os_socket_end_writing(struct os_socket *socket)
{
	if (socket->handle != -1)
		(void)shutdown(socket_of(socket), SD_SEND);
}

void os_socket_shutdown(struct os_socket *socket)
{
	if (socket->handle == -1)
		return;
	if (is_listener(socket_of(socket)))
		(void)set_option(socket_of(socket), SOL_SOCKET, SO_RCVTIMEO, SHUT_LISTENER_MARK);
	else
		(void)shutdown(socket_of(socket), SD_BOTH);
}

void os_socket_close(struct os_socket *socket)
{
	if (socket->handle == -1)
		return;
	(void)closesocket(socket_of(socket));
	socket->handle = -1;
}
