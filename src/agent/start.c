/*
 * start.c: the start of a profile, for both entry points (load.c, attach.c): options, output,
 * profile, modes, capabilities. On the thread of the entry point; no lock. Each refusal is one
 * line, printed here or by the mode that refuses.
 */
#include "agent/start.h"

#include "agent/capabilities.h"
#include "agent/events.h"
#include "agent/modes.h"
#include "agent/output_target.h"
#include "agent/run_notes.h"
#include "hotspot/vm_flags.h"
#include "hprof/record_format.h"
#include "options/options.h"
#include "vm/class_registry.h"
#include "vm/class_versions.h"
#include "vm/frame_resolver.h"
#include "vm/java_threads.h"
#include "vm/jvm_version.h"

#include <stdlib.h>

static bool refuse(const char *line)
{
	message_print("%s", line);
	return false;
}

/* Whether heap dumps are possible, by an option or by a command. */
static bool can_dump_heap(const struct settings *settings)
{
	return settings_dump_heap(settings) || profile_is_commanded(settings);
}

/* Whether the file has only the table of cpu=old, in the format of java -prof. */
static bool is_old_table(const struct settings *settings)
{
	return settings->cpu == CPU_OLD && settings->heap == HEAP_OFF && !settings->monitor &&
	       !settings->msa;
}

static const struct record_format *format_of(const struct settings *settings)
{
	if (settings->format == FORMAT_BINARY)
		return can_dump_heap(settings) ? &record_format_binary_segments
		                               : &record_format_binary;
	if (is_old_table(settings))
		return &record_format_old;
	return settings->native ? &record_format_text_native : &record_format_text;
}

struct agent *agent_create(void)
{
	struct agent *agent = calloc(1, sizeof(*agent));
	if (agent == NULL)
		message_print("out of memory");
	return agent;
}

/* Directs messages to the file of messages=. */
static bool open_messages(struct agent *agent)
{
	const char *name = agent->settings.messages;
	char error[AGENT_OUTPUT_NAME_MAX + 256];

	if (name[0] == '\0')
		return true;
	int code = message_file_open(name, &agent->messages);
	if (code == 0)
		return true;
	output_target_explain(error, sizeof(error), "write", name, code,
	                      "write messages=NAME with a name that can be written");
	return refuse(error);
}

enum start_request agent_read_options(struct agent *agent, const char *text, const char *hint)
{
	struct settings *settings = &agent->settings;
	char error[OPTIONS_ERROR_MAX];

	bool valid = options_parse(text, settings, error, sizeof(error));
	if (!open_messages(agent))
		return START_REFUSED;
	if (!valid) {
		message_print("%s%s", error, hint);
		return START_REFUSED;
	}
	if (settings->help)
		return START_HELP;
	if (settings->stop)
		return START_STOP;
	if (settings->verbose && settings->msa && settings->format == FORMAT_BINARY)
		message_print("msa=y has no effect: format=b has no record for THREAD "
		              "MICROSTATES; write format=a");
	for (const char *const *name = settings->ignored; *name != NULL; name++)
		message_print("option %s is obsolete and has no effect; remove it", *name);
	if (settings->notes && !run_notes_keep_options(text, &agent->options)) {
		message_print("out of memory");
		return START_REFUSED;
	}
	return START_PROFILE;
}

bool agent_open_output(struct agent *agent)
{
	char error[AGENT_OUTPUT_NAME_MAX + 256];

	agent->sink =
	        output_target_open(&agent->settings, agent->output_name, sizeof(agent->output_name),
	                           &agent->link, error, sizeof(error));
	agent->profile.output_name = agent->output_name;
	return agent->sink != NULL || refuse(error);
}

static bool init_profile(struct agent *agent, JavaVM *vm, jvmtiEnv *jvmti)
{
	struct profile *profile = &agent->profile;

	profile->vm = vm;
	profile->jvmti = jvmti;
	profile->settings = &agent->settings;
	profile_control_depth(profile, agent->settings.depth);
	if (!model_init(&profile->model) || os_mutex_init(&profile->dump_lock) != 0 ||
	    os_event_init(&profile->wake) != 0)
		return refuse("out of memory");
	profile->threads = java_threads_create(profile);
	profile->classes = class_registry_create(profile);
	profile->resolver = frame_resolver_create(profile);
	if (profile->threads == NULL || profile->classes == NULL || profile->resolver == NULL)
		return refuse("out of memory");
	return true;
}

/* What the user reads, in the file too. */
static const char left_out_format[] =
        "no calls are counted: this JVM archives its classes (%s) and would crash if they were "
        "rewritten; write cpu=samples, or remove that option";

