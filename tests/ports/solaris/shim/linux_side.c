/*
 * linux_side.c: Linux's own accounting, from which the shim serves Solaris's: the
 * files of src/os/linux, their verbs renamed.
 */
#include "linux_side.h"

#include "../../../../src/os/linux/clocks.c"
#include "../../../../src/os/linux/microstates.c"
#include "../../../../src/os/linux/proc_task.c"
#include "../../../../src/os/linux/thread_state.c"
