/*
 * dump.c: moves what the modes have collected into the output: all the time (poll), on
 * request (dump), and at the end. Everything here holds the profile's dump lock, so that
 * concurrent dumps take turns.
 */
#include "agent/dump.h"

#include "agent/run_notes.h"
#include "agent/stage.h"
#include "os/time_units.h"
#include "vm/class_registry.h"
#include "vm/java_thread_records.h"

#include <string.h>

/* The file lags the program by less than a second: half of one leaves a margin. */
#define UPDATE_NS (NS_PER_SECOND / 2)

/* Updates use at most 1/UPDATE_SHARE of a CPU: a table of a million rows is not written
 * twice a second. */
enum { UPDATE_SHARE = 20 };

/* How long the end of the VM waits for a profile that is just beginning. */
enum { BEGINNING_MAX_MS = 30000 };

void agent_drain(struct agent *agent, JNIEnv *jni)
{
	EACH_MODE(agent, mode, poll)
		mode->ops->poll(mode->state, jni);
	class_registry_write_unloads(agent->profile.classes);
}

static void write_sections(struct agent *agent)
{
	EACH_MODE(agent, mode, write)
		mode->ops->write(mode->state);
}

static void reset_modes(struct agent *agent)
{
	EACH_MODE(agent, mode, reset)
		mode->ops->reset(mode->state);
}

/* Stops the modes, once. */
static void stop_modes(struct agent *agent)
{
	if (agent->modes_stopped)
		return;
	agent->modes_stopped = true;
	EACH_MODE(agent, mode, stop)
		mode->ops->stop(mode->state);
}

/* How long the profile is. */
static void write_end_note(struct agent *agent)
{
	if (agent->settings.notes && agent->live_ns != 0)
		run_notes_write_end(&agent->profile, os_monotonic_ns() - agent->live_ns);
}

static bool is_live(const struct agent *agent)
{
	return atomic_load(&agent->stage) == AGENT_LIVE;
}

/* Brings the file up to date. Its tail is what an exit dump would write now, in case the VM is
 * killed. */
static void update_file(struct agent *agent)
{
	struct record_writer *writer = agent->profile.writer;

	if (agent->settings.doe && writer_tail_begin(writer)) {
		write_sections(agent);
		write_end_note(agent);
		writer_tail_end(writer);
	} else {
		writer_flush(writer);
	}
	profile_check_output(&agent->profile, writer_error(agent->profile.writer));
}

static uint64_t next_update(uint64_t cpu_used_ns)
{
	uint64_t pause_ns = cpu_used_ns * UPDATE_SHARE;
	return os_monotonic_ns() + (pause_ns > UPDATE_NS ? pause_ns : UPDATE_NS);
}

void agent_poll(struct agent *agent, JNIEnv *jni)
{
	struct profile *profile = &agent->profile;

	os_mutex_lock(&profile->dump_lock);
	if (!profile_is_stopped(profile)) {
		agent_drain(agent, jni);
		if (is_live(agent) && os_monotonic_ns() >= agent->update_due_ns) {
			uint64_t cpu_ns = os_self_cpu_ns();
			update_file(agent);
			agent->update_due_ns = next_update(os_self_cpu_ns() - cpu_ns);
		}
	}
	if (profile_is_stopped(profile))
		stop_modes(agent);
	os_mutex_unlock(&profile->dump_lock);
}

/* Titles of modes, for one line. */
struct titles {
	size_t count;
	char text[PROGRESS_TITLE_MAX - sizeof("Dumping ")];
};

static void add_title(struct titles *titles, const struct active_mode *mode)
{
	if (mode->ops->title == NULL)
		return;
	(void)strlcat(titles->text, titles->count++ > 0 ? ", " : "", sizeof(titles->text));
	(void)strlcat(titles->text, mode->ops->title, sizeof(titles->text));
}

/* Writes all sections; adds the modes whose dump fails to failed. */
static void write_dump(struct agent *agent, JNIEnv *jni, struct titles *failed)
{
	size_t count = active_modes_count(&agent->modes);
	size_t done = 0;

	EACH_ACTIVE(agent, mode) {
		if (mode->is_part)
			continue;
		if (mode->ops->dump != NULL && !mode->ops->dump(mode->state, jni))
			add_title(failed, mode);
		if (mode->ops->write != NULL)
			mode->ops->write(mode->state);
		progress_update(&agent->profile.progress, ++done, count, "modes");
	}
}

