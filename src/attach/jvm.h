/*
 * jvm.h: a running JVM of another process, and files that it creates for this one. One thread; no
 * lock.
 */
#ifndef HPROF_ATTACH_JVM_H
#define HPROF_ATTACH_JVM_H

#include "attach/attach_result.h"
#include "os/os.h"

struct jvm;

/* Takes hold of the JVM, so that a later process with its number is not taken for it. *jvm is
 * NULL, with the reason in result, when it can't be attached to. */
void jvm_hold(uint64_t pid, struct jvm **jvm, struct attach_result *result);
void jvm_release(struct jvm *jvm);

/* Whether it has not ended yet. */
bool jvm_is_running(const struct jvm *jvm);

/* Whether it has the same user and finds the same files at the same absolute paths. */
bool jvm_is_here(const struct jvm *jvm);

/* The path, as the JVM names it, that begins the name of each exchanged file: in a directory that
 * the JVM can write to, with a part that nobody can guess. As long as jvm. */
const char *jvm_exchange_path(const struct jvm *jvm);

/* Opens a file that the JVM has created at the exchange path and suffix, to read it from its
 * beginning, also after the JVM has ended. Links are refused, and whatever is no regular file of
 * the JVM's user (OS_NOT_OURS). */
int jvm_file_open(const struct jvm *jvm, const char *suffix, struct os_file *file);
int jvm_file_remove(const struct jvm *jvm, const char *suffix);

/* Calls each() with the performance data file of each running JVM for which this user has the
 * rights; the file is open at its beginning and closed afterwards. Its contents are the JVM's to
 * choose. */
int jvm_each(void (*each)(void *user, uint64_t pid, struct os_file *data), void *user);

#endif
