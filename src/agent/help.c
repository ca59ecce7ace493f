/*
 * help.c: the text of -agentlib:hprof=help.
 */
#include "agent/option_table.h"
#include "agent/options.h"

static const char examples[] =
        "\n"
        "Examples\n"
        "--------\n"
        "  - Sample CPU time every 20 ms of it, with stacks of 30 frames:\n"
        "      java -agentlib:hprof=cpu=samples,interval=20,depth=30 Main\n"
        "  - The same in binary form, for a front end:\n"
        "      java -agentlib:hprof=cpu=samples,format=b,file=main.hprof Main\n"
        "\n"
        "Notes\n"
        "-----\n"
        "  - format=b can't be used with monitor=y, cpu=times or cpu=old.\n"
        "  - Where the JVM still takes it, -Xrunhprof:<options> is the same.\n"
        "  - man hprof tells the rest.\n";

void options_help(FILE *out)
{
	(void)fprintf(out,
	              "\n"
	              "     hprof: heap, CPU and monitor profiles of a Java program\n"
	              "\n"
	              "hprof usage: java -agentlib:hprof=[help]|[<option>=<value>, ...]\n"
	              "\n"
	              "%-22s  %-37s %s\n"
	              "%-22s  %-37s %s\n",
	              "Option Name and Value", "Description", "Default", "---------------------",
	              "-----------", "-------");
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option->description == NULL)
			continue;
		char name_and_value[64];
		(void)snprintf(name_and_value, sizeof(name_and_value), "%s%s%s", option->name,
		               option->kind == OPTION_LONE ? "" : "=", option->values);
		(void)fprintf(out, "%-22s  ", name_and_value);
		if (option->fallback[0] == '\0')
			(void)fprintf(out, "%s\n", option->description);
		else
			(void)fprintf(out, "%-37s %s\n", option->description, option->fallback);
	}
	(void)fputs(examples, out);
}
