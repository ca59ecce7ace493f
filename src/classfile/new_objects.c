/*
 * Finds which constructor call completes the object of which new. Called by plans
 * from the rewriting thread; takes no lock.
 *
 * The code is simulated on stacks that know of each slot only whether it holds the
 * object that a certain new of the method allocated last; locals are not followed. Where
 * paths meet, a slot keeps what all of them agree on. A verifier comes to the same
 * types (JVMS 4.10.1.9, new: one uninitialised object of each new at a time), except where a
 * stack map frame states less than holds: so frames are paths, too.
 *
 * A method is left uncertain as a whole if it has subroutines, stacks that do not fit, or
 * more of stacks and of jumps back and forth than compilers generate.
 */
#include "classfile/frame_reader.h"
#include "classfile/member_effect.h"
#include "classfile/stack_map.h"

#include <string.h>

enum {
	/* Far more than compilers use: they keep time and memory for hostile code low. */
	FLOW_MAX_STACK = 1024,
	FLOW_MAX_SLOTS = 1 << 20,
	FLOW_MAX_PASSES = 16
};

/* A slot's object: the index of its new plus 1, or 0. */
typedef uint16_t object_tag;

struct new_flow {
	const struct method_code *code;
	object_tag *completed; /* by instruction: what it completes and leaves on top */
	object_tag *stack;
	uint32_t depth;
	bool is_reached;
	uint32_t next; /* after the instruction being simulated */
	bool is_again; /* what goes into code before has changed since it was simulated */
	/* The stacks recorded where paths meet, each after its depth. */
	object_tag *slots;
	size_t slot_count;
	size_t slot_capacity;
	/* Where in slots that of an instruction begins, after its depth; 0 if there is none. */
	uint32_t *recorded;
	bool no_memory;
};

/* The stack recorded for an instruction, after its depth; NULL if there is none. */
static object_tag *recorded_stack(const struct new_flow *flow, uint32_t index)
{
	return flow->recorded[index] ? flow->slots + flow->recorded[index] : NULL;
}

static bool record_stack(struct new_flow *flow, uint32_t index)
{
	size_t count = flow->slot_count + 1 + flow->depth;
	object_tag *slots;

	if (count > FLOW_MAX_SLOTS)
		return false;
	slots = class_memory_grow(flow->code->memory, flow->slots, &flow->slot_capacity, count,
	                          sizeof(slots[0]));
	if (!slots) {
		flow->no_memory = true;
		return false;
	}
	flow->slots = slots;
	slots += flow->slot_count;
	slots[0] = (object_tag)flow->depth;
	memcpy(slots + 1, flow->stack, flow->depth * sizeof(slots[0]));
	flow->slot_count = count;
	flow->recorded[index] = (uint32_t)(count - flow->depth);
	return true;
}

/* Merges the stack into what is recorded for an instruction. False if the depths differ. */
static bool meet(struct new_flow *flow, uint32_t index)
{
	object_tag *slots = recorded_stack(flow, index);
	bool has_changed = false;

	if (!slots) {
		flow->is_again |= index < flow->next;
		return record_stack(flow, index);
	}
	if (slots[-1] != flow->depth)
		return false;
	for (uint32_t i = 0; i < flow->depth; i++) {
		if (slots[i] && slots[i] != flow->stack[i]) {
			slots[i] = 0;
			has_changed = true;
		}
	}
	flow->is_again |= has_changed && index < flow->next;
	return true;
}

static bool meet_at(struct new_flow *flow, uint32_t offset)
{
	return meet(flow, method_code_index(flow->code, offset));
}

static bool pop(struct new_flow *flow, uint32_t slots)
{
	if (flow->depth < slots)
		return false;
	flow->depth -= slots;
	return true;
}

static bool push(struct new_flow *flow, uint32_t slots, object_tag tag)
{
	if (flow->code->record->view.max_stack - flow->depth < slots)
		return false;
	for (; slots; slots--)
		flow->stack[flow->depth++] = tag;
	return true;
}

static void forget(struct new_flow *flow, object_tag tag)
{
	for (uint32_t i = 0; i < flow->depth; i++) {
		if (flow->stack[i] == tag)
			flow->stack[i] = 0;
	}
}

/* Notes what the call of a constructor, which has popped the object last, completes. */
static void complete(struct new_flow *flow, uint32_t index)
{
	object_tag tag = flow->stack[flow->depth];
	bool is_on_top = flow->depth && flow->stack[flow->depth - 1] == tag;

	flow->completed[index] = is_on_top ? tag : 0;
	if (tag)
		forget(flow, tag);
}

