/*
 * json_frames.h: names, shares and stacks as members of a JSON document. Errors are those of its
 * output. One thread; no lock. Private to the JSON views.
 */
#ifndef HPROF_VIEWS_JSON_FRAMES_H
#define HPROF_VIEWS_JSON_FRAMES_H

#include "export/json_stream.h"
#include "report/report_profile.h"
#include "report/stack_tree.h"

/* Adds a share in 1/10000 as a percentage. */
void json_add_percent(struct json_stream *json, const char *key, uint32_t share);

/* Adds the object "old" or "new", a profile that was compared, with the name of its file. */
void json_add_file(struct json_stream *json, const char *key, const char *name);

/* Adds "thread" and "thread_name", as far as they are known, and "frames", innermost first, of
 * that trace to an open object; nothing if the profile does not have it. */
void json_add_trace(struct json_stream *json, const struct report_profile *profile,
                    uint32_t serial);

/* Adds "stack", the names from a node to the outermost, and "frames_left_out" to an open object. */
void json_add_stack(struct json_stream *json, const struct stack_tree *tree, uint32_t node);

#endif
