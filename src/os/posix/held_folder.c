/*
 * held_folder.c: private folders that tell, by a lock on a file in them, that their process
 * lives, and the removal of those that no process holds. Called on the thread that dumps
 * the heap.
 *
 * The lock is one of fcntl(2), which works on network file systems too and is gone with
 * its process. The file has its name only once it is locked, so that a folder that has one
 * without a lock was left behind for sure.
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

/* What mkdtemp(3) makes of os_private_folder()'s pattern. */
static const char folder_start[] = ".hprof-";
enum { FOLDER_NAME_LENGTH = sizeof(folder_start) - 1 + 6 };

static int lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	return fcntl(fd, F_SETLK, &whole) == 0 ? 0 : errno;
}

static int join(char *path, const char *folder, const char *name)
{
	int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return length < 0 || length >= PATH_MAX ? ENAMETOOLONG : 0;
}

int os_folder_hold(const char *path, struct os_file *hold)
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
	hold->handle = fd;
	error = lock(fd);
	if (error == 0 && rename(unheld, held) != 0)
		error = errno;
	return error;
}

void os_folder_release(const char *path, struct os_file *hold)
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

/* Removes the files of a folder, the lock last. */
static void remove_files(int folder)
{
	int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	DIR *list = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;

	if (list == NULL) {
		(void)close(copy);
		return;
	}
	while ((entry = readdir(list)) != NULL) {
		if (strcmp(entry->d_name, held_name) != 0)
			(void)unlinkat(folder, entry->d_name, 0);
	}
	(void)closedir(list);
	(void)unlinkat(folder, held_name, 0);
}

static void remove_if_left(int parent, const char *name)
{
	int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0)
		return;
	bool ours = is_ours(folder, S_IFDIR, S_IRWXU);
	int held = !ours ? -1
	                 : openat(folder, held_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool left = held >= 0 && lock(held) == 0 && is_ours(held, S_IFREG, S_IRUSR | S_IWUSR);
	if (left)
		remove_files(folder);
	if (held >= 0)
		(void)close(held);
	(void)close(folder);
	if (left)
		(void)unlinkat(parent, name, AT_REMOVEDIR);
}

/* The folder that a path is in. */
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

void os_folders_remove_left(const char *path)
{
	DIR *list = open_parent(path);
	const struct dirent *entry;

	if (list == NULL)
		return;
	while ((entry = readdir(list)) != NULL) {
		if (strncmp(entry->d_name, folder_start, sizeof(folder_start) - 1) == 0 &&
		    strlen(entry->d_name) == FOLDER_NAME_LENGTH)
			remove_if_left(dirfd(list), entry->d_name);
	}
	(void)closedir(list);
}
