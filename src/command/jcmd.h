/*
 * jcmd.h: loads the agent by the jcmd of a JDK, where the system has another protocol than
 * os_jvm_load() knows.
 */
#ifndef HPROF_COMMAND_JCMD_H
#define HPROF_COMMAND_JCMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Has the jcmd of JAVA_HOME, or else of the PATH, ask the process; what it prints goes to
 * answer, terminated and cut to size. False with a message printed when there is none, or the
 * texts can't be passed through it. */
bool jcmd_load(uint64_t pid, const char *library, const char *options, char *answer, size_t size);

#endif
