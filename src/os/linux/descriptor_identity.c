/*
 * descriptor_identity.c: what a descriptor is open for, with the time at which the file was
 * created: file systems give a new file the number of one that is gone. Any thread; no lock.
 */
#include "descriptor.h"
#include "time_units.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

int descriptor_identify(int fd, struct os_identity *identity)
{
	const int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
	struct statx extended;
	struct stat status;

	identity->born_ns = 0;
	if (statx(fd, "", flags, STATX_INO | STATX_BTIME, &extended) == 0) {
		identity->device = makedev(extended.stx_dev_major, extended.stx_dev_minor);
		identity->node = extended.stx_ino;
		if ((extended.stx_mask & STATX_BTIME) != 0)
			identity->born_ns = (uint64_t)extended.stx_btime.tv_sec * NS_PER_SECOND +
			                    extended.stx_btime.tv_nsec;
		return 0;
	}
	/* A kernel without statx(), or a filter of system calls that refuses it. */
	if (errno == EBADF || fstat(fd, &status) != 0)
		return errno;
	identity->device = status.st_dev;
	identity->node = status.st_ino;
	return 0;
}
