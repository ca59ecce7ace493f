/*
 * dump_progress.c: see dump_progress.h. The thread is not attached to the VM, so it runs while
 * the VM has stopped all Java threads. No lock: begin and end pass the progress from thread to
 * thread.
 */
#include "heapdump/dump_progress.h"

#include <stdio.h>

/* Time between two looks at the file. */
enum { LOOK_MS = 100 };

/* Since JDK 22 each thread of the dumper writes a file of its own, with .p and its number after
 * the name; the VM joins them at the end. */
enum { PARTS_MAX = 64 };

enum { PART_PATH_MAX = 8192 };

static uint64_t written_bytes(const char *path)
{
	char part[PART_PATH_MAX];
	uint64_t bytes = os_file_length(path);

	for (int i = 0; i < PARTS_MAX; i++) {
		(void)snprintf(part, sizeof(part), "%s.p%d", path, i);
		bytes += os_file_length(part);
	}
	return bytes;
}

static void run(void *argument)
{
	struct dump_progress *dump = argument;

	while (!atomic_load(&dump->ended)) {
		(void)os_event_wait(&dump->wake, LOOK_MS);
		if (!atomic_load(&dump->ended))
			progress_update(dump->progress, written_bytes(dump->path) >> 20, 0,
			                "MB written by the JVM");
	}
}

void dump_progress_begin(struct dump_progress *dump, struct progress *progress, const char *path)
{
	dump->progress = progress;
	dump->path = path;
	atomic_init(&dump->ended, false);
	dump->running = progress->active && os_event_init(&dump->wake) == 0;
	if (dump->running && os_thread_start(&dump->thread, run, dump) != 0) {
		os_event_destroy(&dump->wake);
		dump->running = false;
	}
}

void dump_progress_end(struct dump_progress *dump)
{
	if (!dump->running)
		return;
	atomic_store(&dump->ended, true);
	os_event_signal(&dump->wake);
	os_thread_join(&dump->thread);
	os_event_destroy(&dump->wake);
}
