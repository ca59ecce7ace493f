/*
 * lwp_files.c: see lwp_files.h. Signal-safe: no allocation, no stdio.
 */
#include "lwp_files.h"

#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Room for /proc/self/lwp/, an id of 20 digits, and a name. */
#define PATH_SIZE 64

/* Writes /proc/self/lwp/LWP/name; snprintf() may not be called in a handler. */
static void lwp_path(char *path, os_thread lwp, const char *name)
{
	static const char directory[] = "/proc/self/lwp/";
	char digits[20];
	size_t count = 0;
	size_t at = sizeof(directory) - 1;

	do
		digits[count++] = (char)('0' + lwp % 10);
	while ((lwp /= 10) != 0);
	memcpy(path, directory, at);
	while (count > 0)
		path[at++] = digits[--count];
	path[at++] = '/';
	memcpy(path + at, name, strlen(name) + 1);
}

/* These files are read whole in one call, or not at all. */
static int read_struct(os_thread lwp, const char *name, void *bytes, size_t size)
{
	char path[PATH_SIZE];
	lwp_path(path, lwp, name);
	int fd;
	do
		fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	fd = descriptor_above_standard(fd);
	if (fd < 0)
		return errno == ENOENT ? ESRCH : errno;
	ssize_t got;
	do
		got = read(fd, bytes, size);
	while (got < 0 && errno == EINTR);
	int error = got < 0 ? errno : 0;
	(void)close(fd);
	/* One that ends just now gives ENOENT or an empty file. */
	if (error == ENOENT || got == 0)
		return ESRCH;
	if (error == 0 && (size_t)got != size)
		return EIO;
	return error;
}

int lwp_usage(os_thread lwp, prusage_t *usage)
{
	return read_struct(lwp, "lwpusage", usage, sizeof(*usage));
}

int lwp_info(os_thread lwp, lwpsinfo_t *info)
{
	return read_struct(lwp, "lwpsinfo", info, sizeof(*info));
}
