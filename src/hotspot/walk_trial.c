/* walk_trial.c: see walk_trial.h. */
#include "hotspot/walk_trial.h"

#include "hotspot/machine_code.h"
#include "hotspot/stack_position.h"
#include "os/os_machine.h"

#include <jvmticmlr.h>

enum {
	STACKS_TRIED = 64,
	METHODS_TRIED = 64,
	ADDRESSES_TRIED = 256, /* of a method */
	DEPTH = 32
};

/* Once wrong is wrong, whatever another thread finds at the same time. */
static void set(_Atomic int *result, bool right)
{
	int untried = WALK_UNTRIED;

	if (right)
		(void)atomic_compare_exchange_strong(result, &untried, WALK_RIGHT);
	else
		atomic_store(result, WALK_WRONG);
}

static bool is_due(_Atomic int *result, _Atomic uint32_t *tried, uint32_t most)
{
	return atomic_load_explicit(result, memory_order_relaxed) != WALK_WRONG &&
	       atomic_load_explicit(tried, memory_order_relaxed) < most;
}

/* What could be compared in none of the trials is wrong. */
static void give_up(_Atomic int *result, uint32_t tried, uint32_t most)
{
	if (tried == most && atomic_load(result) == WALK_UNTRIED)
		set(result, false);
}

/* ---- stacks ---------------------------------------------------------------- */

/* A native method has no bytecode, and the walk may not know one. */
static bool is_frame(const struct raw_frame *own, const jvmtiFrameInfo *known)
{
	return own->method == (void *)known->method &&
	       (own->bci < 0 || (jlocation)own->bci == known->location);
}

/* The walk of a virtual thread goes on to the frames of its carrier. */
static bool is_stack(const struct java_walk *own, const jvmtiFrameInfo *known, uint32_t count)
{
	if (own->count < count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!is_frame(&own->frames[i], &known[i]))
			return false;
	}
	return true;
}

static bool walk_from_callback(const struct walk_starter *starter, JNIEnv *jni,
                               struct java_walk *walk)
{
	struct java_walk_start start = {.frame = JAVA_WALK_IN_VM};

	return stack_begin(&starter->walker.stack, jni, &start.at) && java_walk_try(walk, &start);
}

/* A walk may give up where its frames are not known, but not each time. */
void walk_trial_stack(struct walk_trial *trial, const struct walk_starter *starter, jvmtiEnv *jvmti,
                      JNIEnv *jni)
{
	jvmtiFrameInfo known[DEPTH];
	struct raw_frame frames[DEPTH];
	jint count = 0;
	struct java_walk walk = {
	        .walker = &starter->walker,
	        .frames = frames,
	        .depth = DEPTH,
	        .steps = java_walk_steps(DEPTH),
	};

	/* JVM TI makes the ids of the methods, which the walk needs. */
	if (!is_due(&trial->stacks, &trial->stacks_tried, STACKS_TRIED) ||
	    (*jvmti)->GetStackTrace(jvmti, NULL, 0, DEPTH, known, &count) != JVMTI_ERROR_NONE ||
	    count == 0)
		return;
	uint32_t tried = atomic_fetch_add(&trial->stacks_tried, 1) + 1;
	if (walk_from_callback(starter, jni, &walk))
		set(&trial->stacks, is_stack(&walk, known, (uint32_t)count));
	else
		give_up(&trial->stacks, tried, STACKS_TRIED);
}

/* ---- compiled code --------------------------------------------------------- */

struct code_trial {
	const struct java_walker *walker;
	const jvmtiCompiledMethodLoadInlineRecord *record;
	enum walk_trial_result result;
};

/* A method has no id any more when its class was redefined since the compilation began: the id is
 * that of the new version. Such a frame proves nothing. */
static enum walk_trial_result try_frame(const struct java_walker *walker, const char *blob,
                                        struct code_frames *frames, const PCStackInfo *known,
                                        jint at)
{
	int64_t bci;

	if (!code_frames_next(frames, &bci) || bci != known->bcis[at])
		return WALK_WRONG;
	const void *id = vm_methods_id(&walker->methods,
	                               code_methods_numbered(&walker->code, blob, frames->method));
	if (id == NULL)
		return WALK_UNTRIED;
	return id == (const void *)known->methods[at] ? WALK_RIGHT : WALK_WRONG;
}

/* The frame is as large as the code makes it. */
static bool has_size(const struct code_cache *cache, const struct code_place *place)
{
	uintptr_t begin = code_cache_begin(cache, place->blob);
	uintptr_t end = (uintptr_t)place->blob + place->blob_bytes;
	uint32_t bytes = 0;

	if (begin < end)
		bytes = machine_code_frame_bytes(begin, (uint32_t)(end - begin));
	return bytes == 0 || bytes == place->frame_bytes;
}

/* WALK_UNTRIED if no frame's method has an id. */
static enum walk_trial_result try_frames(const struct java_walker *walker, const PCStackInfo *known)
{
	enum walk_trial_result result = WALK_UNTRIED;
	const struct code_cache *cache = &walker->stack.code;
	uintptr_t pc = (uintptr_t)known->pc;
	struct code_place place;
	struct code_frames frames;

	code_cache_look_up(cache, pc, &place);
	if (place.kind != CODE_COMPILED || place.java_frames != known->numstackframes ||
	    code_methods_owner(&walker->code, place.blob) != CODE_OF_JAVA ||
	    !has_size(cache, &place) || !code_frames_begin(cache, pc, &frames))
		return WALK_WRONG;
	for (jint i = 0; i < known->numstackframes; i++) {
		enum walk_trial_result frame = try_frame(walker, place.blob, &frames, known, i);
		if (frame == WALK_WRONG)
			return WALK_WRONG;
		if (frame == WALK_RIGHT)
			result = WALK_RIGHT;
	}
	return frames.scope == 0 ? result : WALK_WRONG;
}

static void compare_code(void *argument)
{
	struct code_trial *trial = argument;
	jint count =
	        trial->record->numpcs < ADDRESSES_TRIED ? trial->record->numpcs : ADDRESSES_TRIED;

	for (jint i = 0; trial->result != WALK_WRONG && i < count; i++) {
		enum walk_trial_result at = try_frames(trial->walker, &trial->record->pcinfo[i]);
		if (at != WALK_UNTRIED)
			trial->result = at;
	}
}

static const jvmtiCompiledMethodLoadInlineRecord *inline_record(const void *compile_info)
{
	const jvmtiCompiledMethodLoadRecordHeader *header = compile_info;

	while (header != NULL && header->kind != JVMTI_CMLR_INLINE_INFO)
		header = header->next;
	return (const jvmtiCompiledMethodLoadInlineRecord *)header;
}

void walk_trial_code(struct walk_trial *trial, const struct walk_starter *starter,
                     const void *compile_info)
{
	struct code_trial code = {.walker = &starter->walker};

	if (!is_due(&trial->code, &trial->code_tried, METHODS_TRIED))
		return;
	code.record = inline_record(compile_info);
	if (code.record == NULL || code.record->numpcs <= 0)
		return;
	uint32_t tried = atomic_fetch_add(&trial->code_tried, 1) + 1;
	if (!os_call_guarded(compare_code, &code))
		code.result = WALK_WRONG;
	if (code.result != WALK_UNTRIED)
		set(&trial->code, code.result == WALK_RIGHT);
	else
		give_up(&trial->code, tried, METHODS_TRIED);
}
