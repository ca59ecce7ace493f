/*
 * carrier.h: with vthreads=y, the thread that a sample of a carrier counts for: the virtual thread
 * that was mounted, with a serial and a record of its own.
 *
 * A virtual thread gets its serial from the handler that samples it first, and its record when it
 * is unmounted, or before that from the consumer of the samples, which then finds it on its
 * carrier. Another mode may have made a record with another serial meanwhile, or there may be no
 * virtual thread (it left while the carrier was first seen): then the serial of the samples gets
 * an alias, which the consumer applies.
 *
 * Locking: one lock for the aliases; nothing is locked while it is held.
 */
#ifndef HPROF_SAMPLING_CARRIER_H
#define HPROF_SAMPLING_CARRIER_H

#include "profile/profile.h"
#include "vm/mounted_serial.h"
#include "vm/virtual_threads.h"

/* What all carriers of an engine share. */
struct carriers {
	struct profile *profile;
	virtual_thread_of *virtual_thread_of; /* NULL: samples count for the carriers */
	struct os_mutex lock;
};

struct serial_alias {
	uint32_t serial;
	uint32_t real; /* 0 stands for the carrier */
};

/* The state of one carrier; all zeros for a thread that runs no virtual thread. Freed by the
 * consumer. */
struct carrier {
	struct mounted_serial mounted;
	struct serial_alias *aliases; /* under the lock, as are the next two */
	size_t alias_count;
	size_t alias_capacity;
};

/* False if the lock is unavailable. with_virtual_threads: whether these get their own samples. */
bool carriers_init(struct carriers *carriers, struct profile *profile, bool with_virtual_threads);
void carriers_destroy(struct carriers *carriers);

void carrier_free(struct carrier *carrier);

/* A virtual thread was mounted, or is about to be unmounted: on the carrier, in the event. */
void carrier_mounted(struct carriers *carriers, struct carrier *carrier);
void carrier_unmounted(struct carriers *carriers, struct carrier *carrier, JNIEnv *jni,
                       jthread object);

/* The carrier existed before the profile: looks which virtual thread it runs. Before, its state
 * has been set to MOUNTED_UNKNOWN and the events find it. thread: the carrier's object. */
void carrier_look(struct carriers *carriers, struct carrier *carrier, JNIEnv *jni, jthread thread);

/* Consumer: the serial for a sample: of a virtual thread whose THREAD START has been written, or 0
 * for the carrier itself. sampled: what mounted_serial_sample() returned for the sample. */
uint32_t carrier_resolve(struct carriers *carriers, struct carrier *carrier, JNIEnv *jni,
                         jthread thread, uint32_t sampled);

/* Aliases that are required no more after the drain of all samples that exist now. */
struct carrier_mark {
	size_t alias_count;
	uint32_t state;
};

/* Consumer: before and after a drain of the carrier's samples. */
struct carrier_mark carrier_begin_drain(struct carriers *carriers, struct carrier *carrier);
void carrier_end_drain(struct carriers *carriers, struct carrier *carrier,
                       const struct carrier_mark *mark);

#endif
