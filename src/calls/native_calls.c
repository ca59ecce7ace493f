/*
 * native_calls.c: see native_calls.h.
 */
#include "calls/native_calls.h"

#include "base/hash.h"

#include <string.h>

enum { BITS_PER_WORD = 64 };

static const struct {
	const char *name;
	const char *descriptor;
} fast_natives[] = {
        {"hashCode", "()I"},
        {"getClass", "()Ljava/lang/Class;"},
        {"currentThread", "()Ljava/lang/Thread;"},
};

static bool is_fast(const struct classfile_member *method)
{
	for (size_t i = 0; i < sizeof(fast_natives) / sizeof(fast_natives[0]); i++) {
		if (classfile_name_is(method->name, fast_natives[i].name) &&
		    classfile_name_is(method->descriptor, fast_natives[i].descriptor))
			return true;
	}
	return false;
}

static uint32_t hash_of(const struct classfile_member *method)
{
	uint32_t parts[] = {hash_bytes(method->name.bytes, method->name.length),
	                    hash_bytes(method->descriptor.bytes, method->descriptor.length)};
	return hash_bytes(parts, sizeof(parts)) % (NATIVE_CALLS_WORDS * BITS_PER_WORD);
}

void native_calls_add(struct native_calls *calls, const struct classfile_member *method)
{
	uint32_t hash = hash_of(method);
	if (!is_fast(method))
		atomic_fetch_or_explicit(&calls->bits[hash / BITS_PER_WORD],
		                         UINT64_C(1) << hash % BITS_PER_WORD, memory_order_relaxed);
}

bool native_calls_has(const struct native_calls *calls, const struct classfile_member *method)
{
	uint32_t hash = hash_of(method);
	uint64_t word =
	        atomic_load_explicit(&calls->bits[hash / BITS_PER_WORD], memory_order_relaxed);
	return (word >> hash % BITS_PER_WORD & 1) != 0;
}

/* ---- loaded classes ------------------------------------------------------- */

static struct classfile_name name_from(const char *text)
{
	return (struct classfile_name){.bytes = (const uint8_t *)text,
	                               .length = (uint16_t)strlen(text)};
}

static void add_loaded_method(struct native_calls *calls, struct profile *profile, jmethodID id)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jboolean native = JNI_FALSE;
	char *name = NULL;
	char *descriptor = NULL;

	if ((*jvmti)->IsMethodNative(jvmti, id, &native) != JVMTI_ERROR_NONE || !native ||
	    (*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL) != JVMTI_ERROR_NONE)
		return;
	struct classfile_member method = {.name = name_from(name),
	                                  .descriptor = name_from(descriptor)};
	native_calls_add(calls, &method);
	profile_deallocate(profile, name);
	profile_deallocate(profile, descriptor);
}

struct loaded {
	struct native_calls *calls;
	struct profile *profile;
};

/* Arrays have no methods, and those of unprepared classes are unavailable. */
static void add_loaded_class(void *argument, JNIEnv *jni, jclass class)
{
	struct loaded *loaded = argument;
	jvmtiEnv *jvmti = loaded->profile->jvmti;
	jmethodID *methods = NULL;
	jint count = 0;
	(void)jni;

	if ((*jvmti)->GetClassMethods(jvmti, class, &count, &methods) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++)
		add_loaded_method(loaded->calls, loaded->profile, methods[i]);
	profile_deallocate(loaded->profile, methods);
}

void native_calls_add_loaded(struct native_calls *calls, struct profile *profile, JNIEnv *jni)
{
	struct loaded loaded = {.calls = calls, .profile = profile};
	profile_each_class(profile, jni, add_loaded_class, &loaded);
}
