/*
 * class_registry.c: see class_registry.h. The lock makes "look at the tag, else
 * add and set it" one step. It is held across JVM TI calls, therefore never
 * locked in ObjectFree: freed entries are pushed on a lock-free stack, linked
 * through the entries themselves.
 */
#include "vm/class_registry.h"

#include <stdlib.h>
#include <utlist.h>

struct class_entry {
	const struct class_record *record;
	struct class_entry *next;       /* of all entries */
	struct class_entry *next_freed; /* of the freed ones */
};

struct class_registry {
	struct profile *profile;
	struct os_mutex lock;
	struct class_entry *entries;
	_Atomic(struct class_entry *) freed;
};

struct class_registry *class_registry_create(struct profile *profile)
{
	struct class_registry *registry = calloc(1, sizeof(*registry));
	if (registry == NULL)
		return NULL;
	if (os_mutex_init(&registry->lock) != 0) {
		free(registry);
		return NULL;
	}
	registry->profile = profile;
	return registry;
}

void class_registry_destroy(struct class_registry *registry)
{
	if (registry == NULL)
		return;
	struct class_entry *entry;
	struct class_entry *next;
	LL_FOREACH_SAFE(registry->entries, entry, next)
	free(entry);
	os_mutex_destroy(&registry->lock);
	free(registry);
}

static const struct class_record *add_record(struct profile *profile, jclass class,
                                             uint32_t trace_serial)
{
	char *signature = NULL;
	if ((*profile->jvmti)->GetClassSignature(profile->jvmti, class, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return NULL;
	const struct class_record *record =
	        class_table_add_at_trace(profile->model.classes, signature, trace_serial);
	profile_deallocate(profile, signature);
	if (record == NULL)
		profile_out_of_memory(profile);
	return record;
}

static const struct class_record *add_locked(struct class_registry *registry, jclass class,
                                             uint32_t trace_serial)
{
	struct profile *profile = registry->profile;
	const struct class_record *record = add_record(profile, class, trace_serial);
	if (record == NULL)
		return NULL;

	struct class_entry *entry = calloc(1, sizeof(*entry));
	if (entry == NULL) {
		profile_out_of_memory(profile);
		return NULL;
	}
	entry->record = record;
	LL_PREPEND(registry->entries, entry);
	(void)(*profile->jvmti)->SetTag(profile->jvmti, class, (jlong)(intptr_t)entry);
	writer_class_load(profile->writer, record);
	return record;
}

/* Objects other than classes may have tags too, and a class may have such a tag for a
 * while. */
static bool is_class_tag(jlong tag)
{
	return tag != 0 && (uint64_t)tag < CLASS_TAG_END;
}

/* The record of a class that is known, or NULL. The entry of a class that the caller keeps
 * alive stays and does not change. */
static const struct class_record *known(struct class_registry *registry, jclass class)
{
	jvmtiEnv *jvmti = registry->profile->jvmti;
	jlong tag = 0;

	(void)(*jvmti)->GetTag(jvmti, class, &tag);
	return class_registry_by_tag(tag);
}

const struct class_record *class_registry_add(struct class_registry *registry, jclass class,
                                              uint32_t trace_serial)
{
	os_mutex_lock(&registry->lock);
	const struct class_record *record = known(registry, class);
	if (record == NULL)
		record = add_locked(registry, class, trace_serial);
	os_mutex_unlock(&registry->lock);
	return record;
}

const struct class_record *class_registry_find(struct class_registry *registry, jclass class)
{
	const struct class_record *record = known(registry, class);
	return record != NULL ? record : class_registry_add(registry, class, 0);
}

bool class_registry_has(struct class_registry *registry, jclass class)
{
	return known(registry, class) != NULL;
}

const struct class_record *class_registry_by_tag(jlong tag)
{
	if (!is_class_tag(tag))
		return NULL;
	return ((const struct class_entry *)(intptr_t)tag)->record;
}

void class_registry_freed(struct class_registry *registry, jlong tag)
{
	if (!is_class_tag(tag))
		return;
	struct class_entry *entry = (struct class_entry *)(intptr_t)tag;

	entry->next_freed = atomic_load(&registry->freed);
	while (!atomic_compare_exchange_weak(&registry->freed, &entry->next_freed, entry))
		continue;
}

void class_registry_write_unloads(struct class_registry *registry)
{
	struct class_entry *entry = atomic_exchange(&registry->freed, NULL);

	for (; entry != NULL; entry = entry->next_freed)
		writer_class_unload(registry->profile->writer, entry->record);
}
