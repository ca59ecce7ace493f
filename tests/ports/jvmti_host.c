/*
 * jvmti_host.c: loads the agent's library as a JVM would and plays a short program
 * to it: threads that start, use CPU time or none, and end; classes; a request for
 * a dump; the end. Then it prints what it knows, as "name value" lines, for
 * test_host.py to compare with the profile.
 *
 *     jvmti_host LIBRARY OPTIONS [CLASS-FILE | CASE]
 *
 * With a class file, that is given to the agent as one that is being loaded. With one of
 * the cases of unload_cases, a class is unloaded while a sample of it is still to be taken in.
 */
#include "fake_vm.h"
#include "host_library.h"
#include "time_units.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BURN_MS = 400, SPIN_MS = 300, REST_MS = 400, EXIT_BROKEN = 3 };

static struct fake_object system_group = {.name = "system"};
static struct fake_object main_group = {.name = "main", .group = &system_group};
static struct fake_object main_thread = {.name = "main", .group = &main_group};

static struct fake_object class_burner = {.name = "Lapp/Burner;", .source = "Burner.java"};
static struct fake_object class_late = {.name = "Lapp/Late;", .source = NULL};

static const struct fake_method method_burn = {
        .class = &class_burner, .name = "burn", .signature = "(J)V", .first_line = 10};
static const struct fake_method method_rest = {
        .class = &class_burner, .name = "rest", .signature = "()V", .native = JNI_TRUE};
static const struct fake_method method_run = {
        .class = &class_burner, .name = "run", .signature = "()V", .first_line = 20};
static struct fake_method method_spin = {
        .class = &class_late, .name = "spin", .signature = "()I", .first_line = 30};
static const struct fake_method *const late_methods[] = {&method_spin};

/* What hinders the agent when it learns of the class that is unloaded. */
static const struct unload_case {
	const char *name;
	bool loaded_before; /* the agent comes */
	jvmtiError loader_error;
	jvmtiError name_error;
} unload_cases[] = {
        {.name = "unload"},
        {.name = "unload-loaded-before", .loaded_before = true},
        {.name = "unload-without-loader", .loader_error = JVMTI_ERROR_INTERNAL},
        {.name = "unload-without-names", .name_error = JVMTI_ERROR_INTERNAL},
};

/* ---- threads of the program -------------------------------------------------- */

/* Static, all of them: as objects of a VM they are there as long as the agent holds
 * a reference, also when their thread has ended. */
struct worker {
	struct fake_object object;
	jvmtiFrameInfo stack[2];
	const struct fake_method *method;
	jlocation at;
	uint64_t burn_ns;
	uint64_t rest_ns;
	/* That it used, and including what the agent does at its end; how long it rested. */
	uint64_t cpu_ns;
	uint64_t most_cpu_ns;
	uint64_t rested_ns;
	pthread_t thread;
};

static jmethodID id_of(const struct fake_method *method)
{
	jmethodID id;
	memcpy(&id, &method, sizeof(id));
	return id;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now = {0};
	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

static void burn(uint64_t ns)
{
	uint64_t end = now_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	volatile unsigned sink = 0;
	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		for (unsigned i = 0; i < 20000; i++)
			sink = sink + i;
}

static void rest(uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_SECOND),
	                              .tv_nsec = (long)(ns % NS_PER_SECOND)};
	(void)nanosleep(&time, NULL);
}

static jthread thread_of(struct fake_object *object)
{
	return (jthread)(void *)object;
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	worker->stack[0] = (jvmtiFrameInfo){id_of(worker->method), worker->at};
	worker->stack[1] = (jvmtiFrameInfo){id_of(&method_run), 10};
	atomic_store(&worker->object.frames, worker->stack);
	atomic_store(&worker->object.frame_count, 2);
	fake_attach(&worker->object);
	if (fake_enabled(JVMTI_EVENT_THREAD_START))
		fake_callbacks.ThreadStart(fake_jvmti(), fake_jni(), thread_of(&worker->object));
	burn(worker->burn_ns);
	uint64_t start_ns = now_ns(CLOCK_MONOTONIC);
	rest(worker->rest_ns);
	worker->rested_ns = now_ns(CLOCK_MONOTONIC) - start_ns;
	worker->cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	if (fake_enabled(JVMTI_EVENT_THREAD_END))
		fake_callbacks.ThreadEnd(fake_jvmti(), fake_jni(), thread_of(&worker->object));
	worker->most_cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	fake_detach();
	return NULL;
}

static void start(struct worker *worker)
{
	worker->object.group = &main_group;
	if (pthread_create(&worker->thread, NULL, work, worker) != 0)
		exit(EXIT_BROKEN);
}

static void finish(struct worker *worker)
{
	(void)pthread_join(worker->thread, NULL);
	(void)printf("cpu_ms %s %.3f\n", worker->object.name, (double)worker->cpu_ns / 1e6);
	(void)printf("most_cpu_ms %s %.3f\n", worker->object.name,
	             (double)worker->most_cpu_ns / 1e6);
	(void)printf("rested_ms %s %.3f\n", worker->object.name, (double)worker->rested_ns / 1e6);
}

/* ---- what happens to the agent ------------------------------------------------ */

