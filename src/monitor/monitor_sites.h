/*
 * monitor_sites.h: how often and how long threads waited to enter monitors, by the
 * stack that entered and the class of the monitor's object.
 *
 * No lock: a site is pushed on its bucket once and stays there, its numbers are
 * atomic. Those that are marked so belong to whoever holds the profile's dump lock.
 */
#ifndef HPROF_MONITOR_MONITOR_SITES_H
#define HPROF_MONITOR_MONITOR_SITES_H

#include "model/model.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A frame as the VM tells it. */
struct site_frame {
	uint64_t method;
	int64_t bci;
};

/* What sites differ by. */
struct site_key {
	const struct class_record *class;
	uint32_t thread_serial; /* 0 when threads share sites */
	uint32_t depth;
	const struct site_frame *frames; /* innermost first */
};

struct monitor_site {
	struct monitor_site *next;
	uint64_t hash;
	struct site_key key; /* its frames are behind this structure */
	_Atomic uint64_t count;
	_Atomic uint64_t wait_ns;

	/* Under the dump lock. */
	const struct trace *trace; /* NULL until the frames have names */
	uint64_t written_count;    /* as the last section had them */
	uint64_t written_ns;
	uint64_t base_count; /* what dumps before have told */
	uint64_t base_ns;
};

struct monitor_sites;

/* NULL without memory. */
struct monitor_sites *monitor_sites_create(void);
/* Nobody may be using it. */
void monitor_sites_destroy(struct monitor_sites *sites);

/* The site of that key, made if it is new, which *created says. It stays until the
 * table is destroyed. NULL without memory. Any thread, no lock. */
struct monitor_site *monitor_sites_find(struct monitor_sites *sites, const struct site_key *key,
                                        bool *created);

/* Adds one wait. Any thread, no lock. */
void monitor_site_add(struct monitor_site *site, uint64_t wait_ns);

/* Calls visit(argument, site) for each site until one answers false, and answers
 * whether none did. Sites that come meanwhile may be left out. */
bool monitor_sites_visit(struct monitor_sites *sites,
                         bool (*visit)(void *argument, struct monitor_site *site), void *argument);

#endif
