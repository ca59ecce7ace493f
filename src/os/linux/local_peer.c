/*
 * local_peer.c: the process at the other end of a connection within this system. Any thread.
 */
#include "os.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

int os_socket_check_peer(const struct os_socket *socket)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt((int)socket->handle, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
		return errno;
	return peer.uid == geteuid() || peer.uid == 0 ? 0 : OS_NOT_OURS;
}
