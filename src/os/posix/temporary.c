/*
 * temporary.c: files without a name, for what does not fit in memory. Each is used
 * by one thread at a time; no lock here.
 */
#include "os.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where /tmp is kept in memory, /var/tmp is not. */
static const char *const directories[] = {"/var/tmp", "/tmp"};

static int create_in(const char *directory, struct os_file *file)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/hprof-XXXXXX", directory);
	if (length < 0 || (size_t)length >= sizeof(path))
		return ENAMETOOLONG;
	int fd = mkostemp(path, O_CLOEXEC); /* with mode 0600 */
	if (fd < 0)
		return errno;
	int error = unlink(path) == 0 ? 0 : errno;
	if (error != 0) {
		(void)close(fd);
		return error;
	}
	fd = descriptor_above_standard(fd);
	if (fd < 0)
		return errno;
	file->shared = false;
	return descriptor_to_file(fd, file);
}

/* In the directory of the file beside. */
static int create_beside(const char *beside, struct os_file *file)
{
	char directory[PATH_MAX];
	const char *slash = strrchr(beside, '/');
	int length = slash == NULL ? 1 : (int)(slash - beside) + 1;

	if (strlcpy(directory, slash == NULL ? "." : beside, sizeof(directory)) >=
	    sizeof(directory))
		return ENAMETOOLONG;
	directory[length] = '\0';
	return create_in(directory, file);
}

int os_file_temporary(const char *beside, struct os_file *file)
{
	const char *chosen = getenv("TMPDIR");
	int error = ENOENT;

	file->handle = -1;
	if (beside != NULL)
		return create_beside(beside, file);
	if (chosen != NULL && chosen[0] == '/')
		error = create_in(chosen, file);
	for (size_t i = 0; error != 0 && i < sizeof(directories) / sizeof(directories[0]); i++)
		error = create_in(directories[i], file);
	return error;
}

int os_file_read_at(struct os_file *file, uint64_t offset, void *bytes, size_t length)
{
	char *rest = bytes;
	if (offset > INT64_MAX)
		return EFBIG;
	int error = descriptor_check((int)file->handle, &file->identity);
	if (error != 0)
		return error;
	while (length > 0) {
		ssize_t got = pread((int)file->handle, rest, length, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0)
			return EIO;
		rest += got;
		offset += (uint64_t)got;
		length -= (size_t)got;
	}
	return 0;
}
