/* stack_fixture.c: see stack_fixture.h. */
#include "stack_fixture.h"

const char stack_text[] =
        "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
        "--------\n"
        "NOTE: program: a.Main \"x\" <y>\n"
        "NOTE: options: cpu=samples,interval=20\n"
        "THREAD START (obj=5, id = 200001, name=\"ma;in\"</script>\", group=\"main\")\n"
        "TRACE 300000:\n"
        "\t<empty>\n"
        "TRACE 300001: (thread=200001)\n"
        "\tA.inner(A.java:12)\n"
        "\tB.\"m\\ain;</script>(B.java:1)\n"
        "TRACE 300002: (thread=200002)\n"
        "\tA.inner(A.java:13)\n"
        "\tC.bad\xff\xc0\x80(<Unknown Source>:Native method)\n"
        "CPU SAMPLES BEGIN (total = 10) Sat Nov 21 02:55:44 2026\n"
        "rank   self  accum   count trace method\n"
        "   1 40.00% 40.00%       4 300001 A.inner\n"
        "   2 30.00% 70.00%       3 300002 A.inner\n"
        "   3 20.00% 90.00%       2 300000 <empty trace>\n"
        "CPU SAMPLES END\n"
        "SAMPLE TIMES BEGIN (bucket = 100 ms, start = 1795543828123) Sat Nov 21 02:55:44 2026\n"
        "300001 0:1 3:2\n"
        "300002 1:9\n"
        "300009 2:1\n"
        "SAMPLE TIMES END\n"
        "CPU TIME (ms) BEGIN (total = 0) Sat Nov 21 02:55:44 2026\n"
        "rank   self  accum   count trace method\n"
        "   1 81.30% 81.30%       5 300001 A.inner\n"
        "CPU TIME (ms) END\n"
        "TRACE COSTS BEGIN (CPU TIME, total = 123 ns) Sat Nov 21 02:55:44 2026\n"
        "300001 100 5\n"
        "300002 23 6\n"
        "TRACE COSTS END\n"
        "MONITOR TIME BEGIN (total = 0 ms) Sat Nov 21 02:55:45 2026\n"
        "   1 100.00% 100.00%       3 300001 LM$S; (Java)\n"
        "MONITOR TIME END\n"
        "TRACE COSTS BEGIN (MONITOR TIME, total = 7 ns) Sat Nov 21 02:55:45 2026\n"
        "300001 7 3\n"
        "TRACE COSTS END\n"
        "SITES BEGIN (ordered by live bytes) Sat Nov 21 02:55:45 2026\n"
        "          percent          live          alloc'ed  stack class\n"
        " rank   self  accum     bytes objs     bytes  objs trace name\n"
        "    1 60.00% 60.00%       600    6      6000    60 300001 byte[]\n"
        "    2 40.00% 100.00%      400    4      4000    40 300000 a.B\n"
        "SITES END\n";

struct report_profile stack_read_profile;
struct stack_profile stacks;
struct output stack_output;

bool stack_read(const char *text)
{
	struct report_error error;
	struct input *input = input_of_bytes(text, strlen(text));
	bool good = input != NULL && report_read_text(input_source(input), &stack_read_profile,
	                                              &stacks.base, &error);
	if (input != NULL)
		input_close(input);
	return good && stack_profile_merge(&stacks);
}

void read_all(void)
{
	ck_assert(stack_read(stack_text));
}

bool stack_set_up(void)
{
	stack_output = (struct output){.file = {.handle = -1}};
	byte_buffer_init(&stack_output.text);
	stacks = (struct stack_profile){.series_count = 0};
	return report_profile_init(&stack_read_profile) &&
	       stack_profile_init(&stacks, &stack_read_profile);
}

void stack_tear_down(void)
{
	stack_profile_free(&stacks);
	report_profile_free(&stack_read_profile);
	byte_buffer_free(&stack_output.text);
}