static void load_class_file(const char *path)
{
	static unsigned char bytes[1 << 20];
	FILE *file = fopen(path, "rb");
	jint new_length = 0;
	unsigned char *new_bytes = NULL;
	if (file == NULL)
		exit(EXIT_BROKEN);
	size_t length = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
	if (fake_enabled(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK))
		fake_callbacks.ClassFileLoadHook(fake_jvmti(), fake_jni(), NULL, NULL, NULL, NULL,
		                                 (jint)length, bytes, &new_length, &new_bytes);
	(void)printf("class_bytes %zu %d\n", length, (int)new_length);
	if (new_bytes != NULL)
		(void)(*fake_jvmti())->Deallocate(fake_jvmti(), new_bytes);
}

/* Without threads of the agent's in the VM yet: loaded classes are told. */
static void begin(void)
{
	fake_load_class(&class_burner);
	fake_attach(&main_thread);
	if (fake_enabled(JVMTI_EVENT_THREAD_START))
		fake_callbacks.ThreadStart(fake_jvmti(), fake_jni(), thread_of(&main_thread));
	if (fake_enabled(JVMTI_EVENT_VM_INIT))
		fake_callbacks.VMInit(fake_jvmti(), fake_jni(), thread_of(&main_thread));
}

static const struct unload_case *find_unload_case(const char *name)
{
	for (size_t i = 0; i < sizeof(unload_cases) / sizeof(unload_cases[0]); i++) {
		if (strcmp(name, unload_cases[i].name) == 0)
			return &unload_cases[i];
	}
	return NULL;
}

static void prepare_unloading(const struct unload_case *unloading)
{
	static struct fake_object loader = {.name = "a loader of the program"};
	class_late.loader = &loader;
	class_late.methods = late_methods;
	class_late.method_count = 1;
	class_late.goes_when_sampled = true;
	class_late.loader_error = unloading->loader_error;
	method_spin.name_error = unloading->name_error;
	if (unloading->loaded_before)
		fake_load_class(&class_late);
}

static void first_half(void)
{
	static struct worker burner = {.object = {.name = "burner"},
	                               .method = &method_burn,
	                               .at = 15,
	                               .burn_ns = BURN_MS * NS_PER_MS};
	static struct worker sleeper = {.object = {.name = "sleeper"},
	                                .method = &method_rest,
	                                .rest_ns = REST_MS * NS_PER_MS};
	start(&burner);
	start(&sleeper);
	finish(&burner);
	finish(&sleeper);
	if (fake_enabled(JVMTI_EVENT_DATA_DUMP_REQUEST))
		fake_callbacks.DataDumpRequest(fake_jvmti());
}

static void second_half(const struct unload_case *unloading)
{
	static struct worker late = {.object = {.name = "late \xc3\xa9"},
	                             .method = &method_spin,
	                             .at = 25,
	                             .burn_ns = SPIN_MS * NS_PER_MS};
	if (unloading == NULL || !unloading->loaded_before) {
		fake_load_class(&class_late);
		if (fake_enabled(JVMTI_EVENT_CLASS_PREPARE))
			fake_callbacks.ClassPrepare(fake_jvmti(), fake_jni(),
			                            thread_of(&main_thread),
			                            (jclass)(void *)&class_late);
	}
	start(&late);
	finish(&late);
	fake_unload_class(&class_late);
	if (fake_enabled(JVMTI_EVENT_OBJECT_FREE) && class_late.tag != 0)
		fake_callbacks.ObjectFree(fake_jvmti(), class_late.tag);
}

static void end(void)
{
	if (fake_enabled(JVMTI_EVENT_THREAD_END))
		fake_callbacks.ThreadEnd(fake_jvmti(), fake_jni(), thread_of(&main_thread));
	if (fake_enabled(JVMTI_EVENT_VM_DEATH))
		fake_callbacks.VMDeath(fake_jvmti(), fake_jni());
	fake_join_agent_threads();
	(void)printf("unknown_calls %ld\n", atomic_load(&fake_counts.unknown_calls));
	(void)printf("allocated %ld\n", atomic_load(&fake_counts.allocated));
	(void)printf("local_frames %ld\n", atomic_load(&fake_counts.local_frames));
	(void)printf("agent_threads %ld\n", atomic_load(&fake_counts.agent_threads));
}

typedef jint JNICALL on_load(JavaVM *vm, char *options, void *reserved);
typedef void JNICALL on_unload(JavaVM *vm);

int main(int argc, char **argv)
{
	void *symbol;
	on_load *load = NULL;
	on_unload *unload = NULL;
	argv = host_library_arguments(&argc, argv);
	if (argc < 3)
		return EXIT_BROKEN;
	void *library = host_library_load(argv[1]);
	if (library == NULL)
		return EXIT_BROKEN;
	symbol = host_library_symbol(library, "Agent_OnLoad");
	memcpy(&load, &symbol, sizeof(load));
	if (load == NULL)
		return EXIT_BROKEN;

	(void)printf("loaded\n");
	(void)fflush(stdout);
	if (load(fake_vm(), argv[2], NULL) != JNI_OK)
		return EXIT_BROKEN;
	const struct unload_case *unloading = argc > 3 ? find_unload_case(argv[3]) : NULL;
	if (unloading != NULL)
		prepare_unloading(unloading);
	begin();
	if (argc > 3 && unloading == NULL)
		load_class_file(argv[3]);
	first_half();
	second_half(unloading);
	end();

	/* As a JVM does at its exit; an agent need not have it. */
	symbol = host_library_symbol(library, "Agent_OnUnload");
	memcpy(&unload, &symbol, sizeof(unload));
	if (unload != NULL)
		unload(fake_vm());
	(void)printf("done\n");
	return EXIT_SUCCESS;
}
