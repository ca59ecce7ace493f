/*
 * stack_walk.c: see stack_walk.h. Reads the thread's own stack, within its bounds, and
 * the VM's code cache; changes nothing of theirs.
 *
 * What makes a node certain: the return address in a compiled method determines its
 * Java frames, inlined ones included, as long as the method is the same, which its
 * compile number shows. The one exception, the address to which deoptimized frames
 * return, is not among the addresses that the method describes. An interpreted frame has
 * its method and bytecode on the stack. Whenever the VM is asked for the stack, the walk
 * is checked against its answer.
 */
#include "hotspot/stack_walk.h"

#include "hotspot/stack_position.h"
#include "hotspot/vm_memory.h"
#include "os/os_machine.h"

#include <stdlib.h>
#include <string.h>

static bool find_layout(struct stack_walker *walker)
{
	const struct frame_layout *layout = frame_layout_of(os_cpu());

	if (layout != NULL)
		walker->layout = *layout;
	return layout != NULL;
}

/* A constant of frames: as the VM states it, or else value, for aarch64, where it does not. */
static int32_t stated(const struct vm_structs *structs, const char *name, int32_t value)
{
	int32_t constant;
	return vm_structs_constant(structs, name, &constant) ? constant : value;
}

/* Whether the calling thread's stack begins where it is said to: a little above here. */
static bool is_own_base(const struct stack_walker *walker, JNIEnv *jni)
{
	enum { USED_MAX = 64 << 20, TOP_BYTES = 64 };
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t base;
	char top[TOP_BYTES];

	return vm_memory_read((const char *)jni + walker->stack_base, &base, sizeof(base)) &&
	       base > here + TOP_BYTES && base - here < USED_MAX && base % STACK_WORD == 0 &&
	       vm_memory_read((const void *)(base - TOP_BYTES), top, TOP_BYTES);
}

static bool is_word_of_anchor(const struct stack_walker *walker, uint64_t offset)
{
	return offset % STACK_WORD == 0 && offset + STACK_WORD <= walker->anchor_bytes;
}

static bool find_anchor(struct stack_walker *walker, const struct vm_structs *structs,
                        jvmtiEnv *jvmti, JNIEnv *jni)
{
	uint64_t anchor;
	uint64_t base;

	if (!vm_structs_offset(structs, "JavaThread", "_anchor", &anchor) ||
	    !vm_structs_offset(structs, "JavaThread", "_stack_base", &base) ||
	    !vm_structs_size(structs, "JavaFrameAnchor", &walker->anchor_bytes) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_sp", &walker->anchor_sp) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_pc", &walker->anchor_pc) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_fp", &walker->anchor_fp) ||
	    !vm_structs_offset(structs, "JavaCallWrapper", "_anchor", &walker->wrapper_anchor))
		return false;
	walker->wrapper_slot = stated(structs, "frame::entry_frame_call_wrapper_offset",
	                              walker->layout.wrapper_slot);
	intptr_t jni_offset = vm_structs_jni_offset(jvmti, jni);
	walker->anchor = (intptr_t)anchor - jni_offset;
	walker->stack_base = (intptr_t)base - jni_offset;
	return jni_offset != 0 && walker->wrapper_slot != 0 &&
	       is_word_of_anchor(walker, walker->anchor_sp) &&
	       is_word_of_anchor(walker, walker->anchor_pc) &&
	       is_word_of_anchor(walker, walker->anchor_fp) && is_own_base(walker, jni);
}

static bool find_interpreter(struct stack_walker *walker, const struct vm_structs *structs)
{
	return stated(structs, "frame::interpreter_frame_sender_sp_offset",
	              STACK_INTERPRETED_SENDER_SP) == STACK_INTERPRETED_SENDER_SP &&
	       vm_structs_offset(structs, "Method", "_constMethod", &walker->const_method) &&
	       vm_structs_size(structs, "ConstMethod", &walker->const_method_bytes);
}

bool stack_walker_find(struct stack_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni,
                       struct memo_table *table)
{
	struct vm_structs structs;

	memset(walker, 0, sizeof(*walker));
	walker->table = table;
	return find_layout(walker) && vm_structs_find(&structs, jvmti) &&
	       find_anchor(walker, &structs, jvmti, jni) &&
	       code_cache_find(&walker->code, &structs) && find_interpreter(walker, &structs);
}

/* The node of a frame of compiled code or a stub. */
static struct memo_node *code_node(const struct stack_walker *walker,
                                   const struct memo_node *parent, uintptr_t pc)
{
	struct code_place place;
	struct memo_node *node = memo_find(walker->table, parent, pc, 0);

	if (node != NULL) {
		if (node->code.kind != CODE_COMPILED ||
		    code_cache_holds(&walker->code, node->code.blob, node->code.compile_id,
		                     node->code.blob_bytes))
			return node;
		memo_forget(node);
	}
	code_cache_look_up(&walker->code, pc, &place);
	return place.kind == CODE_UNKNOWN ? NULL : memo_add(walker->table, parent, pc, 0, &place);
}

static struct memo_node *interpreted_node(const struct stack_walker *walker,
                                          const struct memo_node *parent, uintptr_t method,
                                          uintptr_t bytecode)
{
	struct memo_node *node = memo_find(walker->table, parent, method, bytecode);
	return node != NULL ? node : memo_add(walker->table, parent, method, bytecode, NULL);
}

