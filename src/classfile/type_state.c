/*
 * Simulates code on types. Called by the rewriter from the rewriting thread;
 * takes no lock.
 */
#include "classfile/type_state.h"

#include "classfile/member_effect.h"

#include <string.h>

#define TEXT(literal) (const uint8_t *)(literal), sizeof(literal) - 1

void type_state_init(struct type_state *state, const struct method_code *code,
                     struct verification_type *locals, struct verification_type *stack)
{
	state->code = code;
	state->locals = locals;
	state->stack = stack;
	state->max_locals = code->record->view.max_locals;
	state->max_stack = code->record->view.max_stack;
	state->depth = 0;
	state->this_initialized = false;
}

static struct verification_type simple_type(enum verification_tag tag)
{
	struct verification_type type = {.tag = (uint8_t)tag};

	return type;
}

static struct verification_type class_type(uint16_t index)
{
	struct verification_type type = {.tag = TYPE_OBJECT, .index = index};

	return type;
}

static struct verification_type named_type(const uint8_t *name, size_t length)
{
	struct verification_type type = {
	        .tag = TYPE_OBJECT, .name = name, .name_length = (uint16_t)length};

	return type;
}

/* Spreads a frame's entries over slots; returns how many. */
static uint32_t spread(struct verification_type *slots, const struct verification_type *types,
                       uint32_t count)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < count; i++) {
		slots[used++] = types[i];
		if (verification_type_slots(&types[i]) == 2)
			slots[used++] = simple_type(TYPE_SECOND_SLOT);
	}
	return used;
}

void type_state_load(struct type_state *state, const struct frame *frame)
{
	uint32_t used = spread(state->locals, frame->locals, frame->local_count);

	while (used < state->max_locals)
		state->locals[used++] = simple_type(TYPE_TOP);
	state->depth = spread(state->stack, frame->stack, frame->stack_count);
}

static uint32_t collect(struct verification_type *types, const struct verification_type *slots,
                        uint32_t count)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (slots[i].tag != TYPE_SECOND_SLOT)
			types[used++] = slots[i];
	}
	return used;
}

void type_state_store(const struct type_state *state, struct frame *frame)
{
	uint32_t used = state->max_locals;

	while (used && state->locals[used - 1].tag == TYPE_TOP)
		used--;
	frame->local_count = collect(frame->locals, state->locals, used);
	frame->stack_count = collect(frame->stack, state->stack, state->depth);
}

static bool push(struct type_state *state, struct verification_type type)
{
	uint32_t slots = verification_type_slots(&type);

	if (state->max_stack - state->depth < slots)
		return false;
	state->stack[state->depth++] = type;
	if (slots == 2)
		state->stack[state->depth++] = simple_type(TYPE_SECOND_SLOT);
	return true;
}

static bool pop(struct type_state *state, uint32_t slots)
{
	if (state->depth < slots)
		return false;
	state->depth -= slots;
	return true;
}

static bool set_local(struct type_state *state, uint32_t local, struct verification_type type)
{
	uint32_t slots = verification_type_slots(&type);

	if (local + slots > state->max_locals)
		return false;
	/* What overlaps the new value in part is gone. */
	if (local && state->locals[local].tag == TYPE_SECOND_SLOT)
		state->locals[local - 1] = simple_type(TYPE_TOP);
	if (local + slots < state->max_locals &&
	    state->locals[local + slots].tag == TYPE_SECOND_SLOT)
		state->locals[local + slots] = simple_type(TYPE_TOP);
	state->locals[local] = type;
	if (slots == 2)
		state->locals[local + 1] = simple_type(TYPE_SECOND_SLOT);
	return true;
}

static struct verification_type type_of_letter(char letter)
{
	switch (letter) {
	case 'I':
		return simple_type(TYPE_INTEGER);
	case 'F':
		return simple_type(TYPE_FLOAT);
	case 'J':
		return simple_type(TYPE_LONG);
	case 'D':
		return simple_type(TYPE_DOUBLE);
	case 'N':
		return simple_type(TYPE_NULL);
	default:
		return simple_type(TYPE_ADDRESS);
	}
}

static bool push_descriptor(struct type_state *state, const uint8_t *descriptor, uint32_t length)
{
	if (length == 1 && descriptor[0] == 'V')
		return true;
	return descriptor_type_length(descriptor, length) == length &&
	       push(state, verification_type_of(descriptor, length));
}

