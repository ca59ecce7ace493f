/*
 * carrier.c: see carrier.h.
 */
#include "sampling/carrier.h"

#include "base/array.h"
#include "vm/java_thread_serials.h"
#include "vm/java_threads.h"

#include <stdlib.h>

bool carriers_init(struct carriers *carriers, struct profile *profile, bool with_virtual_threads)
{
	carriers->profile = profile;
	carriers->virtual_thread_of =
	        with_virtual_threads ? virtual_threads_find(profile->jvmti) : NULL;
	return os_mutex_init(&carriers->lock) == 0;
}

void carriers_destroy(struct carriers *carriers)
{
	os_mutex_destroy(&carriers->lock);
}

void carrier_free(struct carrier *carrier)
{
	free(carrier->aliases);
}

/* ---- aliases ----------------------------------------------------------- */

static void add_alias(struct carriers *carriers, struct carrier *carrier, uint32_t serial,
                      uint32_t real)
{
	os_mutex_lock(&carriers->lock);
	bool has_room = array_grow(&carrier->aliases, &carrier->alias_capacity,
	                           carrier->alias_count, sizeof(*carrier->aliases));
	if (has_room)
		carrier->aliases[carrier->alias_count++] =
		        (struct serial_alias){.serial = serial, .real = real};
	os_mutex_unlock(&carriers->lock);
	if (!has_room)
		profile_out_of_memory(carriers->profile);
}

static bool find_alias(struct carriers *carriers, const struct carrier *carrier, uint32_t serial,
                       uint32_t *real)
{
	bool found = false;

	os_mutex_lock(&carriers->lock);
	for (size_t i = 0; i < carrier->alias_count && !found; i++) {
		found = carrier->aliases[i].serial == serial;
		*real = carrier->aliases[i].real;
	}
	os_mutex_unlock(&carriers->lock);
	return found;
}

struct carrier_mark carrier_begin_drain(struct carriers *carriers, struct carrier *carrier)
{
	struct carrier_mark mark;

	os_mutex_lock(&carriers->lock);
	mark.alias_count = carrier->alias_count;
	mark.state = mounted_serial_state(&carrier->mounted);
	os_mutex_unlock(&carriers->lock);
	return mark;
}

/* A serial that was not mounted at the mark has had its last sample before. */
void carrier_end_drain(struct carriers *carriers, struct carrier *carrier,
                       const struct carrier_mark *mark)
{
	size_t kept = 0;

	if (mark->alias_count == 0)
		return;
	os_mutex_lock(&carriers->lock);
	for (size_t i = 0; i < carrier->alias_count; i++) {
		bool is_over = i < mark->alias_count &&
		               mark->state != (carrier->aliases[i].serial | MOUNTED_NEW);
		if (!is_over)
			carrier->aliases[kept++] = carrier->aliases[i];
	}
	carrier->alias_count = kept;
	os_mutex_unlock(&carriers->lock);
}

/* ---- records ----------------------------------------------------------- */

/* Gives the virtual thread that the carrier runs its record, or the new serial an alias.
 * object: the virtual thread; NULL for none. */
static void record(struct carriers *carriers, struct carrier *carrier, JNIEnv *jni, jthread object,
                   uint32_t serial)
{
	uint32_t real = 0;

	if (object != NULL)
		real = java_threads_add_mounted(carriers->profile->threads, jni, object,
		                                &carrier->mounted, serial);
	if (real != serial)
		add_alias(carriers, carrier, serial, real);
}

/* ---- on the carrier ---------------------------------------------------- */

/* The state for the virtual thread on the calling carrier. */
static uint32_t state_of_caller(const struct carriers *carriers)
{
	const struct java_thread *thread = java_threads_current(carriers->profile->threads);
	bool is_recorded = thread != NULL && thread->is_virtual && thread->record != NULL;
	return is_recorded ? thread->serial : MOUNTED_UNNUMBERED;
}

void carrier_mounted(struct carriers *carriers, struct carrier *carrier)
{
	uint32_t mounted = state_of_caller(carriers);
	uint32_t state;

	do {
		state = mounted_serial_state(&carrier->mounted);
		/* No virtual thread was mounted, though carrier_look() saw one. */
		if ((state & MOUNTED_NEW) != 0)
			record(carriers, carrier, NULL, NULL, state & ~MOUNTED_NEW);
	} while (!mounted_serial_change(&carrier->mounted, state, mounted));
}

/* The handler may allocate the serial until the state changes. */
void carrier_unmounted(struct carriers *carriers, struct carrier *carrier, JNIEnv *jni,
                       jthread object)
{
	uint32_t state;

	do {
		state = mounted_serial_state(&carrier->mounted);
		if ((state & MOUNTED_NEW) != 0)
			record(carriers, carrier, jni, object, state & ~MOUNTED_NEW);
	} while (!mounted_serial_change(&carrier->mounted, state, MOUNTED_NOTHING));
}

/* ---- on other threads -------------------------------------------------- */

/* The virtual thread on the carrier: a local reference, or NULL. */
static jthread find_mounted(struct carriers *carriers, jthread thread)
{
	jthread object = NULL;

	if (carriers->virtual_thread_of(carriers->profile->jvmti, thread, &object) !=
	    JVMTI_ERROR_NONE)
		return NULL;
	return object;
}

/* The state stays unknown only until the carrier's first event. */
void carrier_look(struct carriers *carriers, struct carrier *carrier, JNIEnv *jni, jthread thread)
{
	jthread object = find_mounted(carriers, thread);

	(void)mounted_serial_change(&carrier->mounted, MOUNTED_UNKNOWN,
	                            object == NULL ? MOUNTED_NOTHING : MOUNTED_UNNUMBERED);
	if (object != NULL)
		(*jni)->DeleteLocalRef(jni, object);
}

/* The mounted virtual thread has been so for a while, since its serial is new: records it now, so
 * that its name precedes its traces. A new serial is mounted once, so the thread that the VM
 * returns is the right one if the state is the same afterwards. The state of a serial with an alias
 * does not change here: the handler may be about to use that serial. */
static void record_mounted(struct carriers *carriers, struct carrier *carrier, JNIEnv *jni,
                           jthread thread, uint32_t serial)
{
	uint32_t real;
	jthread object = thread == NULL ? NULL : find_mounted(carriers, thread);

	if (mounted_serial_is_new(&carrier->mounted, serial)) {
		record(carriers, carrier, jni, object, serial);
		if (!find_alias(carriers, carrier, serial, &real))
			(void)mounted_serial_change(&carrier->mounted, serial | MOUNTED_NEW,
			                            serial);
	}
	if (object != NULL)
		(*jni)->DeleteLocalRef(jni, object);
}

uint32_t carrier_resolve(struct carriers *carriers, struct carrier *carrier, JNIEnv *jni,
                         jthread thread, uint32_t sampled)
{
	uint32_t serial = sampled & ~MOUNTED_NEW;
	uint32_t real;

	if (sampled == serial)
		return serial;
	if (find_alias(carriers, carrier, serial, &real))
		return real;
	if (mounted_serial_is_new(&carrier->mounted, serial))
		record_mounted(carriers, carrier, jni, thread, serial);
	return find_alias(carriers, carrier, serial, &real) ? real : serial;
}
