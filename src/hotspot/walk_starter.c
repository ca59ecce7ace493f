/* walk_starter.c: see walk_starter.h. */
#include "hotspot/walk_starter.h"

#include "hotspot/vm_flags.h"

bool walk_starter_find(struct walk_starter *starter, jvmtiEnv *jvmti, JNIEnv *jni)
{
	struct vm_structs structs;

	if (!vm_structs_find(&structs, jvmti) || !code_cache_range(&starter->code, &structs) ||
	    !vm_structs_thread_state(&structs, jvmti, jni, &starter->thread_state) ||
	    !vm_structs_constant(&structs, "_thread_in_Java", &starter->state_in_java) ||
	    !vm_structs_constant(&structs, "_thread_in_Java_trans", &starter->state_in_java_trans))
		return false;
	starter->compiled_links = vm_links_compiled_frames(&structs);
	return java_walker_find(&starter->walker, jvmti, jni);
}
