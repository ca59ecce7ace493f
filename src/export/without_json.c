/*
 * without_json.c: speedscope.h and firefox.h for a build without the JSON library.
 */
#include "export/firefox.h"
#include "export/speedscope.h"

const bool json_is_available = false;

bool stack_profile_write_speedscope(const struct stack_profile *stacks, const char *name,
                                    struct output *output)
{
	(void)stacks;
	(void)name;
	(void)output;
	return false;
}

bool stack_profile_write_firefox(const struct stack_profile *stacks, struct output *output)
{
	(void)stacks;
	(void)output;
	return false;
}
