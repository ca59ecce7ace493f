/*
 * Tests of the choice of an engine by engine= and by what is available. The engines are
 * fakes that are available or not.
 */
#include "run_suite.h"
#include "sampling/engine_choice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct settings settings;
static struct profile profile = {.settings = &settings};
static struct sample_sink sink;
static struct mode_needs needs;
static bool has_async;
static bool has_clock;
static char async_state;
static char clock_state;
static char printed[256];
static unsigned messages;

static const struct engine_ops *ops;
static void *engine;

static void *create(bool available, void *state, const char *unavailable, const char **reason)
{
	if (available)
		return state;
	*reason = unavailable;
	return NULL;
}

static void *create_async(struct profile *its_profile, struct sample_sink *its_sink,
                          struct mode_needs *its_needs, const char **reason)
{
	ck_assert_ptr_eq(its_profile, &profile);
	ck_assert_ptr_eq(its_sink, &sink);
	ck_assert_ptr_eq(its_needs, &needs);
	return create(has_async, &async_state, "no timers", reason);
}

static void *create_clock(struct profile *its_profile, struct sample_sink *its_sink,
                          struct mode_needs *its_needs, const char **reason)
{
	ck_assert_ptr_eq(its_profile, &profile);
	ck_assert_ptr_eq(its_sink, &sink);
	ck_assert_ptr_eq(its_needs, &needs);
	return create(has_clock, &clock_state, "no clocks", reason);
}

const struct engine_ops engine_async = {.create = create_async};
const struct engine_ops engine_clock = {.create = create_clock};

void message_print(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(printed, sizeof(printed), format, arguments);
	va_end(arguments);
	messages++;
}

static void set_up(void)
{
	memset(&settings, 0, sizeof(settings));
	has_async = true;
	has_clock = true;
	messages = 0;
	ops = NULL;
	engine = NULL;
}

static bool choose(int setting)
{
	settings.engine = setting;
	return engine_choice_create(&profile, &sink, &needs, &ops, &engine);
}

START_TEST(the_async_engine_is_preferred)
{
	ck_assert(choose(ENGINE_BEST));
	ck_assert_ptr_eq(ops, &engine_async);
	ck_assert_ptr_eq(engine, &async_state);
	ck_assert_uint_eq(messages, 0);
}
END_TEST

START_TEST(the_clock_engine_replaces_an_unavailable_async_engine)
{
	has_async = false;
	ck_assert(choose(ENGINE_BEST));
	ck_assert_ptr_eq(ops, &engine_clock);
	ck_assert_ptr_eq(engine, &clock_state);
	ck_assert_uint_eq(messages, 0);
}
END_TEST

START_TEST(with_verbose_the_replacement_is_printed_with_its_reason)
{
	has_async = false;
	settings.verbose = true;
	ck_assert(choose(ENGINE_BEST));
	ck_assert_str_eq(printed, "engine=async is unavailable: no timers; using engine=clock");
	ck_assert_uint_eq(messages, 1);
}
END_TEST

START_TEST(engine_clock_is_used_although_async_is_available)
{
	ck_assert(choose(ENGINE_CLOCK));
	ck_assert_ptr_eq(ops, &engine_clock);
	ck_assert_uint_eq(messages, 0);
}
END_TEST

START_TEST(engine_async_is_refused_when_unavailable)
{
	has_async = false;
	ck_assert(!choose(ENGINE_ASYNC));
	ck_assert_str_eq(printed, "engine=async is unavailable: no timers; write engine=clock or "
	                          "remove engine=");
	ck_assert_uint_eq(messages, 1);
}
END_TEST

START_TEST(without_an_engine_sampling_is_refused)
{
	has_async = false;
	has_clock = false;
	ck_assert(!choose(ENGINE_BEST));
	ck_assert_str_eq(printed, "CPU sampling is unavailable: no clocks; remove cpu=");
	ck_assert(!choose(ENGINE_CLOCK));
	ck_assert_uint_eq(messages, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("engine_choice");
	TCase *tests = tcase_create("engine_choice");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, the_async_engine_is_preferred);
	tcase_add_test(tests, the_clock_engine_replaces_an_unavailable_async_engine);
	tcase_add_test(tests, with_verbose_the_replacement_is_printed_with_its_reason);
	tcase_add_test(tests, engine_clock_is_used_although_async_is_available);
	tcase_add_test(tests, engine_async_is_refused_when_unavailable);
	tcase_add_test(tests, without_an_engine_sampling_is_refused);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