static bool push_constant(struct type_state *state, uint16_t index)
{
	const struct constant_pool *pool = &state->code->classfile->pool;
	struct classfile_name name;
	struct classfile_name descriptor;

	switch (constant_pool_tag(pool, index)) {
	case CONSTANT_INTEGER:
		return push(state, simple_type(TYPE_INTEGER));
	case CONSTANT_FLOAT:
		return push(state, simple_type(TYPE_FLOAT));
	case CONSTANT_LONG:
		return push(state, simple_type(TYPE_LONG));
	case CONSTANT_DOUBLE:
		return push(state, simple_type(TYPE_DOUBLE));
	case CONSTANT_STRING:
		return push(state, named_type(TEXT("java/lang/String")));
	case CONSTANT_CLASS:
		return push(state, named_type(TEXT("java/lang/Class")));
	case CONSTANT_METHOD_HANDLE:
		return push(state, named_type(TEXT("java/lang/invoke/MethodHandle")));
	case CONSTANT_METHOD_TYPE:
		return push(state, named_type(TEXT("java/lang/invoke/MethodType")));
	case CONSTANT_DYNAMIC:
		return constant_pool_name_and_type(pool, index, &name, &descriptor) &&
		       push_descriptor(state, descriptor.bytes, descriptor.length);
	default:
		return false;
	}
}

/* The type of a component of an array: null stays null. */
static bool push_component(struct type_state *state, struct verification_type array)
{
	struct classfile_name name = {array.name, array.name_length};

	if (array.tag == TYPE_NULL)
		return push(state, array);
	if (array.tag != TYPE_OBJECT)
		return false;
	if (array.is_array) {
		array.is_array = false;
		return push(state, array);
	}
	if (array.index &&
	    !constant_pool_class_name(&state->code->classfile->pool, array.index, &name))
		return false;
	if (name.length < 2 || name.bytes[0] != '[')
		return false;
	return push_descriptor(state, name.bytes + 1, name.length - 1u);
}

static bool new_primitive_array(struct type_state *state, uint8_t code)
{
	/* By atype (JVMS 6.5 newarray), from 4 on. */
	static const char names[][3] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};

	return code >= 4 && code < 12 && pop(state, 1) &&
	       push(state, named_type((const uint8_t *)names[code - 4], 2));
}

static void initialize(struct verification_type *types, uint32_t count,
                       struct verification_type from, struct verification_type to)
{
	for (uint32_t i = 0; i < count; i++) {
		if (verification_type_equals(&types[i], &from))
			types[i] = to;
	}
}

/* The object popped last, below the arguments of <init>, becomes one of its class everywhere. */
static bool call_constructor(struct type_state *state)
{
	struct verification_type object = state->stack[state->depth];
	struct verification_type ready;

	if (object.tag == TYPE_UNINITIALIZED_THIS) {
		ready = class_type(state->code->classfile->this_class);
		state->this_initialized = true;
	} else if (object.tag == TYPE_UNINITIALIZED) {
		ready = class_type(bytes_u2(state->code->bytes + object.index + 1));
	} else {
		return false;
	}
	initialize(state->locals, state->max_locals, object, ready);
	initialize(state->stack, state->depth, object, ready);
	return true;
}

static bool step_member(struct type_state *state, uint8_t opcode, uint16_t index)
{
	struct member_effect effect;

	return member_effect_read(&state->code->classfile->pool, opcode, index, &effect) &&
	       pop(state, effect.pops) && (!effect.initializes || call_constructor(state)) &&
	       push_descriptor(state, effect.pushed.bytes, effect.pushed.length);
}

static bool step_copies(struct type_state *state, const char *order, uint32_t pops)
{
	struct verification_type taken[4];

	if (!pop(state, pops) || state->max_stack - state->depth < strlen(order))
		return false;
	memcpy(taken, state->stack + state->depth, pops * sizeof(taken[0]));
	for (; *order; order++)
		state->stack[state->depth++] = taken[*order - '0'];
	return true;
}

