/*
 * peers.c: the user at the other end of a local connection, by Linux's socket option. Any
 * thread; no lock.
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <ucred.h>

struct ucred_s {
	struct ucred peer;
};

int getpeerucred(int fd, ucred_t **peer)
{
	ucred_t *found = malloc(sizeof(*found));
	socklen_t size = sizeof(found->peer);

	if (found == NULL || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &found->peer, &size) != 0) {
		free(found);
		return -1;
	}
	*peer = found;
	return 0;
}

uid_t ucred_geteuid(const ucred_t *peer)
{
	return peer->peer.uid;
}

void ucred_free(ucred_t *peer)
{
	free(peer);
}
