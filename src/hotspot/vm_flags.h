/*
 * vm_flags.h: options of HotSpot (-XX:...), as they are in effect. The VM exports where
 * they are for debuggers; other VMs don't.
 */
#ifndef HPROF_HOTSPOT_VM_FLAGS_H
#define HPROF_HOTSPOT_VM_FLAGS_H

#include "hotspot/vm_structs.h"

/* Whether the collector is one that works beside the program all the time, and walks
 * the heap by following references: the Z or the Shenandoah collector. */
bool vm_collects_concurrently(jvmtiEnv *jvmti);

/* Whether the collector is the Z collector of a JDK before 15, where it is an experiment. In its
 * table of tags, entries of collected objects stay linked after they were freed, so that the JVM
 * crashes when JVM TI looks for a tag. */
bool vm_has_experimental_z(jvmtiEnv *jvmti);

/* Whether compiled methods link their frames by the frame pointer. */
bool vm_links_compiled_frames(const struct vm_structs *structs);

/* The option by which the VM archives the classes that the program has loaded, at its end or by
 * jcmd: "-XX:ArchiveClassesAtExit". NULL if there is none. Any phase. */
const char *vm_archive_option(jvmtiEnv *jvmti);

/* Sets an option whose value is one word. What the VM has computed from it before stays until it
 * computes it anew. False if it has no such option. Any phase. */
bool vm_set_option(jvmtiEnv *jvmti, const char *name, size_t value);

#endif
