/*
 * vm_flags.c: see vm_flags.h. The VM's list of options has a name and a pointer to the
 * value in each entry. Except for a few, options do not change after the start.
 */
#include "hotspot/vm_flags.h"

#include <stddef.h>
#include <string.h>

/* More options than there are: a longer list is not one. */
enum { FLAGS_MAX = 10000 };

/* The address of the value of the option of that name, or NULL. */
static const void *find(const struct vm_structs *structs, const char *name)
{
	const void *list_at;
	const void *count_at;
	const char *entry;
	uint64_t size;
	uint64_t count = 0;
	uint64_t name_at;
	uint64_t value_at;

	if (!vm_structs_static(structs, "JVMFlag", "flags", &list_at) ||
	    !vm_structs_static(structs, "JVMFlag", "numFlags", &count_at) ||
	    !vm_structs_offset(structs, "JVMFlag", "_name", &name_at) ||
	    !vm_structs_offset(structs, "JVMFlag", "_addr", &value_at) ||
	    !vm_structs_size(structs, "JVMFlag", &size))
		return NULL;
	memcpy(&entry, list_at, sizeof(entry));
	memcpy(&count, count_at, sizeof(size_t));
	for (uint64_t i = 0; entry != NULL && i < count && i < FLAGS_MAX; i++, entry += size) {
		const char *its_name;
		const void *value;
		memcpy(&its_name, entry + name_at, sizeof(its_name));
		memcpy(&value, entry + value_at, sizeof(value));
		if (its_name != NULL && strcmp(its_name, name) == 0)
			return value;
	}
	return NULL;
}

static bool flag_set(const struct vm_structs *structs, const char *name, bool *set)
{
	const void *value = find(structs, name);
	unsigned char byte;

	if (value == NULL)
		return false;
	memcpy(&byte, value, sizeof(byte));
	*set = byte != 0;
	return true;
}

bool vm_collects_concurrently(jvmtiEnv *jvmti)
{
	static const char *const collectors[] = {"UseZGC", "UseShenandoahGC"};
	struct vm_structs structs;

	if (!vm_structs_find(&structs, jvmti))
		return false;
	for (size_t i = 0; i < sizeof(collectors) / sizeof(collectors[0]); i++) {
		bool used = false;
		if (flag_set(&structs, collectors[i], &used) && used)
			return true;
	}
	return false;
}

bool vm_has_experimental_z(jvmtiEnv *jvmti)
{
	enum { FIRST_STABLE = 15 };
	struct vm_structs structs;
	jint version = 0;
	bool used = false;

	if ((*jvmti)->GetVersionNumber(jvmti, &version) != JVMTI_ERROR_NONE ||
	    !vm_structs_find(&structs, jvmti))
		return false;
	jint jdk = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
	return jdk < FIRST_STABLE && flag_set(&structs, "UseZGC", &used) && used;
}

bool vm_links_compiled_frames(const struct vm_structs *structs)
{
	bool set = false;
	return flag_set(structs, "PreserveFramePointer", &set) && set;
}

bool vm_set_option(jvmtiEnv *jvmti, const char *name, size_t value)
{
	struct vm_structs structs;
	const void *place = vm_structs_find(&structs, jvmti) ? find(&structs, name) : NULL;

	if (place == NULL)
		return false;
	/* The VM's options are variables, although the list is found by constant addresses. */
	memcpy((void *)(uintptr_t)place, &value, sizeof(value));
	return true;
}
