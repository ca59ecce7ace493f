/*
 * vm_threads.c: see vm_threads.h. Called when the profile begins; no lock.
 */
#include "hotspot/vm_threads.h"

#include "hotspot/vm_structs.h"
#include "os/os_machine.h"

#include <string.h>

static void find_field(struct vm_threads *threads, JNIEnv *jni)
{
	jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
	if (class != NULL)
		threads->vm_thread = (*jni)->GetFieldID(jni, class, "eetop", "J");
	if (threads->vm_thread == NULL)
		(*jni)->ExceptionClear(jni);
	if (class != NULL)
		(*jni)->DeleteLocalRef(jni, class);
}

struct look {
	const struct vm_threads *threads;
	uint64_t address;
	uint32_t id;
};

/* The thread may end, and its memory be freed, at any time. */
static void read_id(void *argument)
{
	struct look *look = argument;
	const char *of_system = NULL;

	memcpy(&of_system, (const char *)(uintptr_t)look->address + look->threads->os_thread,
	       sizeof(of_system));
	if (of_system != NULL)
		memcpy(&look->id, of_system + look->threads->id, sizeof(look->id));
}

bool vm_threads_look(const struct vm_threads *threads, JNIEnv *jni, jthread object,
                     struct vm_thread *found)
{
	uint64_t cpu_ns;

	if (!threads->known)
		return false;
	struct look look = {
	        .threads = threads,
	        .address = (uint64_t)(*jni)->GetLongField(jni, object, threads->vm_thread),
	};
	if (look.address == 0 || !os_call_guarded(read_id, &look))
		return false;
	/* A thread that ends takes its address out of the object first: as it is still
	 * there, what was read was the thread's. */
	if ((uint64_t)(*jni)->GetLongField(jni, object, threads->vm_thread) != look.address ||
	    os_thread_cpu_ns(look.id, &cpu_ns) != 0)
		return false;
	found->address = look.address;
	found->jni = (JNIEnv *)((intptr_t)look.address + threads->jni);
	found->id = look.id;
	return true;
}

/* Whether the calling thread has the id that the VM is said to know of it. */
static bool knows_caller(const struct vm_threads *threads, jvmtiEnv *jvmti, JNIEnv *jni)
{
	struct vm_thread itself;
	jthread object = NULL;

	if ((*jvmti)->GetCurrentThread(jvmti, &object) != JVMTI_ERROR_NONE)
		return false;
	bool known = vm_threads_look(threads, jni, object, &itself) &&
	             itself.id == os_self_thread() && itself.jni == jni;
	(*jni)->DeleteLocalRef(jni, object);
	return known;
}

void vm_threads_find(struct vm_threads *threads, jvmtiEnv *jvmti, JNIEnv *jni)
{
	struct vm_structs vm;

	memset(threads, 0, sizeof(*threads));
	find_field(threads, jni);
	threads->jni = vm_structs_jni_offset(jvmti, jni);
	threads->known = threads->vm_thread != NULL && threads->jni != 0 &&
	                 vm_structs_find(&vm, jvmti) &&
	                 /* The field moved to the base class. */
	                 (vm_structs_offset(&vm, "JavaThread", "_osthread", &threads->os_thread) ||
	                  vm_structs_offset(&vm, "Thread", "_osthread", &threads->os_thread)) &&
	                 vm_structs_offset(&vm, "OSThread", "_thread_id", &threads->id);
	threads->known = threads->known && knows_caller(threads, jvmti, jni);
}
