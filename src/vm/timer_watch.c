/*
 * timer_watch.c: see timer_watch.h.
 */
#include "vm/timer_watch.h"

#include <stdio.h>

#define NS_PER_MS 1e6

/* A line for the user or the reader. */
struct line {
	char text[256];
};

static struct line taken_line(const struct timer_watch *watch)
{
	struct line line;
	(void)snprintf(line.text, sizeof(line.text),
	               "%s: the program has taken the signal %s, which the agent's timers use",
	               watch->consequence, watch->found.signal);
	return line;
}

static struct line slowed_line(const struct timer_watch *watch)
{
	struct line line;
	(void)snprintf(line.text, sizeof(line.text),
	               "expirations of CPU timers took more than a quarter of a thread's time: "
	               "some timers now expire every %g ms; the unit of the counts is unchanged",
	               (double)watch->found.longest_period_ns / NS_PER_MS);
	return line;
}

static struct line lost_line(const struct timer_watch *watch)
{
	struct line line;
	(void)snprintf(line.text, sizeof(line.text),
	               "the CPU time of %u threads is incomplete: the system refuses a timer",
	               watch->found.lost);
	return line;
}

static struct line refused_line(const struct timer_watch *watch)
{
	struct line line;
	char reason[OS_ERROR_TEXT_MAX];

	os_error_text(atomic_load(&watch->refusal), reason, sizeof(reason));
	(void)snprintf(line.text, sizeof(line.text),
	               "%u threads are not sampled: the system refuses a timer (%s)",
	               atomic_load(&watch->refused), reason);
	return line;
}

void timer_watch_refused(struct timer_watch *watch, int error)
{
	int none = 0;
	char reason[OS_ERROR_TEXT_MAX];

	/* First, since a note may be written as soon as there is such a thread. */
	(void)atomic_compare_exchange_strong(&watch->refusal, &none, error);
	if (atomic_fetch_add(&watch->refused, 1) > 0)
		return;
	os_error_text(error, reason, sizeof(reason));
	message_print("some threads are not sampled: the system refuses a timer (%s); "
	              "write engine=clock",
	              reason);
}

bool timer_watch_poll(struct timer_watch *watch)
{
	struct os_cpu_timers_findings found;
	const struct os_cpu_timers_findings before = watch->found;

	os_cpu_timers_watch(&found);
	watch->found.signal = found.signal;
	watch->found.taken |= found.taken;
	watch->found.slowed += found.slowed;
	watch->found.lost += found.lost;
	if (found.longest_period_ns > before.longest_period_ns)
		watch->found.longest_period_ns = found.longest_period_ns;

	if (found.taken && !before.taken)
		message_print("%s", taken_line(watch).text);
	if (found.slowed > 0 && before.slowed == 0)
		message_print("%s", slowed_line(watch).text);
	if (found.lost > 0 && before.lost == 0)
		message_print("%s", lost_line(watch).text);
	return found.taken;
}

void timer_watch_write_notes(const struct timer_watch *watch, struct record_writer *writer)
{
	if (watch->found.taken)
		writer_note(writer, taken_line(watch).text);
	if (watch->found.slowed > 0)
		writer_note(writer, slowed_line(watch).text);
	if (watch->found.lost > 0)
		writer_note(writer, lost_line(watch).text);
	if (atomic_load(&watch->refused) > 0)
		writer_note(writer, refused_line(watch).text);
}
