/*
 * vm_dump.c: see vm_dump.h. The dumper insists on creating its file, so it gets a name in a
 * private directory; both are removed as soon as it has finished. A dump of live objects
 * collects garbage in the same pause: the callback at the end of the collection sees each object
 * at the address that it has in the dump.
 */
#include "heapdump/vm_dump.h"

#include "heapdump/dump_progress.h"
#include "heapdump/dump_tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = SETTING_FILE_MAX + 64 };

/* The state of the callback, in the local storage of its JVM TI environment. */
struct gc_snapshot {
	struct loaded_classes *classes;
	struct object_traces *traces;
	char path[PATH_SIZE];
};

/* On the thread that collects garbage: no malloc, no JNI, no JVM TI except local storage. */
static void JNICALL on_gc_finish(jvmtiEnv *jvmti)
{
	void *storage = NULL;
	if ((*jvmti)->GetEnvironmentLocalStorage(jvmti, &storage) != JVMTI_ERROR_NONE ||
	    storage == NULL)
		return;
	struct gc_snapshot *snapshot = storage;
	/* The dumper has written to its file: this is a later collection. */
	if (os_file_length(snapshot->path) > 0)
		return;
	loaded_classes_take_addresses(snapshot->classes);
	if (snapshot->traces != NULL)
		object_traces_take(snapshot->traces);
}

/* Creates a JVM TI environment that gets the event of garbage collections for the time of the
 * dump only. NULL when the VM provides none. */
static jvmtiEnv *enable_gc_event(struct profile *profile, struct gc_snapshot *snapshot)
{
	jvmtiEnv *jvmti = NULL;
	jvmtiCapabilities capabilities;
	jvmtiEventCallbacks callbacks;

	if ((*profile->vm)->GetEnv(profile->vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return NULL;
	memset(&capabilities, 0, sizeof(capabilities));
	capabilities.can_generate_garbage_collection_events = 1;
	memset(&callbacks, 0, sizeof(callbacks));
	callbacks.GarbageCollectionFinish = on_gc_finish;
	(void)(*jvmti)->SetEnvironmentLocalStorage(jvmti, snapshot);
	if ((*jvmti)->AddCapabilities(jvmti, &capabilities) == JVMTI_ERROR_NONE &&
	    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks)) == JVMTI_ERROR_NONE &&
	    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
	                                       JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
	                                       NULL) == JVMTI_ERROR_NONE)
		return jvmti;
	(void)(*jvmti)->DisposeEnvironment(jvmti);
	return NULL;
}

/* Takes the reason from the exception that the dumper threw, and clears it. */
static void explain_exception(struct dump_run *run)
{
	JNIEnv *jni = run->jni;
	jthrowable thrown = (*jni)->ExceptionOccurred(jni);
	const char *text = NULL;

	(*jni)->ExceptionClear(jni);
	jclass class = (*jni)->GetObjectClass(jni, thrown);
	jmethodID method = (*jni)->GetMethodID(jni, class, "getMessage", "()Ljava/lang/String;");
	jstring message = method == NULL ? NULL : (*jni)->CallObjectMethod(jni, thrown, method);
	if (message != NULL && !(*jni)->ExceptionCheck(jni))
		text = (*jni)->GetStringUTFChars(jni, message, NULL);
	(void)snprintf(run->reason, sizeof(run->reason), "the JVM's dumper failed: %s",
	               text == NULL ? "no reason given" : text);
	if (text != NULL)
		(*jni)->ReleaseStringUTFChars(jni, message, text);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, message);
	(*jni)->DeleteLocalRef(jni, class);
	(*jni)->DeleteLocalRef(jni, thrown);
}

/* Decodes a file name as the VM does, in the encoding of the system. NULL with a pending
 * exception. */
