/* machine_code.c (x86-64): see machine_code.h, here and in the directory above. */
#include "hotspot/x86_64/machine_code.h"
#include "hotspot/read_cpu/machine_call.h"

#include <stddef.h>
#include <string.h>

enum {
	PROLOGUE_BYTES = 48,
	/* The check of the receiver's class and the prologue, with its alignment. */
	ENTRY_BYTES = 160,
	TAKE_BYTES = 7,
	TAKE_BY_BYTE = 0x83,
	TAKE_OPERAND = 3,
	WORD_BYTES = 8,
	CALL_BYTES = 13, /* with the load of the register that is called */
	CALL_RELATIVE_BYTES = 5,
	CALL_RELATIVE = 0xe8,
	CALL_REGISTER_BYTES = 2,
	CALL_REGISTER = 0xff,
	CALL_REGISTER_OPERAND = 0xd0, /* to 0xd7 */
	CALL_REGISTER_MASK = 0xf8,
	CALL_REGISTER_NUMBER = 7,
	CALL_EXTENDED = 0x41,
	LOAD_NUMBER_BYTES = 10,
	LOAD_NUMBER_PREFIX = 0x48,
	LOAD_NUMBER = 0xb8,
	PUSH_FRAME_POINTER = 0x55,
	POP_FRAME_POINTER = 0x5d,
	RETURN = 0xc3
};

bool machine_code_is_known(void)
{
	return true;
}

struct pattern {
	unsigned char count;
	unsigned char bytes[4];
};

static bool matches(const unsigned char *next, const struct pattern *pattern)
{
	return memcmp(next, pattern->bytes, pattern->count) == 0;
}

/* The frame is gone, and the method returns after a check whether to stop at a safepoint: by
 * the stack pointer, or until JDK 15 by reading a page. */
static bool is_returning(const unsigned char *next)
{
	static const struct pattern compare = {3, {0x49, 0x3b, 0x67}}; /* cmp rsp, [r15 + …] */
	static const struct pattern compare_far = {3, {0x49, 0x3b, 0xa7}};
	static const struct pattern leave = {2, {0x0f, 0x87}};      /* ja …, 6 bytes */
	static const struct pattern read = {3, {0x41, 0x85, 0x02}}; /* test [r10], eax */

	return *next == RETURN || matches(next, &compare) || matches(next, &compare_far) ||
	       (matches(next, &leave) && next[6] == RETURN) ||
	       (matches(next, &read) && next[3] == RETURN);
}

/* sub rsp, … */
static bool is_taking_stack(const unsigned char *next)
{
	static const struct pattern by_word = {3, {0x48, 0x81, 0xec}};
	static const struct pattern by_byte = {3, {0x48, 0x83, 0xec}};
	return matches(next, &by_word) || matches(next, &by_byte);
}

enum code_frame machine_code_frame(uintptr_t pc)
{
	static const struct pattern save = {4, {0x48, 0x89, 0x6c, 0x24}}; /* mov [rsp + …], rbp */
	const unsigned char *next = (const unsigned char *)pc;

	if (is_returning(next))
		return CODE_FRAME_GONE;
	if (*next == POP_FRAME_POINTER)
		return CODE_FRAME_ENDING;
	if (is_taking_stack(next))
		return next[-1] == PUSH_FRAME_POINTER ? CODE_FRAME_BEGUN : CODE_FRAME_NONE_YET;
	if (matches(next, &save) && (is_taking_stack(next - 7) || is_taking_stack(next - 4)))
		return CODE_FRAME_UNSAVED;
	for (size_t i = 1; i < PROLOGUE_BYTES; i++) {
		if (is_taking_stack(next + i))
			return CODE_FRAME_NONE_YET;
	}
	return CODE_FRAME_WHOLE;
}

enum code_frame machine_code_linked_frame(uintptr_t pc)
{
	static const struct pattern link = {3, {0x48, 0x89, 0xe5}}; /* mov rbp, rsp */
	const unsigned char *next = (const unsigned char *)pc;

	if (*next == RETURN || *next == PUSH_FRAME_POINTER)
		return CODE_FRAME_GONE;
	return *next == POP_FRAME_POINTER || matches(next, &link) ? CODE_FRAME_ENDING
	                                                          : CODE_FRAME_WHOLE;
}

/* Whether the frame pointer was pushed, and perhaps set, by what ends at that offset. */
static bool is_pushed_before(const unsigned char *code, uint32_t offset)
{
	static const struct pattern link = {3, {0x48, 0x89, 0xe5}}; /* mov rbp, rsp */
	static const struct pattern other_link = {3, {0x48, 0x8b, 0xec}};

	if (offset > link.count && (matches(code + offset - link.count, &link) ||
	                            matches(code + offset - link.count, &other_link)))
		offset -= link.count;
	return offset > 0 && code[offset - 1] == PUSH_FRAME_POINTER;
}

uint32_t machine_code_frame_bytes(uintptr_t begin, uint32_t length)
{
	const unsigned char *code = (const unsigned char *)begin;
	uint32_t taken;

	for (uint32_t i = 0; i < ENTRY_BYTES && i + TAKE_BYTES <= length; i++) {
		if (!is_taking_stack(code + i))
			continue;
		if (code[i + 1] == TAKE_BY_BYTE)
			taken = code[i + TAKE_OPERAND];
		else
			memcpy(&taken, code + i + TAKE_OPERAND, sizeof(taken));
		return taken + WORD_BYTES + (is_pushed_before(code, i) ? WORD_BYTES : 0);
	}
	return 0;
}

bool machine_code_follows_call(uintptr_t pc)
{
	const unsigned char *next = (const unsigned char *)pc;

	/* A frame that the VM is deoptimizing can have no place yet. */
	if (pc < CALL_BYTES)
		return false;
	return next[-CALL_RELATIVE_BYTES] == CALL_RELATIVE ||
	       (next[-CALL_REGISTER_BYTES] == CALL_REGISTER &&
	        (next[1 - CALL_REGISTER_BYTES] & CALL_REGISTER_MASK) == CALL_REGISTER_OPERAND);
}

/* The address that an instruction before the call, at that place, loads into its register. */
static bool reads_register(const unsigned char *load, unsigned extension, unsigned number,
                           uintptr_t *target)
{
	if (load[0] != (LOAD_NUMBER_PREFIX | extension) || load[1] != (LOAD_NUMBER | number))
		return false;
	memcpy(target, load + 2, sizeof(*target));
	return true;
}

bool machine_code_call_target(uintptr_t pc, uintptr_t *target)
{
	const unsigned char *next = (const unsigned char *)pc;
	int32_t distance;

	if (!machine_code_follows_call(pc))
		return false;
	if (next[-CALL_RELATIVE_BYTES] == CALL_RELATIVE) {
		memcpy(&distance, next - sizeof(distance), sizeof(distance));
		*target = pc + (uintptr_t)(intptr_t)distance;
		return true;
	}
	unsigned number = next[-1] & CALL_REGISTER_NUMBER;
	next -= CALL_REGISTER_BYTES;
	if (next[-1] == CALL_EXTENDED)
		return reads_register(next - 1 - LOAD_NUMBER_BYTES, 1, number, target);
	return reads_register(next - LOAD_NUMBER_BYTES, 0, number, target);
}
