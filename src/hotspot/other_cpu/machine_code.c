/* machine_code.c (other CPUs): see machine_code.h; nothing is known. */
#include "hotspot/machine_code.h"

bool machine_code_is_known(void)
{
	return false;
}

uint32_t machine_code_frame_bytes(uintptr_t begin, uint32_t length)
{
	(void)begin;
	(void)length;
	return 0;
}

bool machine_code_follows_call(uintptr_t pc)
{
	(void)pc;
	return false;
}
