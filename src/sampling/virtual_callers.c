/*
 * virtual_callers.c: see virtual_callers.h. JVM TI returns the stack of a virtual thread,
 * but which virtual thread a carrier runs only with a capability that slows down all
 * mounts. The carrier's Thread object leads to it: it refers to the continuation that
 * runs, the continuation to its task, and the task to the virtual thread. The fields are
 * found by their types; if they are not as expected, traces end at the gap.
 */
#include "sampling/virtual_callers.h"

#include "profile/jni_frame.h"

#include <classfile_constants.h>
#include <stdlib.h>
#include <string.h>

#define CONTINUATION "jdk/internal/vm/Continuation"
#define VIRTUAL_THREAD "Ljava/lang/VirtualThread;"

enum {
	/* Frames that the thread may have added since it was sampled. */
	NEWER_FRAMES = 64,
	LOCAL_REFERENCES = 8
};

struct virtual_callers {
	struct profile *profile;
	uint32_t depth;
	/* Methods of Continuation, between the frames of a virtual thread and of its
	 * carrier. Written before the first sample. */
	jmethodID enter_special;
	jmethodID enter;
	jfieldID continuation_of_thread;
	jfieldID task_of_continuation;

	struct raw_frame *frames; /* the completed sample, depth long */
	jvmtiFrameInfo *stack;    /* the virtual thread's, stack_capacity long */
	uint32_t stack_capacity;
	uint32_t stack_count;
	bool is_read; /* stack was read for the current carrier */
};

struct virtual_callers *virtual_callers_create(struct profile *profile, uint32_t depth)
{
	struct virtual_callers *callers = calloc(1, sizeof(*callers));
	if (callers == NULL)
		return NULL;
	callers->profile = profile;
	callers->depth = depth;
	callers->stack_capacity = 2 * callers->depth + NEWER_FRAMES;
	callers->frames = calloc((size_t)callers->depth + 1, sizeof(*callers->frames));
	callers->stack = calloc(callers->stack_capacity, sizeof(*callers->stack));
	if (callers->frames == NULL || callers->stack == NULL) {
		virtual_callers_destroy(callers);
		return NULL;
	}
	return callers;
}

void virtual_callers_destroy(struct virtual_callers *callers)
{
	if (callers == NULL)
		return;
	free(callers->frames);
	free(callers->stack);
	free(callers);
}

/* ---- methods and fields of the JDK -------------------------------------- */

static jmethodID find_method(struct profile *profile, jclass class, const char *name)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jmethodID *methods = NULL;
	jmethodID found = NULL;
	jint count = 0;

	(void)(*jvmti)->GetClassMethods(jvmti, class, &count, &methods);
	for (jint i = 0; i < count && found == NULL; i++) {
		char *method_name = NULL;
		if ((*jvmti)->GetMethodName(jvmti, methods[i], &method_name, NULL, NULL) ==
		            JVMTI_ERROR_NONE &&
		    strcmp(method_name, name) == 0)
			found = methods[i];
		profile_deallocate(profile, method_name);
	}
	profile_deallocate(profile, methods);
	return found;
}

static bool is_instance_field(struct profile *profile, jclass class, jfieldID field,
                              const char *type)
{
	jvmtiEnv *jvmti = profile->jvmti;
	char *field_type = NULL;
	jint modifiers = 0;

	if ((*jvmti)->GetFieldName(jvmti, class, field, NULL, &field_type, NULL) !=
	    JVMTI_ERROR_NONE)
		return false;
	bool same = strcmp(field_type, type) == 0;
	profile_deallocate(profile, field_type);
	return same &&
	       (*jvmti)->GetFieldModifiers(jvmti, class, field, &modifiers) == JVMTI_ERROR_NONE &&
	       (modifiers & JVM_ACC_STATIC) == 0;
}

/* The first instance field of the type, or NULL. */
static jfieldID find_field(struct profile *profile, jclass class, const char *type)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jfieldID *fields = NULL;
	jfieldID found = NULL;
	jint count = 0;

	(void)(*jvmti)->GetClassFields(jvmti, class, &count, &fields);
	for (jint i = 0; i < count && found == NULL; i++) {
		if (is_instance_field(profile, class, fields[i], type))
			found = fields[i];
	}
	profile_deallocate(profile, fields);
	return found;
}

