/*
 * Tests of beginning a profile, and of adding a mode to one. All that go_live.c, start_mode.c and
 * begin_modes.c call is replaced here by functions that log their calls.
 */
#include "agent/go_live.h"

#include "agent/capabilities.h"
#include "agent/class_prepared.h"
#include "agent/event_set.h"
#include "agent/net_commands.h"
#include "agent/stage.h"
#include "agent/start_mode.h"
#include "agent/transform.h"
#include "agent/worker.h"
#include "run_suite.h"
#include "vm/java_thread_visits.h"

#include <stdio.h>
#include <string.h>

static struct agent agent;
static char calls[512]; /* names of what was called, separated by blanks */

/* How the replaced functions behave. */
static bool can_create;
static bool can_enable;
static size_t missed_threads;
static const struct mode_ops *new_part; /* of a mode that is created; NULL without */
static struct java_thread known_thread; /* that a search finds */

static void log_call(const char *name)
{
	if (calls[0] != '\0')
		strcat(calls, " ");
	strcat(calls, name);
	ck_assert_uint_lt(strlen(calls), sizeof(calls) - 64);
}

static void log_mode(const char *name, const void *mode)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "%s:%s", name, (const char *)mode);
	log_call(text);
}

static void expect_calls(const char *expected)
{
	ck_assert_str_eq(calls, expected);
}

/* ---- replaced functions ------------------------------------------------- */

bool agent_add_capabilities(jvmtiEnv *jvmti, const jvmtiCapabilities *requested)
{
	(void)jvmti;
	log_call(requested->can_tag_objects ? "capabilities(tags)" : "capabilities");
	return can_enable;
}

bool agent_enable_needed(struct agent *its_agent)
{
	(void)its_agent;
	log_call("events");
	return true;
}

bool agent_enable_event(struct agent *its_agent, jvmtiEvent event)
{
	(void)its_agent;
	log_call(event == JVMTI_EVENT_CLASS_PREPARE ? "prepare_event" : "file_event");
	return true;
}

void agent_class_prepared(struct agent *its_agent, JNIEnv *jni, jclass class, size_t first)
{
	(void)its_agent;
	(void)jni;
	(void)class;
	(void)first;
}

void agent_transform_classes(struct agent *its_agent, JNIEnv *jni, const char *what)
{
	(void)its_agent;
	(void)jni;
	(void)what;
	log_call("transform");
}

void worker_start(struct agent *its_agent, JNIEnv *jni)
{
	(void)its_agent;
	(void)jni;
	log_call("worker");
}

void net_commands_start(struct agent *its_agent, JNIEnv *jni)
{
	(void)jni;
	ck_assert_int_eq(atomic_load(&its_agent->stage), AGENT_BEGINNING);
	log_call("commands");
}

void profile_control_write(struct profile *profile)
{
	(void)profile;
	log_call("control");
}

void message_print(const char *format, ...)
{
	(void)format;
	log_call("message");
}

void profile_note(struct profile *profile, const char *format, ...)
{
	(void)profile;
	(void)format;
	log_call("note");
}

void profile_each_class(struct profile *profile, JNIEnv *jni, profile_class_visit *visit,
                        void *argument)
{
	(void)profile;
	(void)jni;
	(void)visit;
	(void)argument;
	log_call("classes");
}

size_t java_threads_add_existing(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *found, void *argument)
{
	(void)threads;
	log_call("threads");
	found(argument, jni, NULL, &known_thread);
	return 0;
}

size_t java_threads_notify_known(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *found, void *argument)
{
	(void)threads;
	log_call("known_threads");
	found(argument, jni, NULL, &known_thread);
	return missed_threads;
}

/* ---- modes -------------------------------------------------------------- */

static void *create(struct profile *profile, struct mode_needs *needs)
{
	static char name[] = "new";
	static char part_name[] = "part";

	ck_assert_ptr_eq(profile, &agent.profile);
	needs->capabilities.can_tag_objects = 1;
	if (new_part != NULL)
		mode_needs_part(needs, new_part, part_name);
	return can_create ? name : NULL;
}

static void live(void *mode, JNIEnv *jni)
{
	(void)jni;
	log_mode("live", mode);
}

static void begin(void *mode)
{
	log_mode("begin", mode);
}

static void found(void *mode, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	(void)jni;
	(void)object;
	ck_assert_ptr_eq(thread, &known_thread);
	log_mode("found", mode);
}

static bool rewrite(void *mode, const uint8_t *bytes, size_t length, uint8_t **rewritten,
                    size_t *rewritten_length)
{
	(void)mode;
	(void)bytes;
	(void)length;
	(void)rewritten;
	(void)rewritten_length;
	return false;
}

