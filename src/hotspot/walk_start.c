/*
 * walk_start.c: see walk_start.h. A thread that is in the VM, or in native code, has
 * left a note of its last Java frame (its anchor). One that is interrupted in Java code
 * has its frame pointer, its stack pointer and what its code is about to do with them:
 * places where the return address may be are tried, the certain ones first, those that
 * are nearer to the top of the stack before others.
 */
#include "hotspot/walk_start.h"

#include "hotspot/machine_code.h"
#include "hotspot/vm_flags.h"

enum {
	STUB_BYTES = 2048,   /* of a stub's frame */
	STUB_WORDS = 16,     /* on top of the stack, where a stub's return address may be */
	PUSHED_WORDS = 4,    /* that a caller of a stub may take off the stack itself */
	NATIVE_WORDS = 512,  /* of functions without a frame pointer */
	LINKS_MAX = 64,      /* frames of the VM's functions */
	SENDER_BYTES = 4096, /* arguments between two frames */
	INTERPRETED_WORDS = 8,
	BCI_FIRST = 0,
	BCI_UNKNOWN = -1
};

struct search {
	const struct walk_starter *starter;
	struct java_walk walk;
	struct os_registers registers;
	uintptr_t base;
	/* The interrupted method if it has no frame; or 0. */
	uintptr_t method;
	int32_t bci;
	bool found;
};

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

static bool is_code(const struct search *search, uintptr_t address)
{
	return address >= search->starter->code.low && address < search->starter->code.high;
}

/* Whether a frame may begin at that address. */
static bool on_stack(const struct search *search, uintptr_t address)
{
	return address > search->registers.stack_pointer && address < search->base &&
	       address % STACK_WORD == 0;
}

static bool try_at(struct search *search, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                   enum java_walk_frame frame)
{
	struct java_walk_start start = {
	        .at = {.sp = sp, .pc = pc, .fp = fp, .base = search->base},
	        .frame = frame,
	        .method = search->method,
	        .bci = search->bci,
	};
	search->found = search->found || java_walk_try(&search->walk, &start);
	return search->found;
}

/* Tries the frame that is returned to: to pc, with that stack and frame pointer. */
static bool try_caller(struct search *search, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                       enum java_walk_frame frame)
{
	return is_code(search, pc) && on_stack(search, sp) && try_at(search, pc, sp, fp, frame);
}

/* The caller, when the return address is on top of the stack. */
static bool try_top(struct search *search, enum java_walk_frame frame)
{
	uintptr_t sp = search->registers.stack_pointer;
	return try_caller(search, stack_word(sp), sp + STACK_WORD, search->registers.frame_pointer,
	                  frame);
}

/* … and when its frame pointer lies on it. */
static bool try_below_frame_pointer(struct search *search, enum java_walk_frame frame)
{
	uintptr_t sp = search->registers.stack_pointer;
	return try_caller(search, stack_word(sp + STACK_WORD), sp + 2 * (uintptr_t)STACK_WORD,
	                  stack_word(sp), frame);
}

/* … and when the function has set up its frame pointer. */
static bool try_linked(struct search *search)
{
	uintptr_t fp = search->registers.frame_pointer;
	return on_stack(search, fp) &&
	       try_caller(search, stack_word(fp + STACK_WORD), fp + 2 * (uintptr_t)STACK_WORD,
	                  stack_word(fp), JAVA_WALK_IN_VM);
}

/* ---- between two methods --------------------------------------------------- */

struct method_call {
	const struct vm_methods *methods;
	uintptr_t method;
	bool known;
};

static void look_for_id(void *argument)
{
	struct method_call *call = argument;
	call->known = vm_methods_id(call->methods, call->method) != NULL;
}

/* Whether a word, whatever it is, is the address of a method. */
static bool is_method(const struct vm_methods *methods, uintptr_t word)
{
	struct method_call call = {methods, word, false};
	return os_call_guarded(look_for_id, &call) && call.known;
}

/* Where adapters and interpreted code find the caller's stack in r13, while the return
 * address is still on the stack, just taken from it, or in a register. */
