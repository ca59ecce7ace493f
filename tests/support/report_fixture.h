/*
 * report_fixture.h: reads a text profile from memory into a visitor, and keeps what is printed.
 */
#ifndef HPROF_TESTS_REPORT_FIXTURE_H
#define HPROF_TESTS_REPORT_FIXTURE_H

#include "console/input.h"
#include "console/output.h"
#include "report/report_profile.h"

#include <check.h>
#include <string.h>

extern struct report_profile profile;
extern struct output output;

void fixture_set_up(void);
void fixture_tear_down(void);
bool fixture_read(const char *text, struct report_visitor *visitor);
const char *fixture_printed(void);

/* A recursive method, a hidden class, threads, an empty trace, one without a stack. */
#define FIXTURE_TRACES                                                          \
	"JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n--------\n"      \
	"THREAD START (obj=1, id = 200001, name=\"main\", group=\"main\")\n"    \
	"THREAD START (obj=2, id = 200002, name=\"pool\", group=\"main\")\n"    \
	"THREAD START (obj=3, id = 200003, name=\"pool\", group=\"main\")\n"    \
	"TRACE 300000:\n\t<empty>\n"                                            \
	"TRACE 300001: (thread=200001)\n"                                       \
	"\ta.b.A.fib(A.java:3)\n\ta.b.A.fib(A.java:4)\n\ta.b.A.fib(A.java:4)\n" \
	"\tMain.main(Main.java:9)\n"                                            \
	"TRACE 300002: (thread=200002)\n"                                       \
	"\ta.b.A$$Lambda/0x00007f.run(A.java:7)\n\ta.b.A.fib(A.java:5)\n"       \
	"TRACE 300003: (thread=200003)\n\t<no_stack>.ring_full(Unknown line)\n"

#endif