/* Passes an interpreted frame. */
static bool pass_interpreted(const struct stack_walker *walker, struct stack_position *at,
                             struct stack_walk *walk)
{
	uintptr_t method;
	uintptr_t bytecode;

	if (!stack_leave_interpreted(walker, at, &method, &bytecode))
		return false;
	walk->interpreted = true;
	walk->node = interpreted_node(walker, walk->node, method, bytecode);
	return walk->node != NULL;
}

/* Passes a frame where the VM called Java. */
static bool pass_entry(const struct stack_walker *walker, struct stack_position *at,
                       struct stack_walk *walk)
{
	if (!stack_leave_entry(walker, at, &walk->ended))
		return false;
	if (walk->ended)
		walk->node = interpreted_node(walker, walk->node, 0, 0);
	return walk->node != NULL;
}

/* One frame; *frames counts Java frames. */
static bool step(const struct stack_walker *walker, struct stack_position *at,
                 struct stack_walk *walk, uint32_t *frames)
{
	if (stack_is_interpreted(walker, at)) {
		bool passed = pass_interpreted(walker, at, walk);
		*frames += 1;
		return passed;
	}
	walk->node = code_node(walker, walk->node, at->pc);
	if (walk->node == NULL)
		return false;
	if (walk->node->code.kind == CODE_ENTRY)
		return pass_entry(walker, at, walk);
	*frames += walk->node->code.java_frames;
	return stack_leave(walker, at, walk->node->code.frame_bytes);
}

void stack_walk(const struct stack_walker *walker, JNIEnv *jni, struct stack_walk *walk)
{
	struct stack_position at;
	uint32_t frames = 0;

	walk->node = walk->root;
	walk->interpreted = false;
	walk->ended = false;
	bool known = stack_begin(walker, jni, &at);
	while (known && frames < walk->depth && !walk->ended)
		known = step(walker, &at, walk, &frames);
	if (!known)
		walk->node = NULL;
}

/* ---- checking ------------------------------------------------------------ */

/* The frames that the VM returned, and the number matched so far. */
struct vm_frames {
	const jvmtiFrameInfo *frames;
	uint32_t count;
	uint32_t at;
};

/* Whether the next frame is at that bytecode; both may not know. What the VM returned may
 * end before the walk. */
static bool is_next(struct vm_frames *vm, int64_t bci)
{
	if (vm->at == vm->count)
		return true;
	int64_t its_bci = vm->frames[vm->at++].location;
	return bci < 0 || its_bci < 0 || bci == its_bci;
}

static bool interpreted_agrees(const struct stack_walker *walker, const struct memo_node *node,
                               struct vm_frames *vm)
{
	if (node->first == 0)
		return vm->at == vm->count;
	if (node->second == 0)
		return is_next(vm, -1);
	uintptr_t method = any_word_at(node->first + walker->const_method);
	return is_next(vm, (int64_t)(node->second - method - walker->const_method_bytes));
}

static bool compiled_agrees(const struct stack_walker *walker, const struct memo_node *node,
                            struct vm_frames *vm)
{
	struct code_frames frames;
	int64_t bci;
	uint16_t count = 0;

	if (!code_frames_begin(&walker->code, node->first, &frames))
		return node->code.java_frames == 1 && is_next(vm, -1);
	while (code_frames_next(&frames, &bci)) {
		if (!is_next(vm, bci))
			return false;
		count++;
	}
	return count == node->code.java_frames;
}

static bool node_agrees(const struct stack_walker *walker, const struct memo_node *node,
                        struct vm_frames *vm)
{
	switch (node->code.kind) {
	case CODE_UNKNOWN:
		return interpreted_agrees(walker, node, vm);
	case CODE_COMPILED:
		return compiled_agrees(walker, node, vm);
	default:
		return true;
	}
}

/* A path of nodes from the innermost frame, compared with what the VM returned. */
struct comparison {
	const struct stack_walker *walker;
	const struct memo_node **path;
	size_t length;
	struct vm_frames vm;
	bool agrees;
};

static void compare(void *argument)
{
	struct comparison *comparison = argument;

	comparison->agrees = true;
	for (size_t at = 0; at < comparison->length && comparison->agrees; at++)
		comparison->agrees =
		        node_agrees(comparison->walker, comparison->path[at], &comparison->vm);
}

bool stack_walk_agrees(const struct stack_walker *walker, const struct stack_walk *walk,
                       const jvmtiFrameInfo *frames, uint32_t count)
{
	enum { FEW = 64 };
	const struct memo_node *few[FEW];
	const struct memo_node **path = few;
	const struct memo_node *node;
	size_t length = 0;

	for (node = walk->node; node != walk->root; node = node->parent)
		length++;
	if (length > FEW)
		path = malloc(length * sizeof(const struct memo_node *));
	if (path == NULL)
		return false;
	size_t at = length;
	for (node = walk->node; node != walk->root; node = node->parent)
		path[--at] = node;
	struct comparison comparison = {walker, path, length, {frames, count, 0}, false};
	bool done = os_call_guarded(compare, &comparison);
	if (path != few)
		free(path);
	return done && comparison.agrees && comparison.vm.at == count;
}
