/*
 * state_notes.c: see state_notes.h.
 */
#include "vm/state_notes.h"

#include <inttypes.h>
#include <stdio.h>

void state_notes_write(struct record_writer *writer, const struct vm_pauses *pauses,
                       uint32_t queues, uint32_t queueless)
{
	char text[256];

	if (queueless > 0) {
		(void)snprintf(text, sizeof(text),
		               "%" PRIu32 " threads had no file descriptor to read their waits for "
		               "a CPU from; these are part of slp, not lat",
		               queueless);
		writer_note(writer, text);
	} else if (queues == 0) {
		writer_note(writer, "waits for a CPU are part of slp: the system does not "
		                    "account them");
	}
	if (!vm_pauses_has_safepoints(pauses))
		writer_note(writer, "stw has collections only: this JVM has no performance data "
		                    "(-XX:+UsePerfData); other pauses are part of slp");
}
