/*
 * machine_code_lines.h: instructions in a test, which are never run: CODE(name, lines) defines them
 * as name, with instructions after them that mean nothing.
 */
#ifndef HPROF_TESTS_MACHINE_CODE_LINES_H
#define HPROF_TESTS_MACHINE_CODE_LINES_H

#include <stdint.h>

#define CODE(name, lines)                                                                         \
	extern const uint32_t name[];                                                              \
	__asm__(".pushsection .rodata\n\t.arch armv8.3-a\n\t.balign 16\n\t.space 32\n\t.globl "    \
	        #name "\n" #name ":\n\t" lines "\n\t.space 256\n\t.popsection\n")

#endif
