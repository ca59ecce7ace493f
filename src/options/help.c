/*
 * help.c: the text of -agentlib:hprof=help, in the older agent's layout.
 */
#include "options/option_table.h"
#include "options/options.h"

static const char usage[] = "\n"
                            "     HPROF: heap, CPU and monitor profiles of Java programs\n"
                            "\n"
                            "hprof usage: java -agentlib:hprof=[help]|[<option>=<value>, ...]\n";

static const char ending[] =
        "\n"
        "Examples\n"
        "--------\n"
        "  - Sample CPU time every 20 ms of it, with stacks of 30 frames:\n"
        "      java -agentlib:hprof=cpu=samples,interval=20,depth=30 Main\n"
        "  - Show which code allocates the objects that are alive:\n"
        "      java -agentlib:hprof=heap=sites Main\n"
        "  - Sample in binary form, for a front end:\n"
        "      java -agentlib:hprof=cpu=samples,format=b,file=main.hprof Main\n"
        "\n"
        "Notes\n"
        "-----\n"
        "  - format=b excludes monitor=y.\n"
        "  - format=b excludes cpu=old and cpu=times.\n"
        "  - In <file>, %p stands for the process id and %t for the time of the start.\n"
        "  - Where the JVM still accepts it, -Xrunhprof:<options> is the same.\n"
        "  - Options for debugging the older agent, such as logflags=<mask> and\n"
        "    errorexit=y|n, are accepted and have no effect.\n"
        "  - man hprof describes each option and the output.\n"
        "\n"
        "Warnings\n"
        "--------\n"
        "  - hprof is not part of the JDK, and vendors of JDKs do not support it.\n"
        "  - A later JDK will do without -Xrunhprof; use -agentlib:hprof.\n"
        "  - The binary format may get new records: readers should skip those they\n"
        "    do not know.\n";

static void print_line(FILE *out, const char *name, const char *description, const char *fallback)
{
	if (fallback[0] == '\0')
		(void)fprintf(out, "%-22s %s\n", name, description);
	else
		(void)fprintf(out, "%-22s %-30s %s\n", name, description, fallback);
}

static void print_options(FILE *out, enum option_section section)
{
	for (const struct option *option = option_table; option->name != NULL; option++) {
		char name[64];
		if (option->section != section)
			continue;
		(void)snprintf(name, sizeof(name), "%s%s%s", option->name,
		               option->kind == OPTION_LONE ? "" : "=", option->values);
		if (option->description == NULL)
			(void)fprintf(out, "%s\n", name);
		else
			print_line(out, name, option->description, option->fallback);
	}
}

void options_help(FILE *out)
{
	(void)fprintf(out, "%s\n", usage);
	print_line(out, "Option Name and Value", "Description", "Default");
	print_line(out, "---------------------", "-----------", "-------");
	print_options(out, SECTION_MANUAL);
	(void)fputs("\nAdditional Options\n------------------\n", out);
	print_options(out, SECTION_ADDED);
	(void)fputs("\nObsolete Options\n----------------\n", out);
	print_options(out, SECTION_OBSOLETE);
	(void)fputs(ending, out);
}
