/*
 * directories.h: names of new files and directories in a directory that somebody may know.
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
 * os.h, ERROR_FILE_EXISTS or ERROR_ALREADY_EXISTS when there is something already. */
typedef int directories_make(const wchar_t *path, SECURITY_ATTRIBUTES *security, void *user);

/* Makes something in directory under a name that is not taken there, which goes to path.
 * what says for whom rights are made. */
int directories_make_new(const char *directory, enum owner_only_of what, directories_make *make,
                         void *user, char *path, size_t size);

#endif
