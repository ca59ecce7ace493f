/*
 * local_peer.c: the process at the other end of a connection within this system. Any thread.
 */
#include "os.h"

#include <errno.h>
#include <ucred.h>
#include <unistd.h>

int os_socket_check_peer(const struct os_socket *socket)
{
	ucred_t *peer = NULL;

	if (getpeerucred((int)socket->handle, &peer) != 0)
		return errno;
	uid_t uid = ucred_geteuid(peer);
	ucred_free(peer);
	return uid == geteuid() || uid == 0 ? 0 : OS_NOT_OURS;
}
