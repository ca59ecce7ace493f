/*
 * profile_delivery.h: the last step of `hprof run` and `hprof attach`: from the profile that the
 * agent wrote to the output that was asked for. One thread.
 */
#ifndef HPROF_SESSION_PROFILE_DELIVERY_H
#define HPROF_SESSION_PROFILE_DELIVERY_H

#include "os/os.h"
#include "session/profile_plan.h"

enum { DELIVERY_PATH_MAX = 4096 };

struct profile_delivery {
	const struct profile_plan *plan;
	uint64_t number;      /* a part of the name of a kept profile */
	bool on_error_stream; /* the summary: standard output is the program's */
	bool is_lost;         /* set by delivery_finish() when no file has the whole profile */
	/* The output of the plan; without one, the file in the working directory in which the
	 * profile is kept. */
	char path[DELIVERY_PATH_MAX];
};

/* Where the profile is, unless the agent has written it at the path. */
struct profile_source {
	int (*open)(void *user, struct os_file *file);
	void *user;
};

/* Chooses the output and checks that it can be created: an existing one is refused. If it is the
 * agent's file, an empty one of mode 0600 is left there for the agent. The members before is_lost
 * are set. False after printing an error. */
bool delivery_begin(struct profile_delivery *delivery);

/* Removes what delivery_begin() has left, when there is no profile. */
void delivery_cancel(const struct profile_delivery *delivery);

/* Writes the output from source, or else (NULL) takes the file that is at the path already; prints
 * the summary if the plan has no output; prints the next step. A profile that can't be converted
 * is kept as it is. False after printing an error. */
bool delivery_finish(struct profile_delivery *delivery, const struct profile_source *source);

#endif