static bool try_sender(struct search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t sender = registers->r13;
	uintptr_t sp = registers->stack_pointer;
	uintptr_t fp = registers->frame_pointer;

	if (!on_stack(search, sender) || sender - sp > SENDER_BYTES)
		return false;
	return try_caller(search, stack_word(sp), sender, fp, JAVA_WALK_CALLING) ||
	       try_caller(search, registers->rax, sender, fp, JAVA_WALK_CALLING) ||
	       try_caller(search, stack_word(sender - STACK_WORD), sender, fp, JAVA_WALK_CALLING);
}

/* A stub has pushed something, or its caller has. */
static bool try_pushed(struct search *search)
{
	uintptr_t fp = search->registers.frame_pointer;
	uintptr_t place = search->registers.stack_pointer;

	for (int i = 0; i < STUB_WORDS && search->walk.steps > 0; i++, place += STACK_WORD) {
		for (uintptr_t pushed = 1;
		     is_code(search, stack_word(place)) && pushed <= 1 + PUSHED_WORDS; pushed++) {
			if (try_caller(search, stack_word(place), place + pushed * STACK_WORD, fp,
			               JAVA_WALK_CALLING))
				return true;
		}
	}
	return false;
}

/* Compiled code leaves the frame pointer of the interpreted frame above it as it is. */
static bool is_interpreted_frame(const struct search *search, uintptr_t fp)
{
	const struct vm_methods *methods = &search->starter->walker.methods;
	int32_t slot = search->starter->walker.stack.layout.bytecode_slot;
	uintptr_t method = stack_frame_word(fp, STACK_INTERPRETED_METHOD);
	uintptr_t bytecode = stack_frame_word(fp, slot);
	int32_t bci;

	return is_method(methods, method) &&
	       (bytecode == 0 || vm_methods_bytecode(methods, method, bytecode, &bci));
}

/* A stub has set up a frame pointer of its own. */
static bool try_stub_link(struct search *search)
{
	uintptr_t fp = search->registers.frame_pointer;

	if (!on_stack(search, fp) || fp - search->registers.stack_pointer > STUB_BYTES ||
	    search->starter->compiled_links || is_interpreted_frame(search, fp))
		return false;
	for (uintptr_t pushed = 0; pushed <= PUSHED_WORDS; pushed++) {
		if (try_caller(search, stack_word(fp + STACK_WORD), fp + (2 + pushed) * STACK_WORD,
		               stack_word(fp), JAVA_WALK_IN_VM))
			return true;
	}
	return false;
}

/* A stub with a frame of a known size. */
static bool try_stub_frame(struct search *search, const struct code_place *place)
{
	uintptr_t sp = search->registers.stack_pointer + place->frame_bytes;
	return place->frame_bytes > 0 && on_stack(search, sp) &&
	       try_caller(search, stack_word(sp - STACK_WORD), sp,
	                  stack_word(sp - 2 * (uintptr_t)STACK_WORD), JAVA_WALK_CALLING);
}

static void search_stub(struct search *search, const struct code_place *place)
{
	(void)(try_stub_link(search) || try_stub_frame(search, place) || try_sender(search) ||
	       try_top(search, JAVA_WALK_IN_VM) ||
	       try_below_frame_pointer(search, JAVA_WALK_CALLING) || try_pushed(search) ||
	       try_linked(search));
}

/* ---- interpreted code ------------------------------------------------------ */

/* The frame pointer is that of a new frame, on which at most some words are. */
static void search_new_interpreted(struct search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t fp = registers->frame_pointer;
	uintptr_t sender = registers->r13;

	if (registers->stack_pointer < fp)
		sender = stack_frame_word(fp, STACK_INTERPRETED_SENDER_SP);
	(void)try_caller(search, stack_frame_word(fp, 1), sender, stack_word(fp),
	                 JAVA_WALK_CALLING);
}

