/*
 * assert.h: assertions, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_ASSERT_H
#define TESTS_SOLARIS_ASSERT_H

void __assert_c99(const char *, const char *, int, const char *) __attribute__((noreturn));

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
	((void)((condition) || (__assert_c99(#condition, __FILE__, __LINE__, __func__), 0)))
#endif

#endif