/* Whether the new mode must not run: it rewrites classes, and the VM archives them. */
static bool is_left_out(struct agent *agent, const struct mode_needs *before)
{
	if (agent->needs.class_file_load && !before->class_file_load)
		agent->archive_option = vm_archive_option(agent->profile.jvmti);
	return agent->archive_option != NULL && agent->needs.class_file_load;
}

static bool create_mode(struct agent *agent, const struct mode_ops *ops)
{
	struct mode_needs before = agent->needs;
	void *state = ops->create(&agent->profile, &agent->needs);

	if (state == NULL)
		return false;
	if (!is_left_out(agent, &before)) {
		active_modes_add(&agent->modes, ops, state, &agent->needs);
		return true;
	}
	ops->destroy(state, NULL);
	agent->needs = before;
	agent->settings.cpu = CPU_OFF;
	message_print(left_out_format, agent->archive_option);
	/* The program may start all the same, but an attach has failed. */
	return !agent->attached;
}

/* Creates each selected mode; adds their needs to agent->needs. */
static bool create_modes(struct agent *agent)
{
	for (size_t i = 0; mode_table[i] != NULL; i++) {
		if (mode_table[i]->is_selected(&agent->settings) &&
		    !create_mode(agent, mode_table[i]))
			return false;
	}
	return true;
}

static bool create_writer(struct agent *agent)
{
	struct profile *profile = &agent->profile;

	/* Ids in a heap dump are addresses. */
	unsigned id_size = can_dump_heap(&agent->settings) ? sizeof(uint64_t) : sizeof(uint32_t);

	profile->writer =
	        writer_create(format_of(&agent->settings), agent->sink, id_size, os_wall_ms());
	if (profile->writer == NULL)
		return refuse("out of memory");
	agent->sink = NULL;
	if (agent->settings.notes)
		run_notes_write_start(profile, agent->options);
	if (agent->archive_option != NULL)
		profile_note(profile, left_out_format, agent->archive_option);
	return true;
}

/* Whether events of threads may be asked for before the main thread has its object. From JDK 19 on
 * HotSpot then makes a second state for this thread when it has the object, and keeps the first
 * for ever. At its end it writes through the first one to the thread's memory, which is freed. */
static bool may_see_early_threads(jvmtiEnv *jvmti)
{
	enum { FIRST_WITH_TWO_STATES = 19 };
	return jvm_version(jvmti) < FIRST_WITH_TWO_STATES;
}

static bool enable(struct agent *agent)
{
	struct mode_needs *needs = &agent->needs;
	bool sees_early_threads = !agent->attached && may_see_early_threads(agent->profile.jvmti);

	agent->misses_threads = !sees_early_threads;
	needs->capabilities.can_generate_early_vmstart = sees_early_threads;
	needs->capabilities.can_tag_objects = 1; /* tags identify classes */
	if (agent->settings.format == FORMAT_BINARY) {
		needs->capabilities.can_generate_object_free_events = 1;
		needs->class_prepare = true;
	}
	return (agent_add_capabilities(agent->profile.jvmti, &needs->capabilities) &&
	        agent_enable_events(agent)) ||
	       refuse("this JVM refuses events that the agent needs; remove the agent");
}

bool agent_start(struct agent *agent, JavaVM *vm)
{
	jvmtiEnv *jvmti = NULL;

	class_versions_reserve(vm);
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return refuse("this JVM has no JVM TI; remove the agent");
	if (!init_profile(agent, vm, jvmti) || !jvm_version_is_supported(jvmti) ||
	    !create_modes(agent) || (agent->sink == NULL && !agent_open_output(agent)) ||
	    !create_writer(agent))
		return false;
	(void)(*jvmti)->SetEnvironmentLocalStorage(jvmti, agent);
	return enable(agent);
}

static void free_profile(struct profile *profile, JNIEnv *jni)
{
	if (profile->writer != NULL)
		(void)writer_close(profile->writer);
	frame_resolver_destroy(profile->resolver);
	class_registry_destroy(profile->classes);
	java_threads_destroy(profile->threads, jni);
	model_destroy(&profile->model);
	os_event_destroy(&profile->wake);
	os_mutex_destroy(&profile->dump_lock);
	if (profile->jvmti != NULL)
		(void)(*profile->jvmti)->DisposeEnvironment(profile->jvmti);
}

void agent_free(struct agent *agent, JNIEnv *jni)
{
	EACH_MODE(agent, mode, destroy)
		mode->ops->destroy(mode->state, jni);
	if (agent->profile.vm != NULL)
		free_profile(&agent->profile, jni);
	if (agent->sink != NULL)
		(void)agent->sink->ops->close(agent->sink);
	net_link_release(agent->link);
	message_file_close(agent->messages);
	free(agent->options);
	free(agent);
}
