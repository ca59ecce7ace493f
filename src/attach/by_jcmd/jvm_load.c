/*
 * jvm_load.c: HotSpot's protocol is another one here, which the jcmd of a JDK knows.
 */
#include "attach/jvm_load.h"
#include "os/os.h"

int jvm_load(uint64_t pid, const char *library, const char *options,
             enum attach_interrupts interrupts, struct attach_result *result)
{
	(void)pid;
	(void)library;
	(void)options;
	(void)interrupts;
	(void)result;
	return OS_UNSUPPORTED;
}
