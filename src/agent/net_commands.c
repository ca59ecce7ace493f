/*
 * net_commands.c: carries out the commands of the peer of net=, in binary format. An agent
 * thread reads and carries out one command after another while the program runs. Work on the
 * modes is done under the profile's dump lock.
 */
#include "agent/net_commands.h"

#include "agent/dump.h"
#include "agent/heap_summary.h"
#include "agent/late_modes.h"
#include "agent/live_classes.h"
#include "agent/live_traces.h"
#include "agent/net_command_parser.h"
#include "os/time_units.h"
#include "profile/jni_frame.h"
#include "vm/agent_thread.h"
#include "vm/java_thread_records.h"
#include "vm/java_thread_serials.h"

/* EXIT_STATUS is the program's exit code after EXIT THE VM. While more than BACKLOG_BYTES wait
 * to be sent, the next command waits too: a peer that sends commands and does not read the
 * answers can't fill the disk. DISCARD_PAUSE_MS slows down a peer that sends garbage. */
enum {
	READ_BYTES = 4096,
	READ_DEADLINE_MS = 1000,
	LOCAL_REFERENCES = 16,
	BACKLOG_BYTES = 256 * 1024,
	BACKLOG_PAUSE_MS = 20,
	DISCARD_PAUSE_MS = 100,
	EXIT_STATUS = 0
};

/* Result of a command: DONE; IGNORED, since the VM refuses it or it names an unknown thread; or
 * LAST, after which none is read. */
enum outcome { OUTCOME_DONE, OUTCOME_IGNORED, OUTCOME_LAST };

static void pause_for(uint32_t ms)
{
	os_sleep_until(os_monotonic_ns() + ms * NS_PER_MS);
}

static const char *name_of(const struct net_command *command);

/* ---- the commands ------------------------------------------------------- */

static enum outcome outcome_of(bool done)
{
	return done ? OUTCOME_DONE : OUTCOME_IGNORED;
}

static enum outcome force_gc(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	jvmtiEnv *jvmti = agent->profile.jvmti;
	(void)jni;
	(void)command;
	return outcome_of((*jvmti)->ForceGarbageCollection(jvmti) == JVMTI_ERROR_NONE);
}

/* Passes a command to all modes that take commands, after starting the one that it needs. True when
 * a mode has carried it out. */
static bool dispatch_to_modes(struct agent *agent, JNIEnv *jni, const struct net_command *command)
{
	struct profile *profile = &agent->profile;
	bool answered = false;

	os_mutex_lock(&profile->dump_lock);
	if (!profile_is_stopped(profile)) {
		if (agent->settings.verbose)
			progress_begin(&profile->progress, name_of(command));
		agent_start_mode_for(agent, jni, command->kind);
		agent_drain(agent, jni);
		java_threads_update_names(profile->threads, jni);
		EACH_MODE(agent, mode, command)
			answered |= mode->ops->command(mode->state, jni, command);
		progress_end(&profile->progress);
	}
	os_mutex_unlock(&profile->dump_lock);
	return answered;
}

static enum outcome dispatch(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	return outcome_of(dispatch_to_modes(agent, jni, command));
}

/* Calls write for a command that no mode handles, under the dump lock. */
static enum outcome answer(struct agent *agent, JNIEnv *jni, const struct net_command *command,
                           bool (*write)(struct profile *profile, JNIEnv *jni,
                                         const struct net_command *command))
{
	struct profile *profile = &agent->profile;
	bool done = false;

	os_mutex_lock(&profile->dump_lock);
	if (!profile_is_stopped(profile))
		done = write(profile, jni, command);
	os_mutex_unlock(&profile->dump_lock);
	return outcome_of(done);
}

static enum outcome alloc_sites(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	if ((command->flags & ALLOC_SITES_FORCE_GC) != 0)
		(void)force_gc(agent, jni, command);
	if (dispatch_to_modes(agent, jni, command))
		return OUTCOME_DONE;
	return answer(agent, jni, command, live_classes_write);
}

/* CPU SAMPLES without rows, where nothing is sampled. */
static bool write_no_samples(struct profile *profile, JNIEnv *jni,
                             const struct net_command *command)
{
	const struct cpu_samples_record record = {.wall_ms = os_wall_ms()};
	(void)jni;
	(void)command;
	writer_cpu_samples(profile->writer, &record);
	return true;
}

static enum outcome cpu_samples(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	if (dispatch_to_modes(agent, jni, command))
		return OUTCOME_DONE;
	return answer(agent, jni, command, write_no_samples);
}

