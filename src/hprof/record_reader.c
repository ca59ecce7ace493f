/*
 * record_reader.c: see record_reader.h. Records are read field by field, so that the reader's
 * offset after an error is that of the first field that is not whole.
 */
#include "hprof/record_reader.h"

#include <stddef.h>

bool hprof_read_string(struct hprof_reader *reader, struct hprof_string *string)
{
	string->id = hprof_read_id(reader);
	string->length = reader->left;
	return reader->error == 0;
}

bool hprof_read_load_class(struct hprof_reader *reader, struct hprof_load_class *class)
{
	class->serial = hprof_read_u4(reader);
	class->object_id = hprof_read_id(reader);
	class->trace_serial = hprof_read_u4(reader);
	class->name_id = hprof_read_id(reader);
	return reader->error == 0;
}

bool hprof_read_frame(struct hprof_reader *reader, struct hprof_frame *frame)
{
	frame->id = hprof_read_id(reader);
	frame->name_id = hprof_read_id(reader);
	frame->signature_id = hprof_read_id(reader);
	frame->source_id = hprof_read_id(reader);
	frame->class_serial = hprof_read_u4(reader);
	frame->line = (int32_t)hprof_read_u4(reader);
	return reader->error == 0;
}

bool hprof_read_trace(struct hprof_reader *reader, struct hprof_trace *trace)
{
	trace->serial = hprof_read_u4(reader);
	trace->thread_serial = hprof_read_u4(reader);
	trace->depth = hprof_read_u4(reader);
	return reader->error == 0;
}

bool hprof_read_thread(struct hprof_reader *reader, struct hprof_thread *thread)
{
	thread->serial = hprof_read_u4(reader);
	thread->object_id = hprof_read_id(reader);
	thread->trace_serial = hprof_read_u4(reader);
	return reader->error == 0;
}

bool hprof_read_samples(struct hprof_reader *reader, struct hprof_samples *samples)
{
	samples->total = hprof_read_u4(reader);
	samples->row_count = hprof_read_u4(reader);
	return reader->error == 0;
}

bool hprof_read_sample(struct hprof_reader *reader, struct hprof_sample *sample)
{
	sample->count = hprof_read_u4(reader);
	sample->trace_serial = hprof_read_u4(reader);
	return reader->error == 0;
}

bool hprof_read_control_settings(struct hprof_reader *reader,
                                 struct hprof_control_settings *settings)
{
	settings->flags = hprof_read_u4(reader);
	settings->depth = hprof_read_u2(reader);
	return reader->error == 0;
}

bool hprof_read_heap_summary(struct hprof_reader *reader, struct hprof_totals *totals)
{
	if (totals == NULL) {
		hprof_skip(reader, 4 + 4 + 8 + 8);
	} else {
		totals->live_bytes = hprof_read_u4(reader);
		totals->live_objects = hprof_read_u4(reader);
		totals->allocated_bytes = hprof_read_u8(reader);
		totals->allocated_objects = hprof_read_u8(reader);
	}
	return reader->error == 0;
}

bool hprof_read_sites(struct hprof_reader *reader, struct hprof_sites *sites,
                      struct hprof_totals *totals)
{
	sites->flags = hprof_read_u2(reader);
	hprof_skip(reader, 4); /* the cutoff */
	(void)hprof_read_heap_summary(reader, totals);
	sites->row_count = hprof_read_u4(reader);
	return reader->error == 0;
}

bool hprof_read_site(struct hprof_reader *reader, struct hprof_site *site,
                     struct hprof_totals *counts)
{
	site->type = hprof_read_u1(reader);
	site->class_serial = hprof_read_u4(reader);
	site->trace_serial = hprof_read_u4(reader);
	if (counts == NULL) {
		hprof_skip(reader, 4 + 4 + 4 + 4);
	} else {
		counts->live_bytes = hprof_read_u4(reader);
		counts->live_objects = hprof_read_u4(reader);
		counts->allocated_bytes = hprof_read_u4(reader);
		counts->allocated_objects = hprof_read_u4(reader);
	}
	return reader->error == 0;
}
