/*
 * stack_walk.c: see stack_walk.h. Reads the thread's own stack, within its bounds, and
 * the VM's code cache; changes nothing of theirs.
 *
 * What makes a node certain: the return address in a compiled method determines its
 * Java frames, inlined ones included, as long as the method is the same, which its
 * compile number tells. The one address that does not, the one to which frames return
 * that are given up, is none that the method describes. An interpreted frame has its
 * method and bytecode on the stack. Each frame is at least one Java frame, so that as
 * many frames as Java frames are wanted are enough.
 */
#include "profile/stack_walk.h"

#include <string.h>

enum {
	WORD = sizeof(uintptr_t),
	/* An interpreted frame, in words from its frame pointer. */
	INTERPRETED_SENDER_SP = -1,
	INTERPRETED_METHOD = -3,
	INTERPRETED_BYTECODE = -8
};

struct position {
	uintptr_t sp;
	uintptr_t pc;
	uintptr_t fp;
	uintptr_t base; /* where the stack begins; above all frames */
};

static uintptr_t word_at(uintptr_t address)
{
	uintptr_t word;
	memcpy(&word, (const void *)address, sizeof(word));
	return word;
}

static uintptr_t frame_word(uintptr_t fp, int32_t slot)
{
	return word_at(fp + (uintptr_t)((intptr_t)slot * WORD));
}

/* Whether the processor's calls push their return address, as is assumed here. */
static bool processor_is_known(void)
{
	uintptr_t words[2] = {0, 0};
	void *address;
	return os_call_return_address(&words[1], &address);
}

static bool find_anchor(struct stack_walker *walker, const struct vm_structs *structs,
                        struct profile *profile, JNIEnv *jni)
{
	uint64_t anchor;
	uint64_t base;

	if (!vm_structs_offset(structs, "JavaThread", "_anchor", &anchor) ||
	    !vm_structs_offset(structs, "JavaThread", "_stack_base", &base) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_sp", &walker->anchor_sp) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_pc", &walker->anchor_pc) ||
	    !vm_structs_offset(structs, "JavaFrameAnchor", "_last_Java_fp", &walker->anchor_fp) ||
	    !vm_structs_offset(structs, "JavaCallWrapper", "_anchor", &walker->wrapper_anchor) ||
	    !vm_structs_constant(structs, "frame::entry_frame_call_wrapper_offset",
	                         &walker->wrapper_slot))
		return false;
	intptr_t jni_offset = vm_structs_jni_offset(profile, jni);
	walker->anchor = (intptr_t)anchor - jni_offset;
	walker->stack_base = (intptr_t)base - jni_offset;
	return jni_offset != 0;
}

static bool find_interpreter(struct stack_walker *walker, const struct vm_structs *structs)
{
	int32_t sender_sp;
	uint32_t length;
	const char *queue = walker->code.interpreter;

	walker->interpreter_begin = word_at((uintptr_t)(queue + walker->code.at.queue_buffer));
	memcpy(&length, queue + walker->code.at.queue_limit, sizeof(length));
	walker->interpreter_end = walker->interpreter_begin + length;
	return vm_structs_constant(structs, "frame::interpreter_frame_sender_sp_offset",
	                           &sender_sp) &&
	       sender_sp == INTERPRETED_SENDER_SP &&
	       vm_structs_offset(structs, "Method", "_constMethod", &walker->const_method) &&
	       vm_structs_size(structs, "ConstMethod", &walker->const_method_bytes);
}

bool stack_walker_find(struct stack_walker *walker, struct profile *profile, JNIEnv *jni,
                       struct memo_table *table)
{
	struct vm_structs structs;

	memset(walker, 0, sizeof(*walker));
	walker->profile = profile;
	walker->table = table;
	return processor_is_known() && vm_structs_find(&structs, profile) &&
	       find_anchor(walker, &structs, profile, jni) &&
	       code_cache_find(&walker->code, &structs) && find_interpreter(walker, &structs);
}

static bool on_stack(const struct position *at, uintptr_t address)
{
	return address > at->sp && address < at->base && address % WORD == 0;
}

/* Goes to the frame that the anchor names; false when there is none. */
static bool go_to_anchor(const struct stack_walker *walker, uintptr_t anchor, struct position *at)
{
	uintptr_t sp = word_at(anchor + walker->anchor_sp);
	if (sp <= at->sp || sp >= at->base || sp % WORD != 0)
		return false;
	at->sp = sp;
	at->fp = word_at(anchor + walker->anchor_fp);
	at->pc = word_at(anchor + walker->anchor_pc);
	if (at->pc == 0)
		at->pc = word_at(sp - WORD);
	return true;
}

