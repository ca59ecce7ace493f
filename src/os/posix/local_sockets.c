/*
 * local_sockets.c: connections within this system, by sockets that have a name. See sockets.c
 * for what they share with others. No lock.
 */
#include "descriptor.h"
#include "os.h"
#include "sockets.h"
#include "time_units.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define RETRY_NS (10 * NS_PER_MS)
#define OTHERS_RIGHTS 0177
#define BACKLOG 1

union address {
	struct sockaddr any;
	struct sockaddr_un local;
};

static int address_of(const char *name, union address *address, socklen_t *size)
{
	size_t length = strlen(name);
	bool is_abstract = name[0] == '@';

	if (is_abstract && !OS_ABSTRACT_SOCKETS)
		return OS_UNSUPPORTED;
	memset(address, 0, sizeof(*address));
	if (length == 0 || length >= sizeof(address->local.sun_path))
		return ENAMETOOLONG;
	address->local.sun_family = AF_UNIX;
	memcpy(address->local.sun_path, name, length);
	/* An abstract name begins with a NUL and has none at its end. */
	if (is_abstract)
		address->local.sun_path[0] = '\0';
	*size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length +
	                    (is_abstract ? 0 : 1));
	return 0;
}

static int new_socket(int *fd)
{
	*fd = descriptor_above_standard(
	        socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	return *fd < 0 ? errno : 0;
}

/* connect() to a listener whose queue is full fails instead of waiting: with EAGAIN on Linux.
 * Solaris may make the connection after the call, and refuses it if the queue is full. */
static int connect_retrying(int fd, const union address *address, socklen_t size,
                            uint64_t deadline_ns)
{
	while (connect(fd, &address->any, size) != 0) {
		if (errno == EINPROGRESS)
			return socket_finish_connect(fd, deadline_ns);
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
	if (error == 0)
		return descriptor_to_socket(fd, socket);
	(void)close(fd);
	return error;
}

/* A socket that a listener of this user, now gone, has left. */
static bool is_left(const char *name, const union address *address, socklen_t size)
{
	struct stat file;
	int fd = -1;

	if (name[0] == '@' || lstat(name, &file) != 0 || !S_ISSOCK(file.st_mode) ||
	    file.st_uid != geteuid() || new_socket(&fd) != 0)
		return false;
	bool refused =
	        connect_retrying(fd, address, size, os_monotonic_ns() + RETRY_NS) == ECONNREFUSED;
	(void)close(fd);
	return refused;
}

static int bind_to(int fd, const char *name, const union address *address, socklen_t size)
{
	int error = bind(fd, &address->any, size) == 0 ? 0 : errno;
	if (error == EADDRINUSE && is_left(name, address, size) && unlink(name) == 0)
		error = bind(fd, &address->any, size) == 0 ? 0 : errno;
	return error;
}

int os_socket_listen_local(const char *name, struct os_socket *listener)
{
	union address address;
	socklen_t size = 0;
	int fd = -1;

	listener->handle = -1;
	int error = address_of(name, &address, &size);
	if (error == 0)
		error = new_socket(&fd);
	if (error != 0)
		return error;
	/* No other user can connect, from its creation on. */
	mode_t mask = umask(OTHERS_RIGHTS);
	error = bind_to(fd, name, &address, size);
	(void)umask(mask);
	if (error == 0 && listen(fd, BACKLOG) != 0)
		error = errno;
	if (error == 0)
		return descriptor_to_socket(fd, listener);
	(void)close(fd);
	return error;
}
