/*
 * The instruction table and questions about single instructions. Constant data
 * and pure functions: any thread, no locks.
 */
#include "classfile/instructions.h"

#include "classfile/bytes.h"

#include <stddef.h>

const struct instruction_info instruction_table[256] = {
        [OP_NOP] = {KIND_PLAIN, 1, 0, ""},
        [OP_ACONST_NULL] = {KIND_PLAIN, 1, 0, "N"},
        [OP_ICONST_M1] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ICONST_0] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ICONST_1] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ICONST_2] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ICONST_3] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ICONST_4] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ICONST_5] = {KIND_PLAIN, 1, 0, "I"},
        [OP_LCONST_0] = {KIND_PLAIN, 1, 0, "J"},
        [OP_LCONST_1] = {KIND_PLAIN, 1, 0, "J"},
        [OP_FCONST_0] = {KIND_PLAIN, 1, 0, "F"},
        [OP_FCONST_1] = {KIND_PLAIN, 1, 0, "F"},
        [OP_FCONST_2] = {KIND_PLAIN, 1, 0, "F"},
        [OP_DCONST_0] = {KIND_PLAIN, 1, 0, "D"},
        [OP_DCONST_1] = {KIND_PLAIN, 1, 0, "D"},
        [OP_BIPUSH] = {KIND_PLAIN, 2, 0, "I"},
        [OP_SIPUSH] = {KIND_PLAIN, 3, 0, "I"},
        [OP_LDC] = {KIND_PLAIN, 2, 0, "!"},
        [OP_LDC_W] = {KIND_PLAIN, 3, 0, "!"},
        [OP_LDC2_W] = {KIND_PLAIN, 3, 0, "!"},
        [OP_ILOAD] = {KIND_PLAIN, 2, 0, "I"},
        [OP_LLOAD] = {KIND_PLAIN, 2, 0, "J"},
        [OP_FLOAD] = {KIND_PLAIN, 2, 0, "F"},
        [OP_DLOAD] = {KIND_PLAIN, 2, 0, "D"},
        [OP_ALOAD] = {KIND_PLAIN, 2, 0, "A"},
        [OP_ILOAD_0] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ILOAD_1] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ILOAD_2] = {KIND_PLAIN, 1, 0, "I"},
        [OP_ILOAD_3] = {KIND_PLAIN, 1, 0, "I"},
        [OP_LLOAD_0] = {KIND_PLAIN, 1, 0, "J"},
        [OP_LLOAD_1] = {KIND_PLAIN, 1, 0, "J"},
        [OP_LLOAD_2] = {KIND_PLAIN, 1, 0, "J"},
        [OP_LLOAD_3] = {KIND_PLAIN, 1, 0, "J"},
        [OP_FLOAD_0] = {KIND_PLAIN, 1, 0, "F"},
        [OP_FLOAD_1] = {KIND_PLAIN, 1, 0, "F"},
        [OP_FLOAD_2] = {KIND_PLAIN, 1, 0, "F"},
        [OP_FLOAD_3] = {KIND_PLAIN, 1, 0, "F"},
        [OP_DLOAD_0] = {KIND_PLAIN, 1, 0, "D"},
        [OP_DLOAD_1] = {KIND_PLAIN, 1, 0, "D"},
        [OP_DLOAD_2] = {KIND_PLAIN, 1, 0, "D"},
        [OP_DLOAD_3] = {KIND_PLAIN, 1, 0, "D"},
        [OP_ALOAD_0] = {KIND_PLAIN, 1, 0, "A"},
        [OP_ALOAD_1] = {KIND_PLAIN, 1, 0, "A"},
        [OP_ALOAD_2] = {KIND_PLAIN, 1, 0, "A"},
        [OP_ALOAD_3] = {KIND_PLAIN, 1, 0, "A"},
        [OP_IALOAD] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LALOAD] = {KIND_PLAIN, 1, 2, "J"},
        [OP_FALOAD] = {KIND_PLAIN, 1, 2, "F"},
        [OP_DALOAD] = {KIND_PLAIN, 1, 2, "D"},
        [OP_AALOAD] = {KIND_PLAIN, 1, 2, "A"},
        [OP_BALOAD] = {KIND_PLAIN, 1, 2, "I"},
        [OP_CALOAD] = {KIND_PLAIN, 1, 2, "I"},
        [OP_SALOAD] = {KIND_PLAIN, 1, 2, "I"},
        [OP_ISTORE] = {KIND_PLAIN, 2, 1, ""},
        [OP_LSTORE] = {KIND_PLAIN, 2, 2, ""},
        [OP_FSTORE] = {KIND_PLAIN, 2, 1, ""},
        [OP_DSTORE] = {KIND_PLAIN, 2, 2, ""},
        [OP_ASTORE] = {KIND_PLAIN, 2, 1, ""},
        [OP_ISTORE_0] = {KIND_PLAIN, 1, 1, ""},
        [OP_ISTORE_1] = {KIND_PLAIN, 1, 1, ""},
        [OP_ISTORE_2] = {KIND_PLAIN, 1, 1, ""},
        [OP_ISTORE_3] = {KIND_PLAIN, 1, 1, ""},
        [OP_LSTORE_0] = {KIND_PLAIN, 1, 2, ""},
        [OP_LSTORE_1] = {KIND_PLAIN, 1, 2, ""},
        [OP_LSTORE_2] = {KIND_PLAIN, 1, 2, ""},
        [OP_LSTORE_3] = {KIND_PLAIN, 1, 2, ""},
        [OP_FSTORE_0] = {KIND_PLAIN, 1, 1, ""},
        [OP_FSTORE_1] = {KIND_PLAIN, 1, 1, ""},
        [OP_FSTORE_2] = {KIND_PLAIN, 1, 1, ""},
        [OP_FSTORE_3] = {KIND_PLAIN, 1, 1, ""},
        [OP_DSTORE_0] = {KIND_PLAIN, 1, 2, ""},
        [OP_DSTORE_1] = {KIND_PLAIN, 1, 2, ""},
        [OP_DSTORE_2] = {KIND_PLAIN, 1, 2, ""},
        [OP_DSTORE_3] = {KIND_PLAIN, 1, 2, ""},
        [OP_ASTORE_0] = {KIND_PLAIN, 1, 1, ""},
        [OP_ASTORE_1] = {KIND_PLAIN, 1, 1, ""},
        [OP_ASTORE_2] = {KIND_PLAIN, 1, 1, ""},
        [OP_ASTORE_3] = {KIND_PLAIN, 1, 1, ""},
        [OP_IASTORE] = {KIND_PLAIN, 1, 3, ""},
        [OP_LASTORE] = {KIND_PLAIN, 1, 4, ""},
        [OP_FASTORE] = {KIND_PLAIN, 1, 3, ""},
        [OP_DASTORE] = {KIND_PLAIN, 1, 4, ""},
        [OP_AASTORE] = {KIND_PLAIN, 1, 3, ""},
        [OP_BASTORE] = {KIND_PLAIN, 1, 3, ""},
        [OP_CASTORE] = {KIND_PLAIN, 1, 3, ""},
        [OP_SASTORE] = {KIND_PLAIN, 1, 3, ""},
        [OP_POP] = {KIND_PLAIN, 1, 1, ""},
        [OP_POP2] = {KIND_PLAIN, 1, 2, ""},
        [OP_DUP] = {KIND_PLAIN, 1, 1, "**"},
        [OP_DUP_X1] = {KIND_PLAIN, 1, 2, "***"},
        [OP_DUP_X2] = {KIND_PLAIN, 1, 3, "****"},
        [OP_DUP2] = {KIND_PLAIN, 1, 2, "****"},
        [OP_DUP2_X1] = {KIND_PLAIN, 1, 3, "*****"},
        [OP_DUP2_X2] = {KIND_PLAIN, 1, 4, "******"},
        [OP_SWAP] = {KIND_PLAIN, 1, 2, "**"},
        [OP_IADD] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LADD] = {KIND_PLAIN, 1, 4, "J"},
        [OP_FADD] = {KIND_PLAIN, 1, 2, "F"},
        [OP_DADD] = {KIND_PLAIN, 1, 4, "D"},
        [OP_ISUB] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LSUB] = {KIND_PLAIN, 1, 4, "J"},
        [OP_FSUB] = {KIND_PLAIN, 1, 2, "F"},
        [OP_DSUB] = {KIND_PLAIN, 1, 4, "D"},
        [OP_IMUL] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LMUL] = {KIND_PLAIN, 1, 4, "J"},
        [OP_FMUL] = {KIND_PLAIN, 1, 2, "F"},
        [OP_DMUL] = {KIND_PLAIN, 1, 4, "D"},
        [OP_IDIV] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LDIV] = {KIND_PLAIN, 1, 4, "J"},
        [OP_FDIV] = {KIND_PLAIN, 1, 2, "F"},
        [OP_DDIV] = {KIND_PLAIN, 1, 4, "D"},
        [OP_IREM] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LREM] = {KIND_PLAIN, 1, 4, "J"},
        [OP_FREM] = {KIND_PLAIN, 1, 2, "F"},
        [OP_DREM] = {KIND_PLAIN, 1, 4, "D"},
        [OP_INEG] = {KIND_PLAIN, 1, 1, "I"},
        [OP_LNEG] = {KIND_PLAIN, 1, 2, "J"},
        [OP_FNEG] = {KIND_PLAIN, 1, 1, "F"},
        [OP_DNEG] = {KIND_PLAIN, 1, 2, "D"},
        [OP_ISHL] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LSHL] = {KIND_PLAIN, 1, 3, "J"},
        [OP_ISHR] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LSHR] = {KIND_PLAIN, 1, 3, "J"},
        [OP_IUSHR] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LUSHR] = {KIND_PLAIN, 1, 3, "J"},
        [OP_IAND] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LAND] = {KIND_PLAIN, 1, 4, "J"},
        [OP_IOR] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LOR] = {KIND_PLAIN, 1, 4, "J"},
        [OP_IXOR] = {KIND_PLAIN, 1, 2, "I"},
        [OP_LXOR] = {KIND_PLAIN, 1, 4, "J"},
        [OP_IINC] = {KIND_PLAIN, 3, 0, ""},
        [OP_I2L] = {KIND_PLAIN, 1, 1, "J"},
        [OP_I2F] = {KIND_PLAIN, 1, 1, "F"},
        [OP_I2D] = {KIND_PLAIN, 1, 1, "D"},
        [OP_L2I] = {KIND_PLAIN, 1, 2, "I"},
        [OP_L2F] = {KIND_PLAIN, 1, 2, "F"},
        [OP_L2D] = {KIND_PLAIN, 1, 2, "D"},
        [OP_F2I] = {KIND_PLAIN, 1, 1, "I"},
        [OP_F2L] = {KIND_PLAIN, 1, 1, "J"},
        [OP_F2D] = {KIND_PLAIN, 1, 1, "D"},
        [OP_D2I] = {KIND_PLAIN, 1, 2, "I"},
        [OP_D2L] = {KIND_PLAIN, 1, 2, "J"},
        [OP_D2F] = {KIND_PLAIN, 1, 2, "F"},
        [OP_I2B] = {KIND_PLAIN, 1, 1, "I"},
        [OP_I2C] = {KIND_PLAIN, 1, 1, "I"},
        [OP_I2S] = {KIND_PLAIN, 1, 1, "I"},
        [OP_LCMP] = {KIND_PLAIN, 1, 4, "I"},
        [OP_FCMPL] = {KIND_PLAIN, 1, 2, "I"},
        [OP_FCMPG] = {KIND_PLAIN, 1, 2, "I"},
        [OP_DCMPL] = {KIND_PLAIN, 1, 4, "I"},
        [OP_DCMPG] = {KIND_PLAIN, 1, 4, "I"},
        [OP_IFEQ] = {KIND_IF, 3, 1, ""},
        [OP_IFNE] = {KIND_IF, 3, 1, ""},
        [OP_IFLT] = {KIND_IF, 3, 1, ""},
        [OP_IFGE] = {KIND_IF, 3, 1, ""},
        [OP_IFGT] = {KIND_IF, 3, 1, ""},
        [OP_IFLE] = {KIND_IF, 3, 1, ""},
        [OP_IF_ICMPEQ] = {KIND_IF, 3, 2, ""},
        [OP_IF_ICMPNE] = {KIND_IF, 3, 2, ""},
        [OP_IF_ICMPLT] = {KIND_IF, 3, 2, ""},
        [OP_IF_ICMPGE] = {KIND_IF, 3, 2, ""},
        [OP_IF_ICMPGT] = {KIND_IF, 3, 2, ""},
        [OP_IF_ICMPLE] = {KIND_IF, 3, 2, ""},
        [OP_IF_ACMPEQ] = {KIND_IF, 3, 2, ""},
        [OP_IF_ACMPNE] = {KIND_IF, 3, 2, ""},
        [OP_GOTO] = {KIND_GOTO, 3, 0, ""},
        [OP_JSR] = {KIND_JSR, 3, 0, "R"},
        [OP_RET] = {KIND_RET, 2, 0, ""},
        [OP_TABLESWITCH] = {KIND_SWITCH, 0, 1, ""},
        [OP_LOOKUPSWITCH] = {KIND_SWITCH, 0, 1, ""},
        [OP_IRETURN] = {KIND_RETURN, 1, 1, ""},
        [OP_LRETURN] = {KIND_RETURN, 1, 2, ""},
        [OP_FRETURN] = {KIND_RETURN, 1, 1, ""},
        [OP_DRETURN] = {KIND_RETURN, 1, 2, ""},
        [OP_ARETURN] = {KIND_RETURN, 1, 1, ""},
        [OP_RETURN] = {KIND_RETURN, 1, 0, ""},
        [OP_GETSTATIC] = {KIND_PLAIN, 3, 0, "!"},
        [OP_PUTSTATIC] = {KIND_PLAIN, 3, 0, "!"},
        [OP_GETFIELD] = {KIND_PLAIN, 3, 0, "!"},
        [OP_PUTFIELD] = {KIND_PLAIN, 3, 0, "!"},
        [OP_INVOKEVIRTUAL] = {KIND_PLAIN, 3, 0, "!"},
        [OP_INVOKESPECIAL] = {KIND_PLAIN, 3, 0, "!"},
        [OP_INVOKESTATIC] = {KIND_PLAIN, 3, 0, "!"},
        [OP_INVOKEINTERFACE] = {KIND_PLAIN, 5, 0, "!"},
        [OP_INVOKEDYNAMIC] = {KIND_PLAIN, 5, 0, "!"},
        [OP_NEW] = {KIND_PLAIN, 3, 0, "!"},
        [OP_NEWARRAY] = {KIND_PLAIN, 2, 1, "A"},
        [OP_ANEWARRAY] = {KIND_PLAIN, 3, 1, "A"},
        [OP_ARRAYLENGTH] = {KIND_PLAIN, 1, 1, "I"},
        [OP_ATHROW] = {KIND_THROW, 1, 1, ""},
        [OP_CHECKCAST] = {KIND_PLAIN, 3, 1, "A"},
        [OP_INSTANCEOF] = {KIND_PLAIN, 3, 1, "I"},
        [OP_MONITORENTER] = {KIND_PLAIN, 1, 1, ""},
        [OP_MONITOREXIT] = {KIND_PLAIN, 1, 1, ""},
        [OP_WIDE] = {KIND_PLAIN, 0, 0, "!"},
        [OP_MULTIANEWARRAY] = {KIND_PLAIN, 4, 0, "!"},
        [OP_IFNULL] = {KIND_IF, 3, 1, ""},
        [OP_IFNONNULL] = {KIND_IF, 3, 1, ""},
        [OP_GOTO_W] = {KIND_GOTO_WIDE, 5, 0, ""},
        [OP_JSR_W] = {KIND_JSR_WIDE, 5, 0, "R"},
};

