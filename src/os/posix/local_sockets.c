/*
 * local_sockets.c: connections within this system, by sockets that have a name in the file
 * system. See sockets.c for what they share with others. No lock.
 */
#include "os.h"
#include "descriptor.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define NS_PER_MS UINT64_C(1000000)
#define RETRY_NS (10 * NS_PER_MS)

union address {
	struct sockaddr any;
	struct sockaddr_un local;
};

static int address_of(const char *name, union address *address, socklen_t *size)
{
	size_t length = strlen(name);

	memset(address, 0, sizeof(*address));
	if (length == 0 || length >= sizeof(address->local.sun_path))
		return ENAMETOOLONG;
	address->local.sun_family = AF_UNIX;
	memcpy(address->local.sun_path, name, length);
	*size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
	return 0;
}

static int new_socket(int *fd)
{
	*fd = descriptor_above_standard(
	        socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	return *fd < 0 ? errno : 0;
}

/* A listener whose queue is full lets nobody wait for room. */
static int connect_retrying(int fd, const union address *address, socklen_t size,
                            uint64_t deadline_ns)
{
	while (connect(fd, &address->any, size) != 0) {
		if (errno != EAGAIN && errno != EINTR)
			return errno;
		uint64_t now_ns = os_monotonic_ns();
		if (now_ns >= deadline_ns)
			return OS_TIMED_OUT;
		os_sleep_until(now_ns + RETRY_NS);
	}
	return 0;
}

int os_socket_connect_local(const char *name, uint32_t deadline_ms, struct os_socket *socket)
{
	uint64_t deadline_ns = os_monotonic_ns() + deadline_ms * NS_PER_MS;
	union address address;
	socklen_t size = 0;
	int fd = -1;

	socket->handle = -1;
	int error = address_of(name, &address, &size);
	if (error == 0)
		error = new_socket(&fd);
	if (error != 0)
		return error;
	error = connect_retrying(fd, &address, size, deadline_ns);
	if (error != 0)
		(void)close(fd);
	else
		socket->handle = fd;
	return error;
}
