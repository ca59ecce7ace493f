/*
 * dump_tail.c: see dump_tail.h. The thread is the system's alone, so that it runs while
 * the VM has stopped all others; it calls neither JNI nor JVM TI. No lock: begin and end
 * hand the splicing over.
 */
#include "heapdump/dump_tail.h"

/* How often the file is looked for, and at its end for more. */
enum { LOOK_MS = 5 };

/* True until the file has been found at its end after the dumper was done. */
static bool wait_for_more(void *context)
{
	struct dump_follow *follow = context;

	if (follow->drained)
		return false;
	if (atomic_load(&follow->ended))
		follow->drained = true;
	else
		(void)os_event_wait(&follow->wake, LOOK_MS);
	return true;
}

static void run(void *argument)
{
	struct dump_follow *follow = argument;

	while (os_file_open(follow->path, &follow->file) != 0) {
		if (!wait_for_more(follow))
			return;
	}
	follow->read =
	        heap_splice_read(follow->splicing, &follow->file, wait_for_more, follow) == 0;
	if (!follow->read)
		(void)os_file_close(&follow->file);
}

void dump_follow_begin(struct dump_follow *follow, struct heap_splicing *splicing, const char *path)
{
	*follow = (struct dump_follow){.splicing = splicing, .path = path};
	atomic_init(&follow->ended, false);
	follow->running = splicing != NULL && os_event_init(&follow->wake) == 0;
	if (follow->running && os_thread_start(&follow->thread, run, follow) != 0) {
		os_event_destroy(&follow->wake);
		follow->running = false;
	}
}

bool dump_follow_end(struct dump_follow *follow, struct os_file *file)
{
	if (!follow->running)
		return false;
	atomic_store(&follow->ended, true);
	os_event_signal(&follow->wake);
	os_thread_join(&follow->thread);
	os_event_destroy(&follow->wake);
	if (follow->read)
		*file = follow->file;
	return follow->read;
}
