/*
 * frame_cache.h: the frames of recent lines of a text profile, which has many lines of few
 * distinct frames. One thread; no lock.
 */
#ifndef HPROF_REPORT_FRAME_CACHE_H
#define HPROF_REPORT_FRAME_CACHE_H

#include "report/report_profile.h"

struct frame_cache_entry;

struct frame_cache {
	struct frame_cache_entry *entries; /* NULL until the first is put; by hash of the line */
};

/* Sets *frame to that of the line, if it is known. */
bool frame_cache_get(const struct frame_cache *cache, const char *line, size_t length,
                     struct report_frame *frame);
/* Remembers the frame of a line; long lines are not remembered. False when out of memory. */
bool frame_cache_put(struct frame_cache *cache, const char *line, size_t length,
                     const struct report_frame *frame);
void frame_cache_free(struct frame_cache *cache);

#endif
