/*
 * walk_files.h: the temporary files of a heap walk. Records go to files of the HPROF binary
 * format, because the text format needs the number of objects before the first one. Objects
 * go to one file as they are found; classes go to another when the walk is over, because
 * their statics and constants are known only then.
 *
 * On the thread that dumps, under the profile's dump lock; the writer of a file is also used
 * in heap callbacks, while that thread waits.
 */
#ifndef HPROF_HEAPDUMP_WALK_FILES_H
#define HPROF_HEAPDUMP_WALK_FILES_H

#include "heapdump/class_layouts.h"
#include "heapdump/dump_run.h"
#include "output/heap_writer.h"

#include <stdbool.h>
#include <stddef.h>

/* A sink that writes to an open file and leaves it open. */
struct walk_sink {
	struct sink sink;
	struct os_file *file;
};

struct walk_file {
	struct dump_run *run;
	struct walk_sink to;
	struct record_writer *writer;
	struct heap_writer *heap;
};

/* Opens run->files[index] and begins a dump in it. False with the run's reason set; call
 * walk_file_end() in either case. */
bool walk_file_begin(struct walk_file *file, struct dump_run *run, size_t index);

/* Ends the dump. The file stays open: it is the run's. False with the run's reason set. */
bool walk_file_end(struct walk_file *file);

/* Writes all classes to run->files[index]. False with the run's reason set. */
bool walk_files_write_classes(struct dump_run *run, size_t index,
                              const struct class_layouts *layouts);

#endif
