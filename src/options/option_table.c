/*
 * option_table.c: the options of the HPROF manual and those added to it.
 */
#include "options/option_table.h"

#include "options/settings.h"

#include <stdint.h>
#include <stdio.h>

static const struct option_choice heap_choices[] = {
        {"dump", HEAP_DUMP},
        {"sites", HEAP_SITES},
        {"all", HEAP_ALL},
        {NULL, 0},
};

static const struct option_choice cpu_choices[] = {
        {"samples", CPU_SAMPLES},
        {"times", CPU_TIMES},
        {"old", CPU_OLD},
        {NULL, 0},
};

static const struct option_choice format_choices[] = {
        {"a", FORMAT_TEXT},
        {"b", FORMAT_BINARY},
        {NULL, 0},
};

static const struct option_choice engine_choices[] = {
        {"async", ENGINE_ASYNC},
        {"clock", ENGINE_CLOCK},
        {NULL, 0},
};

static const struct option_choice stacks_choices[] = {
        {"walk", STACKS_WALK},
        {"vm", STACKS_VM},
        {"check", STACKS_CHECK},
        {NULL, 0},
};

static const struct option_choice dumper_choices[] = {
        {"vm", DUMPER_VM},
        {"jvmti", DUMPER_JVMTI},
        {NULL, 0},
};

#define AT(member) offsetof(struct settings, member)
#define IGNORED(its_name, its_kind, its_values)                                 \
	{                                                                       \
		.name = (its_name), .kind = (its_kind), .values = (its_values), \
		.section = SECTION_NONE, .no_effect = true                      \
	}

const struct option option_table[] = {
        {.name = "heap",
         .kind = OPTION_WORD,
         .values = "dump|sites|all",
         .description = "heap profiling",
         .fallback = "all",
         .offset = AT(heap),
         .choices = heap_choices},
        {.name = "cpu",
         .kind = OPTION_WORD,
         .values = "samples|times|old",
         .description = "CPU usage",
         .fallback = "off",
         .offset = AT(cpu),
         .choices = cpu_choices},
        {.name = "monitor",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .description = "monitor contention",
         .fallback = "n",
         .offset = AT(monitor)},
        {.name = "format",
         .kind = OPTION_WORD,
         .values = "a|b",
         .description = "text (a) or binary (b) output",
         .fallback = "a",
         .offset = AT(format),
         .choices = format_choices},
        {.name = "file",
         .kind = OPTION_FILE,
         .values = "<file>",
         .description = "write data to file",
         .fallback = "java.hprof[{.txt}]",
         .offset = AT(file)},
        {.name = "net",
         .kind = OPTION_ADDRESS,
         .values = "<host>:<port>",
         .description = "send data over a socket",
         .fallback = "off",
         .offset = AT(net_host)},
        {.name = "depth",
         .kind = OPTION_NUMBER,
         .values = "<size>",
         .description = "stack trace depth",
         .fallback = "4",
         .offset = AT(depth),
         .minimum = 0,
         .maximum = UINT16_MAX},
        {.name = "interval",
         .kind = OPTION_NUMBER,
         .values = "<ms>",
         .description = "CPU time per sample in ms",
         .fallback = "10",
         .offset = AT(interval_ms),
         .minimum = 1,
         .maximum = 3600000},
        {.name = "cutoff",
         .kind = OPTION_RATIO,
         .values = "<value>",
         .description = "output cutoff point",
         .fallback = "0.0001",
         .offset = AT(cutoff)},
        {.name = "lineno",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .description = "line number in traces?",
         .fallback = "y",
         .offset = AT(lineno)},
        {.name = "thread",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .description = "thread in traces?",
         .fallback = "n",
         .offset = AT(thread)},
        {.name = "doe",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .description = "dump on exit?",
         .fallback = "y",
         .offset = AT(doe)},
        {.name = "msa",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .description = "micro state accounting",
         .fallback = "n",
         .offset = AT(msa)},
        {.name = "force",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .description = "force output to <file>",
         .fallback = "y",
         .offset = AT(force)},
        {.name = "verbose",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .description = "print messages about dumps",
         .fallback = "y",
         .offset = AT(verbose)},
        {.name = "live",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .section = SECTION_ADDED,
         .description = "count live objects by site?",
         .fallback = "y",
         .offset = AT(live)},
        {.name = "heapinterval",
         .kind = OPTION_BYTES,
         .values = "<bytes>",
         .section = SECTION_ADDED,
         .description = "bytes per sampled allocation",
         .fallback = "0 (all)",
         .offset = AT(heap_interval),
         .minimum = 0,
         .maximum = INT32_MAX},
        {.name = "include",
         .kind = OPTION_PATTERN,
         .values = "<pattern>",
         .section = SECTION_ADDED,
         .description = "only these classes or methods",
         .fallback = "all",
         .offset = AT(filter.include)},
        {.name = "exclude",
         .kind = OPTION_PATTERN,
         .values = "<pattern>",
         .section = SECTION_ADDED,
         .description = "not these classes or methods",
         .fallback = "none",
         .offset = AT(filter.exclude)},
        {.name = "vthreads",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .section = SECTION_ADDED,
         .description = "virtual threads as threads?",
         .fallback = "n",
         .offset = AT(virtual_threads)},
        {.name = "native",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .section = SECTION_ADDED,
         .description = "mark native methods in text?",
         .fallback = "n",
         .offset = AT(native)},
        {.name = "timeline",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .section = SECTION_ADDED,
         .description = "times of CPU samples?",
         .fallback = "n",
         .offset = AT(timeline)},
        {.name = "costs",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .section = SECTION_ADDED,
         .description = "exact times of all traces?",
         .fallback = "n",
         .offset = AT(costs)},
        {.name = "notes",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .section = SECTION_ADDED,
         .description = "notes about the run?",
         .fallback = "n",
         .offset = AT(notes)},
        {.name = "messages",
         .kind = OPTION_FILE,
         .values = "<file>",
         .section = SECTION_ADDED,
         .description = "append messages to file",
         .fallback = "stderr",
         .offset = AT(messages)},
        {.name = "replace",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .section = SECTION_ADDED,
         .description = "attach: end a running profile?",
         .fallback = "y",
         .offset = AT(replace)},
        {.name = "help",
         .kind = OPTION_LONE,
         .values = "",
         .section = SECTION_ADDED,
         .description = "print this text and exit",
         .fallback = "",
         .offset = AT(help)},
        {.name = "stop",
         .kind = OPTION_LONE,
         .values = "",
         .section = SECTION_ADDED,
         .description = "attach: end the profile",
         .fallback = "",
         .offset = AT(stop)},
        {.name = "gc_okay",
         .kind = OPTION_FLAG,
         .values = "y|n",
         .section = SECTION_OBSOLETE,
         .no_effect = true},
        /* For debugging the older agent, whose tests use them. */
        IGNORED("logflags", OPTION_MASK, "<mask>"),
        IGNORED("debugflags", OPTION_MASK, "<mask>"),
        IGNORED("X", OPTION_MASK, "<mask>"),
        IGNORED("coredump", OPTION_FLAG, "y|n"),
        IGNORED("errorexit", OPTION_FLAG, "y|n"),
        IGNORED("pause", OPTION_FLAG, "y|n"),
        IGNORED("debug", OPTION_FLAG, "y|n"),
        IGNORED("primfields", OPTION_FLAG, "y|n"),
        IGNORED("primarrays", OPTION_FLAG, "y|n"),
        {.name = "engine", /* for tests; in the man page, not in the help text */
         .kind = OPTION_WORD,
         .values = "async|clock",
         .section = SECTION_NONE,
         .offset = AT(engine),
         .choices = engine_choices},
        {.name = "stacks", /* for tests, as engine is */
         .kind = OPTION_WORD,
         .values = "walk|vm|check",
         .section = SECTION_NONE,
         .offset = AT(stacks),
         .choices = stacks_choices},
        {.name = "dumper", /* the same */
         .kind = OPTION_WORD,
         .values = "vm|jvmti",
         .section = SECTION_NONE,
         .offset = AT(dumper),
         .choices = dumper_choices},
        {.name = NULL},
};

