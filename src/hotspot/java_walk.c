/*
 * java_walk.c: see java_walk.h. Reads the thread's own stack, the code cache and the
 * methods on the stack, which live as long as their frames; changes nothing.
 */
#include "hotspot/java_walk.h"

#include "hotspot/machine_code.h"
#include "os/os_machine.h"

enum {
	/* Frames of the machine that have to agree, unless the stack ends before. */
	CHECKED_FRAMES = 10,
	TRIED_STEPS = 1 << 14,
	STEPS_PER_FRAME = 4,
	BCI_NATIVE = -3,
	BCI_UNKNOWN = -1
};

bool java_walker_find(struct java_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni)
{
	struct vm_structs structs;

	return machine_code_is_known() && stack_walker_find(&walker->stack, jvmti, jni, NULL) &&
	       vm_structs_find(&structs, jvmti) && code_methods_find(&walker->code, &structs) &&
	       vm_methods_find(&walker->methods, &structs, jni);
}

uint32_t java_walk_steps(uint32_t depth)
{
	bool fits = depth <= (UINT32_MAX - TRIED_STEPS) / STEPS_PER_FRAME;
	return fits ? TRIED_STEPS + depth * STEPS_PER_FRAME : UINT32_MAX;
}

static bool put(struct java_walk *walk, uintptr_t method, int32_t bci)
{
	void *id = vm_methods_id(&walk->walker->methods, method);
	if (id == NULL)
		return false;
	if (walk->count < walk->depth) {
		walk->frames[walk->count].method = id;
		walk->frames[walk->count].bci = bci;
		walk->count++;
	}
	return true;
}

/* Descriptions are of the instructions before their address. */
static bool begin_frames(const struct java_walk *walk, uintptr_t pc, enum java_walk_frame frame,
                         struct code_frames *frames)
{
	const struct code_cache *cache = &walk->walker->stack.code;

	if (frame == JAVA_WALK_INTERRUPTED)
		return code_frames_begin_near(cache, pc + 1, frames);
	return code_frames_begin(cache, pc, frames) ||
	       (frame == JAVA_WALK_IN_VM && machine_code_follows_call(pc) &&
	        code_frames_begin_near(cache, pc, frames));
}

/* Code that comes after all that is described may be of any method inlined. */
static bool put_compiled(struct java_walk *walk, const struct stack_position *at, const char *blob,
                         enum java_walk_frame frame)
{
	const struct code_methods *code = &walk->walker->code;
	uintptr_t root = code_methods_root(code, blob);
	uintptr_t pc = code_methods_pc(code, blob, at->pc, at->sp);
	struct code_frames frames;
	uintptr_t method = 0;
	int64_t bci;

	if (!begin_frames(walk, pc, frame, &frames)) {
		bool is_place = frame == JAVA_WALK_INTERRUPTED ||
		                (frame == JAVA_WALK_IN_VM && machine_code_follows_call(pc));
		return is_place && put(walk, root, BCI_UNKNOWN);
	}
	while (code_frames_next(&frames, &bci)) {
		method = code_methods_numbered(code, blob, frames.method);
		if (!put(walk, method, (int32_t)bci))
			return false;
	}
	return frames.scope == 0 && method == root;
}

static bool pass_code(struct java_walk *walk, struct stack_position *at,
                      const struct code_place *place, enum java_walk_frame frame)
{
	const struct code_methods *code = &walk->walker->code;
	const struct stack_walker *stack = &walk->walker->stack;

	switch (code_methods_owner(code, place->blob)) {
	case CODE_OF_JAVA:
		if (!put_compiled(walk, at, place->blob, frame))
			return false;
		break;
	case CODE_OF_NATIVE:
		if (!put(walk, code_methods_root(code, place->blob), BCI_NATIVE))
			return false;
		break;
	default:
		/* Frames of code that gives up compiled frames are certain only where
		 * that code calls the VM. */
		if (place->kind != CODE_STUB && frame != JAVA_WALK_IN_VM)
			return false;
	}
	return stack_leave(stack, at, place->frame_bytes);
}

/* The bytecode is 0 in native methods, and while none has been noted. */
static bool pass_interpreted(struct java_walk *walk, struct stack_position *at)
{
	uintptr_t method;
	uintptr_t bytecode;
	int32_t bci = BCI_NATIVE;

	return stack_leave_interpreted(&walk->walker->stack, at, &method, &bytecode) &&
	       (bytecode == 0 ||
	        vm_methods_bytecode(&walk->walker->methods, method, bytecode, &bci)) &&
	       put(walk, method, bci);
}

/* Goes over one frame of the machine. */
static bool pass(struct java_walk *walk, struct stack_position *at, enum java_walk_frame frame,
                 bool *ended)
{
	const struct stack_walker *stack = &walk->walker->stack;
	struct code_place place;

	if (walk->steps == 0)
		return false;
	walk->steps--;
	if (stack_is_interpreted(stack, at))
		return pass_interpreted(walk, at);
	code_cache_look_up(&stack->code, at->pc, &place);
	if (place.kind == CODE_ENTRY)
		return stack_leave_entry(stack, at, ended);
	return place.blob != NULL && pass_code(walk, at, &place, frame);
}

struct attempt {
	struct java_walk *walk;
	const struct java_walk_start *start;
	bool succeeded;
};

static void walk_stack(void *argument)
{
	struct attempt *attempt = argument;
	struct java_walk *walk = attempt->walk;
	struct stack_position at = attempt->start->at;
	enum java_walk_frame frame = attempt->start->frame;
	bool ended = false;

	walk->count = 0;
	if (attempt->start->method != 0)
		(void)put(walk, attempt->start->method, attempt->start->bci);
	for (uint32_t passed = 0; !ended && (passed < CHECKED_FRAMES || walk->count < walk->depth);
	     passed++) {
		if (!pass(walk, &at, frame, &ended))
			return;
		frame = JAVA_WALK_CALLING;
	}
	attempt->succeeded = walk->count > 0;
}

bool java_walk_try(struct java_walk *walk, const struct java_walk_start *start)
{
	struct attempt attempt = {walk, start, false};
	return os_call_guarded(walk_stack, &attempt) && attempt.succeeded;
}