static void print_outcome(const struct titles *all, const struct titles *failed)
{
	if (failed->count == 0)
		message_print("Dumping %s ... done.", all->text);
	else if (failed->count == all->count)
		message_print("Dumping %s ... failed.", all->text);
	else
		message_print("Dumping %s ... done, without %s.", all->text, failed->text);
}

static void dump_locked(struct agent *agent, JNIEnv *jni, bool at_end)
{
	struct titles all = {0};
	struct titles failed = {0};
	char line[PROGRESS_TITLE_MAX] = "Dumping ";

	EACH_ACTIVE(agent, mode)
		add_title(&all, mode);
	(void)strlcat(line, all.text, sizeof(line));
	if (agent->settings.verbose)
		progress_begin(&agent->profile.progress, line);
	writer_group_begin(agent->profile.writer);
	write_dump(agent, jni, &failed);
	if (at_end)
		write_end_note(agent);
	writer_group_end(agent->profile.writer);
	progress_end(&agent->profile.progress);
	profile_check_output(&agent->profile, writer_error(agent->profile.writer));
	if (agent->settings.verbose && !profile_is_stopped(&agent->profile))
		print_outcome(&all, &failed);
}

void agent_dump(struct agent *agent, JNIEnv *jni)
{
	struct profile *profile = &agent->profile;

	if (!agent_await_live(agent, AGENT_NO_LIMIT_MS))
		return;
	os_mutex_lock(&profile->dump_lock);
	if (!profile_is_stopped(profile)) {
		agent_drain(agent, jni);
		java_threads_update_names(profile->threads, jni);
		dump_locked(agent, jni, false);
		reset_modes(agent);
	}
	os_mutex_unlock(&profile->dump_lock);
}

/* Closes the output, once. Reports bytes that the peer did not read in time, even if the
 * profile has failed before; other write errors fail the profile. */
static void finish_output(struct agent *agent)
{
	struct profile *profile = &agent->profile;

	if (agent->output_finished)
		return;
	agent->output_finished = true;
	int error = writer_finish(profile->writer);
	uint64_t lost = agent->link == NULL ? 0 : atomic_load(&agent->link->undelivered);

	if (lost > 0)
		message_print("%s reads too slowly: the last %llu bytes were not delivered",
		              profile->output_name, (unsigned long long)lost);
	else
		profile_check_output(profile, error);
	atomic_store(&profile->stopped, true);
}

void agent_end_output(struct agent *agent)
{
	struct profile *profile = &agent->profile;

	os_mutex_lock(&profile->dump_lock);
	stop_modes(agent);
	if (!profile_is_stopped(profile))
		finish_output(agent);
	os_mutex_unlock(&profile->dump_lock);
	os_event_signal(&profile->wake);
}

/* Whether a last dump would be whole. While the profile begins, modes have counted only a part of
 * what exists. That takes no longer than a few walks through the heap, unless code of the program
 * that it runs, a class file transformer, waits for the thread that ends the VM. */
static bool may_dump_last(const struct agent *agent)
{
	if (atomic_load(&agent->stage) != AGENT_BEGINNING)
		return true;
	return agent->beginner != os_self_thread() && agent_await_live(agent, BEGINNING_MAX_MS);
}

void agent_end(struct agent *agent, JNIEnv *jni)
{
	struct profile *profile = &agent->profile;
	bool dumps = agent->settings.doe && may_dump_last(agent);

	os_mutex_lock(&profile->dump_lock);
	stop_modes(agent);
	if (!profile_is_stopped(profile)) {
		agent_drain(agent, jni);
		java_threads_update_names(profile->threads, jni);
		if (agent->settings.doe && !dumps)
			message_print("the program ended before the profile had begun; there is "
			              "no last dump");
		if (dumps)
			dump_locked(agent, jni, true);
		else
			write_end_note(agent);
		finish_output(agent);
	} else if (agent->link != NULL) {
		/* What was written before the error may still wait for the peer. */
		finish_output(agent);
	}
	os_mutex_unlock(&profile->dump_lock);
	os_event_signal(&profile->wake);
}
