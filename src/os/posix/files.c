/*
 * files.c: output files, opened so that another user can neither read what we
 * write nor choose which file of ours is emptied. Each file is used by one
 * thread at a time; no lock here.
 */
#include "os.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE_OWNER_ONLY 0600
#define LINKS_MAX 40

static int open_retrying(const char *path, int flags)
{
	int fd;
	do
		fd = open(path, flags, MODE_OWNER_ONLY);
	while (fd < 0 && errno == EINTR);
	return descriptor_above_standard(fd);
}

/* Writes to next, of size PATH_MAX, the path that the link at path names: a
 * relative target starts at the link's folder. */
static int link_target(const char *path, char *next)
{
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return errno;
	target[length] = '\0';

	const char *slash = strrchr(path, '/');
	size_t folder = target[0] == '/' || slash == NULL ? 0 : (size_t)(slash - path) + 1;
	if (folder + (size_t)length >= PATH_MAX)
		return ENAMETOOLONG;
	memcpy(next, path, folder);
	memcpy(next + folder, target, (size_t)length + 1);
	return 0;
}

static bool is_ours_or_roots(const struct stat *file)
{
	return file->st_uid == geteuid() || file->st_uid == 0;
}

/* Whether every link on the way from path (its last component, and those of
 * what it names) belongs to root or to us. Where nothing is found the chain
 * ends: a file to be made, or a link that only the kernel can follow, as
 * /proc/self/fd/1 is. */
static int links_are_ours(const char *path)
{
	char here[PATH_MAX];
	char next[PATH_MAX];
	size_t length = strlen(path);
	if (length >= sizeof(here))
		return ENAMETOOLONG;
	memcpy(here, path, length + 1);

	for (int i = 0; i < LINKS_MAX; i++) {
		struct stat link;
		if (lstat(here, &link) != 0)
			return errno == ENOENT ? 0 : errno;
		if (!S_ISLNK(link.st_mode))
			return 0;
		if (!is_ours_or_roots(&link))
			return OS_NOT_OURS;
		int error = link_target(here, next);
		if (error != 0)
			return error;
		memcpy(here, next, sizeof(here));
	}
	return ELOOP;
}

/* Opens what is at path already without waiting: a FIFO that nobody reads is an
 * error (ENXIO), not a program that never starts. */
static int open_existing(const char *path, int *opened)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	*opened = open_retrying(path, flags | O_NOFOLLOW);
	if (*opened >= 0)
		return 0;
	if (errno != ELOOP)
		return errno;
	int error = links_are_ours(path);
	if (error != 0)
		return error;
	/* A link may lead to a file that is still to be made. */
	*opened = open_retrying(path, flags | O_CREAT);
	return *opened < 0 ? errno : 0;
}

static int make_ours(int fd, const struct stat *file, enum os_file_create how)
{
	if (file->st_uid != geteuid())
		return OS_NOT_OURS;
	/* On a file of ours EPERM can only mean a file system without modes. */
	if (fchmod(fd, MODE_OWNER_ONLY) != 0 && errno != EPERM)
		return errno;
	if (how == OS_FILE_KEEP)
		return 0;
	int result;
	do
		result = ftruncate(fd, 0);
	while (result != 0 && errno == EINTR);
	return result == 0 ? 0 : errno;
}

/* Makes what was there before what os_file_create() promises. */
static int take_over(int fd, enum os_file_create how)
{
	struct stat file;
	if (fstat(fd, &file) != 0)
		return errno;
	if (S_ISFIFO(file.st_mode) && !is_ours_or_roots(&file))
		return OS_NOT_OURS;
	if (S_ISREG(file.st_mode)) {
		int error = how == OS_FILE_EXCLUSIVE ? EEXIST : make_ours(fd, &file, how);
		if (error != 0)
			return error;
	}
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return errno;
	return 0;
}

static bool is_same_file(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* The descriptor of standard output or error, if that goes to what is at path;
 * -1 otherwise. */
static int standard_output_at(const char *path)
{
	static const int standard[] = {STDOUT_FILENO, STDERR_FILENO};
	struct stat wanted;
	struct stat there;

	if (stat(path, &wanted) != 0)
		return -1;
	for (size_t i = 0; i < sizeof(standard) / sizeof(standard[0]); i++) {
		int flags = fcntl(standard[i], F_GETFL);
		if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
		    fstat(standard[i], &there) == 0 && is_same_file(&wanted, &there))
			return standard[i];
	}
	return -1;
}

/* Whether what is at path takes bytes without losing any that are there. */
static bool is_stream(const char *path)
{
	struct stat file;
	return stat(path, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode) &&
	       is_ours_or_roots(&file);
}

static int open_there(const char *path, enum os_file_create how, int *opened)
{
	int fd = -1;
	int error = open_existing(path, &fd);
	if (error == 0)
		error = take_over(fd, how);
	if (error != 0 && fd >= 0)
		(void)close(fd);
	*opened = fd;
	return error;
}

int os_file_create(const char *path, enum os_file_create how, struct os_file *file)
{
	file->handle = -1;
	int standard = standard_output_at(path);
	file->shared = standard >= 0;
	/* A descriptor that shares the position: opened anew, the file would be
	 * written over from its beginning. */
	int fd = file->shared ? fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
	                      : open_retrying(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
	int error = fd < 0 ? errno : 0;
	if (error == EEXIST && (how != OS_FILE_EXCLUSIVE || is_stream(path)))
		error = open_there(path, how, &fd);
	if (error == 0)
		file->handle = fd;
	return error;
}

bool os_file_exists_error(int code)
{
	return code == EEXIST;
}

bool os_file_seekable(const struct os_file *file)
{
	struct stat status;
	return !file->shared && fstat((int)file->handle, &status) == 0 && S_ISREG(status.st_mode);
}

/* Only what is shared can have been made non-blocking, by others. */
static void wait_for_room(int fd)
{
	struct pollfd room = {.fd = fd, .events = POLLOUT};
	(void)poll(&room, 1, -1);
}

int os_file_write(struct os_file *file, const void *bytes, size_t length)
{
	const char *rest = bytes;
	while (length > 0) {
		ssize_t written = write((int)file->handle, rest, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0 && errno == EAGAIN) {
			wait_for_room((int)file->handle);
			continue;
		}
		if (written < 0)
			return errno;
		if (written == 0)
			return EIO;
		rest += written;
		length -= (size_t)written;
	}
	return 0;
}

int os_file_truncate(struct os_file *file, uint64_t length)
{
	if (length > INT64_MAX)
		return EFBIG;
	int result;
	do
		result = ftruncate((int)file->handle, (off_t)length);
	while (result != 0 && errno == EINTR);
	if (result != 0 || lseek((int)file->handle, (off_t)length, SEEK_SET) < 0)
		return errno;
	return 0;
}

int os_file_close(struct os_file *file)
{
	if (file->handle < 0)
		return 0;
	int result = close((int)file->handle);
	file->handle = -1;
	/* After EINTR the descriptor is gone; to close again could hit another's. */
	return result == 0 || errno == EINTR ? 0 : errno;
}
