/*
 * monitor_list.c: see monitor_list.h.
 */
#include "monitor/monitor_list.h"

#include "base/array.h"
#include "vm/class_registry.h"
#include "vm/java_thread_serials.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists of threads ---------------------------------------------------- */

static bool contains(const struct serial_list *threads, uint32_t serial)
{
	for (size_t i = 0; i < threads->count; i++) {
		if (threads->serials[i] == serial)
			return true;
	}
	return false;
}

/* The capacity is the count rounded up to a power of two, so it need not be stored. */
static void append(struct monitor_list *list, struct serial_list *threads, uint32_t serial)
{
	bool is_full = (threads->count & (threads->count - 1)) == 0;

	if (is_full) {
		size_t capacity = threads->count == 0 ? 1 : 2 * threads->count;
		uint32_t *serials = NULL;
		if (capacity <= SIZE_MAX / sizeof(*serials))
			serials = realloc(threads->serials, capacity * sizeof(*serials));
		if (serials == NULL) {
			list->failed = true;
			return;
		}
		threads->serials = serials;
	}
	threads->serials[threads->count++] = serial;
}

/* ---- monitors ------------------------------------------------------------ */

/* Ensures room for one more in both arrays. */
static bool grow(struct monitor_list *list)
{
	size_t objects = list->capacity;

	return array_grow(&list->objects, &objects, list->count, sizeof(*list->objects)) &&
	       array_grow(&list->monitors, &list->capacity, list->count, sizeof(*list->monitors));
}

size_t monitor_list_find(const struct monitor_list *list, jobject object)
{
	jlong tag = 0;

	(void)(*list->tags)->GetTag(list->tags, object, &tag);
	return tag > 0 && (size_t)tag <= list->count ? (size_t)tag - 1 : MONITOR_NONE;
}

size_t monitor_list_add(struct monitor_list *list, jobject object)
{
	size_t index = monitor_list_find(list, object);

	if (index != MONITOR_NONE)
		return index;
	if (!grow(list) ||
	    (*list->tags)->SetTag(list->tags, object, (jlong)list->count + 1) != JVMTI_ERROR_NONE) {
		list->failed = true;
		return MONITOR_NONE;
	}
	list->objects[list->count] = object;
	list->monitors[list->count] = (struct monitor_dump_monitor){.class = NULL};
	return list->count++;
}

static const struct class_record *class_of(struct monitor_list *list, jobject object)
{
	jclass class = (*list->jni)->GetObjectClass(list->jni, object);
	const struct class_record *record = class_registry_find(list->profile->classes, class);
	(*list->jni)->DeleteLocalRef(list->jni, class);
	return record;
}

static uint32_t serial_of(struct monitor_list *list, jthread thread)
{
	return java_threads_serial(list->profile->threads, list->jni, thread);
}

/* VMs before JDK 23 list threads that wait to be notified among those that wait to enter as
 * well (JDK-8247972). */
static void add_usage(struct monitor_list *list, struct monitor_dump_monitor *monitor,
                      const jvmtiMonitorUsage *usage)
{
	monitor->owned = usage->owner != NULL;
	if (monitor->owned) {
		monitor->owner_serial = serial_of(list, usage->owner);
		monitor->entry_count = (uint32_t)usage->entry_count;
	}
	for (jint i = 0; i < usage->notify_waiter_count; i++)
		append(list, &monitor->waiting, serial_of(list, usage->notify_waiters[i]));
	for (jint i = 0; i < usage->waiter_count; i++) {
		uint32_t serial = serial_of(list, usage->waiters[i]);
		if (serial == 0 || !contains(&monitor->waiting, serial))
			append(list, &monitor->entering, serial);
	}
}

static void delete_references(struct monitor_list *list, const jvmtiMonitorUsage *usage)
{
	JNIEnv *jni = list->jni;

	if (usage->owner != NULL)
		(*jni)->DeleteLocalRef(jni, usage->owner);
	for (jint i = 0; i < usage->waiter_count; i++)
		(*jni)->DeleteLocalRef(jni, usage->waiters[i]);
	for (jint i = 0; i < usage->notify_waiter_count; i++)
		(*jni)->DeleteLocalRef(jni, usage->notify_waiters[i]);
}

void monitor_list_query(struct monitor_list *list)
{
	struct profile *profile = list->profile;
	jvmtiEnv *jvmti = profile->jvmti;

	for (size_t i = 0; i < list->count; i++) {
		jvmtiMonitorUsage usage;
		memset(&usage, 0, sizeof(usage));
		list->monitors[i].class = class_of(list, list->objects[i]);
		if (list->monitors[i].class == NULL)
			list->failed = true;
		if ((*jvmti)->GetObjectMonitorUsage(jvmti, list->objects[i], &usage) !=
		    JVMTI_ERROR_NONE)
			continue;
		add_usage(list, &list->monitors[i], &usage);
		delete_references(list, &usage);
		profile_deallocate(profile, usage.waiters);
		profile_deallocate(profile, usage.notify_waiters);
	}
}

void monitor_list_set_owner(struct monitor_list *list, size_t index, uint32_t serial)
{
	struct monitor_dump_monitor *monitor = &list->monitors[index];

	if (monitor->owned)
		return;
	monitor->owned = true;
	monitor->owner_serial = serial;
	monitor->entry_count = 0;
}

void monitor_list_add_waiter(struct monitor_list *list, size_t index, uint32_t serial,
                             bool to_enter)
{
	struct monitor_dump_monitor *monitor = &list->monitors[index];

	if ((monitor->owned && monitor->owner_serial == serial) ||
	    contains(&monitor->entering, serial) || contains(&monitor->waiting, serial))
		return;
	append(list, to_enter ? &monitor->entering : &monitor->waiting, serial);
}

bool monitor_list_has_ownerless(const struct monitor_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct monitor_dump_monitor *monitor = &list->monitors[i];
		if (!monitor->owned && (monitor->entering.count > 0 || monitor->waiting.count > 0))
			return true;
	}
	return false;
}

void monitor_list_free(struct monitor_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		(void)(*list->tags)->SetTag(list->tags, list->objects[i], 0);
		free(list->monitors[i].entering.serials);
		free(list->monitors[i].waiting.serials);
	}
	free(list->objects);
	free(list->monitors);
}