void option_legal_values(const struct option *option, char *text, size_t size)
{
	switch (option->kind) {
	case OPTION_WORD:
	case OPTION_FLAG:
		(void)snprintf(text, size, "%s=%s", option->name, option->values);
		break;
	case OPTION_NUMBER:
		(void)snprintf(text, size, "%s=N with N a whole number from %lld to %lld",
		               option->name, option->minimum, option->maximum);
		break;
	case OPTION_MASK:
		(void)snprintf(text, size, "%s=N with N a number such as 4 or 0xc", option->name);
		break;
	case OPTION_BYTES:
		(void)snprintf(text, size,
		               "%s=BYTES with BYTES a whole number from %lld to %lld, or one "
		               "followed by k, m or g",
		               option->name, option->minimum, option->maximum);
		break;
	case OPTION_RATIO:
		(void)snprintf(text, size, "%s=N with N a decimal number from 0 to 1",
		               option->name);
		break;
	case OPTION_FILE:
		(void)snprintf(text, size, "%s=NAME with NAME a file name of 1 to %d bytes",
		               option->name, SETTING_FILE_MAX - 1);
		break;
	case OPTION_ADDRESS:
		(void)snprintf(text, size,
		               "%s=HOST:PORT with PORT from 1 to 65535, or %s=unix:/PATH",
		               option->name, option->name);
		break;
	case OPTION_PATTERN:
		(void)snprintf(text, size,
		               "%s=PATTERN with PATTERN such as com.foo.* or com.foo.Bar.baz, at "
		               "most %d of them",
		               option->name, FILTER_PATTERNS_MAX);
		break;
	case OPTION_LONE:
		(void)snprintf(text, size, "%s, without a value", option->name);
		break;
	}
}
