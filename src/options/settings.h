/*
 * settings.h: the options as parsed by options.c. Constant after the start: any
 * thread may read them.
 */
#ifndef HPROF_OPTIONS_SETTINGS_H
#define HPROF_OPTIONS_SETTINGS_H

#include "options/filter.h"

#include <stdbool.h>
#include <stdint.h>

enum heap_setting { HEAP_OFF, HEAP_DUMP, HEAP_SITES, HEAP_ALL };
enum cpu_setting { CPU_OFF, CPU_SAMPLES, CPU_TIMES, CPU_OLD };
enum format_setting { FORMAT_TEXT, FORMAT_BINARY };
/* How the stacks of allocations and samples are taken; see alloc_traces.c and
 * async_walker.c. */
enum stacks_setting { STACKS_WALK, STACKS_VM, STACKS_CHECK };
/* Which engine takes CPU samples; see cpu_samples.c. */
enum engine_setting { ENGINE_BEST, ENGINE_ASYNC, ENGINE_CLOCK };

/* Where the objects of a heap dump come from; see heap_dump.c. */
enum dumper_setting { DUMPER_BEST, DUMPER_VM, DUMPER_JVMTI };

/* Longest file and host names, with the terminating NUL. */
#define SETTING_FILE_MAX 4096
#define SETTING_HOST_MAX 256
/* The greatest number of options without effect. */
#define SETTING_IGNORED_MAX 16

struct settings {
	int heap;   /* enum heap_setting */
	int cpu;    /* enum cpu_setting */
	int format; /* enum format_setting */
	int engine; /* enum engine_setting */
	int stacks; /* enum stacks_setting */
	int dumper; /* enum dumper_setting */
	bool monitor;
	char file[SETTING_FILE_MAX];     /* as written, with %p and %t; "" for the default */
	char messages[SETTING_FILE_MAX]; /* where messages go; "" for standard error */
	char net_host[SETTING_HOST_MAX]; /* "" without net= */
	uint16_t net_port;
	bool net_local; /* net_host names a socket of this system (os_socket_connect_local()) */
	struct filter filter;   /* include=, exclude= */
	uint32_t depth;         /* frames of a trace, at most 65535 */
	uint32_t interval_ms;   /* of CPU time between samples */
	uint32_t heap_interval; /* bytes between sampled allocations; 0: every object */
	double cutoff;          /* share of the total, 0 to 1 */
	bool live;              /* objects are tracked until they are collected */
	bool timeline;          /* samples keep the time at which they were taken */
	bool costs;             /* exact times by trace, beside the shares */
	bool notes;             /* NOTE lines about the run */
	bool lineno;
	bool native; /* text marks frames of native methods */
	bool thread;
	bool virtual_threads; /* vthreads=y: they are profiled as themselves */
	bool doe;
	bool msa;
	bool force;
	bool verbose;
	bool help;
	bool stop;    /* attach: end the profile that runs */
	bool replace; /* attach: a profile that runs ends first; else it is a refusal */
	/* Names of the given options that have no effect, static text, up to a NULL. */
	const char *ignored[SETTING_IGNORED_MAX + 1];
};

/* Whether heap= asks for dumps of the heap. */
static inline bool settings_dump_heap(const struct settings *settings)
{
	return settings->heap == HEAP_DUMP || settings->heap == HEAP_ALL;
}

/* Whether heap= asks for sites of allocations. */
static inline bool settings_count_sites(const struct settings *settings)
{
	return settings->heap == HEAP_SITES || settings->heap == HEAP_ALL;
}

#endif
