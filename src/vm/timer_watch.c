/*
 * timer_watch.c: see timer_watch.h.
 */
#include "vm/timer_watch.h"

#include "os/time_units.h"

#include <stdio.h>

/* A line for the user or the reader. */
struct line {
	char text[320];
};

static struct line taken_line(const char *signal, const char *consequence)
{
	struct line line;
	(void)snprintf(line.text, sizeof(line.text), "the program has taken the signal %s; %s",
	               signal, consequence);
	return line;
}

static struct line changed_line(const struct timer_watch *watch)
{
	char consequence[64];
	(void)snprintf(consequence, sizeof(consequence), "the agent's timers use %s instead",
	               watch->next_signal);
	return taken_line(watch->changed, consequence);
}

static struct line ended_line(const struct timer_watch *watch)
{
	return taken_line(watch->ended, watch->instead);
}

static struct line at_end_line(const struct timer_watch *watch)
{
	return taken_line(watch->at_end, "CPU time at the end of the profile may be missing");
}

static struct line slowed_line(const struct timer_watch *watch)
{
	struct line line;
	(void)snprintf(line.text, sizeof(line.text),
	               "expirations of CPU timers took more than a quarter of a thread's time: "
	               "some timers now expire every %g ms; the unit of the counts is unchanged",
	               (double)watch->longest_period_ns / (double)NS_PER_MS);
	return line;
}

/* threads: how many they are, in words. */
static struct line refused_line(struct timer_watch *watch, const char *threads)
{
	struct line line;
	char reason[OS_ERROR_TEXT_MAX];

	os_error_text(atomic_load(&watch->refusal), reason, sizeof(reason));
	(void)snprintf(line.text, sizeof(line.text),
	               "%s threads have no CPU timer: the system refuses it (%s); %s", threads,
	               reason, watch->instead);
	return line;
}

static void add_refused(struct timer_watch *watch, unsigned count, int error)
{
	int none = 0;

	/* First, since a note may be written as soon as there is such a thread. */
	(void)atomic_compare_exchange_strong(&watch->refusal, &none, error);
	if (atomic_fetch_add(&watch->refused, count) == 0)
		message_print("%s", refused_line(watch, "some").text);
}

void timer_watch_refused(struct timer_watch *watch, int error)
{
	add_refused(watch, 1, error);
}

static void add_slowed(struct timer_watch *watch, const struct os_cpu_timers_findings *found)
{
	bool is_first = watch->slowed == 0;

	watch->slowed += found->slowed;
	if (found->longest_period_ns > watch->longest_period_ns)
		watch->longest_period_ns = found->longest_period_ns;
	if (is_first)
		message_print("%s", slowed_line(watch).text);
}

static void add_taken(struct timer_watch *watch, const struct os_cpu_timers_findings *found)
{
	if (found->next_signal == NULL) {
		watch->ended = found->signal;
		message_print("%s", ended_line(watch).text);
	} else if (watch->changed == NULL) {
		watch->changed = found->signal;
		watch->next_signal = found->next_signal;
		message_print("%s", changed_line(watch).text);
	}
}

bool timer_watch_poll(struct timer_watch *watch)
{
	struct os_cpu_timers_findings found;

	os_cpu_timers_watch(&found);
	if (found.taken)
		add_taken(watch, &found);
	if (found.slowed > 0)
		add_slowed(watch, &found);
	if (found.lost > 0)
		add_refused(watch, found.lost, found.lost_error);
	return found.lost > 0 || (found.taken && found.next_signal == NULL);
}

bool timer_watch_last_look(struct timer_watch *watch)
{
	const char *signal;

	if (!os_cpu_timers_taken(&signal))
		return false;
	watch->at_end = signal;
	message_print("%s", at_end_line(watch).text);
	return true;
}

void timer_watch_write_notes(struct timer_watch *watch, struct record_writer *writer)
{
	char threads[16];

	if (watch->changed != NULL)
		writer_note(writer, changed_line(watch).text);
	if (watch->ended != NULL)
		writer_note(writer, ended_line(watch).text);
	if (watch->at_end != NULL)
		writer_note(writer, at_end_line(watch).text);
	if (watch->slowed > 0)
		writer_note(writer, slowed_line(watch).text);
	(void)snprintf(threads, sizeof(threads), "%u", atomic_load(&watch->refused));
	if (atomic_load(&watch->refused) > 0)
		writer_note(writer, refused_line(watch, threads).text);
}