/* Leaves a frame of compiled code or a stub. */
static bool leave(struct position *at, uint32_t frame_bytes)
{
	uintptr_t sender = at->sp + frame_bytes;
	if (sender <= at->sp || sender >= at->base)
		return false;
	at->sp = sender;
	at->pc = word_at(sender - WORD);
	at->fp = word_at(sender - 2 * (uintptr_t)WORD);
	return true;
}

static bool leave_interpreted(struct position *at)
{
	uintptr_t fp = at->fp;
	uintptr_t sender = frame_word(fp, INTERPRETED_SENDER_SP);
	if (sender <= fp || sender >= at->base || sender % WORD != 0)
		return false;
	at->sp = sender;
	at->pc = frame_word(fp, 1);
	at->fp = word_at(fp);
	return true;
}

/* The node of a frame of compiled code or a stub. */
static struct memo_node *code_node(const struct stack_walker *walker,
                                   const struct memo_node *parent, uintptr_t pc)
{
	struct code_place place;
	struct memo_node *node = memo_find(walker->table, parent, pc, 0);

	if (node != NULL) {
		if (node->code.kind != CODE_COMPILED ||
		    code_cache_holds(&walker->code, &node->code))
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

/* Goes over an interpreted frame. */
static bool pass_interpreted(const struct stack_walker *walker, struct position *at,
                             struct stack_walk *walk, uint32_t frames)
{
	if (!on_stack(at, at->fp))
		return false;
	uintptr_t method = frame_word(at->fp, INTERPRETED_METHOD);
	uintptr_t bytecode = frame_word(at->fp, INTERPRETED_BYTECODE);

	walk->interpreted = true;
	if (frames == walk->leading && walk->leading < LEADING_MAX) {
		walk->methods[walk->leading] = method;
		walk->bytecodes[walk->leading] = bytecode;
		walk->leading++;
	}
	walk->node = interpreted_node(walker, walk->node, method, bytecode);
	return walk->node != NULL && leave_interpreted(at);
}

/* Goes from a frame where the VM called Java to where Java called the VM. */
static bool pass_entry(const struct stack_walker *walker, struct position *at,
                       struct stack_walk *walk)
{
	if (!on_stack(at, at->fp))
		return false;
	uintptr_t wrapper = frame_word(at->fp, walker->wrapper_slot);
	if (!on_stack(at, wrapper))
		return false;
	uintptr_t anchor = wrapper + walker->wrapper_anchor;
	if (word_at(anchor + walker->anchor_sp) != 0)
		return go_to_anchor(walker, anchor, at);
	walk->ended = true;
	walk->node = interpreted_node(walker, walk->node, 0, 0);
	return walk->node != NULL;
}

/* One frame; *frames counts Java frames. */
static bool step(const struct stack_walker *walker, struct position *at, struct stack_walk *walk,
                 uint32_t *frames)
{
	if (at->pc >= walker->interpreter_begin && at->pc < walker->interpreter_end) {
		bool passed = pass_interpreted(walker, at, walk, *frames);
		*frames += 1;
		return passed;
	}
	walk->node = code_node(walker, walk->node, at->pc);
	if (walk->node == NULL)
		return false;
	if (walk->node->code.kind == CODE_ENTRY)
		return pass_entry(walker, at, walk);
	*frames += walk->node->code.kind == CODE_COMPILED;
	return leave(at, walk->node->code.frame_bytes);
}

void stack_walk(const struct stack_walker *walker, JNIEnv *jni, struct memo_node *root,
                uint32_t depth, struct stack_walk *walk)
{
	struct position at = {.base = word_at((uintptr_t)((intptr_t)jni + walker->stack_base))};
	uint32_t frames = 0;

	at.sp = (uintptr_t)&at;
	walk->node = root;
	walk->interpreted = false;
	walk->ended = false;
	walk->leading = 0;
	bool known = go_to_anchor(walker, (uintptr_t)((intptr_t)jni + walker->anchor), &at);
	while (known && frames < depth && !walk->ended)
		known = step(walker, &at, walk, &frames);
	if (!known)
		walk->node = NULL;
}

bool stack_walk_agrees(const struct stack_walker *walker, const struct stack_walk *walk,
                       const jvmtiFrameInfo *frames, uint32_t count)
{
	for (uint32_t i = 0; i < walk->leading; i++) {
		if (i >= count)
			return false;
		if (frames[i].location < 0)
			continue;
		uintptr_t method = word_at(walk->methods[i] + walker->const_method);
		if (walk->bytecodes[i] !=
		    method + walker->const_method_bytes + (uintptr_t)frames[i].location)
			return false;
	}
	return true;
}
