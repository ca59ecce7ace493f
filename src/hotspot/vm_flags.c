/*
 * vm_flags.c: see vm_flags.h. The VM's list of options has a name and a pointer to the
 * value in each entry. Except for a few, options do not change after the start.
 */
#include "hotspot/vm_flags.h"

#include "hotspot/vm_memory.h"
#include "os/os_machine.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* More options than there are: a longer list is not one. */
enum { FLAGS_MAX = 10000 };

struct flag_search {
	const char *entry;
	uint64_t count;
	uint64_t size;
	uint64_t name_at;
	uint64_t value_at;
	const char *name;
	const void *value;
};

static void search_flags(void *argument)
{
	struct flag_search *search = argument;
	const char *entry = search->entry;

	for (uint64_t i = 0; i < search->count && i < FLAGS_MAX; i++, entry += search->size) {
		const char *name;
		const void *value;
		memcpy(&name, entry + search->name_at, sizeof(name));
		memcpy(&value, entry + search->value_at, sizeof(value));
		if (name != NULL && strcmp(name, search->name) == 0) {
			search->value = value;
			return;
		}
	}
}

/* The address of the value of the option of that name, or NULL. */
static const void *find(const struct vm_structs *structs, const char *name)
{
	struct flag_search search = {.name = name};
	uintptr_t list;
	uintptr_t count;

	if (!vm_structs_word(structs, "JVMFlag", "flags", &list) ||
	    !vm_structs_word(structs, "JVMFlag", "numFlags", &count) ||
	    !vm_structs_offset(structs, "JVMFlag", "_name", &search.name_at) ||
	    !vm_structs_offset(structs, "JVMFlag", "_addr", &search.value_at) ||
	    !vm_structs_size(structs, "JVMFlag", &search.size))
		return NULL;
	search.entry = (const char *)list;
	search.count = count;
	return os_call_guarded(search_flags, &search) ? search.value : NULL;
}

static bool flag_set(const struct vm_structs *structs, const char *name, bool *set)
{
	unsigned char byte;

	if (!vm_memory_read(find(structs, name), &byte, sizeof(byte)))
		return false;
	*set = byte == 1;
	return byte <= 1;
}

/* Whether that collector is used. A VM has one: if another is said to be used too, something else
 * was read. */
static bool is_collector(const struct vm_structs *structs, const char *name)
{
	static const char *const others[] = {"UseSerialGC", "UseParallelGC", "UseG1GC"};
	bool used;

	if (!flag_set(structs, name, &used) || !used)
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (flag_set(structs, others[i], &used) && used)
			return false;
	}
	return true;
}

bool vm_collects_concurrently(jvmtiEnv *jvmti)
{
	static const char *const collectors[] = {"UseZGC", "UseShenandoahGC"};
	struct vm_structs structs;

	if (!vm_structs_find(&structs, jvmti))
		return false;
	for (size_t i = 0; i < sizeof(collectors) / sizeof(collectors[0]); i++) {
		if (is_collector(&structs, collectors[i]))
			return true;
	}
	return false;
}

bool vm_has_experimental_z(jvmtiEnv *jvmti)
{
	enum { FIRST_STABLE = 15 };
	struct vm_structs structs;
	jint version = 0;

	if ((*jvmti)->GetVersionNumber(jvmti, &version) != JVMTI_ERROR_NONE ||
	    !vm_structs_find(&structs, jvmti))
		return false;
	jint jdk = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
	return jdk < FIRST_STABLE && is_collector(&structs, "UseZGC");
}

bool vm_links_compiled_frames(const struct vm_structs *structs)
{
	bool set = false;
	return flag_set(structs, "PreserveFramePointer", &set) && set;
}

/* Whether the option, a text, is set; to that value unless value is NULL. */
static bool text_set(const struct vm_structs *structs, const char *name, const char *value)
{
	const char *text;
	char byte = '\0';

	if (!vm_memory_read(find(structs, name), &text, sizeof(text)) || text == NULL)
		return false;
	if (value == NULL)
		return vm_memory_read(text, &byte, sizeof(byte)) && byte != '\0';
	for (;; text++, value++) {
		if (!vm_memory_read(text, &byte, sizeof(byte)) || byte != *value)
			return false;
		if (byte == '\0')
			return true;
	}
}

const char *vm_archive_option(jvmtiEnv *jvmti)
{
	struct vm_structs structs;
	bool set = false;

	if (!vm_structs_find(&structs, jvmti))
		return NULL;
	/* AutoCreateSharedArchive sets it if there is something to write. */
	if (text_set(&structs, "ArchiveClassesAtExit", NULL))
		return "-XX:ArchiveClassesAtExit";
	if (text_set(&structs, "AOTCacheOutput", NULL))
		return "-XX:AOTCacheOutput";
	if (text_set(&structs, "AOTMode", "record"))
		return "-XX:AOTMode=record";
	if (flag_set(&structs, "RecordDynamicDumpInfo", &set) && set)
		return "-XX:+RecordDynamicDumpInfo";
	/* Later JDKs don't start with an agent then. */
	if (flag_set(&structs, "DumpSharedSpaces", &set) && set)
		return "-Xshare:dump";
	return NULL;
}

bool vm_set_option(jvmtiEnv *jvmti, const char *name, size_t value)
{
	struct vm_structs structs;
	const void *place = vm_structs_find(&structs, jvmti) ? find(&structs, name) : NULL;
	size_t before;

	/* An option's number, and not an address or text. */
	if (place == NULL || !vm_memory_read(place, &before, sizeof(before)) || before > INT32_MAX)
		return false;
	/* The VM's options are variables, although the list is found by constant addresses. */
	memcpy((void *)(uintptr_t)place, &value, sizeof(value));
	return true;
}
