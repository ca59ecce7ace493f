/*
 * dump_run.c: see dump_run.h.
 */
#include "heapdump/dump_run.h"

#include <stdio.h>

const char *dump_run_beside(const struct dump_run *run)
{
	const struct profile *profile = run->profile;
	return profile->settings->net_host[0] == '\0' ? profile->output_name : NULL;
}

void dump_run_explain(struct dump_run *run, const char *what, int code)
{
	char text[OS_ERROR_TEXT_MAX];
	os_error_text(code, text, sizeof(text));
	(void)snprintf(run->reason, sizeof(run->reason), "%s: %s", what, text);
}
