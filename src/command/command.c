/*
 * command.c: see command.h.
 */
#include "command/command.h"

#include "base/printable.h"
#include "command/input.h"
#include "hprof/hprof_reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HPROF_VERSION
#define HPROF_VERSION "unknown"
#endif

static int help(int count, char **arguments);
static int version(int count, char **arguments);

const struct subcommand command_table[] = {
        {"run", "[OPTIONS] -- java ARGUMENTS", "run Java under the agent with OPTIONS",
         command_run},
        {"attach", "PID [OPTIONS | stop]",
         "load the agent into a running JVM, or stop the profile there", command_attach},
        {"listen", "[-o FILE] [--send COMMAND]... [HOST:]PORT | unix:/PATH",
         "receive what an agent with net= sends, and send it commands", command_listen},
        {"report",
         "[--collapsed | --flame] [--of KIND] [--last] [--threads] [--top N] [-o FILE] FILE",
         "print tables of a profile, or write collapsed stacks or a flame graph", command_report},
        {"check", "FILE", "validate a binary profile", command_check},
        {"help", "", "print this text", help},
        {"--version", "", "print the version", version},
        {NULL, NULL, NULL, NULL},
};

/* ---- messages ------------------------------------------------------------ */

static void print_line(const char *format, va_list values)
{
	(void)fputs("hprof: ", stderr);
	(void)vfprintf(stderr, format, values);
	(void)fputc('\n', stderr);
}

int command_usage(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	print_line(format, values);
	va_end(values);
	return COMMAND_USAGE;
}

int command_failed(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	print_line(format, values);
	va_end(values);
	return COMMAND_FAILED;
}

void command_print(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	print_line(format, values);
	va_end(values);
}

struct shown command_shown(const char *text)
{
	struct shown shown = {.text = ""};
	printable_text(text, strlen(text), shown.text, sizeof(shown.text));
	return shown;
}

struct shown command_reason(int code)
{
	struct shown shown = {.text = ""};
	if (code == HPROF_BROKEN)
		(void)strlcpy(shown.text, "not in the HPROF binary format", sizeof(shown.text));
	else if (code == INPUT_BROKEN)
		(void)strlcpy(shown.text, "the compressed data is corrupt or truncated",
		              sizeof(shown.text));
	else
		os_error_text(code, shown.text, sizeof(shown.text));
	return shown;
}

bool command_number(const char *text, long long minimum, long long maximum, long long *number)
{
	/* strtonum accepts leading blanks and signs, which are typing errors here. */
	if (!isdigit((unsigned char)text[0]))
		return false;
	const char *problem;
	*number = strtonum(text, minimum, maximum, &problem);
	return problem == NULL;
}

/* ---- the command line ----------------------------------------------------- */

static int help(int count, char **arguments)
{
	(void)count;
	(void)arguments;
	(void)puts("usage:");
	for (const struct subcommand *row = command_table; row->name != NULL; row++)
		(void)printf("  hprof %s%s%s\n      %s\n", row->name,
		             row->synopsis[0] == '\0' ? "" : " ", row->synopsis, row->summary);
	(void)puts("OPTIONS are those of the agent: java -agentlib:hprof=help lists them.\n"
	           "See hprof(1) for more.");
	return COMMAND_DONE;
}

static int version(int count, char **arguments)
{
	(void)count;
	(void)arguments;
	(void)puts("hprof " HPROF_VERSION);
	return COMMAND_DONE;
}

static int unknown(const char *name)
{
	char names[256] = "";
	for (const struct subcommand *row = command_table; row->name != NULL; row++) {
		(void)strlcat(names, " ", sizeof(names));
		(void)strlcat(names, row->name, sizeof(names));
	}
	return command_usage("unknown subcommand %s; write one of:%s", command_shown(name).text,
	                     names);
}

int command_main(int count, char **arguments)
{
	if (count < 2)
		return command_usage("no subcommand; hprof help lists them");
	const char *name = arguments[1];
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	if (strcmp(name, "-V") == 0 || strcmp(name, "version") == 0)
		name = "--version";
	for (const struct subcommand *row = command_table; row->name != NULL; row++) {
		if (strcmp(row->name, name) == 0)
			return row->run(count - 2, arguments + 2);
	}
	return unknown(name);
}