static jstring file_name_string(JNIEnv *jni, const char *path)
{
	jclass class = (*jni)->FindClass(jni, "java/lang/String");
	jmethodID make = class == NULL ? NULL : (*jni)->GetMethodID(jni, class, "<init>", "([B)V");
	jsize length = (jsize)strlen(path);
	jbyteArray bytes = make == NULL ? NULL : (*jni)->NewByteArray(jni, length);
	jstring name = NULL;

	if (bytes != NULL) {
		(*jni)->SetByteArrayRegion(jni, bytes, 0, length, (const jbyte *)path);
		name = (*jni)->NewObject(jni, class, make, bytes);
		(*jni)->DeleteLocalRef(jni, bytes);
	}
	if (class != NULL)
		(*jni)->DeleteLocalRef(jni, class);
	return name;
}

static bool call_dumper(struct dump_run *run, const char *path)
{
	JNIEnv *jni = run->jni;
	jstring name = file_name_string(jni, path);

	if (name == NULL) {
		(*jni)->ExceptionClear(jni);
		(void)snprintf(run->reason, sizeof(run->reason), "the Java heap is full");
		return false;
	}
	jint result = run->dumper(jni, name, JNI_TRUE);
	bool thrown = (*jni)->ExceptionCheck(jni);
	if (thrown)
		explain_exception(run);
	else if (result != 0)
		(void)snprintf(run->reason, sizeof(run->reason),
		               "the JVM's dumper failed with code %d", (int)result);
	(*jni)->DeleteLocalRef(jni, name);
	return !thrown && result == 0;
}

/* Whether the dumper only appends to its file. Older ones go back to write the length of a
 * segment. */
static bool appends(jvmtiEnv *jvmti)
{
	enum { FIRST_VERSION = 17 };
	char *version = NULL;

	if ((*jvmti)->GetSystemProperty(jvmti, "java.vm.specification.version", &version) !=
	    JVMTI_ERROR_NONE)
		return false;
	long number = strtol(version, NULL, 10);
	(void)(*jvmti)->Deallocate(jvmti, (unsigned char *)version);
	return number >= FIRST_VERSION;
}

static bool dump_to(struct dump_run *run, struct gc_snapshot *snapshot)
{
	jvmtiEnv *collections = enable_gc_event(run->profile, snapshot);
	struct dump_merger *tailed = appends(run->profile->jvmti) ? run->merger : NULL;
	struct dump_progress progress;
	struct dump_tail tail;

	dump_progress_begin(&progress, &run->profile->progress, snapshot->path);
	dump_tail_begin(&tail, tailed, snapshot->path);
	bool dumped = call_dumper(run, snapshot->path);
	dump_progress_end(&progress);
	run->read = dump_tail_end(&tail, &run->files[0]);
	if (collections != NULL) {
		(void)(*collections)
		        ->SetEventNotificationMode(collections, JVMTI_DISABLE,
		                                   JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL);
		(void)(*collections)->DisposeEnvironment(collections);
	}
	run->file_count = run->read ? 1 : 0;
	if (dumped && !run->read) {
		int error = os_file_open(snapshot->path, &run->files[0]);
		run->file_count = 1;
		if (error != 0)
			dump_run_explain(run, "can't read the dump of the JVM", error);
		dumped = error == 0;
	}
	(void)os_file_remove(snapshot->path);
	return dumped;
}

static bool vm_dump_produce(struct dump_run *run)
{
	struct gc_snapshot snapshot = {.classes = run->classes, .traces = run->traces};
	char directory[PATH_SIZE - 8];
	struct os_file hold;

	int error = os_private_directory(dump_run_beside(run), directory, sizeof(directory));
	if (error != 0) {
		dump_run_explain(run, "can't create a directory for the JVM's dump", error);
		return false;
	}
	os_directories_remove_left(directory);
	/* Some file systems have no locks; the dump works without one. */
	(void)os_directory_hold(directory, &hold);
	(void)snprintf(snapshot.path, sizeof(snapshot.path), "%s/heap", directory);
	bool dumped = dump_to(run, &snapshot);
	os_directory_release(directory, &hold);
	(void)os_directory_remove(directory);
	return dumped;
}

const struct dump_source vm_dump_source = {.by_address = true, .produce = vm_dump_produce};
