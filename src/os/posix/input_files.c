/*
 * input_files.c: input files of the hprof command, the standard streams, and
 * paths. Any thread; no lock.
 */
#include "os.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int os_file_open_any(const char *path, struct os_file *file)
{
	struct stat status;
	int fd;

	file->handle = -1;
	file->shared = false;
	do
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	fd = descriptor_above_standard(fd);
	if (fd < 0)
		return errno;
	int error = fstat(fd, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
	if (error == 0)
		return descriptor_to_file(fd, file);
	(void)close(fd);
	return error;
}

int os_file_standard(enum os_standard which, struct os_file *file)
{
	file->handle = which == OS_STANDARD_INPUT    ? STDIN_FILENO
	               : which == OS_STANDARD_OUTPUT ? STDOUT_FILENO
	                                             : STDERR_FILENO;
	file->shared = true;
	return descriptor_identify((int)file->handle, &file->identity);
}

int os_path_absolute(const char *path, char *absolute, size_t size)
{
	size_t used = 0;

	absolute[0] = '\0';
	if (path[0] != '/') {
		if (getcwd(absolute, size) == NULL)
			return errno;
		used = strlcat(absolute, "/", size);
	}
	return used < size && strlcat(absolute, path, size) < size ? 0 : ENAMETOOLONG;
}

size_t os_path_directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}
