/*
 * walk_start.c: see walk_start.h. A thread that is in the VM, or in native code, has
 * left a note of its last Java frame (its anchor). One that is interrupted in Java code
 * has its registers and what its code is about to do with them. The code of a stub, or of a method
 * that pushes words on its frame, is followed to where it returns (code_return.h). Where that leads
 * nowhere, places where the return address may be are tried, the certain ones first, those that
 * are nearer to the top of the stack before others.
 */
#include "hotspot/walk_start.h"

#include "hotspot/code_return.h"
#include "hotspot/machine_code.h"
#include "hotspot/vm_flags.h"

enum {
	STUB_BYTES = 2048,   /* of a stub's frame */
	STUB_WORDS = 16,     /* on top of the stack, where a stub's return address may be */
	PUSHED_WORDS = 4,    /* that a caller of a stub may take off the stack itself */
	NATIVE_WORDS = 512,  /* of functions without a frame pointer */
	LEAF_WORDS = 32,     /* of those that call nothing */
	LINKS_MAX = 64,      /* frames of the VM's functions */
	SENDER_BYTES = 4096, /* arguments between two frames */
	INTERPRETED_WORDS = 8,
	FOLLOWED_STEPS = 4096, /* instructions, for all that a search follows */
	FOLLOWED_RETURNS = 4,
	PUSHED_BYTES = 512, /* on a method's frame */
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
	uint32_t follow_steps; /* left */
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
	uintptr_t sender = registers->general[MACHINE_R13];
	uintptr_t sp = registers->stack_pointer;
	uintptr_t fp = registers->frame_pointer;

	if (!on_stack(search, sender) || sender - sp > SENDER_BYTES)
		return false;
	return try_caller(search, stack_word(sp), sender, fp, JAVA_WALK_CALLING) ||
	       try_caller(search, registers->general[MACHINE_RAX], sender, fp, JAVA_WALK_CALLING) ||
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

/* ---- code that is followed ------------------------------------------------- */

static struct machine_state state_of(const struct os_registers *registers)
{
	struct machine_state state = {.pc = registers->program_counter,
	                              .known = (1U << MACHINE_REGISTERS) - 1};

	memcpy(state.registers, registers->general, sizeof(state.registers));
	return state;
}

struct follow_call {
	struct code_return search;
	struct machine_state *state;
	bool found;
};

static void follow(void *argument)
{
	struct follow_call *call = argument;
	call->found = code_return_find(&call->search, call->state);
}

/* Follows the code within those bounds to where it returns. */
static bool follow_to_return(struct search *search, const struct os_code_range *code,
                             struct machine_state *state)
{
	struct follow_call call = {.search = {.code = *code,
	                                      .calls = search->starter->code,
	                                      .stack_low = search->registers.stack_pointer,
	                                      .stack_base = search->base,
	                                      .steps = search->follow_steps},
	                           .state = state};
	bool survived = os_call_guarded(follow, &call);

	search->follow_steps = call.search.steps;
	return survived && call.found && on_stack(search, state->registers[MACHINE_RSP]);
}

static uintptr_t frame_pointer_of(const struct search *search, const struct machine_state *state)
{
	return machine_state_knows(state, MACHINE_RBP) ? state->registers[MACHINE_RBP]
	                                               : search->registers.frame_pointer;
}

/* Whether the method's frame with that stack pointer was made by a call of the method. */
static bool is_called(const struct search *search, const struct code_place *place, uintptr_t sp)
{
	const struct code_cache *cache = &search->starter->walker.stack.code;
	uintptr_t end = sp + place->frame_bytes;
	uintptr_t target;

	if (!on_stack(search, end))
		return false;
	uintptr_t pc = stack_word(end - STACK_WORD);
	if (pc == cache->call_stub_return ||
	    (pc >= cache->interpreter_begin && pc < cache->interpreter_end))
		return true;
	return is_code(search, pc) && machine_code_call_target(pc, &target) &&
	       target - (uintptr_t)place->blob < place->blob_bytes;
}

/* The method may have pushed words on its frame: if its caller is not certain, its code shows. */
static bool try_method(struct search *search, const struct code_place *place,
                       const struct machine_state *state, enum java_walk_frame frame)
{
	const struct code_cache *cache = &search->starter->walker.stack.code;
	uintptr_t sp = state->registers[MACHINE_RSP];
	uintptr_t fp = frame_pointer_of(search, state);
	struct os_code_range code = {code_cache_begin(cache, place->blob),
	                             (uintptr_t)place->blob + place->blob_bytes};
	struct machine_state returned = *state;

	if (is_called(search, place, sp) && try_at(search, state->pc, sp, fp, frame))
		return true;
	if (follow_to_return(search, &code, &returned)) {
		uintptr_t whole = returned.registers[MACHINE_RSP] - place->frame_bytes;
		return whole >= sp && whole - sp <= PUSHED_BYTES &&
		       try_at(search, state->pc, whole, fp, frame);
	}
	return try_at(search, state->pc, sp, fp, frame);
}

/* Goes on where a stub returns to. */
static bool try_returned(struct search *search, struct machine_state *state)
{
	const struct java_walker *walker = &search->starter->walker;
	struct code_place place;

	for (int i = 0; i < FOLLOWED_RETURNS; i++) {
		struct stack_position at = {.pc = state->pc};
		struct machine_state here = *state;
		bool interpreted = stack_is_interpreted(&walker->stack, &at);

		if (!interpreted) {
			code_cache_look_up(&walker->stack.code, at.pc, &place);
			if (place.blob != NULL &&
			    code_methods_owner(&walker->code, place.blob) != CODE_OF_VM)
				return try_method(search, &place, state, JAVA_WALK_IN_VM);
		}
		if (!is_code(search, at.pc) || !machine_code_follows_call(at.pc))
			return false;
		/* Intrinsics of the interpreter have no frame. */
		if (!follow_to_return(search, &search->starter->code, state))
			return try_at(search, here.pc, here.registers[MACHINE_RSP],
			              frame_pointer_of(search, &here), JAVA_WALK_IN_VM);
	}
	return false;
}

static bool try_followed(struct search *search)
{
	struct machine_state state = state_of(&search->registers);
	return follow_to_return(search, &search->starter->code, &state) &&
	       try_returned(search, &state);
}

/* ---- stubs ----------------------------------------------------------------- */

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
	(void)(try_followed(search) || try_stub_link(search) || try_stub_frame(search, place) ||
	       try_sender(search) || try_top(search, JAVA_WALK_IN_VM) ||
	       try_below_frame_pointer(search, JAVA_WALK_CALLING) || try_pushed(search) ||
	       try_linked(search));
}

