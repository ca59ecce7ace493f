/*
 * setjmp.h: jumps, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SETJMP_H
#define TESTS_SOLARIS_SETJMP_H

#if defined(__sparcv9)
#define _JBLEN 12
#else
#define _JBLEN 8
#endif
typedef long jmp_buf[_JBLEN];

int _setjmp(jmp_buf) __attribute__((returns_twice));
void _longjmp(jmp_buf, int) __attribute__((noreturn));

#endif