static bool step_member(struct new_flow *flow, uint32_t index, const uint8_t *bytes)
{
	struct member_effect effect;

	if (!member_effect_read(&flow->code->classfile->pool, bytes[0], bytes_u2(bytes + 1),
	                        &effect) ||
	    !pop(flow, effect.pops))
		return false;
	if (effect.initializes)
		complete(flow, index);
	return push(flow, descriptor_slots(effect.pushed.bytes[0]), 0);
}

static bool step_copies(struct new_flow *flow, const char *order, uint32_t pops)
{
	object_tag taken[4];

	if (!pop(flow, pops))
		return false;
	memcpy(taken, flow->stack + flow->depth, pops * sizeof(taken[0]));
	for (; *order; order++) {
		if (!push(flow, 1, taken[*order - '0']))
			return false;
	}
	return true;
}

static bool step_by_table(struct new_flow *flow, uint8_t opcode)
{
	const struct instruction_info *info = &instruction_table[opcode];
	const char *copied = instruction_copied_slots(opcode);

	if (copied)
		return step_copies(flow, copied, info->pops);
	if (!pop(flow, info->pops))
		return false;
	for (const char *pushed = info->pushes; *pushed; pushed++) {
		if (!push(flow, descriptor_slots((uint8_t)*pushed), 0))
			return false;
	}
	return true;
}

/* Simulates an instruction, apart from where it jumps. False if it does not fit the stack. */
static bool step(struct new_flow *flow, uint32_t index)
{
	const uint8_t *bytes = flow->code->bytes + flow->code->instructions[index].offset;
	object_tag tag;

	switch (bytes[0]) {
	case OP_NEW:
		tag = (object_tag)(index + 1);
		forget(flow, tag);
		return push(flow, 1, tag);
	case OP_LDC:
	case OP_LDC_W:
		return push(flow, 1, 0);
	case OP_LDC2_W:
		return push(flow, 2, 0);
	case OP_GETSTATIC:
	case OP_PUTSTATIC:
	case OP_GETFIELD:
	case OP_PUTFIELD:
	case OP_INVOKEVIRTUAL:
	case OP_INVOKESPECIAL:
	case OP_INVOKESTATIC:
	case OP_INVOKEINTERFACE:
	case OP_INVOKEDYNAMIC:
		return step_member(flow, index, bytes);
	case OP_MULTIANEWARRAY:
		return pop(flow, bytes[3]) && push(flow, 1, 0);
	case OP_WIDE:
		return bytes[1] != OP_RET && step_by_table(flow, bytes[1]);
	default:
		return step_by_table(flow, bytes[0]);
	}
}

static bool jump_by_switch(struct new_flow *flow, const struct instruction *instruction)
{
	for (uint32_t left = method_code_switch_count(flow->code, instruction); left; left--) {
		if (!meet_at(flow, method_code_switch_target(flow->code, instruction, left - 1)))
			return false;
	}
	return true;
}

/* Follows an instruction to where it jumps. False for subroutines, too. */
static bool jump(struct new_flow *flow, uint32_t index)
{
	const struct instruction *instruction = &flow->code->instructions[index];
	uint8_t kind = instruction_table[instruction->opcode].kind;

	flow->is_reached = kind == KIND_PLAIN || kind == KIND_IF;
	switch (kind) {
	case KIND_PLAIN:
	case KIND_RETURN:
	case KIND_THROW:
		return true;
	case KIND_IF:
	case KIND_GOTO:
	case KIND_GOTO_WIDE:
		return meet_at(flow, method_code_branch_target(flow->code, instruction));
	case KIND_SWITCH:
		return jump_by_switch(flow, instruction);
	default:
		return false;
	}
}

/* Goes on with the stack recorded for an instruction, if there is one. */
static bool enter(struct new_flow *flow, uint32_t index)
{
	const object_tag *slots;

	flow->next = index;
	slots = recorded_stack(flow, index);
	if (!slots)
		return true;
	if (flow->is_reached && !meet(flow, index))
		return false;
	flow->depth = slots[-1];
	memcpy(flow->stack, slots, flow->depth * sizeof(slots[0]));
	flow->is_reached = true;
	return true;
}

static bool pass(struct new_flow *flow)
{
	flow->is_again = false;
	flow->is_reached = true;
	flow->depth = 0;
	for (uint32_t i = 0; i < flow->code->count; i++) {
		if (!enter(flow, i))
			return false;
		flow->next = i + 1;
		if (flow->is_reached && (!step(flow, i) || !jump(flow, i)))
			return false;
	}
	return true;
}