static void destroy(void *mode, JNIEnv *jni)
{
	(void)jni;
	log_mode("destroy", mode);
}

static const struct mode_ops all_hooks = {
        .create = create,
        .live = live,
        .begin = begin,
        .existing_thread = found,
        .destroy = destroy,
};

static const struct mode_ops rewriting = {
        .create = create, .rewrite_class = rewrite, .destroy = destroy};

static const struct mode_ops no_hooks = {.create = create, .destroy = destroy};

static void add_mode(const struct mode_ops *ops, char *name)
{
	agent.modes.list[agent.modes.count++] = (struct active_mode){.ops = ops, .state = name};
}

static void reset(void)
{
	memset(&agent, 0, sizeof(agent));
	memset(&known_thread, 0, sizeof(known_thread));
	calls[0] = '\0';
	can_create = true;
	can_enable = true;
	missed_threads = 0;
	new_part = NULL;
}

/* ---- the beginning ------------------------------------------------------ */

START_TEST(test_modes_begin_after_all_are_live_and_commands_come_last)
{
	char a[] = "a";
	char b[] = "b";
	char c[] = "c";

	add_mode(&all_hooks, a);
	add_mode(&no_hooks, b);
	add_mode(&all_hooks, c);
	agent_go_live(&agent, NULL);
	expect_calls("live:a live:c control worker begin:a begin:c commands");
	ck_assert_int_eq(atomic_load(&agent.stage), AGENT_LIVE);
	ck_assert(agent.beginner == os_self_thread());
}
END_TEST

START_TEST(test_threads_that_were_missed_are_visited)
{
	char a[] = "a";
	char b[] = "b";

	agent.misses_threads = true;
	add_mode(&all_hooks, a);
	add_mode(&all_hooks, b);
	agent_go_live(&agent, NULL);
	expect_calls("live:a live:b threads found:a found:b control worker begin:a begin:b "
	             "commands");
}
END_TEST

START_TEST(test_loaded_classes_are_visited_and_rewritten_if_a_mode_needs_it)
{
	char a[] = "a";

	add_mode(&all_hooks, a);
	agent.needs.class_prepare = true;
	agent.needs.class_file_load = true;
	agent_go_live(&agent, NULL);
	expect_calls("prepare_event classes live:a control file_event transform worker begin:a "
	             "commands");
}
END_TEST

START_TEST(test_verbose_prints_a_line_unless_the_profile_is_stopped)
{
	agent.settings.verbose = true;
	agent_go_live(&agent, NULL);
	expect_calls("message control worker commands");
	calls[0] = '\0';
	atomic_store(&agent.profile.stopped, true);
	agent_go_live(&agent, NULL);
	expect_calls("control worker commands");
}
END_TEST

START_TEST(test_a_stopped_profile_rewrites_nothing)
{
	atomic_store(&agent.profile.stopped, true);
	agent.needs.class_file_load = true;
	agent_go_live(&agent, NULL);
	expect_calls("control worker commands");
}
END_TEST

START_TEST(test_who_waits_for_the_beginning_has_a_limit)
{
	ck_assert(!agent_await_live(&agent, 0));
	ck_assert(!agent_await_live(&agent, 5));
	atomic_store(&agent.stage, AGENT_BEGINNING);
	ck_assert(!agent_await_live(&agent, 5));
	atomic_store(&agent.stage, AGENT_LIVE);
	ck_assert(agent_await_live(&agent, AGENT_NO_LIMIT_MS));
	atomic_store(&agent.stage, AGENT_DISCARDED);
	ck_assert(!agent_await_live(&agent, AGENT_NO_LIMIT_MS));
}
END_TEST

/* ---- one more mode ------------------------------------------------------ */

START_TEST(test_a_later_mode_alone_is_started)
{
	char a[] = "a";

	add_mode(&all_hooks, a);
	known_thread.modes_notified = 1; /* the first has had its start */
	ck_assert(agent_start_mode(&agent, NULL, &all_hooks));
	expect_calls("capabilities(tags) events live:new known_threads found:new begin:new");
	ck_assert_uint_eq(agent.modes.count, 2);
	ck_assert_ptr_eq(agent.modes.list[1].ops, &all_hooks);
	ck_assert_uint_eq(known_thread.modes_notified, 2);
	ck_assert(agent.needs.capabilities.can_tag_objects);
}
END_TEST

START_TEST(test_missed_threads_are_reported_and_noted)
{
	missed_threads = 2;
	ck_assert(agent_start_mode(&agent, NULL, &no_hooks));
	expect_calls("capabilities(tags) events known_threads message note");
}
END_TEST

