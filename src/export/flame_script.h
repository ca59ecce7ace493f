/*
 * flame_script.h: makes the flame graph respond to the mouse.
 */
#ifndef HPROF_EXPORT_FLAME_SCRIPT_H
#define HPROF_EXPORT_FLAME_SCRIPT_H

/* JavaScript for a CDATA section. It treats names of the profile as text only. */
extern const char flame_script[];

#endif