static void search_interpreter(struct search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t sp = registers->stack_pointer;
	uintptr_t fp = registers->frame_pointer;
	const uintptr_t frame_bytes = (uintptr_t)INTERPRETED_WORDS * STACK_WORD;

	/* A method that is entered is in rbx; what is no method is left out. */
	search->method = registers->rbx;
	search->bci = BCI_FIRST;
	if (fp >= sp && fp - sp < frame_bytes && fp < search->base)
		search_new_interpreted(search);
	if (search->found || try_sender(search))
		return;
	/* One that is left: the return address in r13, or the caller's stack in rbx. */
	search->method = 0;
	if (try_top(search, JAVA_WALK_CALLING) ||
	    try_below_frame_pointer(search, JAVA_WALK_CALLING) ||
	    try_caller(search, registers->r13, sp, fp, JAVA_WALK_CALLING) ||
	    try_caller(search, stack_word(sp), registers->rbx, fp, JAVA_WALK_CALLING))
		return;
	if (fp > sp && fp - sp >= frame_bytes && fp < search->base)
		(void)try_at(search, registers->program_counter, sp - STACK_WORD, fp,
		             JAVA_WALK_INTERRUPTED);
}

/* ---- compiled code --------------------------------------------------------- */

/* A method that may have no frame at this instruction. */
static bool try_around_frame(struct search *search, const struct code_place *place)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t sp = registers->stack_pointer;

	search->bci = BCI_FIRST;
	switch (machine_code_frame(registers->program_counter)) {
	case CODE_FRAME_GONE:
		search->bci = BCI_UNKNOWN;
		return try_top(search, JAVA_WALK_CALLING);
	case CODE_FRAME_ENDING:
		search->bci = BCI_UNKNOWN;
		return try_below_frame_pointer(search, JAVA_WALK_CALLING);
	case CODE_FRAME_NONE_YET:
		return try_top(search, JAVA_WALK_CALLING);
	case CODE_FRAME_BEGUN:
		return try_below_frame_pointer(search, JAVA_WALK_CALLING);
	case CODE_FRAME_UNSAVED:
		sp += place->frame_bytes;
		return on_stack(search, sp) &&
		       try_caller(search, stack_word(sp - STACK_WORD), sp, registers->frame_pointer,
		                  JAVA_WALK_CALLING);
	default:
		return false;
	}
}

/* The interrupted method has its frame; its code saves a word on top of that while it searches the
 * supertypes of a class. */
static bool try_in_frame(struct search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t sp = registers->stack_pointer;

	return try_at(search, registers->program_counter, sp, registers->frame_pointer,
	              JAVA_WALK_INTERRUPTED) ||
	       try_at(search, registers->program_counter, sp + STACK_WORD, registers->frame_pointer,
	              JAVA_WALK_INTERRUPTED);
}

/* What lies after a method's code leads to interpreted methods. */
static void search_method(struct search *search, const struct code_place *place)
{
	const struct code_methods *code = &search->starter->walker.code;
	uintptr_t pc = search->registers.program_counter;

	if (code_methods_is_stub(code, place->blob, pc)) {
		(void)try_top(search, JAVA_WALK_CALLING);
		return;
	}
	search->method = code_methods_root(code, place->blob);
	if (try_around_frame(search, place))
		return;
	search->method = 0;
	if (try_in_frame(search))
		return;
	search->method = code_methods_root(code, place->blob);
	search->bci = BCI_UNKNOWN;
	(void)try_top(search, JAVA_WALK_CALLING);
}

static void search_code(struct search *search)
{
	const struct java_walker *walker = &search->starter->walker;
	struct stack_position at = {.pc = search->registers.program_counter};
	struct code_place place;

	if (stack_is_interpreted(&walker->stack, &at)) {
		search_interpreter(search);
		return;
	}
	code_cache_look_up(&walker->stack.code, at.pc, &place);
	if (place.blob != NULL && code_methods_owner(&walker->code, place.blob) != CODE_OF_VM)
		search_method(search, &place);
	else
		search_stub(search, &place);
}

/* ---- functions of the VM that Java code calls as its own ------------------- */

