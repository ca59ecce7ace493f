/*
 * walk_dump.h: a heap dump by JVM TI alone, without the VM's dumper: follows all references from
 * the roots and writes the objects it reaches to two files, classes first, with ids and serials
 * of the output.
 */
#ifndef HPROF_HEAPDUMP_WALK_DUMP_H
#define HPROF_HEAPDUMP_WALK_DUMP_H

#include "heapdump/dump_run.h"

extern const struct dump_source walk_dump_source;

#endif
