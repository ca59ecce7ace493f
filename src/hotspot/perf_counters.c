/*
 * perf_counters.c: see perf_counters.h. Any thread; no lock.
 *
 * The memory begins with a header, which has the offset of the first entry and the number of
 * entries. Offsets within an entry count from its beginning. The VM adds entries at the end
 * and never moves one.
 */
#include "hotspot/perf_counters.h"

#include <stdbool.h>
#include <string.h>

#define MAGIC_BYTES "\xca\xfe\xc0\xc0"

enum { VERSION = 2, LONG = 'J', LOCALS = 8 };

struct header {
	char magic[4];
	uint8_t byte_order;
	uint8_t major_version;
	uint8_t minor_version;
	uint8_t accessible;
	uint32_t used;
	uint32_t overflow;
	uint64_t modified;
	uint32_t first_entry;
	uint32_t entry_count;
};

struct entry {
	uint32_t length;
	uint32_t name;
	uint32_t elements; /* 0: one value */
	uint8_t type;
	uint8_t flags;
	uint8_t units;
	uint8_t variability;
	uint32_t value;
};

/* The buffer that the JDK makes of the memory of its own VM, which has the number 0. The method has
 * a mode up to JDK 21. */
static jobject attach(JNIEnv *jni, jclass class, jobject perf)
{
	jstring mode = NULL;
	jmethodID method = (*jni)->GetMethodID(jni, class, "attach", "(I)Ljava/nio/ByteBuffer;");

	if (method != NULL)
		return (*jni)->CallObjectMethod(jni, perf, method, (jint)0);
	(*jni)->ExceptionClear(jni);
	method = (*jni)->GetMethodID(jni, class, "attach",
	                             "(ILjava/lang/String;)Ljava/nio/ByteBuffer;");
	if (method != NULL)
		mode = (*jni)->NewStringUTF(jni, "r");
	return mode == NULL ? NULL : (*jni)->CallObjectMethod(jni, perf, method, (jint)0, mode);
}

static jobject find_buffer(JNIEnv *jni)
{
	jmethodID method = NULL;
	jobject perf = NULL;
	jclass class = (*jni)->FindClass(jni, "jdk/internal/perf/Perf");

	if (class != NULL)
		method = (*jni)->GetStaticMethodID(jni, class, "getPerf",
		                                   "()Ljdk/internal/perf/Perf;");
	if (method != NULL)
		perf = (*jni)->CallStaticObjectMethod(jni, class, method);
	return perf == NULL || (*jni)->ExceptionCheck(jni) ? NULL : attach(jni, class, perf);
}

const char *perf_counters_memory(JNIEnv *jni, size_t *length)
{
	const char *memory = NULL;
	jlong bytes = 0;

	if ((*jni)->PushLocalFrame(jni, LOCALS) != 0) {
		(*jni)->ExceptionClear(jni);
		return NULL;
	}
	jobject buffer = find_buffer(jni);
	if (!(*jni)->ExceptionCheck(jni) && buffer != NULL) {
		memory = (*jni)->GetDirectBufferAddress(jni, buffer);
		bytes = (*jni)->GetDirectBufferCapacity(jni, buffer);
	}
	(*jni)->ExceptionClear(jni);
	(void)(*jni)->PopLocalFrame(jni, NULL);
	if (memory == NULL || bytes <= 0)
		return NULL;
	*length = (size_t)bytes;
	return memory;
}

static bool has_name(const char *bytes, const struct entry *entry, const char *name)
{
	size_t length = strlen(name) + 1;
	return entry->name <= entry->length && entry->length - entry->name >= length &&
	       memcmp(bytes + entry->name, name, length) == 0;
}

static bool is_counter(const char *bytes, const struct entry *entry)
{
	return entry->type == LONG && entry->elements == 0 && entry->value <= entry->length &&
	       entry->length - entry->value >= sizeof(uint64_t) &&
	       (uintptr_t)(bytes + entry->value) % sizeof(uint64_t) == 0;
}

const volatile uint64_t *perf_counters_find(const char *bytes, size_t length, const char *name)
{
	struct header header;
	struct entry entry;

	if (bytes == NULL || length < sizeof(header))
		return NULL;
	memcpy(&header, bytes, sizeof(header));
	if (memcmp(header.magic, MAGIC_BYTES, sizeof(header.magic)) != 0 ||
	    header.major_version != VERSION)
		return NULL;
	size_t at = header.first_entry;
	for (uint32_t i = 0; i < header.entry_count; i++, at += entry.length) {
		if (at > length || length - at < sizeof(entry))
			return NULL;
		memcpy(&entry, bytes + at, sizeof(entry));
		if (entry.length < sizeof(entry) || entry.length > length - at)
			return NULL;
		if (has_name(bytes + at, &entry, name))
			return is_counter(bytes + at, &entry)
			               ? (const volatile uint64_t *)(const void *)(bytes + at +
			                                                           entry.value)
			               : NULL;
	}
	return NULL;
}
