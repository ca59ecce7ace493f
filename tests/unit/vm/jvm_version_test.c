/*
 * Tests of the JVM's version: which are refused, and by which line.
 */
#include "vm/jvm_version.h"
#include "fake_vm.h"
#include "run_suite.h"

#include "base/messages.h"

#include <stdio.h>
#include <string.h>

enum {
	JDK_8 = 0x30010203,
	JDK_10 = 0x300A0000,
	JDK_11 = 0x300B0000,
	JDK_25 = 0x30190000,
	JDK_26 = 0x301A0000
};

/* What is printed about a JVM of that version of JVM TI, and whether it is supported. */
static const char *printed(jint version, bool *supported)
{
	static char line[256];
	static const char path[] = "jvm_version_test.txt";
	struct message_file *file;

	(void)fake_vm();
	fake_set_version(version);
	(void)remove(path);
	ck_assert_int_eq(message_file_open(path, &file), 0);
	*supported = jvm_version_is_supported(fake_jvmti());
	message_file_close(file);
	FILE *lines = fopen(path, "r");
	ck_assert_ptr_nonnull(lines);
	size_t length = fread(line, 1, sizeof(line) - 1, lines);
	line[length] = '\0';
	(void)fclose(lines);
	(void)remove(path);
	return line;
}

/* Empty if it is supported. */
static const char *refusal(jint version)
{
	bool supported;
	const char *line = printed(version, &supported);

	ck_assert_int_eq(supported, line[0] == '\0');
	return line;
}

START_TEST(jdk_8_is_refused_by_a_line_that_names_the_classic_agent)
{
	ck_assert_str_eq(refusal(JDK_8),
	                 "hprof: JDK 11 or later is required; this JDK has the classic agent: "
	                 "remove -agentpath and add -agentlib:hprof\n");
}
END_TEST

START_TEST(versions_without_any_agent_are_refused)
{
	ck_assert_str_eq(refusal(JDK_10), "hprof: JDK 11 or later is required, this is JDK 10; "
	                                  "remove the agent\n");
}
END_TEST

START_TEST(versions_from_11_on_are_supported)
{
	ck_assert_str_eq(refusal(JDK_11), "");
	ck_assert_str_eq(refusal(JDK_25), "");
}
END_TEST

START_TEST(later_ones_are_supported_and_said_to_be_untested)
{
	bool supported;

	ck_assert_str_eq(printed(JDK_26, &supported),
	                 "hprof: JDK 26 is untested: hprof is tested with JDK 11 to 25\n");
	ck_assert(supported);
}
END_TEST

START_TEST(those_from_11_to_25_are_tested)
{
	static const jint versions[] = {JDK_10, JDK_11, JDK_25, JDK_26};

	(void)fake_vm();
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		fake_set_version(versions[i]);
		ck_assert_int_eq(jvm_version_is_tested(fake_jvmti()), i == 1 || i == 2);
	}
}
END_TEST

START_TEST(the_version_is_the_jdk_s)
{
	static const struct {
		jint of_jvmti;
		int jdk;
	} versions[] = {{JDK_8, 1}, {JDK_10, 10}, {JDK_11, 11}, {JDK_25, 25}};

	(void)fake_vm();
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		fake_set_version(versions[i].of_jvmti);
		ck_assert_int_eq(jvm_version(fake_jvmti()), versions[i].jdk);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jvm_version");
	TCase *tests = tcase_create("version of the JVM");

	tcase_add_test(tests, jdk_8_is_refused_by_a_line_that_names_the_classic_agent);
	tcase_add_test(tests, versions_without_any_agent_are_refused);
	tcase_add_test(tests, versions_from_11_on_are_supported);
	tcase_add_test(tests, later_ones_are_supported_and_said_to_be_untested);
	tcase_add_test(tests, those_from_11_to_25_are_tested);
	tcase_add_test(tests, the_version_is_the_jdk_s);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