/* A load or store, by the opcode of its form with an operand. */
static bool step_local(struct type_state *state, uint8_t opcode, uint32_t local)
{
	static const char types[] = "IJFDA";
	struct verification_type type;

	if (local >= state->max_locals)
		return false;
	if (opcode <= OP_ALOAD)
		return push(state, opcode == OP_ALOAD ? state->locals[local]
		                                      : type_of_letter(types[opcode - OP_ILOAD]));
	if (!pop(state, opcode == OP_LSTORE || opcode == OP_DSTORE ? 2 : 1))
		return false;
	type = opcode == OP_ASTORE ? state->stack[state->depth]
	                           : type_of_letter(types[opcode - OP_ISTORE]);
	return set_local(state, local, type);
}

/* Loads and stores in all three encodings; false in *is_one if it is neither. */
static bool step_local_forms(struct type_state *state, const uint8_t *bytes, bool *is_one)
{
	uint8_t opcode = bytes[0];

	*is_one = true;
	if (opcode >= OP_ILOAD_0 && opcode <= OP_ALOAD_3) {
		uint8_t rank = (uint8_t)(opcode - OP_ILOAD_0);

		return step_local(state, (uint8_t)(OP_ILOAD + rank / 4), rank % 4);
	}
	if (opcode >= OP_ISTORE_0 && opcode <= OP_ASTORE_3) {
		uint8_t rank = (uint8_t)(opcode - OP_ISTORE_0);

		return step_local(state, (uint8_t)(OP_ISTORE + rank / 4), rank % 4);
	}
	if ((opcode >= OP_ILOAD && opcode <= OP_ALOAD) ||
	    (opcode >= OP_ISTORE && opcode <= OP_ASTORE))
		return step_local(state, opcode, bytes[1]);
	if (opcode == OP_WIDE && bytes[1] != OP_IINC && bytes[1] != OP_RET)
		return step_local(state, bytes[1], bytes_u2(bytes + 2));
	*is_one = false;
	return true;
}

/* Instructions whose effect is in the table, except results of reference type. */
static bool step_by_table(struct type_state *state, uint8_t opcode)
{
	const struct instruction_info *info = &instruction_table[opcode];

	if (!pop(state, info->pops))
		return false;
	for (const char *pushed = info->pushes; *pushed; pushed++) {
		if (!push(state, type_of_letter(*pushed)))
			return false;
	}
	return true;
}

static bool new_object_array(struct type_state *state, uint16_t index)
{
	struct verification_type type = class_type(index);

	type.is_array = true;
	return pop(state, 1) && push(state, type);
}

static bool new_object(struct type_state *state, const struct instruction *instruction)
{
	struct verification_type type = {.tag = TYPE_UNINITIALIZED,
	                                 .index = (uint16_t)instruction->offset};

	return push(state, type);
}

bool type_state_step(struct type_state *state, const struct instruction *instruction)
{
	const uint8_t *bytes = state->code->bytes + instruction->offset;
	uint8_t opcode = instruction->opcode;
	bool is_local;
	bool stepped = step_local_forms(state, bytes, &is_local);
	const char *copied = instruction_copied_slots(opcode);

	state->this_initialized = false;
	if (is_local)
		return stepped;
	if (copied)
		return step_copies(state, copied, instruction_table[opcode].pops);
	switch (opcode) {
	case OP_LDC:
		return push_constant(state, bytes[1]);
	case OP_LDC_W:
	case OP_LDC2_W:
		return push_constant(state, bytes_u2(bytes + 1));
	case OP_AALOAD:
		return pop(state, 2) && push_component(state, state->stack[state->depth]);
	case OP_GETSTATIC:
	case OP_PUTSTATIC:
	case OP_GETFIELD:
	case OP_PUTFIELD:
	case OP_INVOKEVIRTUAL:
	case OP_INVOKESPECIAL:
	case OP_INVOKESTATIC:
	case OP_INVOKEINTERFACE:
	case OP_INVOKEDYNAMIC:
		return step_member(state, opcode, bytes_u2(bytes + 1));
	case OP_NEW:
		return new_object(state, instruction);
	case OP_NEWARRAY:
		return new_primitive_array(state, bytes[1]);
	case OP_ANEWARRAY:
		return new_object_array(state, bytes_u2(bytes + 1));
	case OP_CHECKCAST:
		return pop(state, 1) && push(state, class_type(bytes_u2(bytes + 1)));
	case OP_MULTIANEWARRAY:
		return pop(state, bytes[3]) && push(state, class_type(bytes_u2(bytes + 1)));
	case OP_WIDE:
		return true;
	default:
		return step_by_table(state, opcode);
	}
}
