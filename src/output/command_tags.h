/*
 * command_tags.h: the commands that a peer of net= sends ("Socket Connection and
 * Communication" in the HPROF manual), for the agent, which takes them, and for the hprof
 * command, which sends them. A command is a tag (u1), a serial number (u4), the length of
 * its body (u4), and the body, the highest bytes first.
 */
#ifndef HPROF_OUTPUT_COMMAND_TAGS_H
#define HPROF_OUTPUT_COMMAND_TAGS_H

enum command_tag {
	TAG_FORCE_GC = 0x01,
	TAG_DUMP_HEAP = 0x02,
	TAG_ALLOC_SITES = 0x03,
	TAG_HEAP_SUMMARY = 0x04,
	TAG_EXIT = 0x05,
	TAG_DUMP_TRACES = 0x06,
	TAG_CPU_SAMPLES = 0x07,
	TAG_CONTROL = 0x08,
	TAG_EOF = 0xff
};

/* What the body of CONTROL begins with (u2). */
enum control_option {
	CONTROL_ALLOC_TRACES_ON = 0x1,
	CONTROL_ALLOC_TRACES_OFF = 0x2,
	CONTROL_CPU_SAMPLING_ON = 0x3,
	CONTROL_CPU_SAMPLING_OFF = 0x4,
	CONTROL_CPU_CLEAR = 0x5,
	CONTROL_MAX_DEPTH = 0x6
};

enum { COMMAND_HEAD_BYTES = 1 + 4 + 4 };

#endif
