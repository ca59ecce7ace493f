/*
 * jcmd.h: loads the agent by the jcmd of a JDK, on systems whose attach protocol jvm_load()
 * does not support.
 */
#ifndef HPROF_ATTACH_JCMD_H
#define HPROF_ATTACH_JCMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs the jcmd of JAVA_HOME, or else of the PATH, to load the library into the process. Its
 * output goes to answer, terminated and cut to size. False, after printing an error, when there
 * is no jcmd or it cannot pass the texts. */
bool jcmd_load(uint64_t pid, const char *library, const char *options, char *answer, size_t size);

#endif