/* ---- interpreted code ------------------------------------------------------ */

/* The frame pointer is that of a new frame, on which at most some words are. */
static void search_new_interpreted(struct search *search)
{
	const struct os_registers *registers = &search->registers;
	uintptr_t fp = registers->frame_pointer;
	uintptr_t sender = registers->general[MACHINE_R13];

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
	search->method = registers->general[MACHINE_RBX];
	search->bci = BCI_FIRST;
	if (fp >= sp && fp - sp < frame_bytes && fp < search->base)
		search_new_interpreted(search);
	if (search->found || try_sender(search))
		return;
	/* One that is left: the return address in r13, or the caller's stack in rbx. */
	search->method = 0;
	if (try_top(search, JAVA_WALK_CALLING) ||
	    try_below_frame_pointer(search, JAVA_WALK_CALLING) ||
	    try_caller(search, registers->general[MACHINE_R13], sp, fp, JAVA_WALK_CALLING) ||
	    try_caller(search, stack_word(sp), registers->general[MACHINE_RBX], fp,
	               JAVA_WALK_CALLING))
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
	struct machine_state state = state_of(&search->registers);
	(void)try_method(search, place, &state, JAVA_WALK_INTERRUPTED);
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

/* Whether code calls a function of the VM, or of the C library, that returns to pc. */
static bool is_native_call(const struct search *search, uintptr_t pc)
{
	uintptr_t target;
	return is_code(search, pc) && machine_code_follows_call(pc) &&
	       !(machine_code_call_target(pc, &target) && is_code(search, target));
}

/* Goes on in code that has called a function, with that stack and frame pointer. */
static bool try_native_call(struct search *search, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	struct machine_state state = {.pc = pc, .known = 1U << MACHINE_RSP | 1U << MACHINE_RBP};

	state.registers[MACHINE_RSP] = sp;
	state.registers[MACHINE_RBP] = fp;
	return on_stack(search, sp) && is_native_call(search, pc) && try_returned(search, &state);
}

/* Follows frame pointers up to the first frame of Java code or a stub: beyond that, they leave out
 * frames. */
static bool try_links(struct search *search, uintptr_t fp)
{
	for (int i = 0; i < LINKS_MAX && on_stack(search, fp); i++) {
		uintptr_t pc = stack_word(fp + STACK_WORD);
		uintptr_t next = stack_word(fp);
		if (is_code(search, pc))
			return try_native_call(search, pc, fp + 2 * (uintptr_t)STACK_WORD, next);
		if (next <= fp)
			return false;
		fp = next;
	}
	return false;
}

/* Functions of the VM have frame pointers, except in their first and last instructions; small ones
 * that call nothing, and those of the C library, have none: then the return address is searched
 * for, and any saved frame pointer that leads up to Java code does. */
static void search_native(struct search *search)
{
	uintptr_t sp = search->registers.stack_pointer;
	uintptr_t fp = search->registers.frame_pointer;
	enum code_frame frame = machine_code_linked_frame(search->registers.program_counter);

	if ((frame == CODE_FRAME_GONE &&
	     try_native_call(search, stack_word(sp), sp + STACK_WORD, fp)) ||
	    (frame == CODE_FRAME_ENDING &&
	     try_native_call(search, stack_word(sp + STACK_WORD), sp + 2 * (uintptr_t)STACK_WORD,
	                     stack_word(sp))) ||
	    try_links(search, fp))
		return;
	for (int i = 0; i < NATIVE_WORDS && search->walk.steps > 0; i++, sp += STACK_WORD) {
		if (i < LEAF_WORDS && try_native_call(search, stack_word(sp), sp + STACK_WORD, fp))
			return;
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
	        .follow_steps = FOLLOWED_STEPS,
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
