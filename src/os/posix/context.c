/*
 * context.c: machine contexts of interrupted threads, and frames, by CPU architecture: the
 * systems give registers the same names. Signal-safe; no lock.
 */
#include "os_machine.h"

#include <string.h>

#if defined(__x86_64__)

enum {
	/* Words on top of the stack where a return address may be: the first two
	 * in a prologue or epilogue, the others in a stub that pushes some
	 * registers and no frame pointer. */
	STACK_PLACES = 16,
	FRAME_PLACES = 2,
	PLACES = STACK_PLACES + 1, /* and the one beside the saved frame pointer */
	FRAME_BYTES_MAX = 8192,
	CALL_RELATIVE_BYTES = 5,
	CALL_RELATIVE = 0xE8,
	CALL_REGISTER_BYTES = 2,
	CALL_REGISTER = 0xFF,
	CALL_REGISTER_OPERAND = 0xD0, /* to 0xD7 */
	CALL_REGISTER_MASK = 0xF8,
	PUSHED_MAX = 4,
	CODE_AHEAD = 2 * PUSHED_MAX,
	EXTENDED_REGISTER = 0x41,
	POP = 0x58, /* to 0x5F */
	POP_FRAME_POINTER = 0x5D,
	POP_MASK = 0xF8
};

static bool is_code(uintptr_t address, const struct os_code_range *code)
{
	return address >= code->low && address < code->high &&
	       address - code->low >= CALL_RELATIVE_BYTES && code->high - address > CODE_AHEAD;
}

static bool follows_call(uintptr_t address)
{
	const unsigned char *next = (const unsigned char *)address;
	return next[-CALL_RELATIVE_BYTES] == CALL_RELATIVE ||
	       (next[-CALL_REGISTER_BYTES] == CALL_REGISTER &&
	        (next[1 - CALL_REGISTER_BYTES] & CALL_REGISTER_MASK) == CALL_REGISTER_OPERAND);
}

/* How many words the caller takes off the stack itself after the call. */
static unsigned pushed_before_call(uintptr_t address)
{
	const unsigned char *next = (const unsigned char *)address;
	unsigned pushed = 0;

	for (; pushed < PUSHED_MAX; pushed++) {
		if (*next == EXTENDED_REGISTER)
			next++;
		else if (*next == POP_FRAME_POINTER)
			break;
		if ((*next++ & POP_MASK) != POP)
			break;
	}
	return pushed;
}

/* Where on the stack that place is; NULL when it can't be on it. */
static const uintptr_t *find_place(const greg_t *registers, unsigned place)
{
	uintptr_t stack = (uintptr_t)registers[REG_RSP];
	uintptr_t frame = (uintptr_t)registers[REG_RBP];

	if (place < STACK_PLACES)
		return (const uintptr_t *)stack + place;
	bool linked =
	        frame >= stack && frame - stack < FRAME_BYTES_MAX && frame % sizeof(uintptr_t) == 0;
	return linked ? (const uintptr_t *)frame + 1 : NULL;
}

bool os_context_return(const void *context, const struct os_code_range *code, unsigned *place,
                       struct os_context *returned)
{
	const greg_t *interrupted = ((const ucontext_t *)context)->uc_mcontext.gregs;

	while (*place < PLACES) {
		unsigned tried = (*place)++;
		const uintptr_t *address = find_place(interrupted, tried);
		if (address == NULL || !is_code(*address, code) ||
		    (tried >= FRAME_PLACES && tried < STACK_PLACES && !follows_call(*address)))
			continue;
		memcpy(&returned->machine, context, sizeof(returned->machine));
		greg_t *registers = returned->machine.uc_mcontext.gregs;
		registers[REG_RIP] = (greg_t)*address;
		registers[REG_RSP] =
		        (greg_t)(uintptr_t)(address + 1 + pushed_before_call(*address));
		/* A saved frame pointer is below the return address. */
		if (tried == 1 || tried == STACK_PLACES)
			registers[REG_RBP] = (greg_t)address[-1];
		return true;
	}
	return false;
}