static enum outcome heap_summary(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	if (dispatch_to_modes(agent, jni, command))
		return OUTCOME_DONE;
	return outcome_of(heap_summary_write(&agent->profile));
}

static bool write_live_traces(struct profile *profile, JNIEnv *jni,
                              const struct net_command *command)
{
	(void)command;
	return live_traces_write(profile, jni);
}

static enum outcome dump_traces(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	return answer(agent, jni, command, write_live_traces);
}

/* CONTROL is always answered by the settings after it. Switching off what no mode does is no
 * failure: it is off already. */
static enum outcome control(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	bool done = dispatch_to_modes(agent, jni, command);
	bool on = command->kind == COMMAND_ALLOC_TRACES_ON ||
	          command->kind == COMMAND_CPU_SAMPLING_ON;
	profile_control_write(&agent->profile);
	return outcome_of(done || !on);
}

static enum outcome control_thread(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	if (command->thread_id != 0) {
		command->thread_serial = java_threads_serial_by_object_id(agent->profile.threads,
		                                                          command->thread_id);
		if (command->thread_serial == 0) {
			profile_control_write(&agent->profile);
			return OUTCOME_IGNORED;
		}
	}
	return control(agent, jni, command);
}

static enum outcome max_depth(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	uint32_t most = profile_depth_max(&agent->settings);

	if (command->depth > most)
		command->depth = (uint16_t)most;
	profile_control_depth(&agent->profile, command->depth);
	return control(agent, jni, command);
}

/* Calls System.exit: shutdown hooks run, and the VM's death writes the last dump. Returns only
 * if the program prevents the exit. */
static enum outcome exit_vm(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	(void)command;
	if (agent->settings.verbose)
		message_print("%s requested the JVM's exit", agent->profile.output_name);
	jclass class = (*jni)->FindClass(jni, "java/lang/System");
	jmethodID method =
	        class == NULL ? NULL : (*jni)->GetStaticMethodID(jni, class, "exit", "(I)V");
	if (method != NULL)
		(*jni)->CallStaticVoidMethod(jni, class, method, (jint)EXIT_STATUS);
	(*jni)->ExceptionClear(jni);
	return OUTCOME_IGNORED;
}

static enum outcome end_connection(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	(void)jni;
	(void)command;
	if (agent->settings.verbose)
		message_print("%s ended the connection; profiling has ended, the program continues",
		              agent->profile.output_name);
	agent_end_output(agent);
	return OUTCOME_LAST;
}

/* Name and action of each command, by enum net_command_kind. After a last one nothing more
 * is read from the peer. */
static const struct command_row {
	const char *name;
	enum outcome (*carry_out)(struct agent *agent, JNIEnv *jni, struct net_command *command);
	bool last;
} command_rows[] = {
        [COMMAND_FORCE_GC] = {"FORCE GC", force_gc, false},
        [COMMAND_DUMP_HEAP] = {"DUMP HEAP", dispatch, false},
        [COMMAND_ALLOC_SITES] = {"ALLOC SITES", alloc_sites, false},
        [COMMAND_HEAP_SUMMARY] = {"HEAP SUMMARY", heap_summary, false},
        [COMMAND_EXIT_VM] = {"EXIT THE VM", exit_vm, true},
        [COMMAND_DUMP_TRACES] = {"DUMP TRACES", dump_traces, false},
        [COMMAND_CPU_SAMPLES] = {"CPU SAMPLES", cpu_samples, false},
        [COMMAND_ALLOC_TRACES_ON] = {"CONTROL alloc traces on", control, false},
        [COMMAND_ALLOC_TRACES_OFF] = {"CONTROL alloc traces off", control, false},
        [COMMAND_CPU_SAMPLING_ON] = {"CONTROL CPU sampling on", control_thread, false},
        [COMMAND_CPU_SAMPLING_OFF] = {"CONTROL CPU sampling off", control_thread, false},
        [COMMAND_CPU_CLEAR] = {"CONTROL clear CPU samples", control, false},
        [COMMAND_MAX_DEPTH] = {"CONTROL max depth", max_depth, false},
        [COMMAND_EOF] = {"EOF", end_connection, true},
};

static const char *name_of(const struct net_command *command)
{
	return command_rows[command->kind].name;
}

/* ---- the thread --------------------------------------------------------- */

