/*
 * jvm_attach.c: HotSpot's protocol is another one here, which the jcmd of a JDK knows.
 */
#include "os.h"

int os_jvm_load(uint64_t pid, const char *library, const char *options,
                enum os_attach_interrupts interrupts, struct os_attach *result)
{
	(void)pid;
	(void)library;
	(void)options;
	(void)interrupts;
	(void)result;
	return OS_UNSUPPORTED;
}
