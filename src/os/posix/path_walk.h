/*
 * path_walk.h: the way to an output file, one component at a time, so that no component can be
 * replaced after its check. Private to the platform layer. Any thread; no lock.
 */
#ifndef HPROF_OS_PATH_WALK_H
#define HPROF_OS_PATH_WALK_H

#include <stdbool.h>
#include <sys/stat.h>

enum { PLACE_NAME_MAX = 255 };

/* A name in an open directory. */
struct path_place {
	int directory; /* a descriptor, -1 when there is none */
	char name[PLACE_NAME_MAX + 1];
	bool is_systems_link; /* one below /proc, which names an open file and has no path */
	int links;            /* followed so far */
};

/* Opens the directory that path is in. Links on the way there are followed when they belong to
 * root or to us and have no other name; OS_NOT_OURS otherwise. To be closed in any case. */
int path_walk(const char *path, struct path_place *place);

/* While the name is a link, follows it by the same rules. Does not check what the last target
 * is, or whether it exists. */
int path_walk_links(struct path_place *place);

void path_place_close(struct path_place *place);

/* Whether it belongs to root or to the user of this process. */
bool path_is_ours_or_roots(const struct stat *file);

#endif
