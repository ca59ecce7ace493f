/*
 * Tests of when a dump is made: never while a profile begins, when modes have counted only a part
 * of what exists; and of one that can't be written whole. A mode that notes how often it writes
 * stands in for the modes.
 */
#include "agent/dump.h"
#include "fake_vm.h"
#include "run_suite.h"
#include "vm/class_registry.h"
#include "vm/java_threads.h"
#include "writer_fixture.h"

/* Long enough for a thread that does not wait to be done with its dump. */
enum { PATIENCE_MS = 50 };

static struct agent agent;
static _Atomic unsigned writes;
static struct os_thread_handle other;
static _Atomic bool returned; /* of what the other thread called */

static void write_section(void *mode)
{
	(void)mode;
	ck_assert_int_eq(atomic_load(&agent.stage), AGENT_LIVE);
	atomic_fetch_add(&writes, 1);
}

static const struct mode_ops counted = {.write = write_section};

/* Two sections, with what reaches the sink between them; the second fails if it shall. */
static void write_sections(void *mode)
{
	struct memory_sink *memory = mode;

	writer_note(agent.profile.writer, "one");
	writer_flush(agent.profile.writer);
	if (memory->fail_at != 0)
		memory->fail_at = memory->calls + 1;
	writer_note(agent.profile.writer, "two");
}

static const struct mode_ops of_two_sections = {.write = write_sections};

/* ---- a sink with groups --------------------------------------------------- */

static size_t group_at;
static unsigned groups; /* that have been kept */

static void begin_group(struct sink *sink)
{
	group_at = ((struct memory_sink *)sink)->appended;
}

static void end_group(struct sink *sink, bool keep)
{
	struct memory_sink *memory = (struct memory_sink *)sink;

	if (!keep)
		memory->appended = memory->length = group_at;
	groups += keep;
}

/* ---- the agent ------------------------------------------------------------- */

