/*
 * vm_pauses.c: see vm_pauses.h.
 */
#include "vm/vm_pauses.h"

#include "hotspot/perf_counters.h"
#include "os/time_units.h"

static uint64_t to_ns(const struct vm_pauses *pauses, uint64_t ticks)
{
	return ticks / pauses->ticks_per_second * NS_PER_SECOND +
	       ticks % pauses->ticks_per_second * NS_PER_SECOND / pauses->ticks_per_second;
}

static uint64_t safepoint_ns(const struct vm_pauses *pauses)
{
	return to_ns(pauses, *pauses->synchronizing + *pauses->stopped);
}

bool vm_pauses_has_safepoints(const struct vm_pauses *pauses)
{
	return atomic_load_explicit(&pauses->safepoints, memory_order_acquire) != NULL;
}

void vm_pauses_find_memory(struct vm_pauses *pauses, JNIEnv *jni)
{
	pauses->memory = perf_counters_memory(jni, &pauses->length);
}

void vm_pauses_find(struct vm_pauses *pauses)
{
	const char *memory = pauses->memory;
	size_t length = pauses->length;

	if (memory == NULL || vm_pauses_has_safepoints(pauses))
		return;
	const volatile uint64_t *rate = perf_counters_find(memory, length, "sun.os.hrt.frequency");
	const volatile uint64_t *safepoints =
	        perf_counters_find(memory, length, "sun.rt.safepoints");
	pauses->synchronizing = perf_counters_find(memory, length, "sun.rt.safepointSyncTime");
	pauses->stopped = perf_counters_find(memory, length, "sun.rt.safepointTime");
	if (rate == NULL || *rate == 0 || safepoints == NULL || pauses->synchronizing == NULL ||
	    pauses->stopped == NULL)
		return;
	pauses->ticks_per_second = *rate;
	pauses->first_ns = safepoint_ns(pauses);
	/* Threads that count collections until now go on from there. */
	pauses->first_count = *safepoints - atomic_load(&pauses->collections);
	atomic_store_explicit(&pauses->safepoints, safepoints, memory_order_release);
}

void vm_pauses_collection_started(struct vm_pauses *pauses)
{
	pauses->started_ns = os_monotonic_ns();
}

void vm_pauses_collection_finished(struct vm_pauses *pauses)
{
	atomic_fetch_add_explicit(&pauses->collected_ns, os_monotonic_ns() - pauses->started_ns,
	                          memory_order_relaxed);
	atomic_fetch_add_explicit(&pauses->collections, 1, memory_order_release);
}

struct vm_pauses_reading vm_pauses_read(const struct vm_pauses *pauses)
{
	const volatile uint64_t *safepoints =
	        atomic_load_explicit(&pauses->safepoints, memory_order_acquire);
	struct vm_pauses_reading reading = {
	        .count = atomic_load_explicit(&pauses->collections, memory_order_acquire)};

	reading.collected_ns = atomic_load_explicit(&pauses->collected_ns, memory_order_relaxed);
	if (safepoints == NULL)
		return reading;
	reading.count = *safepoints - pauses->first_count;
	reading.safepoint_ns = safepoint_ns(pauses) - pauses->first_ns;
	return reading;
}
