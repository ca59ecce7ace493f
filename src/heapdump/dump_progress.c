/*
 * dump_progress.c: see dump_progress.h. The thread is the system's alone, so that it runs while
 * the VM has stopped all others. No lock: begin and end hand the progress over.
 */
#include "heapdump/dump_progress.h"

#include <stdio.h>

/* How often the file is looked at. */
enum { LOOK_MS = 100 };

/* From JDK 22 on each thread of the dumper writes a file of its own beside, with .p and
 * its number behind the name; they are put together at the end. */
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
	struct dump_watch *watch = argument;

	while (!atomic_load(&watch->ended)) {
		(void)os_event_wait(&watch->wake, LOOK_MS);
		if (!atomic_load(&watch->ended))
			progress_update(watch->progress, written_bytes(watch->path) >> 20, 0,
			                "MB written by the JVM");
	}
}

void dump_watch_begin(struct dump_watch *watch, struct progress *progress, const char *path)
{
	watch->progress = progress;
	watch->path = path;
	atomic_init(&watch->ended, false);
	watch->running = progress->active && os_event_init(&watch->wake) == 0;
	if (watch->running && os_thread_start(&watch->thread, run, watch) != 0) {
		os_event_destroy(&watch->wake);
		watch->running = false;
	}
}

void dump_watch_end(struct dump_watch *watch)
{
	if (!watch->running)
		return;
	atomic_store(&watch->ended, true);
	os_event_signal(&watch->wake);
	os_thread_join(&watch->thread);
	os_event_destroy(&watch->wake);
}
