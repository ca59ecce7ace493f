/* An agent, to be loaded before another: each object whose size is asked for by JVM TI gets its
 * identity hash from the VM at that time, as any walk of the heap may give it one. */
#include <jvmti.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef jvmtiError(JNICALL size_function)(jvmtiEnv *jvmti, jobject object, jlong *size_ptr);

static size_function *size_of_vm;

static jvmtiError JNICALL size_after_hash(jvmtiEnv *jvmti, jobject object, jlong *size_ptr)
{
	jint hash;

	(void)(*jvmti)->GetObjectHashCode(jvmti, object, &hash);
	return size_of_vm(jvmti, object, size_ptr);
}

/* All environments share the table of functions, which a loader can have made constant. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiEnv *jvmti = NULL;
	size_function *replacement = size_after_hash;
	(void)options;
	(void)reserved;

	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_ERR;
	size_function *const *place = &(*jvmti)->GetObjectSize;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = (uintptr_t)place & ~(page - 1);
	if (mprotect((void *)begin, (uintptr_t)(place + 1) - begin, PROT_READ | PROT_WRITE) != 0)
		return JNI_ERR;
	size_of_vm = *place;
	memcpy((void *)(uintptr_t)place, &replacement, sizeof(replacement));
	return JNI_OK;
}
