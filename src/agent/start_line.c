/*
 * start_line.c: see start_line.h.
 */
#include "agent/start_line.h"

#include <stdio.h>
#include <string.h>

/* The modes of a line, separated by commas. Holds all of them. */
struct mode_list {
	char text[256];
};

static void add(struct mode_list *list, const char *mode)
{
	(void)strlcat(list->text, list->text[0] == '\0' ? "" : ", ", sizeof(list->text));
	(void)strlcat(list->text, mode, sizeof(list->text));
}

static void add_heap(struct mode_list *list, const struct settings *settings)
{
	static const char *const modes[] = {
	        [HEAP_DUMP] = "heap=dump", [HEAP_SITES] = "heap=sites", [HEAP_ALL] = "heap=all"};
	char text[64];

	if (settings->heap == HEAP_OFF)
		return;
	if (settings->heap_interval == 0) {
		add(list, modes[settings->heap]);
		return;
	}
	(void)snprintf(text, sizeof(text), "%s every %u bytes", modes[settings->heap],
	               (unsigned)settings->heap_interval);
	add(list, text);
}

static void add_cpu(struct mode_list *list, const struct settings *settings)
{
	char text[64];

	switch (settings->cpu) {
	case CPU_SAMPLES:
		(void)snprintf(text, sizeof(text), "cpu=samples every %u ms",
		               (unsigned)settings->interval_ms);
		add(list, text);
		break;
	case CPU_TIMES:
		add(list, "cpu=times");
		break;
	case CPU_OLD:
		add(list, "cpu=old");
		break;
	default:
		break;
	}
}

void start_line_format(const struct settings *settings, const char *output_name, char *line,
                       size_t size)
{
	struct mode_list list = {""};

	add_heap(&list, settings);
	add_cpu(&list, settings);
	if (settings->monitor)
		add(&list, "monitor=y");
	if (settings->msa && settings->format == FORMAT_TEXT)
		add(&list, "msa=y");
	(void)snprintf(line, size, "profiling %s to %s", list.text, output_name);
}
