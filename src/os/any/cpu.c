/*
 * cpu.c: the CPU, by what the compiler builds for.
 */
#include "os_machine.h"

enum os_cpu os_cpu(void)
{
#if defined(__x86_64__)
	return OS_CPU_X86_64;
#elif defined(__aarch64__)
	return OS_CPU_AARCH64;
#else
	return OS_CPU_OTHER;
#endif
}