/* Under the lock, so that an output that is just being closed is not reported as failed. */
static void send_answer(struct profile *profile)
{
	os_mutex_lock(&profile->dump_lock);
	if (!profile_is_stopped(profile)) {
		writer_flush(profile->writer);
		profile_check_output(profile, writer_error(profile->writer));
	}
	os_mutex_unlock(&profile->dump_lock);
}

/* Prints that a command was not carried out: for CONTROL, which is answered anyway, with
 * verbose=y; for others, which have no answer, once per kind. */
static void report_ignored(struct agent *agent, const struct net_command *command)
{
	bool answered = command_rows[command->kind].carry_out == control ||
	                command_rows[command->kind].carry_out == control_thread;
	unsigned bit = 1u << command->kind;

	if (answered ? !agent->settings.verbose : (agent->reported_commands & bit) != 0)
		return;
	agent->reported_commands |= bit;
	message_print("%s: command %s (number %u) was not carried out", agent->profile.output_name,
	              name_of(command), command->serial);
}

/* True if another command may be read after it. */
static bool carry_out(struct agent *agent, JNIEnv *jni, struct net_command *command)
{
	const struct command_row *row = &command_rows[command->kind];
	struct profile *profile = &agent->profile;

	enum outcome outcome = OUTCOME_IGNORED;
	if (jni_frame_push(jni, LOCAL_REFERENCES)) {
		outcome = row->carry_out(agent, jni, command);
		jni_frame_pop(jni);
	}

	if (outcome == OUTCOME_IGNORED && !profile_is_stopped(profile))
		report_ignored(agent, command);
	send_answer(profile);
	return !row->last;
}

/* Whether the output is closed or closing, so that no command can be answered. */
static bool is_over(struct agent *agent)
{
	return profile_is_stopped(&agent->profile) || atomic_load(&agent->link->closing);
}

static void wait_for_room(struct agent *agent)
{
	while (atomic_load(&agent->link->waiting) > BACKLOG_BYTES && !is_over(agent))
		pause_for(BACKLOG_PAUSE_MS);
}

/* Carries out the commands in the bytes. False when no more may be read. */
static bool process_bytes(struct agent *agent, JNIEnv *jni, struct net_command_parser *parser,
                          const uint8_t *bytes, size_t length)
{
	struct net_command command;
	size_t taken;

	for (;; bytes += taken, length -= taken) {
		switch (net_command_parser_feed(parser, bytes, length, &taken, &command)) {
		case NET_COMMAND_PARSE_MORE:
			return true;
		case NET_COMMAND_PARSE_REFUSED:
			message_print("%s sent an invalid command (%s); nothing more is read "
			              "from it",
			              agent->profile.output_name, parser->error);
			return false;
		case NET_COMMAND_PARSE_DONE:
			wait_for_room(agent);
			if (is_over(agent) || !carry_out(agent, jni, &command))
				return false;
			break;
		}
	}
}

static bool can_continue(int error)
{
	return error == 0 || error == OS_TIMED_OUT;
}

/* Reads and ignores the rest of the stream: see net_link_end(). */
static void discard(struct agent *agent, uint8_t *bytes)
{
	int error = 0;
	size_t got;

	while (can_continue(error) && !atomic_load(&agent->link->ended)) {
		error = net_link_read(agent->link, bytes, READ_BYTES, READ_DEADLINE_MS, &got);
		if (error == 0 && !is_over(agent))
			pause_for(DISCARD_PAUSE_MS);
	}
}

static void JNICALL read_commands(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct agent *agent = argument;
	struct net_command_parser parser;
	uint8_t bytes[READ_BYTES];
	int error;
	bool more = true;
	(void)jvmti;

	net_command_parser_init(&parser, writer_id_size(agent->profile.writer));
	do {
		size_t got = 0;
		error = net_link_read(agent->link, bytes, sizeof(bytes), READ_DEADLINE_MS, &got);
		if (error == 0 && !is_over(agent))
			more = process_bytes(agent, jni, &parser, bytes, got);
	} while (more && can_continue(error) && !is_over(agent));

	if (more && !can_continue(error) && parser.length > 0 && agent->settings.verbose)
		message_print("%s ended the connection in the middle of a command",
		              agent->profile.output_name);
	if (can_continue(error))
		discard(agent, bytes);
	net_link_release(agent->link);
}

void net_commands_start(struct agent *agent, JNIEnv *jni)
{
	if (agent->link == NULL || agent->settings.format != FORMAT_BINARY)
		return;
	(void)net_link_hold(agent->link);
	if (!agent_thread_start(&agent->profile, jni, "hprof commands", read_commands, agent))
		net_link_release(agent->link);
}
