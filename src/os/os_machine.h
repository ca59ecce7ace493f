/*
 * os_machine.h: the platform interface of hotspot, which reads the JVM's memory, machine code and
 * stacks: guarded calls, machine contexts, registers and frames. The conventions are those of os.h.
 */
#ifndef HPROF_OS_MACHINE_H
#define HPROF_OS_MACHINE_H

#include "os.h"

/* ---- guarded calls --------------------------------------------------- */

/* Calls call(arg). If the call accesses invalid memory (SIGSEGV, SIGBUS), it is abandoned and the
 * result is false; faults elsewhere go to the handlers that were installed before ours.
 * Signal-safe. No system call unless there is a fault; the first call in the process installs the
 * handlers if os_cpu_timers_install() has not. call must hold no lock. It is not protected if the
 * program has replaced our handlers. */
bool os_call_guarded(void (*call)(void *), void *arg);

/* Lets the JVM (address lies in its library) see the faults of guarded calls first: its own code
 * probes memory and recovers from the faults, and must continue after them. False if it exports no
 * such handler: then each fault ends the call. Once, before guarded calls into the JVM. */
bool os_guard_ask_vm(const void *address);

/* The address of an exported symbol of the library that contains address, or NULL. Libraries that
 * it depends on are not searched. Used to find exports of libjvm without linking to it. */
void *os_symbol_beside(const void *address, const char *name);

/* ---- registers and frames -------------------------------------------- */

enum os_cpu { OS_CPU_OTHER, OS_CPU_X86_64, OS_CPU_AARCH64 };

/* The CPU that this library is built for. */
enum os_cpu os_cpu(void);

/* Machine code: [low, high). */
struct os_code_range {
	uintptr_t low;
	uintptr_t high;
};

/* struct os_context, a machine context that is ours to change, is in os_types.h. */

/* Writes to returned the machine context (see os_cpu_timer_callback) in which the caller of the
 * interrupted function would continue. For functions without a frame: in their prologue or
 * epilogue, or too small to need one. Their return address is in one of a few places, which are
 * tried in turn. *place is 0 for the first attempt, and set for the next. An address is accepted if
 * it is in code and, where other values are likely, follows a call. False when no place is left, or
 * on an unsupported CPU. Reads the thread's stack and the code: for use within
 * os_call_guarded(). */
bool os_context_return(const void *context, const struct os_code_range *code, unsigned *place,
                       struct os_context *returned);

enum { OS_GENERAL_REGISTERS = 32 };

/* Registers of an interrupted thread. */
struct os_registers {
	uintptr_t program_counter;
	uintptr_t stack_pointer;
	uintptr_t frame_pointer;
	/* As instructions number them, the two above among them; x86-64 has 16. On 64-bit ARM the
	 * last is the stack pointer. */
	uintptr_t general[OS_GENERAL_REGISTERS];
};

/* Reads the registers from a machine context (see os_cpu_timer_callback). False on CPUs other than
 * x86-64 and 64-bit ARM. Signal-safe. */
bool os_context_registers(const void *context, struct os_registers *registers);

/* Where a function continues when its callee returns. */
struct os_frame {
	void *program_counter;
	void *stack_pointer;
	void *frame_pointer;
};

/* The caller of the function with that frame pointer. False where frame pointers do not link
 * frames, or on an unsupported CPU. Reads the thread's stack: for use within os_call_guarded(). */
bool os_frame_caller(void *frame_pointer, struct os_frame *caller);

/* The return address of a call in progress, made with the stack ending at stack_pointer. False
 * where calls do not push that address, or on an unsupported CPU. Reads the thread's stack: for use
 * within os_call_guarded(). */
bool os_call_return_address(const void *stack_pointer, void **address);

#endif
