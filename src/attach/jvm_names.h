/*
 * jvm_names.h: finds a running JVM by its main class or jar.
 */
#ifndef HPROF_ATTACH_JVM_NAMES_H
#define HPROF_ATTACH_JVM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the command line of a JVM, as jcmd lists it, begins with that name: a main class, with or
 * without its package and module, or a jar, with or without its directories. Pure. */
bool jvm_name_matches(const char *command, const char *name);

/* The process ID of the JVM with that number or name. False after printing an error, with the
 * candidates if there are several. One thread. */
bool jvm_find(const char *number_or_name, uint64_t *pid);

/* The process ID of the only JVM that has the number inner in a PID namespace of its own. False
 * when there is none, or more. One thread. */
bool jvm_find_inner(uint64_t inner, uint64_t *pid);

/* What the JVM runs, as jcmd lists it, goes to command, empty when that is unknown. One thread. */
void jvm_command_of(uint64_t pid, char *command, size_t size);

#endif
