/*
 * descriptor.c: keeps our descriptors out of the numbers of standard input,
 * output and error. Any thread; no lock.
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