/* A switch of 64-bit arithmetic, so that no count overflows. */
static uint32_t switch_length(const uint8_t *code, uint32_t offset, uint32_t length)
{
	uint64_t at = (uint64_t)offset + 1 + instruction_switch_padding(offset);
	int64_t end;

	if (code[offset] == OP_TABLESWITCH) {
		int64_t low;
		int64_t high;

		if (at + 12 > length)
			return 0;
		low = bytes_s4(code + at + 4);
		high = bytes_s4(code + at + 8);
		if (low > high)
			return 0;
		end = (int64_t)at + 12 + 4 * (high - low + 1);
	} else {
		int64_t pairs;

		if (at + 8 > length)
			return 0;
		pairs = bytes_s4(code + at + 4);
		if (pairs < 0)
			return 0;
		end = (int64_t)at + 8 + 8 * pairs;
	}
	return end <= (int64_t)length ? (uint32_t)(end - offset) : 0;
}

/* wide doubles the operands of a load, a store, ret or iinc. */
static uint32_t wide_length(const uint8_t *code, uint32_t offset, uint32_t length)
{
	uint8_t opcode;

	if (length - offset < 2)
		return 0;
	opcode = code[offset + 1];
	if (opcode == OP_IINC)
		return length - offset >= 6 ? 6 : 0;
	if ((opcode >= OP_ILOAD && opcode <= OP_ALOAD) ||
	    (opcode >= OP_ISTORE && opcode <= OP_ASTORE) || opcode == OP_RET)
		return length - offset >= 4 ? 4 : 0;
	return 0;
}

