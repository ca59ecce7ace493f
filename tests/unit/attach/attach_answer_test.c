/*
 * Tests of the answers of JVMs of each JDK, as the JVM and as jcmd print them, and of malformed
 * ones.
 */
#include "run_suite.h"

#include "attach/attach_answer.h"

#include <stdio.h>
#include <string.h>

static const struct answer_case {
	const char *answer;
	enum attach_verdict verdict;
	const char *text;
} cases[] = {
        {"0\nreturn code: 0\n", ATTACH_LOADED, ""},
        {"0\nreturn code: 0", ATTACH_LOADED, ""},
        {"0\nreturn code: -1\n", ATTACH_AGENT_REFUSED, ""},
        {"0\nreturn code: 10\n", ATTACH_AGENT_REFUSED, ""},
        {"0\n0\n", ATTACH_LOADED, ""}, /* before JDK 9 */
        {"0\n-1\n", ATTACH_AGENT_REFUSED, ""},
        {"4711:\nreturn code: 0\n", ATTACH_LOADED, ""}, /* of jcmd */
        {"4711:\r\nreturn code: 0\r\n", ATTACH_LOADED, ""},
        {"4711:\nreturn code: -1\n", ATTACH_AGENT_REFUSED, ""},
        {"4711:\nno such thing\n", ATTACH_JVM_REFUSED, "no such thing"},
        {"0\n/a/lib.so was not loaded.\n/a/lib.so: no such file\n", ATTACH_JVM_REFUSED,
         "/a/lib.so was not loaded. /a/lib.so: no such file"},
        {"101\nInvalid version\n", ATTACH_JVM_REFUSED, "Invalid version"},
        {"100\n0\n", ATTACH_JVM_REFUSED, "0"}, /* a reason, not a code */
        {"java.io.IOException: x\n\tat a.b(C.java)\n", ATTACH_JVM_REFUSED,
         "java.io.IOException: x"},
        {"", ATTACH_JVM_REFUSED, ""},
        {"0", ATTACH_JVM_REFUSED, ""},
        {"0\n", ATTACH_JVM_REFUSED, ""},
        {"\n\n", ATTACH_JVM_REFUSED, ""},
        {"return code: 0\n", ATTACH_JVM_REFUSED, "return code: 0"},
        {"0\nreturn code: \n", ATTACH_JVM_REFUSED, "return code: "},
        {"0\nreturn code: 0x\n", ATTACH_JVM_REFUSED, "return code: 0x"},
        {"0\nreturn code: -\n", ATTACH_JVM_REFUSED, "return code: -"},
        {"0\nno return code: 0\n", ATTACH_JVM_REFUSED, "no return code: 0"},
};

START_TEST(an_answer_is_judged)
{
	const struct answer_case *given = &cases[_i];
	char text[128];

	ck_assert_int_eq(attach_answer_judge(given->answer, 4711, text, sizeof(text)),
	                 given->verdict);
	ck_assert_str_eq(text, given->text);
}
END_TEST

START_TEST(text_is_cut_to_its_size)
{
	char answer[4096];
	char text[16];

	memset(answer, 'x', sizeof(answer) - 1);
	answer[sizeof(answer) - 1] = '\0';
	ck_assert_int_eq(attach_answer_judge(answer, 1, text, sizeof(text)), ATTACH_JVM_REFUSED);
	ck_assert_str_eq(text, "xxxxxxxxxxxxxxx");
	for (size_t i = 1; i < sizeof(answer) - 1; i += 2)
		answer[i] = '\n';
	ck_assert_int_eq(attach_answer_judge(answer, 1, text, sizeof(text)), ATTACH_JVM_REFUSED);
	ck_assert_str_eq(text, "x x x x x x x x");
}
END_TEST

static Suite *attach_answer_suite(void)
{
	Suite *suite = suite_create("attach_answer");
	TCase *tests = tcase_create("answers");
	tcase_add_loop_test(tests, an_answer_is_judged, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tests, text_is_cut_to_its_size);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(attach_answer_suite());
}
