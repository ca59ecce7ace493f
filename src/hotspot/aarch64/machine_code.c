/*
 * machine_code.c (64-bit ARM): see machine_code.h, here and in the directory above. HotSpot's
 * compilers make a frame in one of two ways, near the begin of the method's code:
 *     sub sp, sp, size; stp x29, x30, [sp, size - 16]
 *     stp x29, x30, [sp, -16]!; sub sp, sp, size - 16, or that size in a register
 * and leave it by the opposite, in the opposite order, before each return.
 */
#include "hotspot/aarch64/machine_code.h"

#include "hotspot/aarch64/arm_instruction.h"
#include "hotspot/read_cpu/machine_call.h"

enum {
	ENTRY_INSTRUCTIONS = 40,   /* the check of the receiver's class, and that of the stack */
	ENTERING_INSTRUCTIONS = 5, /* that make a frame, with a size in a register */
	SIZE_INSTRUCTIONS = 3,     /* of these, after the frame pointer is set */
	LEAVING_INSTRUCTIONS = 8,
	INTERPRETED_INSTRUCTIONS = 200, /* to where a method has its frame */
	LINK_BYTES = 16,
	SETTING_LINK = 0x910003fd, /* mov x29, sp */
	FREEING = 0x910003bf,      /* mov sp, x29 */
	/* ldr x8, 8; br x8; the address: a call to what is far away leads here */
	FAR_LOAD = 0x58000048,
	FAR_JUMP = 0xd61f0100
};

static uint32_t at(uintptr_t pc)
{
	return *(const uint32_t *)pc;
}

bool machine_code_is_known(void)
{
	return true;
}

/* Where the method's frame begins to be made; 0 if not near the begin. */
static uintptr_t find_entry(uintptr_t begin, uint32_t count)
{
	uintptr_t pc = begin;

	for (uint32_t i = 0; i < count; i++, pc += ARM_INSTRUCTION_BYTES) {
		uint32_t next = at(pc + ARM_INSTRUCTION_BYTES);
		if (arm_is_link_pushed(at(pc)) ||
		    (arm_is_taking_stack(at(pc)) && arm_is_link_saved(next)))
			return pc;
	}
	return 0;
}

/* The size that is put into a register: movz, and perhaps movk; 0 if it is not. */
static uint32_t size_in_register(uintptr_t pc)
{
	uint32_t low = at(pc);
	uint32_t high = at(pc + ARM_INSTRUCTION_BYTES);

	if (!arm_matches(low, 0xffe00000, 0xd2800000))
		return 0;
	uint32_t size = arm_bits(low, 5, 16);
	if (arm_matches(high, 0xffe00000, 0xf2a00000))
		size |= arm_bits(high, 5, 16) << 16;
	return size;
}

uint32_t machine_code_frame_bytes(uintptr_t begin, uint32_t length)
{
	uint32_t count = length / ARM_INSTRUCTION_BYTES;
	uintptr_t entry = 0;

	if (count > SIZE_INSTRUCTIONS) {
		count -= SIZE_INSTRUCTIONS;
		entry = find_entry(begin, count < ENTRY_INSTRUCTIONS ? count : ENTRY_INSTRUCTIONS);
	}
	if (entry == 0)
		return 0;
	if (arm_is_taking_stack(at(entry)))
		return arm_number(at(entry));
	/* The frame pointer may be set before. */
	uintptr_t taken = entry + ARM_INSTRUCTION_BYTES;
	if (at(taken) == SETTING_LINK)
		taken += ARM_INSTRUCTION_BYTES;
	uint32_t size =
	        arm_is_taking_stack(at(taken)) ? arm_number(at(taken)) : size_in_register(taken);
	return size == 0 ? 0 : size + LINK_BYTES;
}

/* What comes between the end of a frame and the return: a check whether to stop at a safepoint, by
 * the stack pointer or until JDK 15 by reading a page, and of the return address. */
static bool is_before_return(uint32_t instruction)
{
	return arm_matches(instruction, 0xffc003ff, 0xf9400388) || /* ldr x8, [x28, …] */
	       instruction == 0xeb2863ff ||                        /* cmp sp, x8 */
	       arm_matches(instruction, 0xff00001f, 0x54000008) || /* b.hi */
	       arm_matches(instruction, 0xff00001f, 0xb5000008) || /* cbnz x8: an exception */
	       arm_matches(instruction, 0xffffffe0, 0xb9400100) || /* ldr w…, [x8] */
	       arm_matches(instruction, 0xffe0001f, 0xd500001f) || /* hint, barrier */
	       arm_matches(instruction, 0xfffff3e0, 0xdac113a0);   /* autia …, x29 and the like */
}

/* add sp, sp, number or register; mov sp, x29. */
static bool is_giving_stack(uint32_t instruction)
{
	return arm_matches(instruction, 0xff8003ff, 0x910003ff) || instruction == FREEING ||
	       arm_matches(instruction, 0xffe0ffff, 0x8b2063ff);
}

static enum code_frame frame_at_end(uintptr_t pc)
{
	uint32_t before = at(pc - ARM_INSTRUCTION_BYTES);
	uint32_t instruction = at(pc);

