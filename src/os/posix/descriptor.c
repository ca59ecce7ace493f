/*
 * descriptor.c: keeps our descriptors out of the numbers of standard input,
 * output and error, and distinguishes them from the program's. Any thread; no lock.
 */
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int descriptor_above_standard(int fd)
{
	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int reason = errno;
	(void)close(fd);
	errno = reason;
	return higher;
}

static int identify_or_close(int fd, struct os_identity *identity)
{
	int error = descriptor_identify(fd, identity);
	if (error != 0)
		(void)close(fd);
	return error;
}

int descriptor_to_file(int fd, struct os_file *file)
{
	int error = identify_or_close(fd, &file->identity);
	file->handle = error == 0 ? fd : -1;
	return error;
}

int descriptor_to_socket(int fd, struct os_socket *socket)
{
	int error = identify_or_close(fd, &socket->identity);
	socket->handle = error == 0 ? fd : -1;
	return error;
}

int descriptor_check(int fd, const struct os_identity *identity)
{
	struct os_identity now;

	if (descriptor_identify(fd, &now) != 0 || now.device != identity->device ||
	    now.node != identity->node)
		return OS_DESCRIPTOR_LOST;
	if (now.born_ns != 0 && identity->born_ns != 0 && now.born_ns != identity->born_ns)
		return OS_DESCRIPTOR_LOST;
	return 0;
}

int descriptor_close(int fd, const struct os_identity *identity)
{
	int error = descriptor_check(fd, identity);
	if (error != 0)
		return error;
	/* After EINTR the descriptor is gone; to close again could hit another's. */
	return close(fd) == 0 || errno == EINTR ? 0 : errno;
}
