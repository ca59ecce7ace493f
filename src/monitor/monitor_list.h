/*
 * monitor_list.h: the monitors of one MONITOR DUMP, each listed once, with its owner and
 * its waiting threads. One thread uses a list, under the profile's dump lock.
 */
#ifndef HPROF_MONITOR_MONITOR_LIST_H
#define HPROF_MONITOR_MONITOR_LIST_H

#include "hprof/monitor_records.h"
#include "profile/profile.h"

struct monitor_list {
	struct profile *profile;
	JNIEnv *jni;
	/* An environment that only monitor dumps tag objects in. The tag of a listed
	 * monitor's object is its index plus one. */
	jvmtiEnv *tags;
	jobject *objects; /* local references, one per monitor */
	struct monitor_dump_monitor *monitors;
	size_t count;
	size_t capacity;
	bool failed; /* out of memory: the list is incomplete */
};

/* The index of an object that is not in the list. */
#define MONITOR_NONE SIZE_MAX

/* Returns the index of the object; adds it first if it is not in the list. The list then
 * keeps the local reference. MONITOR_NONE when out of memory. */
size_t monitor_list_add(struct monitor_list *list, jobject object);

/* Returns the index of the object, or MONITOR_NONE. */
size_t monitor_list_find(const struct monitor_list *list, jobject object);

/* Fills in every monitor's class, owner, entry count and waiting threads, as the VM reports
 * them (GetObjectMonitorUsage, which leaves out virtual threads). */
void monitor_list_query(struct monitor_list *list);

/* Sets the owner of a monitor, unless it has one already. */
void monitor_list_set_owner(struct monitor_list *list, size_t index, uint32_t serial);

/* Adds a thread that waits to enter the monitor or, if not to_enter, to be notified. Does
 * nothing when the thread owns the monitor or is in one of its lists. */
void monitor_list_add_waiter(struct monitor_list *list, size_t index, uint32_t serial,
                             bool to_enter);

/* Whether threads wait for a monitor without an owner. Its owner may be a thread that
 * the VM does not report, or it may have none. */
bool monitor_list_has_ownerless(const struct monitor_list *list);

/* Removes the tags and frees the memory, but not the local references. */
void monitor_list_free(struct monitor_list *list);

#endif