	if (is_giving_stack(instruction) && arm_is_link_loaded(before))
		return CODE_FRAME_TAKEN;
	if (arm_is_link_popped(instruction) && is_giving_stack(before))
		return CODE_FRAME_ON_TOP;
	for (int i = 0; i < LEAVING_INSTRUCTIONS; i++, pc += ARM_INSTRUCTION_BYTES) {
		if (arm_is_return(at(pc)))
			return CODE_FRAME_NONE;
		if (!is_before_return(at(pc)))
			break;
	}
	return CODE_FRAME_WHOLE;
}

/* sub sp, sp, register. */
static bool is_taking_stack_by_register(uint32_t instruction)
{
	return arm_matches(instruction, 0xffe0ffff, 0xcb2063ff);
}

/* The frame between entry, where it begins to be made, and where it is whole. */
static enum code_frame frame_at_entry(uintptr_t entry, uintptr_t pc)
{
	const uintptr_t end = entry + ENTERING_INSTRUCTIONS * (uintptr_t)ARM_INSTRUCTION_BYTES;

	if (pc <= entry)
		return CODE_FRAME_NONE;
	if (arm_is_taking_stack(at(entry)))
		return pc == entry + ARM_INSTRUCTION_BYTES ? CODE_FRAME_TAKEN : CODE_FRAME_WHOLE;
	for (; pc < end; pc += ARM_INSTRUCTION_BYTES) {
		if (arm_is_taking_stack(at(pc)) || is_taking_stack_by_register(at(pc)))
			return CODE_FRAME_ON_TOP;
	}
	return CODE_FRAME_WHOLE;
}

enum code_frame machine_code_frame(uintptr_t begin, uintptr_t pc, bool *entered)
{
	uintptr_t entry = find_entry(begin, ENTRY_INSTRUCTIONS);
	enum code_frame frame = entry == 0 ? CODE_FRAME_WHOLE : frame_at_entry(entry, pc);

	*entered = frame != CODE_FRAME_WHOLE;
	return *entered ? frame : frame_at_end(pc);
}

/* add x29, sp, number. */
static bool is_setting_link(uint32_t instruction)
{
	return arm_matches(instruction, 0xff8003ff, 0x910003fd);
}

/* stp xzr, x19 or until JDK 19 x13, [sp, …]: the stack pointer of the caller. */
static bool is_saving_sender(uint32_t instruction)
{
	return arm_matches(instruction, 0xffc07fff, 0xa9004fff) ||
	       arm_matches(instruction, 0xffc07fff, 0xa90037ff);
}

/* br: to the next bytecode or to what is called, but not add x8, x8, …; br x8, to where an error is
 * thrown. */
static bool is_going_on(uintptr_t pc)
{
	return arm_matches(at(pc), 0xfffffc1f, 0xd61f0000) &&
	       !arm_matches(at(pc - ARM_INSTRUCTION_BYTES), 0xffc003ff, 0x91000108);
}

/* Where a method is entered, its frame is made further on, before anything else is jumped to;
 * where one is left, nothing of it remains to be undone before the return. */
enum interpreted_frame machine_code_interpreted_frame(uintptr_t pc)
{
	if (arm_is_link_popped(at(pc)))
		return INTERPRETED_LEAVING;
	for (int i = 0; i < INTERPRETED_INSTRUCTIONS; i++, pc += ARM_INSTRUCTION_BYTES) {
		uint32_t instruction = at(pc);
		if (arm_is_link_saved(instruction) || is_setting_link(instruction))
			return INTERPRETED_NONE_YET;
		if (is_saving_sender(instruction))
			return INTERPRETED_BEGUN;
		if (arm_is_return(instruction))
			return i < LEAVING_INSTRUCTIONS ? INTERPRETED_LEAVING : INTERPRETED_WHOLE;
		if (arm_is_link_popped(instruction) || is_going_on(pc))
			break;
	}
	return INTERPRETED_WHOLE;
}

bool machine_code_follows_call(uintptr_t pc)
{
	/* A frame that the VM is deoptimizing can have no place yet. */
	return pc > ARM_INSTRUCTION_BYTES && pc % ARM_INSTRUCTION_BYTES == 0 &&
	       arm_is_call(at(pc - ARM_INSTRUCTION_BYTES));
}

bool machine_code_call_target(uintptr_t pc, uintptr_t *target)
{
	if (!machine_code_follows_call(pc))
		return false;
	uint32_t call = at(pc - ARM_INSTRUCTION_BYTES);
	if (!arm_matches(call, 0xfc000000, 0x94000000))
		return false;
	*target = pc - ARM_INSTRUCTION_BYTES +
	          (uintptr_t)(arm_signed(call, 0, 26) * ARM_INSTRUCTION_BYTES);
	if (at(*target) == FAR_LOAD && at(*target + ARM_INSTRUCTION_BYTES) == FAR_JUMP)
		*target = *(const uintptr_t *)(*target + 2 * (uintptr_t)ARM_INSTRUCTION_BYTES);
	return true;
}
