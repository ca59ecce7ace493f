/*
 * connections.c: connections to local sockets, which Solaris may make or refuse after connect()
 * has returned. The agent's calls of connect() and getsockopt() come here first, by the
 * linker's --wrap. Any thread; no lock.
 */
#include "shim.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* What became of the latest connection that was left in progress. */
static _Atomic int late_result;

int __real_connect(int fd, const struct sockaddr *address, socklen_t size);
int __real_getsockopt(int fd, int level, int option, void *value, socklen_t *size);
int __wrap_connect(int fd, const struct sockaddr *address, socklen_t size);
int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *size);

int __wrap_connect(int fd, const struct sockaddr *address, socklen_t size)
{
	int result = __real_connect(fd, address, size);
	if (address->sa_family != AF_UNIX || !atomic_load(&shim.connects_later))
		return result;
	atomic_store(&late_result, result == 0 ? 0 : errno);
	errno = EINPROGRESS;
	return -1;
}

int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *size)
{
	int result = __real_getsockopt(fd, level, option, value, size);
	int late = 0;
	if (result == 0 && level == SOL_SOCKET && option == SO_ERROR)
		late = atomic_exchange(&late_result, 0);
	if (late != 0)
		memcpy(value, &late, sizeof(late));
	return result;
}
