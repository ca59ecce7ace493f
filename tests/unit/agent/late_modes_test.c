/*
 * Tests of starting the mode that a command of the peer needs. agent_start_mode() is
 * replaced by one that only records what it is asked to start.
 */
#include "agent/late_modes.h"

#include "agent/start_mode.h"
#include "alloc/alloc_mode.h"
#include "heapdump/heap_dump_mode.h"
#include "run_suite.h"
#include "sampling/sampling_mode.h"

#include <string.h>

enum { COMMANDS_MAX = 8, PEER_DEPTH = 37 };

static struct agent agent;
static struct alloc *const some_tracking = (struct alloc *)&agent;

/* What agent_start_mode() was asked for, and whether it succeeds. */
static const struct mode_ops *started;
static int starts;
static bool can_start;

/* What the new mode was sent. */
static struct net_command commands[COMMANDS_MAX];
static size_t command_count;

static bool take_command(void *mode, JNIEnv *jni, const struct net_command *command)
{
	ck_assert_ptr_eq(mode, &commands);
	ck_assert_ptr_null(jni);
	ck_assert_uint_lt(command_count, COMMANDS_MAX);
	commands[command_count++] = *command;
	return true;
}

static const struct mode_ops commanded_mode = {.command = take_command};
static const struct mode_ops mute_mode = {.title = "takes no commands"};
static const struct mode_ops *new_mode = &commanded_mode;

bool agent_start_mode(struct agent *its_agent, JNIEnv *jni, const struct mode_ops *ops)
{
	ck_assert_ptr_null(jni);
	started = ops;
	starts++;
	if (can_start)
		its_agent->modes.list[its_agent->modes.count++] =
		        (struct active_mode){.ops = new_mode, .state = &commands};
	return can_start;
}

static void reset(void)
{
	memset(&agent, 0, sizeof(agent));
	agent.profile.alloc = some_tracking;
	atomic_store(&agent.profile.control.depth, PEER_DEPTH);
	started = NULL;
	starts = 0;
	can_start = true;
	command_count = 0;
	new_mode = &commanded_mode;
}

static void activate(const struct mode_ops *ops)
{
	agent.modes.list[agent.modes.count++] = (struct active_mode){.ops = ops};
}

/* What each kind of command starts; and an active mode that makes that unnecessary, besides
 * the started one itself. Kinds that are absent start nothing. */
static const struct need {
	enum net_command_kind kind;
	const struct mode_ops *ops;
	const struct mode_ops *equivalent;
} needs[] = {
        {COMMAND_CPU_SAMPLING_ON, &cpu_samples_mode, NULL},
        {COMMAND_ALLOC_TRACES_ON, &alloc_mode, NULL},
        {COMMAND_DUMP_HEAP, &heap_dump_answers_mode, &heap_dump_mode},
        {COMMAND_ALLOC_SITES, &heap_sites_answers_mode, &heap_sites_mode},
        {COMMAND_HEAP_SUMMARY, &heap_sites_answers_mode, &heap_sites_mode},
};

enum { NEEDS = sizeof(needs) / sizeof(needs[0]) };

static const struct need *need_of(int kind)
{
	for (size_t i = 0; i < NEEDS; i++) {
		if ((int)needs[i].kind == kind)
			return &needs[i];
	}
	return NULL;
}

START_TEST(test_each_command_starts_the_mode_that_it_needs)
{
	const struct need *need = need_of(_i);

	agent_start_mode_for(&agent, NULL, (enum net_command_kind)_i);
	ck_assert_ptr_eq(started, need == NULL ? NULL : need->ops);
	ck_assert_int_eq(starts, need == NULL ? 0 : 1);
}
END_TEST

START_TEST(test_an_active_mode_is_not_started_again)
{
	activate(&mute_mode);
	activate(needs[_i].ops);
	agent_start_mode_for(&agent, NULL, needs[_i].kind);
	ck_assert_int_eq(starts, 0);
}
END_TEST

START_TEST(test_a_mode_that_serves_as_well_makes_another_unnecessary)
{
	if (needs[_i].equivalent == NULL)
		return;
	activate(needs[_i].equivalent);
	agent_start_mode_for(&agent, NULL, needs[_i].kind);
	ck_assert_int_eq(starts, 0);
}
END_TEST

START_TEST(test_sites_need_tracked_allocations)
{
	agent.profile.alloc = NULL;
	agent_start_mode_for(&agent, NULL, COMMAND_ALLOC_SITES);
	agent_start_mode_for(&agent, NULL, COMMAND_HEAP_SUMMARY);
	ck_assert_int_eq(starts, 0);
	agent_start_mode_for(&agent, NULL, COMMAND_ALLOC_TRACES_ON);
	ck_assert_ptr_eq(started, &alloc_mode);
}
END_TEST

START_TEST(test_a_mode_that_failed_is_not_tried_again)
{
	can_start = false;
	agent_start_mode_for(&agent, NULL, COMMAND_CPU_SAMPLING_ON);
	agent_start_mode_for(&agent, NULL, COMMAND_CPU_SAMPLING_ON);
	ck_assert_int_eq(starts, 1);
	ck_assert_uint_eq(command_count, 0);

	/* Another kind is. */
	can_start = true;
	agent_start_mode_for(&agent, NULL, COMMAND_DUMP_HEAP);
	ck_assert_int_eq(starts, 2);
	ck_assert_ptr_eq(started, &heap_dump_answers_mode);
}
END_TEST

START_TEST(test_a_new_mode_gets_the_depth_of_the_peer_and_samples_nothing)
{
	agent_start_mode_for(&agent, NULL, COMMAND_CPU_SAMPLING_ON);
	ck_assert_uint_eq(command_count, 2);
	ck_assert_int_eq(commands[0].kind, COMMAND_MAX_DEPTH);
	ck_assert_uint_eq(commands[0].depth, PEER_DEPTH);
	ck_assert_int_eq(commands[1].kind, COMMAND_CPU_SAMPLING_OFF);
	ck_assert_uint_eq(commands[1].thread_id, 0);
}
END_TEST

START_TEST(test_a_new_mode_need_not_take_commands)
{
	new_mode = &mute_mode;
	agent_start_mode_for(&agent, NULL, COMMAND_DUMP_HEAP);
	ck_assert_int_eq(starts, 1);
	ck_assert_uint_eq(command_count, 0);
}
END_TEST

static Suite *late_modes_suite(void)
{
	Suite *suite = suite_create("late_modes");
	TCase *all = tcase_create("late_modes");

	tcase_add_checked_fixture(all, reset, NULL);
	tcase_add_loop_test(all, test_each_command_starts_the_mode_that_it_needs, 0,
	                    COMMAND_EOF + 1);
	tcase_add_loop_test(all, test_an_active_mode_is_not_started_again, 0, NEEDS);
	tcase_add_loop_test(all, test_a_mode_that_serves_as_well_makes_another_unnecessary, 0,
	                    NEEDS);
	tcase_add_test(all, test_sites_need_tracked_allocations);
	tcase_add_test(all, test_a_mode_that_failed_is_not_tried_again);
	tcase_add_test(all, test_a_new_mode_gets_the_depth_of_the_peer_and_samples_nothing);
	tcase_add_test(all, test_a_new_mode_need_not_take_commands);
	suite_add_tcase(suite, all);
	return suite;
}

int main(void)
{
	return run_suite(late_modes_suite());
}
