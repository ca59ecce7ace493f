/*
 * procfs.h: the structures of the Solaris declarations, with the names that they
 * expect of other headers.
 */
#ifndef SHIM_PROCFS_H
#define SHIM_PROCFS_H

#include <stdint.h>
#include <synch.h>

#include "../../include/procfs.h"

#endif
