/*
 * walk_threads.h: the threads of a heap walk. Before the walk each live thread gets the tag of
 * its id in the output, and its root and trace are written; in the callbacks a root on a
 * stack finds the thread by that id. A thread that only the walk finds, such as a virtual
 * one, gets a new serial, and its root is written after the walk.
 *
 * The functions with a run call JVM TI and JNI: on the thread that dumps, outside of
 * callbacks. The others are for heap callbacks. No lock.
 */
#ifndef HPROF_HEAPDUMP_WALK_THREADS_H
#define HPROF_HEAPDUMP_WALK_THREADS_H

#include "base/address_map.h"
#include "heapdump/class_layouts.h"
#include "heapdump/dump_run.h"
#include "heapdump/walk_objects.h"
#include "output/heap_writer.h"

#include <stdbool.h>
#include <stdint.h>

struct walk_threads {
	struct thread_table *table; /* gives new serials */
	struct heap_writer *heap;
	struct address_map serials; /* by object id */
	struct address_map depths;  /* frames in the thread's trace, by object id */
};

/* Tags all live threads and writes their roots. False when out of memory. */
bool walk_threads_begin(struct walk_threads *threads, struct dump_run *run,
                        struct heap_writer *heap);
void walk_threads_free(struct walk_threads *threads);

/* The serial of the thread whose object has that id; a thread without one gets a new serial.
 * 0 when out of memory. */
uint32_t walk_threads_serial(struct walk_threads *threads, uint64_t object_id);

/* The frame of a root at that depth in the trace of its thread; HEAP_FRAME_NONE when the trace,
 * which was taken before the walk, has no such frame. */
uint32_t walk_threads_frame(const struct walk_threads *threads, uint64_t object_id, jint depth);

/* Writes the roots of the threads that only the walk found. */
void walk_threads_end(struct walk_threads *threads);

/* Writes the class objects of the primitive types, which the walk reaches but reports nothing
 * about. To be called before it, so that a class object without a tag is one of a class that
 * is still being loaded. of_classes is the tag of java.lang.Class. False when out of memory. */
bool walk_primitive_classes(struct dump_run *run, struct walk_ids *ids,
                            struct walk_objects *objects, jlong of_classes);

#endif
