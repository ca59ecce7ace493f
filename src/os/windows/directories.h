/*
 * directories.h: names of new files and directories in a directory that other users may know.
 * Private to the platform layer. Any thread; no lock.
 */
#ifndef HPROF_OS_DIRECTORIES_H
#define HPROF_OS_DIRECTORIES_H

#include "owner.h"

#include <wchar.h>

/* Writes to directory, in UTF-8 and with its last separator, the directory of the file
 * beside, or where the system keeps temporary files when that is NULL. Returns 0 or a
 * code of os.h. */
int directories_choose(const char *beside, char *directory, size_t size);

/* Makes something new at path, with rights for its owner alone. Returns 0 or a code of
 * os.h, ERROR_FILE_EXISTS or ERROR_ALREADY_EXISTS if the name exists. */
typedef int directories_make(const wchar_t *path, SECURITY_ATTRIBUTES *security, void *user);

/* Makes something in directory under a new name, which goes to path.
 * what selects the rights. */
int directories_make_new(const char *directory, enum owner_only_of what, directories_make *make,
                         void *user, char *path, size_t size);

#endif
