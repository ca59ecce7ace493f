/*
 * private_directory.c: a directory of mode 0700 for the time of one operation, and
 * reading files in it. Any thread; no lock.
 */
#include "os.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *system_directory(void)
{
	const char *directory = getenv("TMPDIR");
	return directory != NULL && directory[0] == '/' ? directory : "/tmp";
}

/* The name for mkdtemp(3) and its like. */
static int name_pattern(const char *beside, char *path, size_t size)
{
	static const char pattern[] = ".hprof-XXXXXX";
	int length;

	if (beside == NULL) {
		length = snprintf(path, size, "%s/%s", system_directory(), pattern);
	} else {
		const char *slash = strrchr(beside, '/');
		size_t directory = slash == NULL ? 0 : (size_t)(slash - beside) + 1;
		if (directory > PATH_MAX)
			return ENAMETOOLONG;
		length = snprintf(path, size, "%.*s%s", (int)directory, beside, pattern);
	}
	return length < 0 || (size_t)length >= size ? ENAMETOOLONG : 0;
}

int os_private_directory(const char *beside, char *path, size_t size)
{
	int error = name_pattern(beside, path, size);
	if (error == 0 && mkdtemp(path) == NULL)
		error = errno;
	return error;
}

int os_directory_remove(const char *path)
{
	return rmdir(path) == 0 ? 0 : errno;
}

int os_file_remove(const char *path)
{
	return unlink(path) == 0 ? 0 : errno;
}

int os_file_open(const char *path, struct os_file *file)
{
	int fd;

	file->handle = -1;
	file->shared = false;
	do
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	while (fd < 0 && errno == EINTR);
	fd = descriptor_above_standard(fd);
	if (fd < 0)
		return errno;
	struct stat status;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
		(void)close(fd);
		return OS_NOT_OURS;
	}
	return descriptor_to_file(fd, file);
}

int os_file_rewind(struct os_file *file)
{
	int error = descriptor_check((int)file->handle, &file->identity);
	if (error != 0)
		return error;
	return lseek((int)file->handle, 0, SEEK_SET) < 0 ? errno : 0;
}

int os_file_read(struct os_file *file, void *bytes, size_t size, size_t *got)
{
	ssize_t result;
	int error = descriptor_check((int)file->handle, &file->identity);

	if (error != 0)
		return error;
	do
		result = read((int)file->handle, bytes, size);
	while (result < 0 && errno == EINTR);
	if (result < 0)
		return errno;
	*got = (size_t)result;
	return 0;
}

uint64_t os_file_length(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0 || status.st_size < 0)
		return 0;
	return (uint64_t)status.st_size;
}