bool os_context_registers(const void *context, struct os_registers *registers)
{
	static const int numbered[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
	                               REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
	                               REG_R12, REG_R13, REG_R14, REG_R15};
	const greg_t *interrupted = ((const ucontext_t *)context)->uc_mcontext.gregs;

	registers->program_counter = (uintptr_t)interrupted[REG_RIP];
	registers->stack_pointer = (uintptr_t)interrupted[REG_RSP];
	registers->frame_pointer = (uintptr_t)interrupted[REG_RBP];
	memset(registers->general, 0, sizeof(registers->general));
	for (size_t i = 0; i < sizeof(numbered) / sizeof(*numbered); i++)
		registers->general[i] = (uintptr_t)interrupted[numbered[i]];
	return true;
}

bool os_call_return_address(const void *stack_pointer, void **address)
{
	memcpy(address, (const char *)stack_pointer - sizeof(*address), sizeof(*address));
	return true;
}

#elif defined(__aarch64__)

enum { FRAME_POINTER = 29, LINK_REGISTER = 30, STACK_POINTER = 31 };

bool os_context_return(const void *context, const struct os_code_range *code, unsigned *place,
                       struct os_context *returned)
{
	memcpy(&returned->machine, context, sizeof(returned->machine));
	mcontext_t *machine = &returned->machine.uc_mcontext;
	machine->pc = machine->regs[LINK_REGISTER];
	return (*place)++ == 0 && machine->pc >= code->low && machine->pc < code->high;
}

bool os_context_registers(const void *context, struct os_registers *registers)
{
	const mcontext_t *interrupted = &((const ucontext_t *)context)->uc_mcontext;

	registers->program_counter = interrupted->pc;
	registers->stack_pointer = interrupted->sp;
	registers->frame_pointer = interrupted->regs[FRAME_POINTER];
	for (int i = 0; i < STACK_POINTER; i++)
		registers->general[i] = interrupted->regs[i];
	registers->general[STACK_POINTER] = interrupted->sp;
	return true;
}

#elif defined(__sparc)

/* A call leaves its own address in %o7, and one instruction in its delay slot. */
enum { CALL_AND_DELAY_SLOT = 8, INSTRUCTION = 4 };

/* Until its save instruction, and after its restore, a function runs in the register window
 * of its caller, with the caller's stack pointer. */
bool os_context_return(const void *context, const struct os_code_range *code, unsigned *place,
                       struct os_context *returned)
{
	memcpy(&returned->machine, context, sizeof(returned->machine));
	greg_t *registers = returned->machine.uc_mcontext.gregs;
	uintptr_t address = (uintptr_t)registers[REG_O7] + CALL_AND_DELAY_SLOT;

	registers[REG_PC] = (greg_t)address;
	registers[REG_nPC] = (greg_t)(address + INSTRUCTION);
	return (*place)++ == 0 && address >= code->low && address < code->high;
}

#else

bool os_context_return(const void *context, const struct os_code_range *code, unsigned *place,
                       struct os_context *returned)
{
	(void)context;
	(void)code;
	(void)place;
	(void)returned;
	return false;
}

#endif

#if !defined(__x86_64__) && !defined(__aarch64__)

bool os_context_registers(const void *context, struct os_registers *registers)
{
	(void)context;
	(void)registers;
	return false;
}

#endif

#if !defined(__x86_64__)

bool os_call_return_address(const void *stack_pointer, void **address)
{
	(void)stack_pointer;
	(void)address;
	return false;
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

bool os_frame_caller(void *frame_pointer, struct os_frame *caller)
{
	void **saved = frame_pointer;

	caller->frame_pointer = saved[0];
	caller->program_counter = saved[1];
	caller->stack_pointer = saved + 2;
	return true;
}

#else

bool os_frame_caller(void *frame_pointer, struct os_frame *caller)
{
	(void)frame_pointer;
	(void)caller;
	return false;
}

#endif
