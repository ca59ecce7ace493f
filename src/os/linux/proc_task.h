/*
 * proc_task.h: the kernel's files of a thread under /proc/self/task. Private
 * to the platform layer.
 */
#ifndef HPROF_OS_PROC_TASK_H
#define HPROF_OS_PROC_TASK_H

#include "os.h"

/* Room for any of the files read here. */
#define PROC_TASK_TEXT_MAX 4096

/* Reads the thread's file called name (stat, schedstat, status) as text, cut to
 * size. Returns 0, ESRCH when the thread has ended, or errno. Any thread. */
int proc_task_read(os_thread thread, const char *name, char *text, size_t size);

/* The numbers of a stat file, counted as in proc(5): field 3 is the state.
 * Returns NULL when the text has no such field. The thread's name, which may
 * hold spaces and parentheses, is skipped. */
const char *proc_task_stat_field(const char *stat, int field);

/* How long the thread has waited for a CPU, from its schedstat file: "run wait slices".
 * False if not known: all are 0 when the kernel keeps no such account. */
bool proc_task_waited(const char *schedstat, uint64_t *ns);

#endif
