/*
 * without_protobuf.c: pprof.h for a build without the protobuf library.
 */
#include "export/pprof.h"

const bool pprof_is_available = false;

bool stack_profile_write_pprof(const struct stack_profile *stacks, struct output *output)
{
	(void)stacks;
	(void)output;
	return false;
}
