/*
 * net_command.h: a command of the peer of net=, as passed to the modes (HPROF
 * manual, "Socket Connection and Communication").
 */
#ifndef HPROF_PROFILE_NET_COMMAND_H
#define HPROF_PROFILE_NET_COMMAND_H

#include <stdint.h>

enum net_command_kind {
	COMMAND_FORCE_GC,         /* the agent's own; modes never see it */
	COMMAND_DUMP_HEAP,        /* HEAP DUMP, or its segments and END */
	COMMAND_ALLOC_SITES,      /* ALLOC SITES; flags, cutoff */
	COMMAND_HEAP_SUMMARY,     /* HEAP SUMMARY; the agent itself when no mode does */
	COMMAND_EXIT_VM,          /* the agent's own */
	COMMAND_DUMP_TRACES,      /* the agent's own */
	COMMAND_CPU_SAMPLES,      /* CPU SAMPLES; cutoff */
	COMMAND_ALLOC_TRACES_ON,  /* CONTROL 0x1 */
	COMMAND_ALLOC_TRACES_OFF, /* CONTROL 0x2 */
	COMMAND_CPU_SAMPLING_ON,  /* CONTROL 0x3; thread_id */
	COMMAND_CPU_SAMPLING_OFF, /* CONTROL 0x4; thread_id */
	COMMAND_CPU_CLEAR,        /* CONTROL 0x5: counts of CPU samples to 0 */
	COMMAND_MAX_DEPTH,        /* CONTROL 0x6; depth */
	COMMAND_EOF               /* the agent's own: the connection ends */
};

/* Flags of ALLOC SITES, in the command and in the record that answers it. */
enum alloc_sites_flags {
	ALLOC_SITES_INCREMENTAL = 0x1,   /* since the last one, not since the start */
	ALLOC_SITES_BY_ALLOCATION = 0x2, /* sorted by allocated, not by live bytes */
	ALLOC_SITES_FORCE_GC = 0x4       /* the agent has forced it before modes are asked */
};

/* Members that a kind does not have are 0. */
struct net_command {
	enum net_command_kind kind;
	uint32_t serial;    /* the peer's number for it; for messages */
	uint16_t flags;     /* enum alloc_sites_flags */
	double cutoff;      /* 0 to 1: share of the total that a row must have */
	uint64_t thread_id; /* object id of a thread, as in START THREAD; 0: all */
	/* The serial of the live thread with that thread_id; 0 with thread_id 0. A
	 * command for an unknown thread does not reach the modes. */
	uint32_t thread_serial;
	uint16_t depth; /* frames of a trace */
};

#endif
