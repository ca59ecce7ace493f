/* machine_registers.h: numbers of x86-64's registers in instructions. */
#ifndef HPROF_HOTSPOT_X86_64_MACHINE_REGISTERS_H
#define HPROF_HOTSPOT_X86_64_MACHINE_REGISTERS_H

enum machine_register {
	MACHINE_RAX = 0,
	MACHINE_RCX = 1,
	MACHINE_RDX = 2,
	MACHINE_RBX = 3,
	MACHINE_RSP = 4,
	MACHINE_RBP = 5,
	MACHINE_RSI = 6,
	MACHINE_RDI = 7,
	MACHINE_R12 = 12,
	MACHINE_R13 = 13
};

#endif
