/*
 * held_directory.c: marks private directories as in use, by a lock on a file in them, and
 * removes those that no process holds. Called on the thread that dumps
 * the heap.
 *
 * The lock is one of fcntl(2), which works on network file systems too and is gone with
 * its process. The file gets its name only after it is locked, so a directory with an unlocked
 * file is certainly abandoned.
 */
#include "os.h"
#include "descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char held_name[] = "held";
static const char unheld_name[] = "new";

/* A name that mkdtemp(3) creates from os_private_directory()'s pattern. */
static const char directory_start[] = ".hprof-";
enum { DIRECTORY_NAME_LENGTH = sizeof(directory_start) - 1 + 6 };

static int lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	return fcntl(fd, F_SETLK, &whole) == 0 ? 0 : errno;
}

static int join(char *path, const char *directory, const char *name)
{
	int length = snprintf(path, PATH_MAX, "%s/%s", directory, name);
	return length < 0 || length >= PATH_MAX ? ENAMETOOLONG : 0;
}

int os_directory_hold(const char *path, struct os_file *hold)
{
	char unheld[PATH_MAX];
	char held[PATH_MAX];

	hold->handle = -1;
	hold->shared = false;
	int error = join(unheld, path, unheld_name);
	if (error == 0)
		error = join(held, path, held_name);
	if (error != 0)
		return error;
	int fd = descriptor_above_standard(
	        open(unheld, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
	if (fd < 0)
		return errno;
	error = descriptor_to_file(fd, hold);
	if (error == 0)
		error = lock(fd);
	if (error == 0 && rename(unheld, held) != 0)
		error = errno;
	return error;
}

void os_directory_release(const char *path, struct os_file *hold)
{
	char name[PATH_MAX];

	if (join(name, path, unheld_name) == 0)
		(void)unlink(name);
	if (join(name, path, held_name) == 0)
		(void)unlink(name);
	(void)os_file_close(hold);
}

/* ---- removal ----------------------------------------------------------- */

static bool is_ours(int fd, mode_t type, mode_t mode)
{
	struct stat status;
	return fstat(fd, &status) == 0 && (status.st_mode & S_IFMT) == type &&
	       (status.st_mode & 07777) == mode && status.st_uid == geteuid() &&
	       status.st_nlink > 0;
}

/* Removes the files of a directory, the lock last. */
static void remove_files(int directory)
{
	int copy = fcntl(directory, F_DUPFD_CLOEXEC, 0);
	DIR *list = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;

	if (list == NULL) {
		(void)close(copy);
		return;
	}
	while ((entry = readdir(list)) != NULL) {
		if (strcmp(entry->d_name, held_name) != 0)
			(void)unlinkat(directory, entry->d_name, 0);
	}
	(void)closedir(list);
	(void)unlinkat(directory, held_name, 0);
}

static void remove_if_left(int parent, const char *name)
{
	int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory < 0)
		return;
	bool ours = is_ours(directory, S_IFDIR, S_IRWXU);
	int held =
	        !ours ? -1
	              : openat(directory, held_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool left = held >= 0 && lock(held) == 0 && is_ours(held, S_IFREG, S_IRUSR | S_IWUSR);
	if (left)
		remove_files(directory);
	if (held >= 0)
		(void)close(held);
	(void)close(directory);
	if (left)
		(void)unlinkat(parent, name, AT_REMOVEDIR);
}

/* The directory that a path is in. */
static DIR *open_parent(const char *path)
{
	char parent[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;

	if (length >= sizeof(parent))
		return NULL;
	memcpy(parent, path, length);
	parent[length] = '\0';
	int fd = descriptor_above_standard(
	        open(length == 0 ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	if (list == NULL && fd >= 0)
		(void)close(fd);
	return list;
}

void os_directories_remove_left(const char *path)
{
	DIR *list = open_parent(path);
	const struct dirent *entry;

	if (list == NULL)
		return;
	while ((entry = readdir(list)) != NULL) {
		if (strncmp(entry->d_name, directory_start, sizeof(directory_start) - 1) == 0 &&
		    strlen(entry->d_name) == DIRECTORY_NAME_LENGTH)
			remove_if_left(dirfd(list), entry->d_name);
	}
	(void)closedir(list);
}
