/*
 * option_place.c: see option_place.h.
 */
#include "command/option_place.h"

#include "console/messages.h"

#include <string.h>

bool option_unknown(const char *subcommand, const char *option)
{
	(void)console_usage("unknown option %s; hprof %s --help lists the options",
	                    console_shown(option).text, subcommand);
	return false;
}

bool option_without_value(const char *subcommand, const char *option)
{
	(void)console_usage("%s requires a value; hprof %s --help lists the options",
	                    console_shown(option).text, subcommand);
	return false;
}

bool option_place_take(const char *subcommand, const struct option_place *places, char **arguments,
                       int *at)
{
	const char *option = arguments[*at];

	while (places->name != NULL && strcmp(places->name, option) != 0)
		places++;
	if (places->name == NULL)
		return option_unknown(subcommand, option);
	if (arguments[*at + 1] == NULL)
		return option_without_value(subcommand, option);
	if (*places->value != NULL) {
		(void)console_usage("%s is given twice; write it once", option);
		return false;
	}
	*places->value = arguments[++*at];
	return true;
}
