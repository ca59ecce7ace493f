/*
 * Tests of what `hprof run` and `hprof attach` profile: every mode is one that the agent accepts,
 * its options give way to those of the command line, and what can't be is refused before a JVM is
 * touched.
 */
#include "run_suite.h"

#include "attach/jvm_names.h"
#include "session/profile_plan.h"
#include "options/options.h"

#include <string.h>

enum { TEXT_BYTES = 512 };

static struct profile_plan plan;
static struct settings settings;

static bool make(const char *mode, const char *output, const char *options)
{
	const struct plan_request request = {.mode = mode, .output = output, .options = options};
	return profile_plan_make(&request, &plan);
}

/* Makes a plan that must be valid, and has the agent's parser read it. */
static void make_valid(const char *mode, const char *output, const char *options)
{
	char error[OPTIONS_ERROR_MAX] = "";
	ck_assert_msg(make(mode, output, options), "%s %s", mode == NULL ? "" : mode,
	              options == NULL ? "" : options);
	ck_assert_msg(options_parse(plan.options, &settings, error, sizeof(error)), "%s: %s",
	              plan.options, error);
}

/* ---- modes -------------------------------------------------------------------------------- */

START_TEST(every_mode_is_accepted_by_the_agent)
{
	for (const struct profile_mode *mode = profile_modes; mode->word != NULL; mode++) {
		make_valid(mode->word, NULL, NULL);
		ck_assert_int_ne(settings.heap, HEAP_ALL);
		ck_assert_ptr_eq(plan.mode, mode);
		ck_assert_ptr_eq(profile_mode_named(mode->word), mode);
		ck_assert(!settings.verbose);
		/* Of the words that select the same, the first is meant. */
		if (strcmp(mode->word, "offcpu") != 0 && strcmp(mode->word, "alloc") != 0)
			ck_assert_ptr_eq(profile_mode_of_options(mode->options), mode);
	}
	ck_assert_ptr_null(profile_mode_named("sample"));
	ck_assert_ptr_null(profile_mode_named(""));
}
END_TEST

START_TEST(nothing_given_means_samples_with_whole_stacks)
{
	make_valid(NULL, NULL, NULL);
	ck_assert_str_eq(plan.mode->word, "cpu");
	ck_assert_int_eq(settings.cpu, CPU_SAMPLES);
	ck_assert_int_eq(settings.heap, HEAP_OFF);
	ck_assert_uint_eq(settings.depth, 1024);
	ck_assert(settings.cutoff == 0.0);
	ck_assert(settings.thread && settings.timeline && settings.lineno);
	ck_assert(!plan.is_binary && profile_plan_is_agents_file(&plan));
	make_valid(NULL, "a.txt", "interval=1");
	ck_assert_int_eq(settings.cpu, CPU_SAMPLES);
	ck_assert_uint_eq(settings.interval_ms, 1);
	ck_assert_uint_eq(settings.depth, 1024);
}
END_TEST

START_TEST(options_replace_those_of_the_mode)
{
	make_valid("cpu", NULL, "depth=7,cutoff=0.5,timeline=n,include=a.*,include=b.*");
	ck_assert_uint_eq(settings.depth, 7);
	ck_assert(settings.cutoff == 0.5);
	ck_assert(!settings.timeline && settings.thread);
	ck_assert_uint_eq(settings.filter.include.count, 2);
	make_valid("alloc", NULL, "heapinterval=512k");
	ck_assert(!settings.live);
	make_valid("calls", NULL, "cpu=times,verbose=y");
	ck_assert(settings.costs && settings.verbose);
	make_valid("cpu", NULL, "monitor=y");
	ck_assert(settings.monitor && settings.cpu == CPU_SAMPLES);
}
END_TEST

START_TEST(options_that_select_a_mode_bring_its_others)
{
	make_valid(NULL, "a.txt", "cpu=times");
	ck_assert_str_eq(plan.mode->word, "calls");
	ck_assert(settings.costs);
	make_valid(NULL, "a.txt", "heap=sites");
	ck_assert_str_eq(plan.mode->word, "live");
	make_valid(NULL, "a.txt", "heap=sites,live=n,interval=7");
	ck_assert(!settings.live);
	make_valid(NULL, "a.txt", "heap=all");
	ck_assert_ptr_null(plan.mode);
	ck_assert_int_eq(settings.heap, HEAP_ALL);
	ck_assert_uint_eq(settings.depth, 4);
}
END_TEST

START_TEST(the_suffix_decides_on_the_format)
{
	make_valid("cpu", "a.hprof", NULL);
	ck_assert(plan.is_binary && profile_plan_is_agents_file(&plan) && !plan.is_compressed);
	ck_assert_int_eq(settings.format, FORMAT_BINARY);
	ck_assert(!settings.timeline);
	make_valid("live", "b.hprof.gz", NULL);
	ck_assert(plan.is_binary && profile_plan_is_agents_file(&plan) && plan.is_compressed &&
	          !settings.notes);
	make_valid("dump", NULL, NULL);
	ck_assert(plan.is_binary && plan.mode->is_momentary);
	make_valid("dump", "a.txt", NULL);
	ck_assert(!plan.is_binary);
	ck_assert_int_eq(settings.format, FORMAT_TEXT);
	make_valid("cpu", NULL, "format=b");
	ck_assert(plan.is_binary);
	ck_assert(!make("cpu", "a.hprof", "format=a"));
	ck_assert(!make("cpu", "a.txt", "format=b"));
	ck_assert(!make("calls", "a.hprof", NULL));
	ck_assert(!make("cpu", "a.unknown", NULL));
	make_valid("cpu", "a.collapsed", NULL);
	ck_assert(!plan.is_binary && !profile_plan_is_agents_file(&plan));
	make_valid("dump", "a.svg", NULL);
	ck_assert(!plan.is_binary);
	ck_assert(!make("cpu", "a.svg", "format=b"));
}
END_TEST

