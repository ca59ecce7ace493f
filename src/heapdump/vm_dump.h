/*
 * vm_dump.h: a heap dump by the VM's own dumper, with live objects only, to a file
 * without a name beside the output. Notes where classes and tracked objects are at the
 * moment of the dump. Needs run->dumper.
 */
#ifndef HPROF_HEAPDUMP_VM_DUMP_H
#define HPROF_HEAPDUMP_VM_DUMP_H

#include "heapdump/dump_run.h"

extern const struct dump_source vm_dump_source;

#endif
