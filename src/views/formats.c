/*
 * formats.c: see formats.h.
 */
#include "views/formats.h"

#include "console/messages.h"

#include <string.h>

/* Only the agent writes it. */
static const struct profile_format binary = {".hprof", .agent_format = 'b'};

/* Of two suffixes that match, the longer one comes first. */
static const struct profile_format *const formats[] = {
        &profile_format_page,      &profile_format_flame,
        &profile_format_collapsed, &profile_format_pprof,
        &profile_format_firefox,   &profile_format_speedscope,
        &profile_format_tables,    &binary,
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static bool ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name);
	return length >= strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0;
}

static bool is_built(const struct profile_format *format)
{
	return format->is_built == NULL || *format->is_built;
}

static const struct profile_format *find_format(const char *name)
{
	size_t i = 0;
	while (i < FORMATS && !ends_with(name, formats[i]->suffix))
		i++;
	return i < FORMATS ? formats[i] : NULL;
}

void profile_format_print_written(const char *name)
{
	const struct profile_format *format = find_format(name);
	bool is_profile = format == NULL || format->next_step == NULL;
	console_print_written(name,
	                      is_profile ? "print it with: hprof report FILE" : format->next_step);
}

/* Prints why the name's format, NULL for none, is unavailable, and the suffixes to choose from:
 * those that this command writes, or also those that the agent writes. */
static void refuse(const char *name, const struct profile_format *format, bool command_writes)
{
	char suffixes[256] = "";

	for (size_t i = 0; i < FORMATS; i++) {
		if (!is_built(formats[i]) || (command_writes && formats[i]->write == NULL))
			continue;
		(void)strlcat(suffixes, suffixes[0] == '\0' ? "" : " ", sizeof(suffixes));
		(void)strlcat(suffixes, formats[i]->suffix, sizeof(suffixes));
	}
	if (format == NULL)
		(void)console_usage(
		        "-o %s: the suffix of the name chooses the format; write one of: "
		        "%s",
		        console_shown(name).text, suffixes);
	else if (!is_built(format))
		(void)console_usage(
		        "-o %s: this hprof was built without %s, which %s files require; "
		        "write one of: %s",
		        console_shown(name).text, format->library, format->suffix, suffixes);
	else
		(void)console_usage("-o %s: only the agent writes %s files; write one of: %s",
		                    console_shown(name).text, format->suffix, suffixes);
}

const struct profile_format *profile_format_of_name(const char *name)
{
	const struct profile_format *format = find_format(name);

	if (format != NULL && is_built(format))
		return format;
	refuse(name, format, false);
	return NULL;
}

const struct profile_format *profile_format_to_write(const char *name)
{
	const struct profile_format *format = find_format(name);

	if (format != NULL && is_built(format) && format->write != NULL)
		return format;
	refuse(name, format, true);
	return NULL;
}

bool profile_format_write_file(const struct profile_format *format,
                               const struct view_request *request, const char *name)
{
	struct output output;

	if (!output_open(&output, name))
		return false;
	bool good = format->write(request, &output);
	/* Tables before an error are valid. */
	bool written = output_close(&output, good || format->is_tables);
	return good && written;
}
