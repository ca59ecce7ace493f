/*
 * path_walk.c: see path_walk.h.
 *
 * open(2) with O_NOFOLLOW checks only the last component of a path. So each component is
 * opened relative to the one before it, and links are read here, after their owner is checked.
 */
#include "path_walk.h"
#include "descriptor.h"
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MAX = 40 };

/* To go through a directory one need not be allowed to list it. */
#if defined(O_PATH)
#define OPEN_TO_PASS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#elif defined(O_SEARCH)
#define OPEN_TO_PASS (O_SEARCH | O_DIRECTORY | O_CLOEXEC)
#else
#define OPEN_TO_PASS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

bool path_is_ours_or_roots(const struct stat *file)
{
	return file->st_uid == geteuid() || file->st_uid == 0;
}

/* ---- links ------------------------------------------------------------------------------ */

#ifdef O_PATH

/* The link itself is open while its owner is looked at and it is read. */
static int read_link(int directory, const char *name, struct stat *link, char target[PATH_MAX])
{
	int fd =
	        descriptor_above_standard(openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
	if (fd < 0)
		return errno;
	ssize_t length = 0;
	int error = fstat(fd, link) != 0 ? errno : 0;
	if (error == 0 && S_ISLNK(link->st_mode)) {
		length = readlinkat(fd, "", target, PATH_MAX - 1);
		error = length < 0 ? errno : 0;
	}
	(void)close(fd);
	target[length > 0 ? length : 0] = '\0';
	return error;
}

#else

/* It is looked at before and after it is read. */
static int read_link(int directory, const char *name, struct stat *link, char target[PATH_MAX])
{
	struct stat again;

	target[0] = '\0';
	if (fstatat(directory, name, link, AT_SYMLINK_NOFOLLOW) != 0)
		return errno;
	if (!S_ISLNK(link->st_mode))
		return 0;
	ssize_t length = readlinkat(directory, name, target, PATH_MAX - 1);
	if (length < 0 || fstatat(directory, name, &again, AT_SYMLINK_NOFOLLOW) != 0)
		return errno;
	target[length] = '\0';
	return again.st_ino == link->st_ino && again.st_dev == link->st_dev &&
	                       again.st_ctim.tv_sec == link->st_ctim.tv_sec &&
	                       again.st_ctim.tv_nsec == link->st_ctim.tv_nsec
	               ? 0
	               : OS_NOT_OURS;
}

#endif

/* Reads a link that may be followed. *is_link is false, without an error, if the name is
 * something else or does not exist. */
static int read_link_of_ours(struct path_place *place, const char *name, char target[PATH_MAX],
                             bool *is_link)
{
	struct stat link = {.st_mode = 0};
	int error = read_link(place->directory, name, &link, target);

	*is_link = error == 0 && S_ISLNK(link.st_mode);
	if (!*is_link)
		return error == ENOENT ? 0 : error;
	if (!path_is_ours_or_roots(&link) || link.st_nlink > 1)
		return OS_NOT_OURS;
	return place->links++ < LINKS_MAX ? 0 : ELOOP;
}

/* Links below /proc lead where no path does: to pipes, files without a name, and into other
 * mount namespaces. */
static bool is_systems_directory(int directory)
{
	struct stat here;
	struct stat systems;
	return fstat(directory, &here) == 0 && stat("/proc/self", &systems) == 0 &&
	       here.st_dev == systems.st_dev;
}

/* ---- the way ---------------------------------------------------------------------------- */

/* The place's directory is now fd. */
static int move_to(struct path_place *place, int fd)
{
	fd = descriptor_above_standard(fd);
	if (fd < 0)
		return errno;
	path_place_close(place);
	place->directory = fd;
	return 0;
}

/* rest is the path after the link with that target. */
static int put_before(const char *target, char rest[PATH_MAX])
{
	size_t length = strlen(target);
	size_t rest_length = strlen(rest);

	if (length + 1 + rest_length >= PATH_MAX)
		return ENAMETOOLONG;
	memmove(rest + length + 1, rest, rest_length + 1);
	memcpy(rest, target, length); /* NOLINT(bugprone-not-null-terminated-result) */
	rest[length] = '/';
	return 0;
}

/* Goes into the directory name, or has rest begin with what a link of that name names. */
static int enter(struct path_place *place, const char *name, char rest[PATH_MAX])
{
	char target[PATH_MAX];
	bool is_link = false;
	int error = move_to(place, openat(place->directory, name, OPEN_TO_PASS | O_NOFOLLOW));

	if (error != ELOOP && error != ENOTDIR)
		return error;
	int link_error = read_link_of_ours(place, name, target, &is_link);
	if (link_error != 0 || !is_link)
		return link_error != 0 ? link_error : error;
	if (is_systems_directory(place->directory))
		return move_to(place, openat(place->directory, name, OPEN_TO_PASS));
	return put_before(target, rest);
}

/* Cuts the first component off rest. */
static int take_component(char rest[PATH_MAX], char name[PLACE_NAME_MAX + 1])
{
	size_t slashes = strspn(rest, "/");
	size_t length = strcspn(rest + slashes, "/");

	if (length > PLACE_NAME_MAX)
		return ENAMETOOLONG;
	memcpy(name, rest + slashes, length);
	name[length] = '\0';
	memmove(rest, rest + slashes + length, strlen(rest + slashes + length) + 1);
	return 0;
}

/* From the place's directory along rest, to the last component. */
static int walk(struct path_place *place, char rest[PATH_MAX])
{
	for (;;) {
		int error = 0;
		if (rest[0] == '/')
			error = move_to(place, open("/", OPEN_TO_PASS));
		if (error == 0)
			error = take_component(rest, place->name);
		if (error != 0)
			return error;
		if (rest[0] == '\0')
			break;
		/* What follows is below this component, not below the root. */
		memmove(rest, rest + strspn(rest, "/"), strlen(rest + strspn(rest, "/")) + 1);
		error = place->name[0] == '\0' ? 0 : enter(place, place->name, rest);
		if (error != 0)
			return error;
	}
	bool is_name = place->name[0] != '\0' && strcmp(place->name, ".") != 0 &&
	               strcmp(place->name, "..") != 0;
	return is_name ? 0 : EISDIR;
}

int path_walk(const char *path, struct path_place *place)
{
	char rest[PATH_MAX];
	size_t length = strlen(path);

	*place = (struct path_place){.directory = -1};
	if (length == 0)
		return ENOENT;
	if (length >= sizeof(rest))
		return ENAMETOOLONG;
	memcpy(rest, path, length + 1);
	int error = move_to(place, open(".", OPEN_TO_PASS));
	return error == 0 ? walk(place, rest) : error;
}

int path_walk_links(struct path_place *place)
{
	char target[PATH_MAX];
	bool is_link = false;

	for (;;) {
		int error = read_link_of_ours(place, place->name, target, &is_link);
		if (error != 0 || !is_link)
			return error;
		place->is_systems_link = is_systems_directory(place->directory);
		if (place->is_systems_link)
			return 0;
		error = walk(place, target);
		if (error != 0)
			return error;
	}
}

void path_place_close(struct path_place *place)
{
	if (place->directory >= 0)
		(void)close(place->directory);
	place->directory = -1;
}
