/*
 * short_method.c: see short_method.h. One pass over the code, which without backward
 * branches sees every instruction before those that it leads to. Called when a
 * class is loaded, from the loading thread; takes no lock.
 */
#include "classfile/short_method.h"

#include "classfile/instructions.h"
#include "classfile/reader.h"

#include <string.h>

/* No instruction pushes more than this many slots. */
enum { PUSHED_MAX = 6, SLOTS_MAX = SHORT_CODE_BYTES_MAX * PUSHED_MAX };

/* The code at hand, and which slots on top of the stack surely hold this. Below
 * those that are known anything may be. */
struct method_scan {
	const struct classfile *classfile;
	const uint8_t *code;
	uint32_t length;
	bool has_this;
	bool is_target[SHORT_CODE_BYTES_MAX];
	bool is_this[SLOTS_MAX];
	uint32_t known;
	short_method_calls *calls;
	void *context;
};

static bool pop(struct method_scan *scan)
{
	return scan->known > 0 && scan->is_this[--scan->known];
}

static void push(struct method_scan *scan, bool is_this)
{
	scan->is_this[scan->known++] = is_this;
}

static void pop_slots(struct method_scan *scan, uint32_t count)
{
	for (; count > 0; count--)
		(void)pop(scan);
}

static void push_slots(struct method_scan *scan, uint32_t count)
{
	for (; count > 0; count--)
		push(scan, false);
}

/* What the instructions do that move slots: those pushed, the deepest first, each
 * by its number among those popped, from the top. */
static const struct {
	uint8_t pops;
	char pushes[PUSHED_MAX + 1];
} moves[] = {
        [OP_POP - OP_POP] = {1, ""},          [OP_POP2 - OP_POP] = {2, ""},
        [OP_DUP - OP_POP] = {1, "00"},        [OP_DUP_X1 - OP_POP] = {2, "010"},
        [OP_DUP_X2 - OP_POP] = {3, "0210"},   [OP_DUP2 - OP_POP] = {2, "1010"},
        [OP_DUP2_X1 - OP_POP] = {3, "10210"}, [OP_DUP2_X2 - OP_POP] = {4, "103210"},
        [OP_SWAP - OP_POP] = {2, "01"},
};

static bool move_slots(struct method_scan *scan, uint8_t opcode)
{
	bool popped[4] = {false};

	for (uint32_t i = 0; i < moves[opcode - OP_POP].pops; i++)
		popped[i] = pop(scan);
	for (const char *from = moves[opcode - OP_POP].pushes; *from != '\0'; from++)
		push(scan, popped[*from - '0']);
	return true;
}

/* The effect in the instruction table. */
static bool apply_table(struct method_scan *scan, uint8_t opcode)
{
	const struct instruction_info *info = &instruction_table[opcode];

	pop_slots(scan, info->pops);
	for (const char *type = info->pushes; *type != '\0'; type++)
		push_slots(scan, descriptor_slots((uint8_t)*type));
	return true;
}

/* Numbers and strings are in the pool, or created without Java code. */
static bool load_constant(struct method_scan *scan, uint16_t pool_index)
{
	switch (constant_pool_tag(&scan->classfile->pool, pool_index)) {
	case CONSTANT_INTEGER:
	case CONSTANT_FLOAT:
	case CONSTANT_STRING:
		push_slots(scan, 1);
		return true;
	case CONSTANT_LONG:
	case CONSTANT_DOUBLE:
		push_slots(scan, 2);
		return true;
	default:
		return false;
	}
}

