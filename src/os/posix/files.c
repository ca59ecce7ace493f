/*
 * files.c: output files, opened so that another user can neither read what we
 * write nor choose which file of ours is emptied. Each file is used by one
 * thread at a time; no lock here.
 */
#include "os.h"
#include "descriptor.h"
#include "path_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE_OWNER_ONLY 0600

static int open_retrying(const struct path_place *place, int flags)
{
	int fd;
	do
		fd = openat(place->directory, place->name, flags | O_CLOEXEC, MODE_OWNER_ONLY);
	while (fd < 0 && errno == EINTR);
	return descriptor_above_standard(fd);
}

static int create_new(const struct path_place *place, int *opened)
{
	*opened = open_retrying(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
	return *opened < 0 ? errno : 0;
}

/* Opens an existing file without waiting: a FIFO without a reader is an
 * error (ENXIO), not a program that never starts. */
static int open_existing(const struct path_place *place, int *opened)
{
	int follow = place->is_systems_link ? 0 : O_NOFOLLOW;
	*opened = open_retrying(place, O_WRONLY | O_NONBLOCK | O_NOCTTY | follow);
	if (*opened >= 0)
		return 0;
	/* A link may name a file that does not exist yet. */
	return errno == ENOENT && !place->is_systems_link ? create_new(place, opened) : errno;
}

static int make_ours(int fd, const struct stat *file, enum os_file_create how)
{
	if (file->st_uid != geteuid())
		return OS_NOT_OURS;
	/* Another user may have created the other name. */
	if (file->st_nlink > 1)
		return OS_HARD_LINK;
	/* On a file of ours EPERM can only mean a file system without modes. */
	if (fchmod(fd, MODE_OWNER_ONLY) != 0 && errno != EPERM)
		return errno;
	if (how != OS_FILE_OVERWRITE)
		return 0;
	int result;
	do
		result = ftruncate(fd, 0);
	while (result != 0 && errno == EINTR);
	return result == 0 ? 0 : errno;
}

/* Gives an existing file the state that os_file_create() promises. */
static int take_over(int fd, enum os_file_create how)
{
	struct stat file;
	if (fstat(fd, &file) != 0)
		return errno;
	if (S_ISFIFO(file.st_mode) && !path_is_ours_or_roots(&file))
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
	struct stat named;
	struct stat there;

	if (stat(path, &named) != 0)
		return -1;
	for (size_t i = 0; i < sizeof(standard) / sizeof(standard[0]); i++) {
		int flags = fcntl(standard[i], F_GETFL);
		if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
		    fstat(standard[i], &there) == 0 && is_same_file(&named, &there))
			return standard[i];
	}
	return -1;
}

/* Whether writing to the existing file loses none of its bytes. */
static bool is_stream(const struct path_place *place)
{
	struct stat file;
	int flags = place->is_systems_link ? 0 : AT_SYMLINK_NOFOLLOW;
	return fstatat(place->directory, place->name, &file, flags) == 0 &&
	       !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode) && path_is_ours_or_roots(&file);
}

/* What is at the place is used, and not what a link of another user leads to. */
static int open_there(struct path_place *place, enum os_file_create how, int *opened)
{
	int error = path_walk_links(place);
	if (how == OS_FILE_EXCLUSIVE && (error != 0 || !is_stream(place)))
		return EEXIST;
	if (error == 0)
		error = open_existing(place, opened);
	if (error == 0)
		error = take_over(*opened, how);
	if (error != 0 && *opened >= 0)
		(void)close(*opened);
	return error;
}

static int create_at(const char *path, enum os_file_create how, int *opened)
{
	struct path_place place;
	int error = path_walk(path, &place);

	if (error == 0)
		error = create_new(&place, opened);
	if (error == EEXIST)
		error = open_there(&place, how, opened);
	path_place_close(&place);
	return error;
}

/* Makes each write go to the end of the file, whatever others write. Closes it on failure. */
static int write_at_end(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	if (flags >= 0 && fcntl(fd, F_SETFL, flags | O_APPEND) >= 0)
		return 0;
	int error = errno;
	(void)close(fd);
	return error;
}

int os_file_create(const char *path, enum os_file_create how, struct os_file *file)
{
	int standard = standard_output_at(path);
	int fd = -1;
	int error = 0;

	file->handle = -1;
	file->shared = standard >= 0;
	if (file->shared) {
		/* A descriptor that shares the position: opened anew, the file would be
		 * written over from its beginning. */
		fd = fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		error = fd < 0 ? errno : 0;
	} else {
		error = create_at(path, how, &fd);
	}
	if (error == 0 && how == OS_FILE_APPEND && !file->shared)
		error = write_at_end(fd);
	return error == 0 ? descriptor_to_file(fd, file) : error;
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

static int check(const struct os_file *file)
{
	return descriptor_check((int)file->handle, &file->identity);
}

/* Only a shared file can have been set to non-blocking, by others. */
static void wait_for_room(int fd)
{
	struct pollfd room = {.fd = fd, .events = POLLOUT};
	(void)poll(&room, 1, -1);
}

int os_file_write(struct os_file *file, const void *bytes, size_t length)
{
	const char *rest = bytes;
	while (length > 0) {
		int error = check(file);
		if (error != 0)
			return error;
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
	int result = check(file);
	if (result != 0)
		return result;
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
	int error = descriptor_close((int)file->handle, &file->identity);
	file->handle = -1;
	return error;
}
