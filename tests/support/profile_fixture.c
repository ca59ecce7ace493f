/* profile_fixture.c: see profile_fixture.h. */
#include "profile_fixture.h"

struct settings settings;
struct profile profile;
struct written_records written;
unsigned memory_errors;

void writer_trace(struct record_writer *writer, const struct trace *trace)
{
	(void)writer;
	written.traces++;
	written.trace = trace;
}

void writer_thread_start(struct record_writer *writer, const struct thread_record *thread)
{
	(void)writer;
	written.threads_started++;
	written.started = thread;
}

void writer_thread_end(struct record_writer *writer, const struct thread_record *thread)
{
	(void)writer;
	written.threads_ended++;
	written.ended = thread;
}

void writer_class_load(struct record_writer *writer, const struct class_record *class)
{
	(void)writer;
	written.classes_loaded++;
	written.loaded = class;
}

void writer_class_unload(struct record_writer *writer, const struct class_record *class)
{
	(void)writer;
	written.classes_unloaded++;
	written.unloaded = class;
}

void profile_deallocate(struct profile *its_profile, void *memory)
{
	if (memory != NULL)
		(void)(*its_profile->jvmti)->Deallocate(its_profile->jvmti, memory);
}

void profile_out_of_memory(struct profile *its_profile)
{
	memory_errors++;
	atomic_store(&its_profile->stopped, true);
}

void profile_set_up(void)
{
	memset(&settings, 0, sizeof(settings));
	memset(&profile, 0, sizeof(profile));
	memset(&written, 0, sizeof(written));
	memory_errors = 0;
	profile.vm = fake_vm();
	fake_reset();
	profile.jvmti = fake_jvmti();
	profile.settings = &settings;
	settings.depth = 4;
	settings.lineno = true;
	if (!model_init(&profile.model))
		abort();
}

void profile_tear_down(void)
{
	model_destroy(&profile.model);
}
