/*
 * descriptor_identity.c: what a descriptor is open for. Any thread; no lock.
 */
#include "descriptor.h"

#include <errno.h>
#include <sys/stat.h>

int descriptor_identify(int fd, struct os_identity *identity)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return errno;
	identity->device = (uint64_t)status.st_dev;
	identity->node = (uint64_t)status.st_ino;
	identity->born_ns = 0;
	return 0;
}
