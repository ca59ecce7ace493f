/*
 * flame_script.h: what makes the picture of flame.c answer to the mouse.
 */
#ifndef HPROF_COMMAND_FLAME_SCRIPT_H
#define HPROF_COMMAND_FLAME_SCRIPT_H

/* JavaScript for a CDATA section. Names of the profile are only ever text to it. */
extern const char flame_script[];

#endif
