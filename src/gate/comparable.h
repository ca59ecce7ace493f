/*
 * comparable.h: decides whether two profiles can be compared exactly. Pure.
 */
#ifndef HPROF_GATE_COMPARABLE_H
#define HPROF_GATE_COMPARABLE_H

#include "gate/contexts.h"

#include <stdbool.h>

enum { REFUSAL_MAX = 1024, OPTION_VALUE_MAX = 64 };

/* What a comparison requires of one profile. */
struct side_facts {
	const char *name;    /* of the file, as it is printed */
	const char *options; /* of the agent, as the file has them; NULL: it does not */
	bool sampled;        /* see struct contexts_visitor */
	bool tracked;
	bool rest;
};

/* The options that both profiles are to be recorded with. */
#define GATE_OPTIONS "cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n,notes=y"

/* False with a line that says why and what to do. */
bool profiles_comparable(const struct contexts *contexts, const struct side_facts facts[SIDES],
                         char refusal[REFUSAL_MAX]);

/* The value of the last item "name=value" of an option string, cut to size. False if there is
 * none. */
bool option_value(const char *options, const char *name, char value[OPTION_VALUE_MAX]);

#endif
