/*
 * dump_merge.h: merges a heap dump that is a file of its own, in the HPROF binary format,
 * into the output: its strings, classes, threads, traces and ids become those of the
 * output. The file is read twice: once for what it consists of, once for its objects.
 * One thread, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMP_MERGE_H
#define HPROF_HEAPDUMP_DUMP_MERGE_H

#include "heapdump/merge_ops.h"
#include "hprof/hprof_reader.h"
#include "os/os.h"

#include <stddef.h>

struct dump_merger;

/* Begins a merge, which stays the caller's; its members may be changed between these calls.
 * NULL without memory. */
struct dump_merger *dump_merge_begin(struct dump_merge *merge);

/* The first reading of one of the files that the dump consists of, from its beginning; ids
 * are of the same size in all of them. With more, the file is one that is still being
 * written, by appending alone. Any thread, one at a time, before dump_merge_write(). 0,
 * HPROF_BROKEN (see hprof_reader.h), OS_NO_MEMORY, or a code of os.h for a file that can't
 * be read. */
int dump_merge_read(struct dump_merger *merger, struct os_file *file, hprof_more *more,
                    void *more_context);

/* The second reading of all files, and what was read into the output. As above; failures of
 * the output are the writer's. */
int dump_merge_write(struct dump_merger *merger, struct os_file *files, size_t file_count);

/* Frees it; NULL is fine. */
void dump_merge_end(struct dump_merger *merger);

#endif
