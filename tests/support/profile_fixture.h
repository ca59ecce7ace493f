/*
 * profile_fixture.h: a profile over the fake VM, for unit tests of rooms that call the VM.
 * The model is the agent's own; the writer and the errors of the profile are stand-ins that
 * count. Each test calls profile_set_up() and profile_tear_down().
 */
#ifndef HPROF_TESTS_PROFILE_FIXTURE_H
#define HPROF_TESTS_PROFILE_FIXTURE_H

#include "fake_vm.h"
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

extern struct settings settings;
extern struct profile profile;

/* What has been written, and the last of each. */
extern struct written_records {
	unsigned traces, threads_started, threads_ended, classes_loaded, classes_unloaded;
	const struct trace *trace;
	const struct thread_record *started, *ended;
	const struct class_record *loaded, *unloaded;
} written;
extern unsigned memory_errors;

void profile_set_up(void);
void profile_tear_down(void);

#endif
