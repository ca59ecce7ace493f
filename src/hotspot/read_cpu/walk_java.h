/*
 * walk_java.h: where a thread leads that was interrupted in code of a Java method: what that is
 * about to do with its frame shows where the frame is. Within os_call_guarded(); signal-safe.
 */
#ifndef HPROF_HOTSPOT_READ_CPU_WALK_JAVA_H
#define HPROF_HOTSPOT_READ_CPU_WALK_JAVA_H

#include "hotspot/walk_search.h"

void walk_java_search_interpreted(struct walk_search *search);

/* Compiled code; place is what is known of it. */
void walk_java_search_compiled(struct walk_search *search, const struct code_place *place);

#endif
