/*
 * attach_wait.h: the time of a profile of a running JVM. One thread.
 */
#ifndef HPROF_ATTACH_ATTACH_WAIT_H
#define HPROF_ATTACH_ATTACH_WAIT_H

#include "attach/jvm.h"

/* Waits until the seconds have passed (negative: no limit), os_interrupted() is true or the JVM
 * has ended. Shows the elapsed time on a terminal. */
void attach_wait(const struct jvm *jvm, uint64_t pid, long long seconds);

#endif
