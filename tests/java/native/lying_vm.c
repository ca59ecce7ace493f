/*
 * An agent, to be loaded before another, after which HotSpot says wrong things of itself in its
 * tables for debuggers, which nothing else in a JVM reads. Options, separated by commas:
 *   field|TYPE|FIELD|LIE      the offset of a field, or the address of a static one
 *   constant|NAME|LIE         its value
 *   type|NAME|LIE             its size
 *   static|TYPE|FIELD|N       the int that the static field has
 *   table|SYMBOL|N            the 8 bytes that the VM exports by that name
 *   version|N                 the version of the JDK that JVM TI returns
 * A LIE is missing, or a number that is added. What the VM does not have is left out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PARTS_MAX = 5 };

static void *library;
static jint version;

static void *symbol(const char *name)
{
	return dlsym(library, name);
}

static uint64_t exported(const char *name)
{
	const uint64_t *value = symbol(name);
	return value == NULL ? 0 : *value;
}

/* A loader can have made it constant. */
static void write_bytes(void *to, const void *from, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = (uintptr_t)to & ~(page - 1);

	mprotect((void *)begin, (uintptr_t)to + size - begin, PROT_READ | PROT_WRITE);
	memcpy(to, from, size);
}

struct table {
	const char *entries;
	const char *stride;
	const char *name;
	const char *second; /* NULL: entries have one name */
	const char *value;
	size_t bytes;
};

static const struct table fields = {"gHotSpotVMStructs",
                                    "gHotSpotVMStructEntryArrayStride",
                                    "gHotSpotVMStructEntryTypeNameOffset",
                                    "gHotSpotVMStructEntryFieldNameOffset",
                                    "gHotSpotVMStructEntryOffsetOffset",
                                    8};
static const struct table constants = {"gHotSpotVMIntConstants",
                                       "gHotSpotVMIntConstantEntryArrayStride",
                                       "gHotSpotVMIntConstantEntryNameOffset",
                                       NULL,
                                       "gHotSpotVMIntConstantEntryValueOffset",
                                       4};
static const struct table types = {"gHotSpotVMTypes",
                                   "gHotSpotVMTypeEntryArrayStride",
                                   "gHotSpotVMTypeEntryTypeNameOffset",
                                   NULL,
                                   "gHotSpotVMTypeEntrySizeOffset",
                                   8};

static char *find(const struct table *table, char *const *names)
{
	char *entry = (char *)exported(table->entries);

	for (; entry != NULL; entry += exported(table->stride)) {
		const char *name = *(const char **)(entry + exported(table->name));
		if (name == NULL)
			return NULL;
		if (strcmp(name, names[0]) == 0 &&
		    (table->second == NULL ||
		     strcmp(*(const char **)(entry + exported(table->second)), names[1]) == 0))
			return entry;
	}
	return NULL;
}

static void add(char *place, size_t bytes, const char *number)
{
	uint64_t value = 0;

	memcpy(&value, place, bytes);
	value += strtoull(number, NULL, 0);
	write_bytes(place, &value, bytes);
}

static void lie_in(const struct table *table, char *const *names, const char *lie)
{
	static const char *const hidden = "hidden";
	char *entry = find(table, names);

	if (entry == NULL)
		return;
	if (strcmp(lie, "missing") == 0)
		write_bytes(entry + exported(table->name), &hidden, sizeof(hidden));
	else if (table == &fields && *(uint64_t *)(entry + exported(table->value)) == 0)
		add(entry + exported("gHotSpotVMStructEntryAddressOffset"), 8, lie);
	else
		add(entry + exported(table->value), table->bytes, lie);
}

static void lie_of_static(char *const *names, const char *number)
{
	char *entry = find(&fields, names);
	int *value = malloc(sizeof(*value));

	if (entry == NULL || value == NULL)
		return;
	*value = atoi(number);
	write_bytes(entry + exported("gHotSpotVMStructEntryAddressOffset"), &value, sizeof(value));
}

static jvmtiError JNICALL lie_of_version(jvmtiEnv *jvmti, jint *version_ptr)
{
	(void)jvmti;
	*version_ptr = version << JVMTI_VERSION_SHIFT_MAJOR | JVMTI_VERSION_INTERFACE_JVMTI;
	return JVMTI_ERROR_NONE;
}

/* All environments share the table of functions. */
static void replace_version(jvmtiEnv *jvmti, const char *number)
{
	jvmtiError(JNICALL * function)(jvmtiEnv *, jint *) = lie_of_version;

	version = atoi(number);
	write_bytes((void *)&(*jvmti)->GetVersionNumber, &function, sizeof(function));
}

static bool lie(jvmtiEnv *jvmti, char *item)
{
	char *parts[PARTS_MAX] = {NULL};
	size_t count = 0;

	for (char *part = strtok(item, "|"); part != NULL && count < PARTS_MAX;
	     part = strtok(NULL, "|"))
		parts[count++] = part;
	if (count == 4 && strcmp(parts[0], "field") == 0)
		lie_in(&fields, parts + 1, parts[3]);
	else if (count == 3 && strcmp(parts[0], "constant") == 0)
		lie_in(&constants, parts + 1, parts[2]);
	else if (count == 3 && strcmp(parts[0], "type") == 0)
		lie_in(&types, parts + 1, parts[2]);
	else if (count == 4 && strcmp(parts[0], "static") == 0)
		lie_of_static(parts + 1, parts[3]);
	else if (count == 3 && strcmp(parts[0], "table") == 0 && symbol(parts[1]) != NULL)
		write_bytes(symbol(parts[1]), &(uint64_t){strtoull(parts[2], NULL, 0)}, 8);
	else if (count == 2 && strcmp(parts[0], "version") == 0)
		replace_version(jvmti, parts[1]);
	else
		return false;
	return true;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiEnv *jvmti = NULL;
	Dl_info info;
	char *rest;
	(void)reserved;

	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK ||
	    dladdr((void *)(*jvmti)->GetVersionNumber, &info) == 0)
		return JNI_ERR;
	library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	char *copy = strdup(options == NULL ? "" : options);
	if (library == NULL || copy == NULL)
		return JNI_ERR;
	for (char *item = strtok_r(copy, ",", &rest); item != NULL;
	     item = strtok_r(NULL, ",", &rest)) {
		if (!lie(jvmti, item)) {
			fprintf(stderr, "lying_vm: %s\n", item);
			return JNI_ERR;
		}
	}
	return JNI_OK;
}