uint32_t instruction_length(const uint8_t *code, uint32_t offset, uint32_t length)
{
	const struct instruction_info *info = &instruction_table[code[offset]];

	if (info->kind == KIND_INVALID)
		return 0;
	if (info->length)
		return info->length <= length - offset ? info->length : 0;
	if (info->kind == KIND_SWITCH)
		return switch_length(code, offset, length);
	return wide_length(code, offset, length);
}

bool instruction_falls_through(uint8_t opcode, uint8_t next_byte)
{
	switch (instruction_table[opcode].kind) {
	case KIND_GOTO:
	case KIND_GOTO_WIDE:
	case KIND_RET:
	case KIND_SWITCH:
	case KIND_RETURN:
	case KIND_THROW:
		return false;
	default:
		return opcode != OP_WIDE || next_byte != OP_RET;
	}
}

uint8_t instruction_inverted_branch(uint8_t opcode)
{
	if (opcode >= OP_IFNULL)
		return opcode ^ 1;
	/* From ifeq on, the pairs begin with an odd opcode. */
	return (uint8_t)(((opcode + 1) ^ 1) - 1);
}

const char *instruction_copied_slots(uint8_t opcode)
{
	static const char orders[][8] = {"00", "101", "2012", "0101", "12012", "230123", "10"};

	return opcode >= OP_DUP && opcode <= OP_SWAP ? orders[opcode - OP_DUP] : NULL;
}

uint32_t descriptor_type_length(const uint8_t *bytes, uint32_t length)
{
	uint32_t at = 0;

	while (at < length && bytes[at] == '[')
		at++;
	if (at == length || at > 255)
		return 0;
	switch (bytes[at]) {
	case 'B':
	case 'C':
	case 'D':
	case 'F':
	case 'I':
	case 'J':
	case 'S':
	case 'Z':
		return at + 1;
	case 'L':
		while (at < length && bytes[at] != ';')
			at++;
		return at < length ? at + 1 : 0;
	default:
		return 0;
	}
}

int32_t descriptor_argument_slots(const uint8_t *bytes, uint32_t length)
{
	uint32_t at = 1;
	int32_t slots = 0;

	if (!length || bytes[0] != '(')
		return -1;
	while (at < length && bytes[at] != ')') {
		uint32_t size = descriptor_type_length(bytes + at, length - at);

		if (!size)
			return -1;
		slots += (int32_t)descriptor_slots(bytes[at]);
		at += size;
	}
	if (at >= length)
		return -1;
	at++;
	if (at + 1 == length && bytes[at] == 'V')
		return slots;
	return at < length && descriptor_type_length(bytes + at, length - at) == length - at ? slots
	                                                                                     : -1;
}
