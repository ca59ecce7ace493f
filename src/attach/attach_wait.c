/*
 * attach_wait.c: see attach_wait.h.
 */
#include "attach/attach_wait.h"

#include "attach/jvm_names.h"
#include "console/messages.h"
#include "os/os_programs.h"
#include "os/time_units.h"

#include <stdio.h>

#define LOOK_NS (NS_PER_SECOND / 20)

enum { COMMAND_BYTES = 256, LINE_COMMAND_BYTES = 40 };

/* The line that is redrawn each second. */
struct elapsed_line {
	bool is_shown;
	uint64_t drawn_s; /* UINT64_MAX: never */
	uint64_t pid;
	char command[COMMAND_BYTES];
};

static void begin(struct elapsed_line *line, uint64_t pid)
{
	*line = (struct elapsed_line){
	        .is_shown = os_is_terminal(OS_STANDARD_ERROR), .drawn_s = UINT64_MAX, .pid = pid};
	if (line->is_shown)
		jvm_command_of(pid, line->command, sizeof(line->command));
}

static void draw(struct elapsed_line *line, uint64_t elapsed_s, long long seconds)
{
	char limit[32] = "";

	if (!line->is_shown || elapsed_s == line->drawn_s)
		return;
	line->drawn_s = elapsed_s;
	if (seconds >= 0)
		(void)snprintf(limit, sizeof(limit), " of %lld", seconds);
	(void)fprintf(stderr, "\r\033[Khprof: profiling %llu %.*s: %llu s%s; Ctrl-C ends it",
	              (unsigned long long)line->pid, LINE_COMMAND_BYTES,
	              console_shown(line->command).text, (unsigned long long)elapsed_s, limit);
	(void)fflush(stderr);
}

static void end(const struct elapsed_line *line)
{
	if (!line->is_shown)
		return;
	(void)fputs("\r\033[K", stderr);
	(void)fflush(stderr);
}

void attach_wait(const struct jvm *jvm, uint64_t pid, long long seconds)
{
	struct elapsed_line line;
	uint64_t begun_ns = os_monotonic_ns();

	begin(&line, pid);
	while (!os_interrupted() && jvm_is_running(jvm)) {
		uint64_t elapsed_ns = os_monotonic_ns() - begun_ns;
		if (seconds >= 0 && elapsed_ns >= (uint64_t)seconds * NS_PER_SECOND)
			break;
		draw(&line, elapsed_ns / NS_PER_SECOND, seconds);
		os_sleep_until(os_monotonic_ns() + LOOK_NS);
	}
	end(&line);
}
