/*
 * loaded_classes.c: see loaded_classes.h. References are weak so that the agent adds no roots to
 * the dump. Under the profile's dump lock; the addresses are written by the thread that collects
 * garbage, while the thread that dumps waits for it.
 */
#include "heapdump/loaded_classes.h"

#include "base/address_map.h"
#include "profile/jni_frame.h"
#include "vm/class_registry.h"

#include <stdlib.h>
#include <string.h>

/* The low bits of a HotSpot reference encode its kind. */
#define REFERENCE_KIND ((uintptr_t)3)

/* Value in the map of names for a name of several classes. */
#define SEVERAL UINT64_MAX

/* Capacity of the local frame. */
enum { LOCAL_REFERENCES = 1024 };

struct loaded_class {
	jweak reference;
	const struct class_record *record;
	uint64_t address; /* 0: not taken yet, or the class has been unloaded */
};

struct loaded_classes {
	struct profile *profile;
	struct loaded_class *list;
	size_t count;
	bool taken;
	bool indexed;
	struct address_map by_address; /* to index */
	struct address_map by_name;    /* string id to index, or SEVERAL */
	struct address_map by_id;      /* object id to index */
};

static void add(struct loaded_classes *classes, JNIEnv *jni, jclass class)
{
	const struct class_record *record = class_registry_find(classes->profile->classes, class);
	jweak reference = record == NULL ? NULL : (*jni)->NewWeakGlobalRef(jni, class);
	if (reference == NULL)
		return;
	struct loaded_class *entry = &classes->list[classes->count++];
	entry->reference = reference;
	entry->record = record;
	entry->address = 0;
}

static bool fill(struct loaded_classes *classes, JNIEnv *jni)
{
	jvmtiEnv *jvmti = classes->profile->jvmti;
	jint count = 0;
	jclass *loaded = NULL;

	if ((*jvmti)->GetLoadedClasses(jvmti, &count, &loaded) != JVMTI_ERROR_NONE)
		return false;
	classes->list = calloc((size_t)count + 1, sizeof(*classes->list));
	for (jint i = 0; classes->list != NULL && i < count; i++)
		add(classes, jni, loaded[i]);
	profile_deallocate(classes->profile, loaded);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	return classes->list != NULL;
}

struct loaded_classes *loaded_classes_create(struct profile *profile, JNIEnv *jni)
{
	struct loaded_classes *classes = calloc(1, sizeof(*classes));
	bool filled = false;

	if (classes != NULL && jni_frame_push(jni, LOCAL_REFERENCES)) {
		classes->profile = profile;
		filled = fill(classes, jni);
		jni_frame_pop(jni);
	}
	if (filled)
		return classes;
	if (classes != NULL)
		free(classes->list);
	free(classes);
	return NULL;
}

void loaded_classes_destroy(struct loaded_classes *classes, JNIEnv *jni)
{
	if (classes == NULL)
		return;
	for (size_t i = 0; i < classes->count; i++)
		(*jni)->DeleteWeakGlobalRef(jni, classes->list[i].reference);
	address_map_free(&classes->by_address);
	address_map_free(&classes->by_name);
	address_map_free(&classes->by_id);
	free(classes->list);
	free(classes);
}

size_t loaded_classes_count(const struct loaded_classes *classes)
{
	return classes->count;
}

jclass loaded_classes_get(const struct loaded_classes *classes, size_t index,
                          const struct class_record **record)
{
	*record = classes->list[index].record;
	return classes->list[index].reference;
}

void loaded_classes_take_addresses(struct loaded_classes *classes)
{
	for (size_t i = 0; i < classes->count; i++) {
		uintptr_t slot = (uintptr_t)classes->list[i].reference & ~REFERENCE_KIND;
		classes->list[i].address = (uint64_t) * (const uintptr_t *)slot;
	}
	classes->taken = true;
}

static bool index_classes(struct loaded_classes *classes)
{
	classes->indexed = true;
	for (size_t i = 0; i < classes->count; i++) {
		const struct loaded_class *entry = &classes->list[i];
		uint64_t name = entry->record->name->id;
		bool several = address_map_find(&classes->by_name, name) != NULL;
		if ((entry->address != 0 &&
		     !address_map_set(&classes->by_address, entry->address, i)) ||
		    !address_map_set(&classes->by_name, name, several ? SEVERAL : i) ||
		    !address_map_set(&classes->by_id, entry->record->object_id, i))
			return false;
	}
	return true;
}

/* Builds the JVM's signature of a class from its name in a class file. Returns the full length,
 * also when it does not fit. */
static size_t signature_of(const char *name, size_t length, char *signature, size_t size)
{
	bool array = length > 0 && name[0] == '[';
	size_t full = length + (array ? 0 : 2);
	if (full >= size)
		return full;
	signature[0] = 'L';
	memcpy(signature + !array, name, length);
	memcpy(signature + !array + length, ";", 2);
	signature[full] = '\0';
	/* The VM separates the name of a hidden class and its suffix by a plus sign. */
	char *suffix = strrchr(signature, '+');
	if (suffix != NULL)
		*suffix = '.';
	return full;
}

static const struct class_record *find_by_name(struct loaded_classes *classes, const char *name,
                                               size_t length)
{
	struct model *model = &classes->profile->model;
	size_t size = length + 3;
	char *signature = malloc(size);
	if (signature == NULL)
		return NULL;
	(void)signature_of(name, length, signature, size);

	const struct class_record *found = NULL;
	const struct string *source_name = class_name_intern(model->strings, signature);
	if (source_name != NULL) {
		const uint64_t *index = address_map_find(&classes->by_name, source_name->id);
		/* A class with a known address is not this one. */
		bool other =
		        index == NULL || *index == SEVERAL || classes->list[*index].address != 0;
		found = other ? class_table_add(model->classes, signature)
		              : classes->list[*index].record;
	}
	free(signature);
	return found;
}

const struct class_record *loaded_classes_find(struct loaded_classes *classes, uint64_t address,
                                               const char *name, size_t length)
{
	if (!classes->indexed && !index_classes(classes))
		return NULL;
	const uint64_t *index = address_map_find(&classes->by_address, address);
	if (index != NULL)
		return classes->list[*index].record;
	return find_by_name(classes, name, length);
}

const struct class_record *loaded_classes_find_by_id(struct loaded_classes *classes,
                                                     uint64_t object_id)
{
	if (!classes->indexed && !index_classes(classes))
		return NULL;
	const uint64_t *index = address_map_find(&classes->by_id, object_id);
	return index == NULL ? NULL : classes->list[*index].record;
}
