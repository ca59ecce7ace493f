/*
 * text_monitors.h: the records of monitor=y as lines of text, for text_format.c.
 */
#ifndef HPROF_HPROF_TEXT_MONITORS_H
#define HPROF_HPROF_TEXT_MONITORS_H

#include "base/byte_buffer.h"
#include "hprof/monitor_records.h"

/* Functions of struct record_format. */
void text_monitor_wait(void *state, struct byte_buffer *out,
                       const struct monitor_wait_record *record);
void text_monitor_times(void *state, struct byte_buffer *out,
                        const struct monitor_times_record *record);
void text_monitor_dump(void *state, struct byte_buffer *out,
                       const struct monitor_dump_record *record);

#endif
