/*
 * owner.h: owners of files, and rights for the owner only, as mode 0600 is
 * elsewhere. Private to the platform layer. Any thread; no lock.
 */
#ifndef HPROF_OS_OWNER_H
#define HPROF_OS_OWNER_H

#include "system.h"

#include <stdbool.h>

/* A security descriptor that gives rights to the user of this process only. Must not
 * be moved. */
struct owner_only {
	SECURITY_DESCRIPTOR descriptor;
	ACL *list;
};

/* The object of the rights. Files created in such a directory inherit them. */
enum owner_only_of { OWNER_ONLY_FILE, OWNER_ONLY_DIRECTORY };

/* Returns 0 or a code of os.h. */
int owner_only_init(struct owner_only *owner, enum owner_only_of what);
void owner_only_free(struct owner_only *owner);

/* Gives an open file those rights and takes all others away. File systems without
 * rights (FAT) are no error. */
int owner_only_apply(HANDLE file);

/* Whether the open file belongs to the user of this process, or to whom new files
 * of this process belong (administrators may have set that to their group). */
bool owner_is_us(HANDLE file);

/* The same, or to the system or its administrators. */
bool owner_is_us_or_system(HANDLE file);

#endif
