/*
 * A JVM TI agent for tests: rewrites every class that the JVM loads by one of
 * the test plans, and after start-up also those that were loaded before, so that
 * the JVM's verifier judges the rewriter.
 *
 *   -agentpath:rewrite_agent.so=PLAN[,old]
 *
 * PLAN allocations stands for what the agent itself does for heap=sites,live=n, and
 * PLAN marks for what it does for heap=sites: objects are marked, too.
 * old makes classes of class loaders other than the boot loader class files of
 * version 49 before they are rewritten, where nothing in them needs a later one:
 * these go to the verifier that infers types. PLAN none rewrites nothing.
 *
 * Hooks run on any thread; counters are atomic.
 */
#include "classfile/bytes.h"
#include "classfile/reader.h"
#include "alloc/alloc_instrumenter.h"
#include "test_plans.h"

#include <jvmti.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct rewrite_plan *plan;
static bool count_allocations; /* instead of a plan */
static struct alloc_instrumenter allocations = {.rewriting.verbose = true};
static bool make_old;
static atomic_bool live;
static atomic_ulong classes_seen, classes_rewritten, classes_malformed, classes_made_old;
static atomic_ulong methods_rewritten, methods_huge, bytes_in, bytes_out, nanoseconds;
static atomic_ulong skipped[REWRITE_SKIP_COUNT];
static atomic_ulong retransformed, not_retransformed;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* True if no constant and no method of the class needs a version after 49. */
static bool can_be_old(const struct classfile *classfile)
{
	for (uint32_t i = 1; i < classfile->pool.count; i++) {
		if (constant_pool_tag(&classfile->pool, (uint16_t)i) >= CONSTANT_METHOD_HANDLE)
			return false;
	}
	if (!(classfile->access_flags & CLASSFILE_INTERFACE))
		return true;
	for (uint32_t i = 0; i < classfile->method_count; i++) {
		const struct classfile_method *method = &classfile->methods[i].view;

		if (method->code && !classfile_name_is(method->name, "<clinit>"))
			return false;
	}
	return true;
}

/* A copy of the class file with version 49.0, or NULL. */
static uint8_t *old_copy(const struct classfile *classfile)
{
	uint8_t *copy;

	if (classfile_major_version(classfile) < 50 || !can_be_old(classfile))
		return NULL;
	copy = malloc(classfile->length);
	if (!copy)
		return NULL;
	memcpy(copy, classfile->bytes, classfile->length);
	bytes_put_u2(copy + 4, 0);
	bytes_put_u2(copy + 6, 49);
	classes_made_old++;
	return copy;
}

static void hand_over(jvmtiEnv *jvmti, const uint8_t *bytes, size_t length, jint *new_length,
                      unsigned char **new_bytes)
{
	unsigned char *copy;

	if ((*jvmti)->Allocate(jvmti, (jlong)length, &copy))
		return;
	memcpy(copy, bytes, length);
	*new_bytes = copy;
	*new_length = (jint)length;
}

static void rewrite(jvmtiEnv *jvmti, const struct classfile *classfile, jint *new_length,
                    unsigned char **new_bytes)
{
	struct rewrite_result result;

	if (rewrite_class(classfile, plan, &result) == REWRITE_CHANGED) {
		hand_over(jvmti, result.bytes, result.length, new_length, new_bytes);
		classes_rewritten++;
		bytes_out += result.length;
	}
	methods_rewritten += result.methods_rewritten;
	methods_huge += result.methods_grown_huge;
	for (int i = 0; i < REWRITE_SKIP_COUNT; i++)
		skipped[i] += result.skipped[i];
	rewrite_result_free(classfile, &result);
}

static void rewrite_allocations(jvmtiEnv *jvmti, const struct classfile *classfile,
                                jint *new_length, unsigned char **new_bytes)
{
	uint8_t *rewritten;
	size_t length;

	if (!alloc_instrumenter_rewrite(&allocations, classfile->bytes, classfile->length, &rewritten,
	                            &length))
		return;
	hand_over(jvmti, rewritten, length, new_length, new_bytes);
	classes_rewritten++;
	bytes_out += length;
	free(rewritten);
}

