/*
 * profile.c: see profile.h.
 */
#include "profile/profile.h"

#include "profile/jni_frame.h"

#include <stdarg.h>
#include <stdio.h>

void profile_fail(struct profile *profile, const char *format, ...)
{
	if (atomic_exchange(&profile->stopped, true))
		return;

	char reason[1024];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	message_print("%s; profiling has ended, the program continues", reason);
	os_event_signal(&profile->wake);
}

void profile_out_of_memory(struct profile *profile)
{
	profile_fail(profile, "out of memory");
}

void profile_note(struct profile *profile, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	writer_note(profile->writer, text);
}

void profile_check_output(struct profile *profile, int error)
{
	if (error == 0)
		return;
	char text[OS_ERROR_TEXT_MAX];
	os_error_text(error, text, sizeof(text));
	profile_fail(profile, "can't write %s: %s", profile->output_name, text);
}

void profile_deallocate(struct profile *profile, void *memory)
{
	if (memory != NULL)
		(void)(*profile->jvmti)->Deallocate(profile->jvmti, memory);
}

void profile_each_class(struct profile *profile, JNIEnv *jni, profile_class_visit *visit,
                        void *argument)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jclass *classes = NULL;

	if (!jni_frame_push(jni, JNI_FRAME_MAX))
		return;
	if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) == JVMTI_ERROR_NONE) {
		for (jint i = 0; i < count; i++)
			visit(argument, jni, classes[i]);
		profile_deallocate(profile, classes);
	}
	jni_frame_pop(jni);
}

void profile_control_set(struct profile *profile, uint32_t flags, bool on)
{
	if (on)
		atomic_fetch_or(&profile->control.flags, flags);
	else
		atomic_fetch_and(&profile->control.flags, ~flags);
}

void profile_control_depth(struct profile *profile, uint32_t depth)
{
	atomic_store(&profile->control.depth, depth);
}

void profile_control_write(struct profile *profile)
{
	writer_control_settings(profile->writer, atomic_load(&profile->control.flags),
	                        (uint16_t)atomic_load(&profile->control.depth));
}
