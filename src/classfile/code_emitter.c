/*
 * Emits the instructions of an insertion and keeps account of the stack. Called
 * by plans, from the rewriting thread; takes no lock.
 */
#include "classfile/code_edit.h"

#include <string.h>

/* Where to put an instruction's bytes; NULL if the edit has failed or none is open. */
static uint8_t *extend(struct code_emitter *emitter, uint32_t bytes)
{
	struct method_edit *edit = emitter->edit;

	if (edit->open == OPEN_NONE || !code_edit_is_good(edit))
		return NULL;
	return code_buffer_extend(&edit->snippets, bytes);
}

static void count_stack(struct code_emitter *emitter, uint32_t pops, uint32_t pushes)
{
	emitter->depth += (int32_t)pushes - (int32_t)pops;
	if (emitter->depth > emitter->highest)
		emitter->highest = emitter->depth;
}

static void emit_plain(struct code_emitter *emitter, uint8_t opcode, uint32_t pops, uint32_t pushes)
{
	uint8_t *at = extend(emitter, 1);

	if (at)
		*at = opcode;
	count_stack(emitter, pops, pushes);
}

static void emit_with_u2(struct code_emitter *emitter, uint8_t opcode, uint32_t operand,
                         uint32_t pops, uint32_t pushes)
{
	uint8_t *at = extend(emitter, 3);

	if (at) {
		at[0] = opcode;
		bytes_put_u2(at + 1, operand);
	}
	count_stack(emitter, pops, pushes);
}

void emit_op(struct code_emitter *emitter, enum opcode opcode)
{
	const struct instruction_info *info = &instruction_table[opcode & 0xFF];
	uint32_t pushes = 0;

	if (info->kind != KIND_PLAIN || info->length != 1) {
		code_edit_fail(emitter->edit, REWRITE_SKIP_BAD_PLAN);
		return;
	}
	for (const char *pushed = info->pushes; *pushed; pushed++)
		pushes += descriptor_slots((uint8_t)*pushed);
	emit_plain(emitter, (uint8_t)opcode, info->pops, pushes);
}

/* ldc or, for an index that needs two bytes, ldc_w. */
static void emit_constant(struct code_emitter *emitter, uint16_t index)
{
	uint8_t *at;

	if (!index) {
		code_edit_pool_failed(emitter->edit);
		return;
	}
	if (index > UINT8_MAX) {
		emit_with_u2(emitter, OP_LDC_W, index, 0, 1);
		return;
	}
	at = extend(emitter, 2);
	if (at) {
		at[0] = OP_LDC;
		at[1] = (uint8_t)index;
	}
	count_stack(emitter, 0, 1);
}

void emit_push_int(struct code_emitter *emitter, int32_t value)
{
	if (value >= -1 && value <= 5) {
		emit_plain(emitter, (uint8_t)(OP_ICONST_0 + value), 0, 1);
	} else if (value >= INT8_MIN && value <= INT8_MAX) {
		uint8_t *at = extend(emitter, 2);

		if (at) {
			at[0] = OP_BIPUSH;
			at[1] = (uint8_t)value;
		}
		count_stack(emitter, 0, 1);
	} else if (value >= INT16_MIN && value <= INT16_MAX) {
		emit_with_u2(emitter, OP_SIPUSH, (uint16_t)value, 0, 1);
	} else {
		emit_constant(emitter, pool_builder_integer(emitter->edit->pool, value));
	}
}

void emit_push_long(struct code_emitter *emitter, int64_t value)
{
	uint16_t index;

	if (value == 0 || value == 1) {
		emit_plain(emitter, (uint8_t)(OP_LCONST_0 + value), 0, 2);
		return;
	}
	if (value >= INT16_MIN && value <= INT16_MAX) {
		emit_push_int(emitter, (int32_t)value);
		emit_plain(emitter, OP_I2L, 1, 2);
		return;
	}
	index = pool_builder_long(emitter->edit->pool, value);
	if (index)
		emit_with_u2(emitter, OP_LDC2_W, index, 0, 2);
	else
		code_edit_pool_failed(emitter->edit);
}

void emit_push_string(struct code_emitter *emitter, const char *modified_utf8)
{
	if (strlen(modified_utf8) > UINT16_MAX)
		code_edit_fail(emitter->edit, REWRITE_SKIP_BAD_PLAN);
	else
		emit_constant(emitter, pool_builder_string(emitter->edit->pool,
		                                           pool_builder_name(modified_utf8)));
}

void emit_push_class(struct code_emitter *emitter, const char *internal_name)
{
	struct method_edit *edit = emitter->edit;

	if (classfile_major_version(edit->code.classfile) < CLASSFILE_LOADS_CLASSES ||
	    strlen(internal_name) > UINT16_MAX)
		code_edit_fail(edit, REWRITE_SKIP_BAD_PLAN);
	else
		emit_constant(emitter,
		              pool_builder_class(edit->pool, pool_builder_name(internal_name)));
}

