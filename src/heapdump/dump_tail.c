/*
 * dump_tail.c: see dump_tail.h. The thread is not attached to the VM, so it runs while the VM
 * has stopped all Java threads; it calls neither JNI nor JVM TI. No lock: begin and end pass the
 * merger from thread to thread.
 */
#include "heapdump/dump_tail.h"

/* Time between two looks for the file, and at its end for more. */
enum { LOOK_MS = 5 };

/* True until the reader has reached the end of the file after the dumper finished. */
static bool wait_for_more(void *context)
{
	struct dump_tail *tail = context;

	if (tail->drained)
		return false;
	if (atomic_load(&tail->ended))
		tail->drained = true;
	else
		(void)os_event_wait(&tail->wake, LOOK_MS);
	return true;
}

static void run(void *argument)
{
	struct dump_tail *tail = argument;

	while (os_file_open(tail->path, &tail->file) != 0) {
		if (!wait_for_more(tail))
			return;
	}
	tail->read = dump_merge_read(tail->merger, &tail->file, wait_for_more, tail) == 0;
	if (!tail->read)
		(void)os_file_close(&tail->file);
}

void dump_tail_begin(struct dump_tail *tail, struct dump_merger *merger, const char *path)
{
	*tail = (struct dump_tail){.merger = merger, .path = path};
	atomic_init(&tail->ended, false);
	tail->running = merger != NULL && os_event_init(&tail->wake) == 0;
	if (tail->running && os_thread_start(&tail->thread, run, tail) != 0) {
		os_event_destroy(&tail->wake);
		tail->running = false;
	}
}

bool dump_tail_end(struct dump_tail *tail, struct os_file *file)
{
	if (!tail->running)
		return false;
	atomic_store(&tail->ended, true);
	os_event_signal(&tail->wake);
	os_thread_join(&tail->thread);
	os_event_destroy(&tail->wake);
	if (tail->read)
		*file = tail->file;
	return tail->read;
}