START_TEST(what_is_large_is_compressed)
{
	static const char *const large[] = {"calls", "offcpu", "live", "alloc"};

	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		make_valid(large[i], NULL, NULL);
		ck_assert(plan.is_compressed);
		make_valid(large[i], "a.txt", NULL);
		ck_assert(!plan.is_compressed);
	}
	make_valid("cpu", NULL, NULL);
	ck_assert(!plan.is_compressed);
	make_valid("cpu", "a.collapsed", NULL);
	ck_assert(plan.is_compressed);
}
END_TEST

START_TEST(counted_calls_have_stacks_of_some_frames)
{
	make_valid("calls", NULL, NULL);
	ck_assert_uint_eq(settings.depth, 8);
	make_valid("offcpu", NULL, NULL);
	ck_assert_uint_eq(settings.depth, 8);
	make_valid("calls", NULL, "depth=30");
	ck_assert_uint_eq(settings.depth, 30);
}
END_TEST

START_TEST(what_the_agent_would_refuse_is_refused)
{
	ck_assert(!make("nothing", NULL, NULL));
	ck_assert(!make("calls", NULL, "cpu=samples"));
	ck_assert(!make("dump", NULL, "heap=sites"));
	ck_assert(!make(NULL, NULL, "cpu=bogus"));
	ck_assert(!make(NULL, NULL, "bogus"));
	ck_assert(!make(NULL, NULL, "depth=1,depth=2"));
	ck_assert(!make("cpu", NULL, "file=a.txt"));
	ck_assert(!make("cpu", NULL, "net=localhost:4000"));
	ck_assert(!make("cpu", NULL, "help"));
	ck_assert(!make("cpu", NULL, "stop"));
}
END_TEST

START_TEST(paths_are_names_for_the_agent)
{
	char options[TEXT_BYTES] = "cpu=samples";
	char little[20] = "cpu=samples";
	char error[OPTIONS_ERROR_MAX];
	ck_assert(profile_plan_add_path(options, sizeof(options), "file", "/tmp/100%p.txt"));
	ck_assert(profile_plan_add_path(options, sizeof(options), "messages", "/tmp/%p.log"));
	ck_assert_str_eq(options, "cpu=samples,file=/tmp/100%%p.txt,messages=/tmp/%p.log");
	ck_assert(options_parse(options, &settings, error, sizeof(error)));
	ck_assert(!profile_plan_add_path(options, sizeof(options), "file", "/tmp/a,b.txt"));
	ck_assert(!profile_plan_add_path(little, sizeof(little), "file", "/tmp/aa"));
	ck_assert(!profile_plan_add_path(little, sizeof(little), "file", "/%%%%%%%%%%%%%%%%"));
}
END_TEST

/* ---- names of JVMs ------------------------------------------------------------------------ */

START_TEST(a_jvm_is_named_by_its_main_class_or_jar)
{
	static const char *const right[][2] = {
	        {"com.acme.Main a b", "com.acme.Main"},
	        {"com.acme.Main", "Main"},
	        {"Main", "Main"},
	        {"jdk.compiler/com.sun.tools.javac.Main -d x", "Main"},
	        {"jdk.compiler/com.sun.tools.javac.Main -d x", "com.sun.tools.javac.Main"},
	        {"jdk.compiler/com.sun.tools.javac.Main -d x",
	         "jdk.compiler/com.sun.tools.javac.Main"},
	        {"/opt/acme/server.jar --port 1", "server.jar"},
	        {"/opt/acme/server.jar", "/opt/acme/server.jar"},
	        {"server.jar a.jar", "server.jar"},
	        {"C:\\acme\\server.jar a", "server.jar"},
	        {"/opt/my app/server.jar a", "server.jar"},
	        {"/opt/my app/server.jar a", "/opt/my app/server.jar"},
	};
	static const char *const wrong[][2] = {
	        {"com.acme.Main a b", "acme.Main"},
	        {"com.acme.Main Other", "Other"},
	        {"com.acme.Main", "com"},
	        {"com.acme.MyMain", "Main"},
	        {"", ""},
	        {" a", ""},
	        {"com.acme.Main", ""},
	        {"/opt/server.jar", "jar"},
	        {"Main /opt/other.jar", "other.jar"},
	        {"com.acme.", ""},
	};
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		ck_assert_msg(jvm_name_matches(right[i][0], right[i][1]), "%s", right[i][1]);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(!jvm_name_matches(wrong[i][0], wrong[i][1]), "%s", wrong[i][1]);
}
END_TEST

static Suite *profile_plan_suite(void)
{
	Suite *suite = suite_create("profile_plan");
	TCase *tests = tcase_create("plan");
	tcase_add_test(tests, every_mode_is_accepted_by_the_agent);
	tcase_add_test(tests, nothing_given_means_samples_with_whole_stacks);
	tcase_add_test(tests, options_replace_those_of_the_mode);
	tcase_add_test(tests, options_that_select_a_mode_bring_its_others);
	tcase_add_test(tests, the_suffix_decides_on_the_format);
	tcase_add_test(tests, what_is_large_is_compressed);
	tcase_add_test(tests, counted_calls_have_stacks_of_some_frames);
	tcase_add_test(tests, what_the_agent_would_refuse_is_refused);
	tcase_add_test(tests, paths_are_names_for_the_agent);
	tcase_add_test(tests, a_jvm_is_named_by_its_main_class_or_jar);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(profile_plan_suite());
}
