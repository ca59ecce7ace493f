/*
 * profile_format.h: a format in which the command writes profiles. Constant.
 */
#ifndef HPROF_COMMAND_PROFILE_FORMAT_H
#define HPROF_COMMAND_PROFILE_FORMAT_H

#include "command/profile_job.h"
#include "console/output.h"

struct profile_format {
	const char *suffix;
	/* A file that the agent itself writes: 'a' text, 'b' binary; 0: none. */
	char agent_format;
	bool is_tables; /* rows without their stacks as a tree */
	/* Reads the job's input and writes all of the output. False after printing an error;
	 * errors of the output are printed by output_close(). NULL: only the agent writes it. */
	bool (*write)(const struct profile_job *job, struct output *output);
	const char *library;  /* that writing requires; NULL: none */
	const bool *is_built; /* whether this build has it; NULL: always */
};

#endif
