/*
 * jvm_handle.h: a process of this user that may be a JVM, on systems where jcmd attaches. The
 * directory of the system has it. One thread; no lock.
 */
#ifndef HPROF_ATTACH_JVM_HANDLE_H
#define HPROF_ATTACH_JVM_HANDLE_H

#include "attach/attach_result.h"

#include <stdbool.h>
#include <stdint.h>

struct jvm_handle {
	intptr_t process; /* the system's handle, or the process ID where it has none */
};

/* Between the directories of a path. */
extern const char jvm_path_separator;

/* Any outcome but ATTACH_ANSWERED is why there is none; *error is set where that needs it. */
enum attach_outcome jvm_handle_open(uint64_t pid, struct jvm_handle *handle, int *error);
void jvm_handle_close(const struct jvm_handle *handle);

/* Whether the process has not ended. */
bool jvm_handle_is_running(const struct jvm_handle *handle);

#endif
