/*
 * libFuzzer harness of the agent's options. It stops, besides what the sanitizers see, when
 * a refusal is not one printable line, or accepted settings are outside of their range.
 * `make fuzz` builds and runs it.
 */
#include "options/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void check_refusal(const char *error)
{
	if (error[0] == '\0' || strlen(error) >= OPTIONS_ERROR_MAX)
		abort();
	for (const char *at = error; *at != '\0'; at++) {
		if (iscntrl((unsigned char)*at))
			abort();
	}
}

static void check_settings(const struct settings *settings)
{
	if (settings->depth > 65535 || settings->interval_ms < 1 || settings->interval_ms > 3600000)
		abort();
	if (!(settings->cutoff >= 0.0 && settings->cutoff <= 1.0))
		abort();
	if (strlen(settings->file) >= sizeof(settings->file) ||
	    strlen(settings->net_host) >= sizeof(settings->net_host))
		abort();
	(void)filter_accepts(&settings->filter, "java/util/ArrayList", "add");
	(void)filter_accepts(&settings->filter, "A$B", "<init>");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct settings settings;
	char error[OPTIONS_ERROR_MAX] = "";
	char *text = strndup((const char *)data, size);

	if (text == NULL)
		return 0;
	if (options_parse(text, &settings, error, sizeof(error)))
		check_settings(&settings);
	else
		check_refusal(error);
	free(text);
	return 0;
}
