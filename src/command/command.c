/*
 * command.c: see command.h.
 */
#include "command/command.h"

#include <stdio.h>
#include <string.h>

static int help(int count, char **arguments);
static int version(int count, char **arguments);

/* The modes of profile_modes. */
#define MODES_HELP                                                                          \
	"                     cpu       where time is spent, at almost no cost\n"           \
	"                     calls     every call, and the CPU time of each method\n"      \
	"                     offcpu    the same, and where threads wait, exactly\n"        \
	"                     live      which code allocates the objects that stay alive\n" \
	"                     alloc     which code allocates, without tracking objects\n"   \
	"                     monitors  which monitors threads wait for, and how long\n"    \
	"                     dump      all objects that are alive at the end\n"

const struct subcommand command_table[] = {
        {"run", "[-e MODE] [-o FILE] [OPTIONS] -- java ARGUMENTS",
         "profile a Java program from its start to its end, and report it",
         "  -e MODE          what is profiled; default: cpu\n" MODES_HELP
         "  -o FILE          write to FILE, which must not exist, in the format of its suffix:\n"
         "                   .txt and .hprof, the agent's own, .html and others of hprof report\n"
         "Without -o, a summary is printed, and the profile is kept.\n"
         "OPTIONS are those of the agent, in one word; java -agentlib:hprof=help lists them.\n"
         "With OPTIONS alone, the process becomes the JVM, with the agent's own defaults.\n"
         "\n"
         "  hprof run -- java Main\n"
         "  hprof run -e calls -o main.html -- java -jar main.jar\n"
         "  hprof run cpu=samples,depth=30,file=main.txt -- java Main\n",
         command_run},
        {"attach", "[-e MODE] [-d TIME] [-o FILE] [--libpath PATH] PID | NAME [OPTIONS | stop]",
         "profile a running JVM and report it, or only load the agent there",
         "  -e MODE          what is profiled; default: cpu\n" MODES_HELP
         "  -d TIME          how long: 30 or 30s, 5m, 2h; default: until Ctrl-C\n"
         "  -o FILE          write to FILE, which must not exist, in the format of its suffix:\n"
         "                   .txt and .hprof, the agent's own, .html and others of hprof report\n"
         "  --libpath PATH   of the agent's library, as the JVM sees it\n"
         "NAME is a main class or a jar, as jcmd lists it.\n"
         "Without -o, a summary is printed, and the profile is kept.\n"
         "OPTIONS are those of the agent, in one word; java -agentlib:hprof=help lists them.\n"
         "With OPTIONS alone, the agent is loaded with its own defaults, and the profile\n"
         "goes on; stop ends it and completes its file.\n"
         "\n"
         "  hprof attach -d 30s -o server.html com.acme.Server\n"
         "  hprof attach -e dump -o server.hprof 4711\n"
         "  hprof attach 4711 cpu=samples,depth=30,file=/tmp/server.txt\n"
         "  hprof attach 4711 stop\n",
         command_attach},
        {"listen", "[-o FILE] [--send COMMAND]... [HOST:]PORT | unix:/PATH",
         "receive what an agent with net= sends, and send it commands",
         "  -o FILE          write to FILE, which must not exist; default: standard output\n"
         "  --send COMMAND   send this command, and end when all are sent\n"
         "\n"
         "  hprof listen -o main.hprof 9999\n",
         command_listen},
        {"report", "[OPTIONS] [-o FILE] FILE",
         "print what a profile shows, or write it in another format",
         "Without an option: a summary, the hot methods, and tables of the stacks.\n"
         "\n"
         "  --traces         print the tables alone, with all frames\n"
         "  --by GROUP       print costs by method, line, class, package, thread or state alone\n"
         "  --tree           print a tree of calls alone, callers above their callees\n"
         "  --inverted       print a tree of callers alone, each method above its callers\n"
         "  --below REGEX    print a tree alone, in which stacks begin with a matching method\n"
         "  --min PERCENT    leave out lines of a tree with a smaller share; default: 1\n"
         "  --threads        print costs by thread; begin stacks with their thread\n"
         "  --top N          rows of each table; 0: all; default: 30, by state 10\n"
         "  --of KIND        use samples, times, off-cpu, sites, monitors or a state (lck) alone\n"
         "  --last           use the last section of each kind alone\n"
         "  --filter REGEX   keep stacks that have a matching method or thread alone\n"
         "  --ignore REGEX   leave out stacks that have a matching method or thread\n"
         "  -o FILE          write FILE, which must not exist; its suffix is the format:\n"
         "                   .html, .txt, .collapsed, .svg, .pb.gz, .json (speedscope),\n"
         "                   .firefox.json\n"
         "  --json           write the same as JSON, for programs, whatever the suffix\n"
         "  --collapsed      write collapsed stacks, one a line, whatever the suffix\n"
         "  --flame          write a flame graph, an SVG picture, whatever the suffix\n"
         "\n"
         "  hprof report --top 10 java.hprof.txt\n"
         "  hprof report --by package --ignore 'Unsafe[.]park' java.hprof.txt\n"
         "  hprof report -o main.html java.hprof.txt\n",
         command_report},
        {"diff",
         "[--json] [--of KIND] [--normalize] [--last] [--threads] [--top N] [-o FILE] OLD NEW",
         "compare two profiles: tables, stacks or a flame graph of what changed",
         "  --json           write JSON, for programs, whatever the suffix\n"
         "  --of KIND        samples, times, calls, off-cpu, sites, monitors, heap, states,\n"
         "                   or a state, as lck, alone\n"
         "  --normalize      scale the old values so that both totals are equal\n"
         "  --last           use the last section of each kind alone\n"
         "  --threads        begin stacks with their thread\n"
         "  --top N          rows of each table; 0: all; default: 20\n"
         "  -o FILE          write to FILE, which must not exist, by its suffix: .txt tables,\n"
         "                   .collapsed stacks with two numbers, .svg and .html a flame graph\n"
         "\n"
         "  hprof diff --of calls old.hprof.txt new.hprof.txt\n"
         "  hprof diff --normalize -o change.svg old.hprof.txt new.hprof.txt\n",
         command_diff},
        {"check",
         "[--json [-o FILE]] FILE | --baseline OLD [--budget FILE] [--classes PATTERN]... [--junit "
         "FILE] "
         "[--json [-o FILE]] [--top N] NEW",
         "validate a binary profile, or compare calls and allocations with a baseline",
         "FILE: reads every record; the exit code is 1 if there is an error.\n"
         "  --baseline OLD   fail if a context of the program's methods has more calls or\n"
         "                   allocated bytes in NEW than in OLD; the exit code is then 1\n"
         "  --budget FILE    lines PATTERN +N% or PATTERN +N: how much may be added\n"
         "  --classes PATTERN   the program's classes; default: all except the JDK's\n"
         "  --junit FILE     write the result as XML too; FILE must not exist\n"
         "  --json           print the result as JSON, for programs\n"
         "  -o FILE          write the JSON to FILE, which must not exist\n"
         "  --top N          contexts to print, of calls and of bytes; 0: all; default: 3\n"
         "\n"
         "  hprof check java.hprof\n"
         "  hprof check --baseline main.txt.gz --junit gate.xml branch.txt.gz\n",
         command_check},
        {"mcp", "", "let a program ask for reports, by the Model Context Protocol",
         "Answers JSON-RPC 2.0 on standard input and output, a message a line, until the\n"
         "input ends. Tools: run, hot_methods, tree, sites, states, diff, verdict.\n"
         "\n"
         "  hprof mcp\n",
         command_mcp},
        {"help", "[SUBCOMMAND]", "print this text, or the options of a subcommand",
         "  hprof help report\n", help},
        {"--version", "", "print the version, and the JDKs it is tested with",
         "  hprof --version\n", version},
        {NULL, NULL, NULL, NULL, NULL},
};

