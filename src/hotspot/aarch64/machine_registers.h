/* machine_registers.h: numbers of 64-bit ARM's registers in instructions, and what HotSpot has in
 * some of them. */
#ifndef HPROF_HOTSPOT_AARCH64_MACHINE_REGISTERS_H
#define HPROF_HOTSPOT_AARCH64_MACHINE_REGISTERS_H

enum machine_register {
	MACHINE_X12 = 12, /* the method that is entered */
	MACHINE_X13 = 13, /* the stack pointer of what calls interpreted code, until JDK 19 */
	MACHINE_X19 =
	        19, /* the same since; the first that functions keep, up to the frame pointer */
	MACHINE_FP = 29,
	MACHINE_LR = 30,
	MACHINE_SP = 31, /* in some instructions: a register that is always 0 */
	MACHINE_ZERO = 31
};

#endif
