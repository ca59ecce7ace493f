/*
 * dump_merge.h: merges a heap dump in files of its own, in the HPROF binary format, into the
 * output. Its strings, classes, threads, traces and ids become those of the output. Each file is
 * read twice: once to build the index (dump_index.h), once for the objects. One thread at a
 * time, under the profile's dump lock.
 */
#ifndef HPROF_HEAPDUMP_DUMP_MERGE_H
#define HPROF_HEAPDUMP_DUMP_MERGE_H

#include "heapdump/merge_job.h"
#include "hprof/hprof_reader.h"
#include "os/os.h"

#include <stddef.h>

struct dump_merger;

/* Begins a merge. The caller owns merge and may change its members between calls. NULL when out
 * of memory. */
struct dump_merger *dump_merge_begin(struct dump_merge *merge);

/* Reads one file of the dump for the index, from its beginning. All files have ids of the same
 * size. With more, the file is still being written, by appending only. Any thread, one at a
 * time, before dump_merge_write(). Returns 0, HPROF_BROKEN (see hprof_reader.h), OS_NO_MEMORY,
 * or a code of os.h when the file cannot be read. */
int dump_merge_read(struct dump_merger *merger, struct os_file *file, hprof_more *more,
                    void *more_context);

/* Reads all files again and writes their contents to the output. Returns as above; errors of
 * the output are in its writer. */
int dump_merge_write(struct dump_merger *merger, struct os_file *files, size_t file_count);

/* Frees the merger; NULL is allowed. */
void dump_merge_end(struct dump_merger *merger);

#endif
