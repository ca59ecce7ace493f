/*
 * text_monitors.c: WAIT, WAITED, MONITOR TIME and MONITOR DUMP as text, in the
 * shapes of the classic agent. Called under the writer's record lock.
 */
#include "hprof/text_monitors.h"

#include "hprof/text_kinds.h"
#include "hprof/text_parts.h"
#include "hprof/text_titles.h"
#include "os/time_units.h"

#include <inttypes.h>

const struct text_kind text_kind_monitor_wait = {
        "WAIT: MONITOR class, timeout=, thread",
        "      The thread called Object.wait() on an object of the class, with this timeout\n"
        "      in ms; 0 means no timeout.\n"};

const struct text_kind text_kind_monitor_waited = {
        "WAITED: MONITOR class, time_waited=, thread",
        "      That wait ended, by a notification, an interrupt or the timeout, after this\n"
        "      elapsed time in ms.\n"};

const struct text_kind text_kind_monitor_dump = {
        TEXT_MONITOR_DUMP,
        "      The state of the threads at one time, and the monitors that were owned or\n"
        "      waited for. A THREAD has its trace and its status: R is runnable, MW waits\n"
        "      to enter a monitor, CW waits for anything else, ZO has ended; the prefix S|\n"
        "      means suspended, I| interrupted. A MONITOR has the class of its object, the\n"
        "      owner thread with the number of times it has entered the monitor (- if not\n"
        "      known) or \"unowned\", and the threads that wait for it.\n"};

const struct text_kind text_kind_monitor_time = {
        TEXT_MONITOR_TIME,
        "      How long threads waited to enter monitors that other threads owned, in\n"
        "      elapsed time. A row has its rank, the share of that time at its trace and\n"
        "      monitor class (self), that share plus those of the rows above (accum), the\n"
        "      number of waits (count), the trace that entered the monitor, and the class\n"
        "      of the monitor's object. total is in ms.\n"};

void text_monitor_wait(void *state, struct byte_buffer *out,
                       const struct monitor_wait_record *record)
{
	(void)state;
	byte_buffer_add_text(out, record->waited ? "WAITED: MONITOR " : "WAIT: MONITOR ");
	text_add_name(out, record->class->signature);
	byte_buffer_printf(out, ", %s=%" PRId64 ", thread %" PRIu32 "\n",
	                   record->waited ? "time_waited" : "timeout", record->ms,
	                   record->thread_serial);
}

void text_monitor_times(void *state, struct byte_buffer *out,
                        const struct monitor_times_record *record)
{
	uint64_t so_far_ns = 0;

	(void)state;
	byte_buffer_printf(out, TEXT_BEGIN(TEXT_MONITOR_TIME) " (total = %" PRIu64 " ms) ",
	                   record->total_ns / NS_PER_MS);
	text_add_local_time(out, record->wall_ms);
	byte_buffer_add_text(out, "\nrank   self  accum   count trace monitor\n");
	for (size_t i = 0; i < record->row_count; i++) {
		const struct monitor_time_row *row = &record->rows[i];
		const uint64_t wait_ns = row->sums[MONITOR_WAIT_NS];
		so_far_ns += wait_ns;
		byte_buffer_printf(out, "%4zu", i + 1);
		text_add_percent(out, wait_ns, record->total_ns);
		text_add_percent(out, so_far_ns, record->total_ns);
		byte_buffer_printf(out, " %7" PRIu64 " %5" PRIu32 " ", row->sums[MONITOR_COUNT],
		                   row->trace->serial);
		text_add_name(out, row->class->signature);
		byte_buffer_add_text(out, " (Java)\n");
	}
	byte_buffer_add_text(out, TEXT_END(TEXT_MONITOR_TIME) "\n");
}

static void add_thread(struct byte_buffer *out, const struct monitor_dump_thread *thread)
{
	static const char *const status[] = {
	        [MONITOR_THREAD_RUNS] = "R",
	        [MONITOR_THREAD_ENTERS] = "MW",
	        [MONITOR_THREAD_WAITS] = "CW",
	        [MONITOR_THREAD_ENDED] = "ZO",
	};

	byte_buffer_printf(out, "    THREAD %" PRIu32 ", trace %" PRIu32 ", status: %s%s%s\n",
	                   thread->serial, thread->trace->serial, thread->suspended ? "S|" : "",
	                   thread->interrupted ? "I|" : "", status[thread->status]);
}

/* Appends "thread N", or the text for an unknown thread. */
static void add_serial(struct byte_buffer *out, uint32_t serial)
{
	if (serial != 0)
		byte_buffer_printf(out, "thread %" PRIu32, serial);
	else
		byte_buffer_add_text(out, "<unknown thread>");
}

static void add_list(struct byte_buffer *out, const char *title, const struct serial_list *list)
{
	if (list->count == 0)
		return;
	byte_buffer_printf(out, "\t%s: ", title);
	for (size_t i = 0; i < list->count; i++) {
		byte_buffer_add_text(out, i == 0 ? "" : ", ");
		add_serial(out, list->serials[i]);
	}
	byte_buffer_add_u1(out, '\n');
}

static void add_monitor(struct byte_buffer *out, const struct monitor_dump_monitor *monitor)
{
	byte_buffer_add_text(out, "    MONITOR ");
	text_add_name(out, monitor->class->signature);
	byte_buffer_add_text(out, monitor->owned ? "\n\towner: " : " unowned\n");
	if (monitor->owned) {
		add_serial(out, monitor->owner_serial);
		if (monitor->entry_count != 0)
			byte_buffer_printf(out, ", entry count: %" PRIu32 "\n",
			                   monitor->entry_count);
		else
			byte_buffer_add_text(out, ", entry count: -\n");
	}
	add_list(out, "waiting to enter", &monitor->entering);
	add_list(out, "waiting to be notified", &monitor->waiting);
}

void text_monitor_dump(void *state, struct byte_buffer *out,
                       const struct monitor_dump_record *record)
{
	(void)state;
	byte_buffer_add_text(out, TEXT_BEGIN(TEXT_MONITOR_DUMP) "\n");
	for (size_t i = 0; i < record->thread_count; i++)
		add_thread(out, &record->threads[i]);
	for (size_t i = 0; i < record->monitor_count; i++)
		add_monitor(out, &record->monitors[i]);
	byte_buffer_add_text(out, TEXT_END(TEXT_MONITOR_DUMP) "\n");
}