static void set_up(void)
{
	struct profile *profile = &agent.profile;
	struct memory_sink *memory = memory_sink_reset();

	fake_reset();
	memset(&agent, 0, sizeof(agent));
	atomic_store(&writes, 0);
	atomic_store(&returned, false);
	agent.settings.doe = true;
	agent.modes.list[0] = (struct active_mode){.ops = &counted};
	agent.modes.count = 1;
	profile->settings = &agent.settings;
	profile->output_name = "output";
	profile->vm = fake_vm();
	profile->jvmti = fake_jvmti();
	profile->threads = java_threads_create(profile);
	profile->classes = class_registry_create(profile);
	profile->writer = writer_create(&record_format_text, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(profile->threads);
	ck_assert_ptr_nonnull(profile->classes);
	ck_assert_ptr_nonnull(profile->writer);
	ck_assert_int_eq(os_mutex_init(&profile->dump_lock), 0);
	ck_assert_int_eq(os_event_init(&profile->wake), 0);
}

static void tear_down(void)
{
	struct profile *profile = &agent.profile;

	(void)writer_close(profile->writer);
	java_threads_destroy(profile->threads, fake_jni());
	class_registry_destroy(profile->classes);
	os_mutex_destroy(&profile->dump_lock);
	os_event_destroy(&profile->wake);
}

static void set_stage(enum agent_stage stage)
{
	atomic_store(&agent.stage, stage);
}

static void dump(void *unused)
{
	(void)unused;
	agent_dump(&agent, fake_jni());
	atomic_store(&returned, true);
}

static void end(void *unused)
{
	(void)unused;
	agent_end(&agent, fake_jni());
	atomic_store(&returned, true);
}

/* Starts the call on another thread, and checks that it waits. */
static void expect_to_wait(void (*call)(void *))
{
	ck_assert_int_eq(os_thread_start(&other, call, NULL), 0);
	os_sleep_until(os_monotonic_ns() + PATIENCE_MS * UINT64_C(1000000));
	ck_assert(!atomic_load(&returned));
	ck_assert_uint_eq(atomic_load(&writes), 0);
}

START_TEST(a_dump_waits_for_the_profile_to_begin)
{
	expect_to_wait(dump);
	set_stage(AGENT_BEGINNING);
	os_sleep_until(os_monotonic_ns() + PATIENCE_MS * UINT64_C(1000000));
	ck_assert(!atomic_load(&returned));
	set_stage(AGENT_LIVE);
	os_thread_join(&other);
	ck_assert_uint_eq(atomic_load(&writes), 1);
	agent_dump(&agent, fake_jni());
	ck_assert_uint_eq(atomic_load(&writes), 2);
}
END_TEST

START_TEST(a_dump_of_a_profile_that_never_begins_returns)
{
	expect_to_wait(dump);
	set_stage(AGENT_DISCARDED);
	os_thread_join(&other);
	ck_assert_uint_eq(atomic_load(&writes), 0);
}
END_TEST

START_TEST(no_provisional_sections_are_written_while_the_profile_begins)
{
	set_stage(AGENT_BEGINNING);
	agent_poll(&agent, NULL);
	ck_assert_uint_eq(atomic_load(&writes), 0);
	set_stage(AGENT_LIVE);
	agent_poll(&agent, NULL);
	ck_assert_uint_eq(atomic_load(&writes), 1);
}
END_TEST

START_TEST(the_last_dump_waits_for_the_profile_to_begin)
{
	agent.beginner = os_self_thread();
	set_stage(AGENT_BEGINNING);
	expect_to_wait(end);
	set_stage(AGENT_LIVE);
	os_thread_join(&other);
	ck_assert_uint_eq(atomic_load(&writes), 1);
	ck_assert(profile_is_stopped(&agent.profile));
}
END_TEST

/* A class file transformer may end the VM on the thread that begins the profile. */
START_TEST(the_thread_that_begins_the_profile_ends_it_without_a_dump)
{
	agent.beginner = os_self_thread();
	set_stage(AGENT_BEGINNING);
	agent_end(&agent, fake_jni());
	ck_assert_uint_eq(atomic_load(&writes), 0);
	ck_assert(profile_is_stopped(&agent.profile));
}
END_TEST

START_TEST(a_dump_that_cannot_be_written_whole_is_removed)
{
	struct memory_sink *memory = memory_sink_reset();
	static struct sink_ops ops; /* outlives the test: the writer is closed after it */

	ops = memory_ops;
	ops.begin_group = begin_group;
	ops.end_group = end_group;
	memory->sink.ops = &ops;
	agent.modes.list[0] = (struct active_mode){.ops = &of_two_sections, .state = memory};
	set_stage(AGENT_LIVE);
	groups = 0;
	agent_dump(&agent, fake_jni());
	size_t whole = memory->length;
	ck_assert_uint_gt(whole, 0);
	ck_assert_uint_eq(groups, 1);
	writer_thread_end(agent.profile.writer, &thread_main);
	memory->fail_at = memory->calls + 3;
	agent_dump(&agent, fake_jni());
	ck_assert_uint_eq(groups, 1);
	expect_text(memory->bytes + whole, memory->length - whole, "THREAD END (id = 200001)\n");
	ck_assert(profile_is_stopped(&agent.profile));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dump");
	TCase *all = tcase_create("dump");

	tcase_add_checked_fixture(all, set_up, tear_down);
	tcase_add_test(all, a_dump_waits_for_the_profile_to_begin);
	tcase_add_test(all, a_dump_of_a_profile_that_never_begins_returns);
	tcase_add_test(all, no_provisional_sections_are_written_while_the_profile_begins);
	tcase_add_test(all, the_last_dump_waits_for_the_profile_to_begin);
	tcase_add_test(all, the_thread_that_begins_the_profile_ends_it_without_a_dump);
	tcase_add_test(all, a_dump_that_cannot_be_written_whole_is_removed);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}