static bool names_are_equal(struct classfile_name a, struct classfile_name b)
{
	return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

static void skip_attributes(struct cursor *fields)
{
	for (uint32_t left = cursor_u2(fields); left > 0 && !fields->overrun; left--) {
		cursor_u2(fields);
		cursor_take(fields, cursor_u4(fields));
	}
}

/* Whether the class itself has the field. One that it inherits from an interface
 * would initialise that. */
static bool declares(const struct classfile *classfile, const struct classfile_member *field)
{
	struct cursor cursor = cursor_over(
	        classfile->after_pool, (size_t)(classfile->first_method - classfile->after_pool));

	cursor_take(&cursor, 6); /* access flags, this and super class */
	cursor_take(&cursor, 2 * (size_t)cursor_u2(&cursor));
	for (uint32_t left = cursor_u2(&cursor); left > 0 && !cursor.overrun; left--) {
		struct classfile_name name;
		struct classfile_name descriptor;

		cursor_u2(&cursor);
		bool readable = constant_pool_utf8(&classfile->pool, cursor_u2(&cursor), &name);
		readable &= constant_pool_utf8(&classfile->pool, cursor_u2(&cursor), &descriptor);
		if (readable && names_are_equal(name, field->name) &&
		    names_are_equal(descriptor, field->descriptor))
			return true;
		skip_attributes(&cursor);
	}
	return false;
}

static bool use_field(struct method_scan *scan, uint8_t opcode, uint16_t pool_index)
{
	const struct classfile *classfile = scan->classfile;
	bool is_static = opcode == OP_GETSTATIC || opcode == OP_PUTSTATIC;
	struct classfile_member field;

	if (!classfile_member_at(classfile, pool_index, &field) || field.descriptor.length == 0 ||
	    !names_are_equal(field.class_name, classfile->class_name) ||
	    (is_static && !declares(classfile, &field)))
		return false;
	uint32_t slots = descriptor_slots(field.descriptor.bytes[0]);
	if (opcode == OP_PUTSTATIC || opcode == OP_PUTFIELD)
		pop_slots(scan, slots);
	if (!is_static && !pop(scan))
		return false;
	if (opcode == OP_GETSTATIC || opcode == OP_GETFIELD)
		push_slots(scan, slots);
	return true;
}

static bool load_reference(struct method_scan *scan, uint8_t local)
{
	push(scan, scan->has_this && local == 0);
	return true;
}

/* A store into this would make it another. */
static bool store(struct method_scan *scan, uint8_t opcode, uint8_t local)
{
	return local != 0 && apply_table(scan, opcode);
}

/* Ahead only: what lies there is reached from several places. */
static bool branch_to(struct method_scan *scan, uint32_t from, uint32_t target)
{
	if (target <= from || target >= scan->length)
		return false;
	scan->is_target[target] = true;
	return true;
}

static bool branch(struct method_scan *scan, uint32_t at)
{
	int32_t distance = (int16_t)bytes_u2(scan->code + at + 1);

	return branch_to(scan, at, at + (uint32_t)distance) && apply_table(scan, scan->code[at]);
}

/* instruction_length() has checked that the operands are in the code. */
static bool switch_to(struct method_scan *scan, uint32_t at, uint32_t end)
{
	uint32_t operand = at + 1 + instruction_switch_padding(at);
	bool is_table = scan->code[at] == OP_TABLESWITCH;

	if (!branch_to(scan, at, at + bytes_u4(scan->code + operand)))
		return false;
	for (operand += 12; operand < end; operand += is_table ? 4 : 8) {
		if (!branch_to(scan, at, at + bytes_u4(scan->code + operand)))
			return false;
	}
	return true;
}

/* An instruction that a leaf may have. */
static bool scan_leaf_instruction(struct method_scan *scan, uint32_t at, uint32_t length)
{
	const uint8_t *operand = scan->code + at + 1;
	uint8_t opcode = scan->code[at];

	switch (opcode) {
	case OP_LDC:
		return load_constant(scan, operand[0]);
	case OP_LDC_W:
	case OP_LDC2_W:
		return load_constant(scan, bytes_u2(operand));
	case OP_ALOAD:
		return load_reference(scan, operand[0]);
	case OP_ALOAD_0:
		return load_reference(scan, 0);
	case OP_GETSTATIC:
	case OP_PUTSTATIC:
	case OP_GETFIELD:
	case OP_PUTFIELD:
		return use_field(scan, opcode, bytes_u2(operand));
	case OP_TABLESWITCH:
	case OP_LOOKUPSWITCH:
		return switch_to(scan, at, at + length);
	case OP_GOTO:
	case OP_IFNULL:
	case OP_IFNONNULL:
		return branch(scan, at);
	case OP_IDIV:
	case OP_LDIV:
	case OP_IREM:
	case OP_LREM:
		return false;
	default:
		break;
	}
	if (opcode >= OP_ISTORE && opcode <= OP_ASTORE)
		return store(scan, opcode, operand[0]);
	if (opcode >= OP_ISTORE_0 && opcode <= OP_ASTORE_3)
		return store(scan, opcode, (uint8_t)((opcode - OP_ISTORE_0) % 4));
	if (opcode >= OP_POP && opcode <= OP_SWAP)
		return move_slots(scan, opcode);
	if (opcode >= OP_IFEQ && opcode <= OP_IF_ACMPNE)
		return branch(scan, at);
	if (opcode <= OP_ALOAD_3 || (opcode >= OP_IADD && opcode <= OP_DCMPG) ||
	    (opcode >= OP_IRETURN && opcode <= OP_RETURN))
		return apply_table(scan, opcode);
	return false;
}

static bool may_call(const struct method_scan *scan, uint16_t pool_index)
{
	struct classfile_member called;

	if (!classfile_member_at(scan->classfile, pool_index, &called))
		return false;
	if (classfile_name_is(called.class_name, "java/lang/Object") &&
	    classfile_name_is(called.name, "<init>"))
		return true;
	return scan->calls != NULL && scan->calls(scan->context, &called);
}

/* An instruction that a short method may have, where a leaf may not. */
static bool is_short_instruction(const struct method_scan *scan, uint32_t at)
{
	uint8_t opcode = scan->code[at];

	switch (opcode) {
	case OP_INVOKEVIRTUAL:
	case OP_INVOKESPECIAL:
	case OP_INVOKESTATIC:
	case OP_INVOKEINTERFACE:
		return may_call(scan, bytes_u2(scan->code + at + 1));
	case OP_NEW:
	case OP_ATHROW:
		return scan->calls != NULL;
	case OP_LDC:
	case OP_LDC_W:
	case OP_LDC2_W:
	case OP_GETSTATIC:
	case OP_PUTSTATIC:
	case OP_GETFIELD:
	case OP_PUTFIELD:
	case OP_IDIV:
	case OP_LDIV:
	case OP_IREM:
	case OP_LREM:
	case OP_ARRAYLENGTH:
	case OP_CHECKCAST:
	case OP_INSTANCEOF:
		return true;
	default:
		return (opcode >= OP_IALOAD && opcode <= OP_SALOAD) ||
		       (opcode >= OP_ISTORE && opcode <= OP_SASTORE);
	}
}

static enum method_kind scan_code(struct method_scan *scan)
{
	enum method_kind kind = scan->length <= LEAF_CODE_BYTES_MAX ? METHOD_LEAF : METHOD_SHORT;
	uint32_t length;

	for (uint32_t at = 0; at < scan->length; at += length) {
		length = instruction_length(scan->code, at, scan->length);
		if (length == 0)
			return METHOD_OTHER;
		if (scan->is_target[at])
			scan->known = 0;
		if (!scan_leaf_instruction(scan, at, length)) {
			if (!is_short_instruction(scan, at))
				return METHOD_OTHER;
			kind = METHOD_SHORT;
			scan->known = 0;
		}
		if (!instruction_falls_through(scan->code[at], 0))
			scan->known = 0;
	}
	return kind;
}

enum method_kind classfile_method_kind(const struct classfile *classfile, uint32_t index,
                                       short_method_calls *calls, void *context)
{
	const struct classfile_method *method = classfile_method(classfile, index);
	struct method_scan scan = {.classfile = classfile, .calls = calls, .context = context};

	if (method == NULL || method->code_length == 0 ||
	    method->code_length > SHORT_CODE_BYTES_MAX ||
	    (method->access_flags & CLASSFILE_SYNCHRONIZED) != 0 ||
	    classfile->methods[index].exception_count > 0)
		return METHOD_OTHER;
	scan.code = method->code;
	scan.length = method->code_length;
	scan.has_this = (method->access_flags & CLASSFILE_STATIC) == 0;
	return scan_code(&scan);
}
