/*
 * sockets.c: TCP with deadlines. Every socket is non-blocking and poll() does
 * the waiting. One thread reads and one writes a socket at a time; shutdown
 * may come from any other. No lock.
 */
#include "sockets.h"
#include "descriptor.h"
#include "os.h"
#include "time_units.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 16

static uint64_t deadline_after_ms(uint32_t ms)
{
	return os_monotonic_ns() + ms * NS_PER_MS;
}

/* Milliseconds left until deadline_ns, rounded up so as not to spin. */
static int left_ms(uint64_t deadline_ns)
{
	uint64_t now = os_monotonic_ns();
	if (now >= deadline_ns)
		return 0;
	uint64_t ms = (deadline_ns - now + NS_PER_MS - 1) / NS_PER_MS;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

/* 0 when one of events, or an error that the next call reports, has occurred. */
static int wait_for(int fd, short events, uint64_t deadline_ns)
{
	for (;;) {
		int timeout = left_ms(deadline_ns);
		struct pollfd poll_fd = {.fd = fd, .events = events};
		int ready = poll(&poll_fd, 1, timeout);
		if (ready > 0)
			return 0;
		if (ready < 0 && errno != EINTR)
			return errno;
		if (ready == 0 && left_ms(deadline_ns) == 0)
			return OS_TIMED_OUT;
	}
}

static int new_socket(int family)
{
	return descriptor_above_standard(
	        socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
}

int socket_finish_connect(int fd, uint64_t deadline_ns)
{
	int error = wait_for(fd, POLLOUT, deadline_ns);
	if (error != 0)
		return error;
	socklen_t size = sizeof(error);
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
		return errno;
	return error;
}

static int connect_one(const struct addrinfo *address, uint64_t deadline_ns,
                       struct os_socket *socket)
{
	int fd = new_socket(address->ai_family);
	if (fd < 0)
		return errno;
	int error = 0;
	/* An interrupted connect() goes on in the background, as one in progress. */
	if (connect(fd, address->ai_addr, address->ai_addrlen) != 0)
		error = errno;
	if (error == EINPROGRESS || error == EINTR)
		error = socket_finish_connect(fd, deadline_ns);
	if (error == 0)
		return descriptor_to_socket(fd, socket);
	(void)close(fd);
	return error;
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

static int resolve_error(int code)
{
	if (code == EAI_SYSTEM)
		return errno;
	if (code == EAI_MEMORY)
		return ENOMEM;
	return OS_NO_SUCH_HOST;
}

int os_socket_connect(const char *host, uint16_t port, uint32_t deadline_ms,
                      struct os_socket *socket)
{
	uint64_t deadline_ns = deadline_after_ms(deadline_ms);
	const struct addrinfo hints = {
	        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	char service[8];
	struct addrinfo *addresses = NULL;

	socket->handle = -1;
	(void)snprintf(service, sizeof(service), "%u", (unsigned)port);
	int code = getaddrinfo(host, service, &hints, &addresses);
	if (code != 0)
		return resolve_error(code);
	int error = connect_any(addresses, deadline_ns, socket);
	freeaddrinfo(addresses);
	return error;
}

static int set_option(int fd, int level, int option, int value)
{
	return setsockopt(fd, level, option, &value, sizeof(value)) == 0 ? 0 : errno;
}

/* A local address of either family. */
union address {
	struct sockaddr any;
	struct sockaddr_in ip4;
	struct sockaddr_in6 ip6;
};

static int bind_and_listen(int fd, const struct sockaddr *address, socklen_t size)
{
	return bind(fd, address, size) == 0 && listen(fd, BACKLOG) == 0 ? 0 : errno;
}

/* Binds fd to all addresses of family and listens. For IPv6 that includes IPv4,
 * whatever the system's default is. */
static int listen_on(int fd, int family, uint16_t port)
{
	union address address;
	socklen_t size = sizeof(address.ip4);
	memset(&address, 0, sizeof(address)); /* all zero is "any" in both families */
	address.ip4.sin_family = (sa_family_t)family;
	address.ip4.sin_port = htons(port);

	int error = set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (error == 0 && family == AF_INET6) {
		address.ip6.sin6_port = htons(port);
		size = sizeof(address.ip6);
		error = set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
	}
	return error == 0 ? bind_and_listen(fd, &address.any, size) : error;
}

static int bound_port_of(int fd, int family, uint16_t *port)
{
	union address address;
	socklen_t size = sizeof(address);
	memset(&address, 0, sizeof(address));
	if (getsockname(fd, &address.any, &size) != 0)
		return errno;
	*port = ntohs(family == AF_INET6 ? address.ip6.sin6_port : address.ip4.sin_port);
	return 0;
}

static int listen_family(int family, uint16_t port, struct os_socket *listener,
                         uint16_t *bound_port)
{
	int fd = new_socket(family);
	if (fd < 0)
		return errno;
	int error = listen_on(fd, family, port);
	if (error == 0)
		error = bound_port_of(fd, family, bound_port);
	if (error == 0)
		return descriptor_to_socket(fd, listener);
	(void)close(fd);
	return error;
}

int os_socket_listen(uint16_t port, struct os_socket *listener, uint16_t *bound_port)
{
	listener->handle = -1;
	int error = listen_family(AF_INET6, port, listener, bound_port);
	if (error == EAFNOSUPPORT || error == EADDRNOTAVAIL || error == EPROTONOSUPPORT)
		error = listen_family(AF_INET, port, listener, bound_port);
	return error;
}

static int listen_address(const struct addrinfo *address, struct os_socket *listener,
                          uint16_t *bound_port)
{
	int fd = new_socket(address->ai_family);
	if (fd < 0)
		return errno;
	int error = set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (error == 0)
		error = bind_and_listen(fd, address->ai_addr, address->ai_addrlen);
	if (error == 0)
		error = bound_port_of(fd, address->ai_family, bound_port);
	if (error == 0)
		return descriptor_to_socket(fd, listener);
	(void)close(fd);
	return error;
}

int os_socket_listen_on(const char *host, uint16_t port, struct os_socket *listener,
                        uint16_t *bound_port)
{
	const struct addrinfo hints = {.ai_family = AF_UNSPEC,
	                               .ai_socktype = SOCK_STREAM,
	                               .ai_flags = AI_NUMERICSERV | AI_PASSIVE};
	char service[8];
	struct addrinfo *addresses = NULL;

	listener->handle = -1;
	(void)snprintf(service, sizeof(service), "%u", (unsigned)port);
	int code = getaddrinfo(host, service, &hints, &addresses);
	if (code != 0)
		return resolve_error(code);
	int error = OS_NO_SUCH_HOST;
	for (const struct addrinfo *a = addresses; a != NULL && error != 0; a = a->ai_next)
		error = listen_address(a, listener, bound_port);
	freeaddrinfo(addresses);
	return error;
}

static int check(const struct os_socket *socket)
{
	return descriptor_check((int)socket->handle, &socket->identity);
}

/* Errors of accept() that concern one connection that came and went. */
static bool connection_went_away(int code)
{
	return code == EAGAIN || code == EWOULDBLOCK || code == EINTR || code == ECONNABORTED ||
	       code == EPROTO;
}

int os_socket_accept(struct os_socket *listener, uint32_t deadline_ms, struct os_socket *socket)
{
	uint64_t deadline_ns = deadline_after_ms(deadline_ms);
	socket->handle = -1;
	for (;;) {
		int error = wait_for((int)listener->handle, POLLIN, deadline_ns);
		if (error == 0)
			error = check(listener);
		if (error != 0)
			return error;
		int fd = descriptor_above_standard(
		        accept4((int)listener->handle, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
		if (fd >= 0)
			return descriptor_to_socket(fd, socket);
		if (!connection_went_away(errno))
			return errno;
	}
}

int os_socket_read(struct os_socket *socket, void *bytes, size_t size, uint32_t deadline_ms,
                   size_t *got)
{
	uint64_t deadline_ns = deadline_after_ms(deadline_ms);
	*got = 0;
	if (size == 0)
		return EINVAL;
	for (;;) {
		int error = check(socket);
		if (error != 0)
			return error;
		ssize_t length = recv((int)socket->handle, bytes, size, 0);
		if (length > 0) {
			*got = (size_t)length;
			return 0;
		}
		if (length == 0)
			return OS_CLOSED;
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN && errno != EWOULDBLOCK)
			return errno;
		error = wait_for((int)socket->handle, POLLIN, deadline_ns);
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
		return EINVAL;
	for (;;) {
		int error = check(socket);
		if (error != 0)
			return error;
		ssize_t went = send((int)socket->handle, bytes, length, MSG_NOSIGNAL);
		if (went > 0) {
			*sent = (size_t)went;
			return 0;
		}
		if (went < 0 && errno == EINTR)
			continue;
		if (went < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
			return errno;
		error = wait_for((int)socket->handle, POLLOUT, deadline_ns);
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
	if (check(socket) == 0)
		(void)shutdown((int)socket->handle, SHUT_WR);
}

void os_socket_shutdown(struct os_socket *socket)
{
	if (check(socket) == 0)
		(void)shutdown((int)socket->handle, SHUT_RDWR);
}

void os_socket_close(struct os_socket *socket)
{
	if (socket->handle < 0)
		return;
	(void)descriptor_close((int)socket->handle, &socket->identity);
	socket->handle = -1;
}
