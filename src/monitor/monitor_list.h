/*
 * monitor_list.h: the monitors of one MONITOR DUMP, each once, with their owners and
 * those who wait. Belongs to whoever makes the dump, under the profile's dump lock.
 */
#ifndef HPROF_MONITOR_MONITOR_LIST_H
#define HPROF_MONITOR_MONITOR_LIST_H

#include "hprof/monitor_records.h"
#include "profile/profile.h"

struct monitor_list {
	struct profile *profile;
	JNIEnv *jni;
	/* An environment whose tags are nobody else's: a monitor's object has its place
	 * in the list plus one. */
	jvmtiEnv *tags;
	jobject *objects; /* local references, one per monitor */
	struct monitor_dump_monitor *monitors;
	size_t count;
	size_t room;
	bool failed; /* no memory; the list is not whole */
};

/* An object that is not in the list. */
#define MONITOR_NONE SIZE_MAX

/* The place of the object in the list, where it is put if it is not there.
 * MONITOR_NONE without memory. The list keeps the reference. */
size_t monitor_list_add(struct monitor_list *list, jobject object);

/* The place of the object, or MONITOR_NONE. */
size_t monitor_list_find(const struct monitor_list *list, jobject object);

/* Asks the VM about all of them: classes, owners, entry counts and those who wait, as
 * far as it knows of them. */
void monitor_list_ask(struct monitor_list *list);

/* Adds what the VM does not tell there: the monitor's owner, if it has none yet; one
 * who waits, unless it is in a list or the owner. */
void monitor_list_set_owner(struct monitor_list *list, size_t place, uint32_t serial);
void monitor_list_add_waiter(struct monitor_list *list, size_t place, uint32_t serial,
                             bool to_enter);

/* Whether threads wait for a monitor that has no owner yet: one of a kind that the VM
 * does not tell of, or really none. */
bool monitor_list_lacks_owners(const struct monitor_list *list);

/* Takes the tags off and frees the memory. */
void monitor_list_free(struct monitor_list *list);

#endif
