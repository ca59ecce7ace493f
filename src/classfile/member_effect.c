/*
 * Reads descriptors of fields and methods as effects on the operand stack. Pure
 * functions: any thread, no locks.
 */
#include "classfile/member_effect.h"

#include "classfile/instructions.h"

static const struct classfile_name nothing = {(const uint8_t *)"V", 1};

static bool read_call(uint8_t opcode, struct classfile_name name, struct classfile_name descriptor,
                      struct member_effect *effect)
{
	int32_t arguments = descriptor_argument_slots(descriptor.bytes, descriptor.length);
	uint32_t result = 1;

	if (arguments < 0)
		return false;
	/* Not the first or last parenthesis: names of classes may have some. */
	while (descriptor.bytes[result] != ')')
		result += descriptor_type_length(descriptor.bytes + result,
		                                 descriptor.length - result);
	result++;
	effect->pops = (uint32_t)arguments;
	if (opcode != OP_INVOKESTATIC && opcode != OP_INVOKEDYNAMIC)
		effect->pops++;
	effect->initializes = opcode == OP_INVOKESPECIAL && classfile_name_is(name, "<init>");
	effect->pushed.bytes = descriptor.bytes + result;
	effect->pushed.length = (uint16_t)(descriptor.length - result);
	return true;
}

static bool read_access(uint8_t opcode, struct classfile_name descriptor,
                        struct member_effect *effect)
{
	bool puts = opcode == OP_PUTFIELD || opcode == OP_PUTSTATIC;

	if (!descriptor.length ||
	    descriptor_type_length(descriptor.bytes, descriptor.length) != descriptor.length)
		return false;
	effect->pops = opcode == OP_GETFIELD || opcode == OP_PUTFIELD;
	if (puts)
		effect->pops += descriptor_slots(descriptor.bytes[0]);
	effect->initializes = false;
	effect->pushed = puts ? nothing : descriptor;
	return true;
}

bool member_effect_read(const struct constant_pool *pool, uint8_t opcode, uint16_t index,
                        struct member_effect *effect)
{
	struct classfile_name name;
	struct classfile_name descriptor;

	if (!constant_pool_name_and_type(pool, index, &name, &descriptor))
		return false;
	return opcode <= OP_PUTFIELD ? read_access(opcode, descriptor, effect)
	                             : read_call(opcode, name, descriptor, effect);
}