void emit_push_class_at(struct code_emitter *emitter, uint16_t pool_index)
{
	const struct classfile *classfile = emitter->edit->code.classfile;

	if (classfile_major_version(classfile) < CLASSFILE_LOADS_CLASSES ||
	    constant_pool_tag(&classfile->pool, pool_index) != CONSTANT_CLASS)
		code_edit_fail(emitter->edit, REWRITE_SKIP_BAD_PLAN);
	else
		emit_constant(emitter, pool_index);
}

void emit_push_class_name_at(struct code_emitter *emitter, uint16_t pool_index)
{
	struct classfile_name name;

	if (classfile_class_at(emitter->edit->code.classfile, pool_index, &name))
		emit_constant(emitter, pool_builder_string(emitter->edit->pool, name));
	else
		code_edit_fail(emitter->edit, REWRITE_SKIP_BAD_PLAN);
}

/* The opcodes of loads and stores come in the order of the types below. */
static void emit_local(struct code_emitter *emitter, char type, uint16_t local, uint8_t first,
                       uint8_t first_short)
{
	static const char order[] = "IJFDA";
	const char *found = type ? strchr(order, type) : NULL;
	uint32_t rank = found ? (uint32_t)(found - order) : 0;
	uint8_t *at;

	if (!found || local >= emitter->edit->max_locals) {
		code_edit_fail(emitter->edit, REWRITE_SKIP_BAD_PLAN);
		return;
	}
	at = extend(emitter, local < 4 ? 1 : local <= UINT8_MAX ? 2 : 4);
	if (!at)
		return;
	if (local < 4) {
		at[0] = (uint8_t)(first_short + 4 * rank + local);
	} else if (local <= UINT8_MAX) {
		at[0] = (uint8_t)(first + rank);
		at[1] = (uint8_t)local;
	} else {
		at[0] = OP_WIDE;
		at[1] = (uint8_t)(first + rank);
		bytes_put_u2(at + 2, local);
	}
}

void emit_load(struct code_emitter *emitter, char type, uint16_t local)
{
	emit_local(emitter, type, local, OP_ILOAD, OP_ILOAD_0);
	count_stack(emitter, 0, descriptor_slots((uint8_t)type));
}

void emit_store(struct code_emitter *emitter, char type, uint16_t local)
{
	emit_local(emitter, type, local, OP_ISTORE, OP_ISTORE_0);
	count_stack(emitter, descriptor_slots((uint8_t)type), 0);
}

static void emit_invoke(struct code_emitter *emitter, uint8_t opcode, const char *class_name,
                        const char *name, const char *descriptor)
{
	size_t length = strlen(descriptor);
	int32_t arguments =
	        length > UINT16_MAX
	                ? -1
	                : descriptor_argument_slots((const uint8_t *)descriptor, (uint32_t)length);
	const char *result = strchr(descriptor, ')');
	uint16_t index;

	if (arguments < 0 || !result) {
		code_edit_fail(emitter->edit, REWRITE_SKIP_BAD_PLAN);
		return;
	}
	index = pool_builder_member(emitter->edit->pool, CONSTANT_METHODREF, class_name, name,
	                            descriptor);
	if (!index)
		code_edit_pool_failed(emitter->edit);
	emit_with_u2(emitter, opcode, index,
	             (uint32_t)arguments + (opcode == OP_INVOKESTATIC ? 0 : 1),
	             descriptor_slots((uint8_t)result[1]));
}

void emit_invokestatic(struct code_emitter *emitter, const char *class_name, const char *name,
                       const char *descriptor)
{
	emit_invoke(emitter, OP_INVOKESTATIC, class_name, name, descriptor);
}

void emit_invokevirtual(struct code_emitter *emitter, const char *class_name, const char *name,
                        const char *descriptor)
{
	emit_invoke(emitter, OP_INVOKEVIRTUAL, class_name, name, descriptor);
}

static void emit_field(struct code_emitter *emitter, uint8_t opcode, const char *class_name,
                       const char *name, const char *descriptor)
{
	uint32_t value = descriptor_slots((uint8_t)descriptor[0]);
	uint32_t object = opcode == OP_GETFIELD || opcode == OP_PUTFIELD ? 1 : 0;
	bool gets = opcode == OP_GETFIELD || opcode == OP_GETSTATIC;
	uint16_t index = pool_builder_member(emitter->edit->pool, CONSTANT_FIELDREF, class_name,
	                                     name, descriptor);

	if (!index)
		code_edit_pool_failed(emitter->edit);
	emit_with_u2(emitter, opcode, index, object + (gets ? 0 : value), gets ? value : 0);
}

void emit_getstatic(struct code_emitter *emitter, const char *class_name, const char *name,
                    const char *descriptor)
{
	emit_field(emitter, OP_GETSTATIC, class_name, name, descriptor);
}

void emit_putstatic(struct code_emitter *emitter, const char *class_name, const char *name,
                    const char *descriptor)
{
	emit_field(emitter, OP_PUTSTATIC, class_name, name, descriptor);
}

void emit_getfield(struct code_emitter *emitter, const char *class_name, const char *name,
                   const char *descriptor)
{
	emit_field(emitter, OP_GETFIELD, class_name, name, descriptor);
}

void emit_putfield(struct code_emitter *emitter, const char *class_name, const char *name,
                   const char *descriptor)
{
	emit_field(emitter, OP_PUTFIELD, class_name, name, descriptor);
}