/* Records that handlers begin with an exception alone. */
static bool meet_handlers(struct new_flow *flow)
{
	const uint8_t *entry = flow->code->record->exceptions;

	for (uint32_t left = flow->code->record->exception_count; left; left--, entry += 8) {
		flow->depth = 0;
		if (!push(flow, 1, 0) || !meet_at(flow, bytes_u2(entry + 4)))
			return false;
	}
	return true;
}

static bool push_type(struct new_flow *flow, const struct verification_type *type)
{
	object_tag tag = 0;

	if (type->tag == TYPE_UNINITIALIZED)
		tag = (object_tag)(method_code_index(flow->code, type->index) + 1);
	return push(flow, verification_type_slots(type), tag);
}

/* Records the stacks of the method's frames, where the class has them. */
static bool meet_frames(struct new_flow *flow, struct frame_arrays *arrays)
{
	struct frame_reader reader;
	const struct frame *frame = &reader.frame;

	frame_reader_begin(&reader, flow->code, arrays->read_locals, arrays->read_stack);
	frame_reader_next(&reader);
	for (; reader.pending; frame_reader_next(&reader)) {
		flow->depth = 0;
		for (uint32_t i = 0; i < frame->stack_count; i++) {
			if (!push_type(flow, &frame->stack[i]))
				return false;
		}
		if (!meet_at(flow, frame->offset))
			return false;
	}
	return !reader.malformed;
}

/* Determines what instructions complete. False if that is uncertain. */
static bool follow(struct new_flow *flow, struct frame_arrays *arrays)
{
	uint32_t passes = 0;

	flow->next = 0;
	if (!meet_handlers(flow) || !meet_frames(flow, arrays))
		return false;
	do {
		if (!pass(flow))
			return false;
	} while (flow->is_again && ++passes < FLOW_MAX_PASSES);
	return !flow->is_again;
}

static bool has_new(const struct method_code *code)
{
	for (uint32_t i = 0; i < code->count; i++) {
		if (code->instructions[i].opcode == OP_NEW)
			return true;
	}
	return false;
}

static bool reserve_completed(struct method_edit *edit)
{
	object_tag *block =
	        class_memory_grow(edit->code.memory, edit->completed_block,
	                          &edit->completed_capacity, edit->code.count, sizeof(block[0]));

	if (!block)
		return code_edit_no_memory(edit);
	edit->completed_block = block;
	memset(block, 0, edit->code.count * sizeof(block[0]));
	return true;
}

static bool reserve_flow(struct new_flow *flow, struct method_edit *edit)
{
	const struct method_code *code = &edit->code;
	size_t count = code->count;
	size_t max_stack = code->record->view.max_stack;

	memset(flow, 0, sizeof(*flow));
	flow->code = code;
	flow->completed = edit->completed_block;
	flow->recorded = class_memory_take(code->memory, count * sizeof(flow->recorded[0]));
	flow->stack = class_memory_take(code->memory, (max_stack + 1) * sizeof(flow->stack[0]));
	if (!flow->recorded || !flow->stack)
		return code_edit_no_memory(edit);
	memset(flow->recorded, 0, count * sizeof(flow->recorded[0]));
	return true;
}

static void free_flow(struct new_flow *flow)
{
	class_memory_give_back(flow->code->memory, flow->slots);
	class_memory_give_back(flow->code->memory, flow->stack);
	class_memory_give_back(flow->code->memory, flow->recorded);
}

/* Fills edit->completed in; leaves it NULL if nothing is completed for certain. */
static void find_completed(struct method_edit *edit)
{
	struct new_flow flow;
	struct frame_arrays arrays = {0};

	if (edit->code.record->view.max_stack > FLOW_MAX_STACK || !has_new(&edit->code) ||
	    !reserve_completed(edit))
		return;
	if (reserve_flow(&flow, edit) && frame_arrays_reserve(&arrays, edit)) {
		if (follow(&flow, &arrays))
			edit->completed = edit->completed_block;
		else if (flow.no_memory)
			code_edit_no_memory(edit);
	}
	frame_arrays_free(&arrays, edit->code.memory);
	free_flow(&flow);
}

bool method_edit_completes_new(struct method_edit *edit, uint32_t index, uint32_t *new_index)
{
	if (edit->code.instructions[index].opcode != OP_INVOKESPECIAL)
		return false;
	if (!edit->completed_known) {
		edit->completed_known = true;
		find_completed(edit);
	}
	if (!edit->completed || !edit->completed[index])
		return false;
	*new_index = edit->completed[index] - 1u;
	return true;
}
