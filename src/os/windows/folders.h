/*
 * folders.h: names of new files and folders in a folder that somebody may know.
 * Private to the platform layer. Any thread; no lock.
 */
#ifndef HPROF_OS_FOLDERS_H
#define HPROF_OS_FOLDERS_H

#include "owner.h"

#include <wchar.h>

/* Writes to folder, in UTF-8 and with its last separator, the folder of the file
 * beside, or where the system keeps temporary files when that is NULL. Returns 0 or a
 * code of os.h. */
int folders_choose(const char *beside, char *folder, size_t size);

/* Makes something new at path, with rights for its owner alone. Returns 0 or a code of
 * os.h, ERROR_FILE_EXISTS or ERROR_ALREADY_EXISTS when there is something already. */
typedef int folders_make(const wchar_t *path, SECURITY_ATTRIBUTES *security, void *user);

/* Makes something in folder under a name that is not taken there, which goes to path.
 * what says for whom rights are made. */
int folders_make_new(const char *folder, enum owner_only_of what, folders_make *make, void *user,
                     char *path, size_t size);

#endif