static void JNICALL on_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                                  const char *name, jobject domain, jint length,
                                  const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes)
{
	struct classfile_error error;
	struct classfile *classfile;
	uint8_t *old = NULL;
	uint64_t start = now();

	(void)jni;
	(void)redefined;
	(void)domain;
	if (!live || (name && !strcmp(name, "HprofTestTracker")))
		return;
	classes_seen++;
	bytes_in += (unsigned long)length;
	classfile = classfile_parse(bytes, (size_t)length, NULL, &error);
	if (!classfile) {
		classes_malformed++;
		printf("agent: %s: %s at %zu\n", name ? name : "?", error.reason, error.offset);
		return;
	}
	if (make_old && loader && !redefined && (old = old_copy(classfile))) {
		classfile_free(classfile);
		classfile = classfile_parse(old, (size_t)length, NULL, &error);
		hand_over(jvmti, old, (size_t)length, new_length, new_bytes);
	}
	if (count_allocations && classfile)
		rewrite_allocations(jvmti, classfile, new_length, new_bytes);
	else if (plan && classfile)
		rewrite(jvmti, classfile, new_length, new_bytes);
	classfile_free(classfile);
	free(old);
	nanoseconds += now() - start;
}

static void retransform(jvmtiEnv *jvmti, jclass class)
{
	jboolean modifiable = JNI_FALSE;
	jvmtiError error;
	char *signature = NULL;

	(*jvmti)->IsModifiableClass(jvmti, class, &modifiable);
	if (!modifiable)
		return;
	error = (*jvmti)->RetransformClasses(jvmti, 1, &class);
	if (!error) {
		retransformed++;
		return;
	}
	not_retransformed++;
	(*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
	printf("FAILED to retransform %s: error %d\n", signature ? signature : "?", error);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

/* Lets every module call the tracker, which is in the boot loader's unnamed module. */
static void open_tracker(jvmtiEnv *jvmti, JNIEnv *jni)
{
	jclass tracker = (*jni)->FindClass(jni, "HprofTestTracker");
	jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
	jmethodID get_module =
	        (*jni)->GetMethodID(jni, class_class, "getModule", "()Ljava/lang/Module;");
	jobject unnamed;
	jobject *modules;
	jint count;

	if (!tracker) {
		printf("FAILED: HprofTestTracker is not on the boot class path\n");
		exit(2);
	}
	unnamed = (*jni)->CallObjectMethod(jni, tracker, get_module);
	(*jvmti)->GetAllModules(jvmti, &count, &modules);
	for (jint i = 0; i < count; i++)
		(*jvmti)->AddModuleReads(jvmti, modules[i], unnamed);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)modules);
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	jclass *classes;
	jint count;

	(void)thread;
	open_tracker(jvmti, jni);
	live = true;
	if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes))
		return;
	for (jint i = 0; i < count; i++)
		retransform(jvmti, classes[i]);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti;
	(void)jni;
	live = false;
	printf("agent: %lu classes seen, %lu rewritten, %lu malformed, %lu made old; "
	       "%lu retransformed, %lu not\n",
	       classes_seen, classes_rewritten, classes_malformed, classes_made_old, retransformed,
	       not_retransformed);
	printf("agent: %lu bytes in, %lu out, %.1f MB/s\n", bytes_in, bytes_out,
	       nanoseconds ? (double)bytes_in * 1e3 / (double)nanoseconds : 0.0);
	if (count_allocations)
		printf("agent: %lu methods skipped\n", (unsigned long)allocations.rewriting.methods_skipped);
	else
		printf("agent: %lu methods rewritten, %lu of them grown past 8000 bytes\n",
		       methods_rewritten, methods_huge);
	for (int i = 1; i < REWRITE_SKIP_COUNT; i++) {
		if (skipped[i])
			printf("agent: %lu methods skipped: %s\n", skipped[i],
			       rewrite_skip_text((enum rewrite_skip)i));
	}
	fflush(stdout);
}

static bool read_options(const char *options)
{
	char name[32];
	size_t length = options ? strcspn(options, ",") : 0;

	if (!length || length >= sizeof(name))
		return false;
	memcpy(name, options, length);
	name[length] = '\0';
	plan = test_plan_find(name);
	make_old = !strcmp(options + length, ",old");
	allocations.marks_objects = !strcmp(name, "marks");
	count_allocations = allocations.marks_objects || !strcmp(name, "allocations");
	return plan || count_allocations || !strcmp(name, "none");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiCapabilities capabilities = {.can_retransform_classes = 1,
	                                  .can_generate_all_class_hook_events = 1};
	jvmtiEventCallbacks callbacks = {
	        .VMInit = on_init, .VMDeath = on_death, .ClassFileLoadHook = on_class_file};
	jvmtiEnv *jvmti;

	(void)reserved;
	if (!read_options(options)) {
		printf("rewrite_agent: unknown plan\n");
		return JNI_ERR;
	}
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) ||
	    (*jvmti)->AddCapabilities(jvmti, &capabilities) ||
	    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks)))
		return JNI_ERR;
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
	                                   NULL);
	return JNI_OK;
}