static const struct subcommand *find_subcommand(const char *name)
{
	for (const struct subcommand *row = command_table; row->name != NULL; row++) {
		if (strcmp(row->name, name) == 0)
			return row;
	}
	return NULL;
}

static int unknown(const char *name)
{
	char names[256] = "";
	for (const struct subcommand *row = command_table; row->name != NULL; row++) {
		(void)strlcat(names, " ", sizeof(names));
		(void)strlcat(names, row->name, sizeof(names));
	}
	return console_usage("unknown subcommand %s; write one of:%s", console_shown(name).text,
	                     names);
}

static int help_of(const struct subcommand *subcommand)
{
	(void)printf("usage: hprof %s%s%s\n%s\n\n%s", subcommand->name,
	             subcommand->synopsis[0] == '\0' ? "" : " ", subcommand->synopsis,
	             subcommand->summary, subcommand->details);
	return EXIT_DONE;
}

static int help(int count, char **arguments)
{
	if (count > 0) {
		const struct subcommand *subcommand = find_subcommand(arguments[0]);
		return subcommand != NULL ? help_of(subcommand) : unknown(arguments[0]);
	}
	(void)puts("usage:");
	for (const struct subcommand *row = command_table; row->name != NULL; row++)
		(void)printf("  hprof %s%s%s\n      %s\n", row->name,
		             row->synopsis[0] == '\0' ? "" : " ", row->synopsis, row->summary);
	(void)puts("OPTIONS are those of the agent: java -agentlib:hprof=help lists them.\n"
	           "hprof SUBCOMMAND --help lists its options. See hprof(1) for more.");
	return EXIT_DONE;
}

static int version(int count, char **arguments)
{
	(void)count;
	(void)arguments;
	(void)puts("hprof " HPROF_VERSION "\ntested with JDK 11, 17, 21 and 25");
	return EXIT_DONE;
}

/* Whether the arguments ask for help; those of a program after -- do not. */
static bool asks_for_help(int count, char **arguments)
{
	for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++) {
		if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
			return true;
	}
	return false;
}

int command_main(int count, char **arguments)
{
	if (count < 2)
		return console_usage("no subcommand; hprof help lists them");
	const char *name = arguments[1];
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	if (strcmp(name, "-V") == 0 || strcmp(name, "version") == 0)
		name = "--version";
	const struct subcommand *subcommand = find_subcommand(name);
	if (subcommand == NULL)
		return unknown(name);
	if (asks_for_help(count - 2, arguments + 2))
		return help_of(subcommand);
	return subcommand->run(count - 2, arguments + 2);
}
