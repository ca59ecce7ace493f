/*
 * monitor_sites.h: counts contended monitor enters and their wait times, by the stack of
 * the entering thread and the class of the monitor's object.
 *
 * Locking: none for the table and the counters. A site is added to its bucket once and
 * never removed, and its counters are atomic. The fields marked below are protected by
 * the profile's dump lock.
 */
#ifndef HPROF_MONITOR_MONITOR_SITES_H
#define HPROF_MONITOR_MONITOR_SITES_H

#include "hprof/monitor_records.h"

#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Identifies a site. */
struct monitor_site_key {
	const struct class_record *class;
	uint32_t thread_serial; /* 0 when threads share sites */
	uint32_t depth;
	const jvmtiFrameInfo *frames; /* innermost first */
};

struct monitor_site {
	struct monitor_site *next;
	uint64_t hash;
	struct monitor_site_key key; /* its frames follow this structure in memory */
	_Atomic uint64_t sums[MONITOR_SUMS];

	/* Under the dump lock. */
	const struct trace *trace;      /* NULL until the frames are resolved */
	uint64_t written[MONITOR_SUMS]; /* sums as of the last section */
	uint64_t base[MONITOR_SUMS];    /* sums as of the last reset */
};

struct monitor_sites;

/* NULL when out of memory. */
struct monitor_sites *monitor_sites_create(void);
/* No thread may still use the table. NULL is allowed. */
void monitor_sites_destroy(struct monitor_sites *sites);

/* Returns the site with that key and adds it first if there is none (*created is then set,
 * else cleared). The site lives as long as the table. NULL when out of memory. Any
 * thread, no lock. */
struct monitor_site *monitor_sites_find(struct monitor_sites *sites,
                                        const struct monitor_site_key *key, bool *created);

/* Adds one wait, with its part of each sum but their count. Any thread, no lock. */
void monitor_site_add(struct monitor_site *site, const uint64_t sums[MONITOR_SUMS]);

/* Calls visit(argument, site) for each site until a call returns false. Returns whether
 * all calls returned true. Sites added during the visit may be skipped. */
bool monitor_sites_visit(struct monitor_sites *sites,
                         bool (*visit)(void *argument, struct monitor_site *site), void *argument);

#endif
