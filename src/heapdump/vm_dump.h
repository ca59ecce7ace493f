/*
 * vm_dump.h: a heap dump of the live objects by the VM's own dumper, in a temporary file beside
 * the output. Notes the addresses of classes and tracked objects at the time of the dump.
 * Requires run->dumper.
 */
#ifndef HPROF_HEAPDUMP_VM_DUMP_H
#define HPROF_HEAPDUMP_VM_DUMP_H

#include "heapdump/dump_run.h"

extern const struct dump_source vm_dump_source;

#endif