START_TEST(test_only_a_mode_that_rewrites_has_classes_transformed)
{
	agent.needs.class_file_load = true;
	ck_assert(agent_start_mode(&agent, NULL, &no_hooks));
	expect_calls("capabilities(tags) events known_threads");
	calls[0] = '\0';
	ck_assert(agent_start_mode(&agent, NULL, &rewriting));
	expect_calls("capabilities(tags) events known_threads file_event transform");
}
END_TEST

START_TEST(test_the_parts_of_a_later_mode_are_started_with_it)
{
	new_part = &all_hooks;
	ck_assert(agent_start_mode(&agent, NULL, &all_hooks));
	expect_calls("capabilities(tags) events live:new live:part known_threads found:new "
	             "found:part begin:new begin:part");
	ck_assert_uint_eq(agent.modes.count, 2);
	ck_assert_uint_eq(known_thread.modes_notified, 2);
}
END_TEST

START_TEST(test_a_mode_with_a_part_that_rewrites_has_classes_transformed)
{
	agent.needs.class_file_load = true;
	new_part = &rewriting;
	ck_assert(agent_start_mode(&agent, NULL, &no_hooks));
	expect_calls("capabilities(tags) events known_threads file_event transform");
}
END_TEST

START_TEST(test_the_parts_of_a_refused_mode_are_forgotten)
{
	can_enable = false;
	new_part = &all_hooks;
	ck_assert(!agent_start_mode(&agent, NULL, &all_hooks));
	ck_assert_uint_eq(agent.needs.part_count, 0);
	new_part = NULL;
	can_enable = true;
	ck_assert(agent_start_mode(&agent, NULL, &all_hooks));
	ck_assert_uint_eq(agent.modes.count, 1);
}
END_TEST

START_TEST(test_a_mode_that_is_not_created_changes_nothing)
{
	can_create = false;
	ck_assert(!agent_start_mode(&agent, NULL, &all_hooks));
	expect_calls("");
	ck_assert_uint_eq(agent.modes.count, 0);
	ck_assert(!agent.needs.capabilities.can_tag_objects);
}
END_TEST

START_TEST(test_a_mode_whose_needs_are_refused_is_destroyed)
{
	can_enable = false;
	ck_assert(!agent_start_mode(&agent, NULL, &all_hooks));
	expect_calls("capabilities(tags) destroy:new");
	ck_assert_uint_eq(agent.modes.count, 0);
	ck_assert(!agent.needs.capabilities.can_tag_objects);
}
END_TEST

START_TEST(test_a_mode_more_than_there_is_room_for_is_refused)
{
	for (int i = 0; i < ACTIVE_MODES_MAX - MODE_PARTS_MAX; i++) {
		ck_assert(agent_start_mode(&agent, NULL, &no_hooks));
		calls[0] = '\0';
	}
	ck_assert(!agent_start_mode(&agent, NULL, &no_hooks));
	expect_calls("");
	ck_assert_uint_eq(agent.modes.count, ACTIVE_MODES_MAX - MODE_PARTS_MAX);
}
END_TEST

static Suite *go_live_suite(void)
{
	Suite *suite = suite_create("go_live");
	TCase *all = tcase_create("go_live");

	tcase_add_checked_fixture(all, reset, NULL);
	tcase_add_test(all, test_modes_begin_after_all_are_live_and_commands_come_last);
	tcase_add_test(all, test_threads_that_were_missed_are_visited);
	tcase_add_test(all, test_loaded_classes_are_visited_and_rewritten_if_a_mode_needs_it);
	tcase_add_test(all, test_verbose_prints_a_line_unless_the_profile_is_stopped);
	tcase_add_test(all, test_missed_threads_are_reported_and_noted);
	tcase_add_test(all, test_a_stopped_profile_rewrites_nothing);
	tcase_add_test(all, test_who_waits_for_the_beginning_has_a_limit);
	tcase_add_test(all, test_a_later_mode_alone_is_started);
	tcase_add_test(all, test_only_a_mode_that_rewrites_has_classes_transformed);
	tcase_add_test(all, test_the_parts_of_a_later_mode_are_started_with_it);
	tcase_add_test(all, test_a_mode_with_a_part_that_rewrites_has_classes_transformed);
	tcase_add_test(all, test_the_parts_of_a_refused_mode_are_forgotten);
	tcase_add_test(all, test_a_mode_that_is_not_created_changes_nothing);
	tcase_add_test(all, test_a_mode_whose_needs_are_refused_is_destroyed);
	tcase_add_test(all, test_a_mode_more_than_there_is_room_for_is_refused);
	suite_add_tcase(suite, all);
	return suite;
}

int main(void)
{
	return run_suite(go_live_suite());
}
