/*
 * Tests of the list of active modes: modes are followed by their parts, hooks are called in that
 * order, and parts do not count as modes.
 */
#include "agent/active_modes.h"

#include "run_suite.h"

#include <string.h>

/* The loops take it from a struct agent. */
static struct {
	struct active_modes modes;
} agent;
static struct mode_needs needs;
static char calls[64];

static void poll(void *state, JNIEnv *jni)
{
	(void)jni;
	strcat(calls, state);
}

static const struct mode_ops polled = {.poll = poll};
static const struct mode_ops silent = {.title = "has no hooks"};

static char name_a[] = "a";
static char name_b[] = "b";
static char name_c[] = "c";
static char name_d[] = "d";

static void set_up(void)
{
	memset(&agent, 0, sizeof(agent));
	memset(&needs, 0, sizeof(needs));
	calls[0] = '\0';
}

static void add(const struct mode_ops *ops, char *state)
{
	active_modes_add(&agent.modes, ops, state, &needs);
}

/* a with the parts b and c, and d. */
static void add_two_modes(const struct mode_ops *first)
{
	mode_needs_part(&needs, &polled, name_b);
	mode_needs_part(&needs, &polled, name_c);
	add(first, name_a);
	add(&polled, name_d);
}

static void poll_from(size_t first)
{
	EACH_MODE_IN(&agent, mode, first, agent.modes.count, poll)
		mode->ops->poll(mode->state, NULL);
}

START_TEST(a_mode_is_followed_by_its_parts_in_the_order_of_their_addition)
{
	add_two_modes(&polled);
	poll_from(0);
	ck_assert_str_eq(calls, "abcd");
}
END_TEST

START_TEST(parts_have_hooks_that_their_mode_has_not)
{
	add_two_modes(&silent);
	poll_from(0);
	ck_assert_str_eq(calls, "bcd");
}
END_TEST

START_TEST(a_loop_over_the_last_mode_has_its_parts)
{
	add(&polled, name_a);
	size_t first = agent.modes.count;
	mode_needs_part(&needs, &polled, name_b);
	add(&polled, name_c);
	poll_from(first);
	ck_assert_str_eq(calls, "cb");
}
END_TEST

START_TEST(parts_are_taken_from_the_needs_once)
{
	add_two_modes(&polled);
	ck_assert_uint_eq(needs.part_count, 0);
	ck_assert_uint_eq(agent.modes.count, 4);
}
END_TEST

START_TEST(parts_do_not_count_as_modes)
{
	add_two_modes(&polled);
	ck_assert_uint_eq(active_modes_count(&agent.modes), 2);
	ck_assert(!agent.modes.list[0].is_part);
	ck_assert(agent.modes.list[1].is_part);
	ck_assert(agent.modes.list[2].is_part);
	ck_assert(!agent.modes.list[3].is_part);
}
END_TEST

START_TEST(there_is_room_for_a_mode_with_all_its_parts_or_for_none)
{
	while (active_modes_have_room(&agent.modes)) {
		for (int i = 0; i < MODE_PARTS_MAX; i++)
			mode_needs_part(&needs, &silent, name_b);
		add(&silent, name_a);
	}
	ck_assert_uint_le(agent.modes.count, ACTIVE_MODES_MAX);
	ck_assert_uint_gt(agent.modes.count + 1 + MODE_PARTS_MAX, ACTIVE_MODES_MAX);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("active_modes");
	TCase *tests = tcase_create("active_modes");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, a_mode_is_followed_by_its_parts_in_the_order_of_their_addition);
	tcase_add_test(tests, parts_have_hooks_that_their_mode_has_not);
	tcase_add_test(tests, a_loop_over_the_last_mode_has_its_parts);
	tcase_add_test(tests, parts_are_taken_from_the_needs_once);
	tcase_add_test(tests, parts_do_not_count_as_modes);
	tcase_add_test(tests, there_is_room_for_a_mode_with_all_its_parts_or_for_none);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
