/*
 * guard_vm.c: finds the fault handler that HotSpot exports for programs with
 * handlers of their own. Called once, by the agent's start-up; no lock.
 */
#include "guard.h"
#include "os_machine.h"

#include <string.h>

bool os_guard_ask_vm(const void *address)
{
	void *symbol = os_symbol_beside(address, "JVM_handle_linux_signal");
	guard_vm_handler *handler = NULL;
	memcpy(&handler, &symbol, sizeof(handler)); /* C has no such conversion */
	guard_set_vm_handler(handler);
	return handler != NULL;
}
