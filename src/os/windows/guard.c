/*
 * guard.c: calls that survive an access to invalid memory. Runs on any
 * thread; no lock of ours.
 *
 * A vectored exception handler runs before the program's handlers (in a JVM, the
 * VM's own, which rely on faults for null checks). It looks at one slot of the
 * thread; only if a guarded call is in progress and the exception is a memory fault,
 * the thread returns to where the call began. It does so outside the
 * handler, so that the system has finished its handling of the exception.
 */
#include "system.h"

#include "os_machine.h"

/* The plain kind: no frames are unwound, since they are not ours. */
#define __USE_MINGW_SETJMP_NON_SEH
#include <setjmp.h>

struct guard {
	struct guard *outer;
	jmp_buf recovery;
};

/* Process-wide, as the handler is. Written once, under once. */
static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
static DWORD slot = TLS_OUT_OF_INDEXES; /* of the thread's innermost guard */

/* Reading a slot sets the thread's last error, which is the program's. */
static struct guard *innermost(void)
{
	DWORD error = GetLastError();
	struct guard *guard = TlsGetValue(slot);
	SetLastError(error);
	return guard;
}

static void set_innermost(struct guard *guard)
{
	(void)TlsSetValue(slot, guard);
}

/* Where the thread goes on after the fault. */
static void __attribute__((noreturn)) recover(struct guard *guard)
{
	longjmp(guard->recovery, 1);
}

static bool is_fault(const EXCEPTION_RECORD *record)
{
	return record->ExceptionCode == EXCEPTION_ACCESS_VIOLATION ||
	       record->ExceptionCode == EXCEPTION_IN_PAGE_ERROR;
}

static LONG CALLBACK on_exception(EXCEPTION_POINTERS *exception)
{
	enum { OUT_OF_THE_WAY = 256, STACK_ALIGNMENT = 16 };
	struct guard *guard = innermost();
	if (guard == NULL || !is_fault(exception->ExceptionRecord))
		return EXCEPTION_CONTINUE_SEARCH;
	set_innermost(guard->outer);
	/* As if recover() had just been called: its argument, and a stack that is
	 * aligned except for a return address. */
	CONTEXT *context = exception->ContextRecord;
	context->Rip = (DWORD64)(uintptr_t)recover;
	context->Rcx = (DWORD64)(uintptr_t)guard;
	context->Rsp = ((context->Rsp - OUT_OF_THE_WAY) & ~(DWORD64)(STACK_ALIGNMENT - 1)) -
	               sizeof(DWORD64);
	return EXCEPTION_CONTINUE_EXECUTION;
}

static BOOL CALLBACK install(INIT_ONCE *init, void *argument, void **context)
{
	(void)init;
	(void)argument;
	(void)context;
	slot = TlsAlloc();
	if (slot == TLS_OUT_OF_INDEXES)
		return TRUE;
	if (AddVectoredExceptionHandler(1, on_exception) == NULL) {
		(void)TlsFree(slot);
		slot = TLS_OUT_OF_INDEXES;
		return TRUE;
	}
	/* The handler must stay: this library is not unloaded any more. */
	HMODULE module = NULL;
	(void)GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
	                                 GET_MODULE_HANDLE_EX_FLAG_PIN,
	                         (const wchar_t *)(uintptr_t)on_exception, &module);
	return TRUE;
}

bool os_call_guarded(void (*call)(void *), void *arg)
{
	struct guard guard;
	(void)InitOnceExecuteOnce(&once, install, NULL, NULL);
	if (slot == TLS_OUT_OF_INDEXES)
		return false;
	guard.outer = innermost();
	if (setjmp(guard.recovery) != 0)
		return false;
	set_innermost(&guard);
	call(arg);
	set_innermost(guard.outer);
	return true;
}

/* HotSpot exports no handler of its own here. */
bool os_guard_ask_vm(const void *address)
{
	(void)address;
	return false;
}