/* Follows frame pointers up to a frame of Java code. */
static bool try_links(struct search *search, uintptr_t fp)
{
	for (int i = 0; i < LINKS_MAX && on_stack(search, fp); i++) {
		uintptr_t pc = stack_word(fp + STACK_WORD);
		uintptr_t next = stack_word(fp);
		if (is_code(search, pc) &&
		    try_at(search, pc, fp + 2 * (uintptr_t)STACK_WORD, next, JAVA_WALK_IN_VM))
			return true;
		if (next <= fp)
			return false;
		fp = next;
	}
	return false;
}

/* Functions of the VM have frame pointers, except in their first and last instructions;
 * those of the C library that they call have none: then any saved one that leads up to
 * Java code does. */
static void search_native(struct search *search)
{
	uintptr_t sp = search->registers.stack_pointer;
	uintptr_t fp = search->registers.frame_pointer;
	enum code_frame frame = machine_code_linked_frame(search->registers.program_counter);

	if ((frame == CODE_FRAME_GONE && try_top(search, JAVA_WALK_IN_VM)) ||
	    (frame == CODE_FRAME_ENDING && try_below_frame_pointer(search, JAVA_WALK_IN_VM)))
		return;
	if (try_links(search, fp))
		return;
	for (int i = 0; i < NATIVE_WORDS && search->walk.steps > 0; i++, sp += STACK_WORD) {
		if (on_stack(search, stack_word(sp)) && stack_word(sp) > sp &&
		    try_links(search, sp))
			return;
	}
}

/* ---- the search ------------------------------------------------------------ */

static bool try_anchor(struct search *search, JNIEnv *jni)
{
	const struct stack_walker *stack = &search->starter->walker.stack;
	struct stack_position at = {
	        .sp = search->registers.stack_pointer - STACK_WORD,
	        .base = search->base,
	};
	uintptr_t anchor = (uintptr_t)((intptr_t)jni + stack->anchor);

	/* Without a noted address the call pushed it, if it has happened. */
	if (stack_word(anchor + stack->anchor_pc) == 0)
		at.sp = search->registers.stack_pointer;
	return stack_go_to_anchor(stack, anchor, &at) &&
	       try_at(search, at.pc, at.sp, at.fp, JAVA_WALK_IN_VM);
}

struct search_call {
	struct search *search;
	JNIEnv *jni;
	bool no_java;
};

static void search_stack(void *argument)
{
	struct search_call *call = argument;
	struct search *search = call->search;
	const struct walk_starter *starter = search->starter;
	intptr_t jni = (intptr_t)call->jni;

	int32_t state = *(const volatile int32_t *)(jni + starter->thread_state);
	search->base = stack_word((uintptr_t)(jni + starter->walker.stack.stack_base));
	uintptr_t anchor = (uintptr_t)(jni + starter->walker.stack.anchor);
	bool noted = stack_word(anchor + starter->walker.stack.anchor_sp) != 0;
	if (noted && try_anchor(search, call->jni))
		return;
	if (state != starter->state_in_java && state != starter->state_in_java_trans) {
		call->no_java = !noted;
		return;
	}
	if (is_code(search, search->registers.program_counter))
		search_code(search);
	else
		search_native(search);
}

int32_t walk_start(const struct walk_starter *starter, JNIEnv *jni, const void *context,
                   struct raw_frame *frames, uint32_t depth)
{
	struct search search = {
	        .starter = starter,
	        .walk = {.walker = &starter->walker,
	                 .frames = frames,
	                 .depth = depth,
	                 .steps = java_walk_steps(depth)},
	};
	struct search_call call = {.search = &search, .jni = jni};

	if (!os_context_registers(context, &search.registers))
		return WALK_UNKNOWN;
	bool survived = os_call_guarded(search_stack, &call);
	if (survived && call.no_java)
		return 0;
	if (survived && search.found)
		return (int32_t)search.walk.count;
	return search.walk.steps == 0 ? WALK_TOO_LONG : WALK_UNKNOWN;
}
