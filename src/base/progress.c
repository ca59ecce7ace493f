/*
 * progress.c: see progress.h.
 */
#include "base/progress.h"

#include "base/messages.h"
#include "os/os.h"
#include "os/time_units.h"

#include <stdio.h>
#include <string.h>

#define REDRAW_NS (NS_PER_SECOND / 5)
#define LOG_NS (10 * NS_PER_SECOND)

/* Moves to the start of the line and clears it. */
#define LINE_START "\r\033[K"

void progress_begin(struct progress *progress, const char *title)
{
	progress->active = true;
	progress->terminal = messages_are_on_terminal();
	progress->drawn = false;
	progress->begun_ns = os_monotonic_ns();
	progress->due_ns = progress->begun_ns + NS_PER_SECOND;
	(void)strlcpy(progress->title, title, sizeof(progress->title));
}

void progress_update(struct progress *progress, uint64_t done, uint64_t total, const char *things)
{
	char line[PROGRESS_TITLE_MAX + 128];
	uint64_t now_ns;

	if (!progress->active || (now_ns = os_monotonic_ns()) < progress->due_ns)
		return;
	unsigned seconds = (unsigned)((now_ns - progress->begun_ns) / NS_PER_SECOND);
	if (total > 0)
		(void)snprintf(line, sizeof(line), "%s ... %.0f%% (%llu of %llu %s), %u s",
		               progress->title,
		               done < total ? 100.0 * (double)done / (double)total : 100.0,
		               (unsigned long long)done, (unsigned long long)total, things,
		               seconds);
	else
		(void)snprintf(line, sizeof(line), "%s ... %llu %s, %u s", progress->title,
		               (unsigned long long)done, things, seconds);

	if (progress->terminal) {
		(void)fprintf(stderr, LINE_START "hprof: %s", line);
		(void)fflush(stderr);
		progress->drawn = true;
		progress->due_ns = now_ns + REDRAW_NS;
	} else {
		message_print("%s", line);
		progress->due_ns = now_ns + LOG_NS;
	}
}

void progress_end(struct progress *progress)
{
	progress->active = false;
	if (!progress->drawn)
		return;
	progress->drawn = false;
	(void)fputs(LINE_START, stderr);
	(void)fflush(stderr);
}
