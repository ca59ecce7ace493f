/*
 * text_kinds.h: what the preamble of a text profile explains: each kind of record and section, in
 * the file that writes it, so that a column and its meaning are changed together. Constant.
 */
#ifndef HPROF_HPROF_TEXT_KINDS_H
#define HPROF_HPROF_TEXT_KINDS_H

struct text_kind {
	const char *shape; /* how it begins */
	/* Lines of six blanks and at most 80 columns of text. */
	const char *meaning;
};

extern const struct text_kind text_kind_sites;
extern const struct text_kind text_kind_cpu_samples;
extern const struct text_kind text_kind_cpu_time;
extern const struct text_kind text_kind_off_cpu_time;
extern const struct text_kind text_kind_sample_times;
extern const struct text_kind text_kind_trace_costs;
extern const struct text_kind text_kind_call_pairs;
extern const struct text_kind text_kind_microstates;
extern const struct text_kind text_kind_trace_states;
extern const struct text_kind text_kind_monitor_wait;
extern const struct text_kind text_kind_monitor_waited;
extern const struct text_kind text_kind_monitor_dump;
extern const struct text_kind text_kind_monitor_time;
extern const struct text_kind text_kind_heap_dump;

#endif