void virtual_callers_live(struct virtual_callers *callers, JNIEnv *jni)
{
	struct profile *profile = callers->profile;

	if (!jni_frame_push(jni, LOCAL_REFERENCES))
		return;
	jclass thread = (*jni)->FindClass(jni, "java/lang/Thread");
	jclass continuation = (*jni)->FindClass(jni, CONTINUATION);
	if (thread != NULL && continuation != NULL) {
		callers->continuation_of_thread = find_field(profile, thread, "L" CONTINUATION ";");
		callers->task_of_continuation =
		        find_field(profile, continuation, "Ljava/lang/Runnable;");
		callers->enter = find_method(profile, continuation, "enter");
		callers->enter_special = find_method(profile, continuation, "enterSpecial");
	}
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	jni_frame_pop(jni);
}

/* ---- a sample ---------------------------------------------------------- */

uint32_t virtual_callers_find_gap(const struct virtual_callers *callers,
                                  const struct raw_frame *frames, uint32_t frame_count)
{
	if (callers == NULL || callers->enter_special == NULL)
		return 0;
	for (uint32_t i = 1; i < frame_count; i++) {
		if (frames[i].method == (void *)callers->enter_special)
			return frames[i - 1].method == (void *)callers->enter ? 0 : i;
	}
	return 0;
}

void virtual_callers_invalidate(struct virtual_callers *callers)
{
	if (callers != NULL)
		callers->is_read = false;
}

/* The virtual thread that the carrier runs now: a local reference, or NULL. */
static jthread carried_thread(struct virtual_callers *callers, JNIEnv *jni, jthread carrier)
{
	if (callers->continuation_of_thread == NULL || callers->task_of_continuation == NULL)
		return NULL;
	jobject continuation =
	        (*jni)->GetObjectField(jni, carrier, callers->continuation_of_thread);
	if (continuation == NULL)
		return NULL;
	jobject task = (*jni)->GetObjectField(jni, continuation, callers->task_of_continuation);
	if (task == NULL)
		return NULL;
	jfieldID field =
	        find_field(callers->profile, (*jni)->GetObjectClass(jni, task), VIRTUAL_THREAD);
	return field == NULL ? NULL : (*jni)->GetObjectField(jni, task, field);
}

static void read_stack(struct virtual_callers *callers, JNIEnv *jni, jthread carrier)
{
	jvmtiEnv *jvmti = callers->profile->jvmti;
	jint count = 0;

	callers->is_read = true;
	callers->stack_count = 0;
	if (!jni_frame_push(jni, LOCAL_REFERENCES))
		return;
	jthread thread = carried_thread(callers, jni, carrier);
	if (thread != NULL &&
	    (*jvmti)->GetStackTrace(jvmti, thread, 0, (jint)callers->stack_capacity, callers->stack,
	                            &count) == JVMTI_ERROR_NONE)
		callers->stack_count = (uint32_t)count;
	jni_frame_pop(jni);
}

/* The number of frames that match when the outermost sampled frame is aligned with
 * stack[at]. */
static uint32_t count_matching(const struct raw_frame *sampled, uint32_t sampled_count,
                               const jvmtiFrameInfo *stack, uint32_t at)
{
	uint32_t count = 0;

	while (count < sampled_count && count <= at &&
	       sampled[sampled_count - 1 - count].method == (void *)stack[at - count].method)
		count++;
	return count;
}

uint32_t virtual_callers_match(const struct raw_frame *sampled, uint32_t sampled_count,
                               const jvmtiFrameInfo *stack, uint32_t stack_count)
{
	uint32_t best = 0;
	uint32_t best_count = 0;

	for (uint32_t at = 0; at < stack_count; at++) {
		uint32_t count = count_matching(sampled, sampled_count, stack, at);
		if (count > best_count) {
			best = at + 1;
			best_count = count;
		}
	}
	return best;
}

const struct raw_frame *virtual_callers_complete(struct virtual_callers *callers, JNIEnv *jni,
                                                 jthread carrier, const struct raw_frame *frames,
                                                 uint32_t gap, uint32_t *frame_count)
{
	if (!callers->is_read)
		read_stack(callers, jni, carrier);
	uint32_t count = gap < callers->depth ? gap : callers->depth;
	uint32_t next = virtual_callers_match(frames, gap, callers->stack, callers->stack_count);

	memcpy(callers->frames, frames, count * sizeof(*frames));
	for (; next > 0 && next < callers->stack_count && count < callers->depth; next++) {
		callers->frames[count].method = callers->stack[next].method;
		callers->frames[count].bci = (int32_t)callers->stack[next].location;
		count++;
	}
	*frame_count = count;
	return callers->frames;
}
