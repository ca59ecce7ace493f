/*
 * load.c: how the JVM comes in: Agent_OnLoad (-agentlib:hprof, -agentpath, and
 * -Xrunhprof where the JVM still maps it). Runs before the VM is up, on its first
 * thread. Here, and only here, a bad option or an unusable output ends the
 * process, with one line.
 */
#include "agent/agent.h"
#include "agent/options.h"
#include "agent/output_target.h"
#include "profile/class_registry.h"
#include "profile/frame_resolver.h"
#include "profile/java_threads.h"

#include <stdlib.h>

enum { EXIT_OK = 0, EXIT_REFUSED = 1 };

/* Returning an error would make the JVM add lines of its own to ours. */
static void refuse(const char *line)
{
	message_print("%s", line);
	exit(EXIT_REFUSED);
}

static bool dumps_heap(const struct settings *settings)
{
	return settings->heap == HEAP_DUMP || settings->heap == HEAP_ALL;
}

static const struct record_format *format_of(const struct settings *settings)
{
	if (settings->format == FORMAT_BINARY)
		return dumps_heap(settings) ? &record_format_binary_segments
		                            : &record_format_binary;
	return settings->cpu == CPU_OLD ? &record_format_old : &record_format_text;
}

static void read_options(const char *text, struct settings *settings)
{
	char error[OPTIONS_ERROR_MAX];

	if (!options_parse(text, settings, error, sizeof(error)))
		refuse(error);
	if (settings->help) {
		options_help(stdout);
		exit(EXIT_OK);
	}
	if (settings->verbose && settings->msa && format_of(settings) != &record_format_text)
		message_print("msa=y adds no THREAD MICROSTATES section to this format");
	if (settings->verbose && settings->monitor && settings->cpu == CPU_OLD)
		message_print("monitor=y adds nothing to the table of cpu=old");
	if (settings->gc_okay)
		message_print("option gc_okay is obsolete and has no effect");
}

static void open_output(struct agent *agent)
{
	struct profile *profile = &agent->profile;
	char error[AGENT_OUTPUT_NAME_MAX + 256];
	struct sink *sink =
	        output_target_open(&agent->settings, agent->output_name, sizeof(agent->output_name),
	                           &agent->link, error, sizeof(error));
	if (sink == NULL)
		refuse(error);
	profile->output_name = agent->output_name;
	/* Ids of a heap dump are made of addresses. */
	unsigned id_size = dumps_heap(&agent->settings) ? sizeof(uint64_t) : sizeof(uint32_t);
	profile->writer = writer_create(format_of(&agent->settings), sink, id_size, os_wall_ms());
	if (profile->writer == NULL)
		refuse("out of memory");
}

static void init_profile(struct agent *agent, JavaVM *vm, jvmtiEnv *jvmti)
{
	struct profile *profile = &agent->profile;

	profile->vm = vm;
	profile->jvmti = jvmti;
	profile->settings = &agent->settings;
	profile_control_depth(profile, agent->settings.depth);
	if (!model_init(&profile->model) || os_mutex_init(&profile->dump_lock) != 0 ||
	    os_event_init(&profile->wake) != 0)
		refuse("out of memory");
	profile->threads = java_threads_create(profile);
	profile->classes = class_registry_create(profile);
	profile->resolver = frame_resolver_create(profile);
	if (profile->threads == NULL || profile->classes == NULL || profile->resolver == NULL)
		refuse("out of memory");
}

/* Each wanted mode; what they need adds up in agent->needs. */
static void create_modes(struct agent *agent)
{
	for (size_t i = 0; mode_table[i] != NULL; i++) {
		if (!mode_table[i]->wanted(&agent->settings))
			continue;
		struct active_mode *mode = &agent->modes[agent->mode_count];
		mode->ops = mode_table[i];
		mode->state = mode->ops->create(&agent->profile, &agent->needs);
		if (mode->state == NULL)
			exit(EXIT_REFUSED);
		agent->mode_count++;
	}
}

static void enable(struct agent *agent)
{
	struct mode_needs *needs = &agent->needs;

	/* Threads that the VM starts early are seen, classes carry their identity. */
	needs->capabilities.can_generate_early_vmstart = 1;
	needs->capabilities.can_tag_objects = 1;
	if (agent->settings.format == FORMAT_BINARY) {
		needs->capabilities.can_generate_object_free_events = 1;
		needs->class_prepare = true;
	}
	if (!agent_add_capabilities(agent->profile.jvmti, &needs->capabilities) ||
	    !agent_enable_events(agent))
		refuse("this JVM refuses events that the agent needs; leave the agent out");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	static _Atomic bool loaded;
	jvmtiEnv *jvmti = NULL;
	(void)reserved;

	struct agent *agent = calloc(1, sizeof(*agent));
	if (agent == NULL)
		refuse("out of memory");
	read_options(options, &agent->settings);
	if (atomic_exchange(&loaded, true))
		refuse("the agent is given twice; write one -agentlib:hprof option");
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		refuse("this JVM has no JVM TI; leave the agent out");

	init_profile(agent, vm, jvmti);
	create_modes(agent);
	open_output(agent);
	(void)(*jvmti)->SetEnvironmentLocalStorage(jvmti, agent);
	enable(agent);
	return JNI_OK;
}
