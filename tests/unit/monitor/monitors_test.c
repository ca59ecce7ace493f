/*
 * Tests of the mode of monitor=y: its hooks called as the agent calls them, on the fake VM.
 */
#include "judged_times.h"
#include "monitor/monitor_mode.h"
#include "profile_fixture.h"
#include "run_suite.h"
#include "vm/class_registry.h"
#include "vm/frame_resolver.h"
#include "vm/java_threads.h"

enum { DEEP = 70 }; /* more frames than the mode keeps on the stack */

static struct fake_object lock = {.name = "a lock"};
static struct fake_object app_class = {.name = "Lapp/Main;", .source = "Main.java"};
static struct fake_method run_method = {
        .class = &app_class, .name = "run", .signature = "()V", .first_line = 10};
static jvmtiFrameInfo frames[DEEP];
static struct fake_object first = {.name = "first"};
static struct fake_object second = {.name = "second"};
static struct java_thread *first_java_thread;
static long references; /* global ones, before a test */
static struct mode_needs needs;
static void *mode;

/* ---- what the mode writes ------------------------------------------------ */

static struct {
	unsigned waits, sections, dumps;
	struct monitor_wait_record wait;
	uint64_t total_ns;
	size_t row_count;
	struct monitor_time_row row; /* the first one */
	unsigned cost_sections;
	uint64_t cost_total_ns;
	size_t cost_count;
	struct trace_cost_row cost; /* the first one */
} output;

void writer_monitor_wait(struct record_writer *writer, const struct monitor_wait_record *record)
{
	(void)writer;
	output.waits++;
	output.wait = *record;
}

void writer_monitor_times(struct record_writer *writer, const struct monitor_times_record *record)
{
	(void)writer;
	output.sections++;
	output.total_ns = record->total_ns;
	output.row_count = record->row_count;
	if (record->row_count > 0)
		output.row = record->rows[0];
}

void writer_trace_costs(struct record_writer *writer, const struct trace_costs_record *record)
{
	(void)writer;
	ck_assert_int_eq(record->section, COST_SECTION_MONITOR);
	output.cost_sections++;
	output.cost_count = record->row_count;
	output.cost_total_ns = record->total_ns;
	if (record->row_count > 0)
		output.cost = record->rows[0];
}

void writer_monitor_dump(struct record_writer *writer, const struct monitor_dump_record *record)
{
	(void)writer;
	(void)record;
	output.dumps++;
}

void profile_note(struct profile *its_profile, const char *format, ...)
{
	(void)its_profile;
	(void)format;
}

/* ---- tests --------------------------------------------------------------- */

static jobject ref(struct fake_object *object)
{
	return (jobject)(void *)object;
}

static struct java_thread *start_thread(struct fake_object *thread)
{
	fake_attach(thread);
	struct java_thread *started = java_threads_start(profile.threads, fake_jni(), ref(thread));
	ck_assert_ptr_nonnull(started);
	atomic_store(&started->is_notifying, false);
	return started;
}

/* Where tests share a process, objects have what the test before has set. */
static void reset_objects(void)
{
	first.agents = NULL;
	second.agents = NULL;
	lock.tag = 0;
	app_class.tag = 0;
	atomic_store(&app_class.gone, false);
}

static void create_mode(void)
{
	const jvmtiCapabilities events = {.can_generate_monitor_events = 1};

	profile_set_up();
	reset_objects();
	memset(&output, 0, sizeof(output));
	profile.threads = java_threads_create(&profile);
	profile.classes = class_registry_create(&profile);
	profile.resolver = frame_resolver_create(&profile);
	ck_assert_ptr_nonnull(profile.threads);
	ck_assert_ptr_nonnull(profile.classes);
	ck_assert_ptr_nonnull(profile.resolver);
	java_threads_live(profile.threads, fake_jni());
	mode = monitors_mode.create(&profile, &needs);
	ck_assert_ptr_nonnull(mode);
	ck_assert_int_eq((*profile.jvmti)->AddCapabilities(profile.jvmti, &events),
	                 JVMTI_ERROR_NONE);
	for (int i = 0; i < DEEP; i++)
		frames[i].method = (jmethodID)(void *)&run_method;
	atomic_store(&first.frames, frames);
	atomic_store(&first.frame_count, 1);
	first_java_thread = start_thread(&first);
	references = atomic_load(&fake_counts.global_refs);
}

static void create_live_mode(void)
{
	create_mode();
	monitors_mode.live(mode, fake_jni());
}

static void destroy_mode(void)
{
	ck_assert_uint_eq(memory_errors, 0);
	monitors_mode.destroy(mode, fake_jni());
	ck_assert_int_eq(atomic_load(&fake_counts.global_refs), references);
	frame_resolver_destroy(profile.resolver);
	class_registry_destroy(profile.classes);
	java_threads_destroy(profile.threads, fake_jni());
	profile_tear_down();
	ck_assert_int_eq(atomic_load(&fake_counts.allocated), 0);
}

static void enter(void)
{
	monitors_mode.monitor_contended_enter(mode, fake_jni(), ref(&first), ref(&lock));
}

static void entered(void)
{
	monitors_mode.monitor_contended_entered(mode, fake_jni(), ref(&first), ref(&lock));
}

static void second_enters(void)
{
	(void)start_thread(&second);
	atomic_store(&second.frames, frames);
	atomic_store(&second.frame_count, 1);
	monitors_mode.monitor_contended_enter(mode, fake_jni(), ref(&second), ref(&lock));
	monitors_mode.monitor_contended_entered(mode, fake_jni(), ref(&second), ref(&lock));
}

static void write_section(void)
{
	monitors_mode.poll(mode, fake_jni());
	monitors_mode.write(mode);
}

START_TEST(it_requests_the_events_and_capabilities_of_monitors)
{
	ck_assert(needs.monitor_contention);
	ck_assert(needs.monitor_waits);
	ck_assert(needs.virtual_thread_end);
	ck_assert(needs.capabilities.can_generate_monitor_events);
	ck_assert(needs.capabilities.can_get_monitor_info);
	ck_assert(needs.capabilities.can_get_owned_monitor_info);
	ck_assert(needs.capabilities.can_get_current_contended_monitor);
}
END_TEST

START_TEST(contended_enters_are_counted_at_their_trace)
{
	enter();
	entered();
	enter();
	entered();
	write_section();
	ck_assert_uint_eq(output.row_count, 1);
	ck_assert_uint_eq(output.row.sums[MONITOR_COUNT], 2);
	ck_assert_str_eq(output.row.class->signature->text, "Lsome/Class;");
	ck_assert_uint_eq(output.row.trace->depth, 1);
	ck_assert_str_eq(output.row.trace->frames[0]->method->name->text, "run");
	ck_assert_uint_eq(written.traces, 1);
	ck_assert_ptr_eq(written.trace, output.row.trace);
}
END_TEST

START_TEST(the_wait_lasts_until_the_thread_has_entered)
{
	const uint64_t wait_ns = 20000000;

	enter();
	os_sleep_until(os_monotonic_ns() + wait_ns);
	write_section();
	ck_assert_uint_eq(output.total_ns, 0);
	entered();
	write_section();
	ck_assert_uint_gt(output.total_ns, 0);
	CHECK_TIME(output.total_ns >= wait_ns, "waited for %.3f ms", (double)output.total_ns / 1e6);
}
END_TEST

START_TEST(a_wait_whose_start_was_not_seen_is_not_counted)
{
	entered();
	enter();
	entered();
	entered();
	write_section();
	ck_assert_uint_eq(output.row_count, 1);
	ck_assert_uint_eq(output.row.sums[MONITOR_COUNT], 1);
}
END_TEST

/* Also shows that the class of a frame may be unloaded before the site has its trace. */
START_TEST(the_methods_of_a_new_site_are_resolved_at_once)
{
	enter();
	fake_unload_class(&app_class);
	entered();
	write_section();
	ck_assert_str_eq(output.row.trace->frames[0]->method->name->text, "run");
	atomic_store(&app_class.gone, false);
}
END_TEST

START_TEST(costs_have_each_trace_whatever_the_cutoff)
{
	settings.costs = true;
	settings.cutoff = 1.0;
	settings.thread = true;
	enter();
	entered();
	second_enters();
	write_section();
	ck_assert_uint_eq(output.row_count, 0);
	ck_assert_uint_eq(output.cost_sections, 1);
	ck_assert_uint_eq(output.cost_count, 2);
	ck_assert_uint_eq(output.cost_total_ns, output.total_ns);
	ck_assert_uint_eq(output.cost.count, 1);
}
END_TEST

START_TEST(without_costs_there_is_no_such_section)
{
	enter();
	entered();
	write_section();
	ck_assert_uint_eq(output.cost_sections, 0);
}
END_TEST

START_TEST(with_thread_each_thread_has_its_own_row)
{
	settings.thread = true;
	enter();
	entered();
	second_enters();
	write_section();
	ck_assert_uint_eq(output.row_count, 2);
	ck_assert_uint_ne(output.row.trace->thread_serial, 0);
	ck_assert_uint_eq(written.traces, 2);
}
END_TEST

START_TEST(without_thread_threads_share_a_row)
{
	enter();
	entered();
	second_enters();
	write_section();
	ck_assert_uint_eq(output.row_count, 1);
	ck_assert_uint_eq(output.row.sums[MONITOR_COUNT], 2);
	ck_assert_uint_eq(output.row.trace->thread_serial, 0);
}
END_TEST

START_TEST(a_reset_starts_the_next_section)
{
	enter();
	entered();
	write_section();
	monitors_mode.reset(mode);
	write_section();
	ck_assert_uint_eq(output.row_count, 0);
	enter();
	entered();
	write_section();
	ck_assert_uint_eq(output.row_count, 1);
	ck_assert_uint_eq(output.row.sums[MONITOR_COUNT], 1);
	ck_assert_uint_eq(output.sections, 3);
}
END_TEST

START_TEST(a_deep_stack_is_read_to_the_depth_of_the_settings)
{
	monitors_mode.destroy(mode, fake_jni());
	settings.depth = DEEP - 1;
	mode = monitors_mode.create(&profile, &needs);
	ck_assert_ptr_nonnull(mode);
	monitors_mode.live(mode, fake_jni());
	atomic_store(&first.frame_count, DEEP);
	enter();
	entered();
	write_section();
	ck_assert_uint_eq(output.row.trace->depth, DEEP - 1);
}
END_TEST

START_TEST(a_wait_to_be_notified_is_written_at_both_ends)
{
	const uint64_t wait_ms = 20;
	JNIEnv *jni = fake_jni();

	monitors_mode.monitor_wait(mode, jni, ref(&first), ref(&lock), 60000);
	ck_assert_uint_eq(output.waits, 1);
	ck_assert(!output.wait.waited);
	ck_assert_int_eq(output.wait.ms, 60000);
	ck_assert_uint_eq(output.wait.thread_serial, first_java_thread->serial);
	ck_assert_str_eq(output.wait.class->signature->text, "Lsome/Class;");
	os_sleep_until(os_monotonic_ns() + wait_ms * 1000000);
	monitors_mode.monitor_waited(mode, jni, ref(&first), ref(&lock));
	ck_assert_uint_eq(output.waits, 2);
	ck_assert(output.wait.waited);
	CHECK_TIME(output.wait.ms >= (int64_t)wait_ms, "waited for %d ms", (int)output.wait.ms);
}
END_TEST

START_TEST(the_end_of_a_wait_that_began_earlier_is_not_written)
{
	JNIEnv *jni = fake_jni();

	monitors_mode.monitor_waited(mode, jni, ref(&first), ref(&lock));
	ck_assert_uint_eq(output.waits, 0);
	monitors_mode.monitor_wait(mode, jni, ref(&first), ref(&lock), 1);
	monitors_mode.monitor_waited(mode, jni, ref(&first), ref(&lock));
	monitors_mode.monitor_waited(mode, jni, ref(&first), ref(&lock));
	ck_assert_uint_eq(output.waits, 2);
}
END_TEST

START_TEST(a_thread_that_ends_while_it_waits_leaves_no_reference)
{
	monitors_mode.monitor_wait(mode, fake_jni(), ref(&first), ref(&lock), 0);
	ck_assert_int_eq(atomic_load(&fake_counts.global_refs), references + 1);
	monitors_mode.thread_end(mode, fake_jni(), first_java_thread);
	ck_assert_int_eq(atomic_load(&fake_counts.global_refs), references);
	ck_assert_ptr_null(first_java_thread->monitoring);
}
END_TEST

START_TEST(a_stopped_profile_takes_no_events)
{
	JNIEnv *jni = fake_jni();

	monitors_mode.monitor_wait(mode, jni, ref(&first), ref(&lock), 1);
	atomic_store(&profile.stopped, true);
	monitors_mode.monitor_waited(mode, jni, ref(&first), ref(&lock));
	enter();
	entered();
	monitors_mode.monitor_wait(mode, jni, ref(&first), ref(&lock), 1);
	ck_assert_uint_eq(output.waits, 1);
	write_section();
	ck_assert_uint_eq(output.row_count, 0);
	ck_assert_int_eq(atomic_load(&fake_counts.global_refs), references);
}
END_TEST

START_TEST(a_dump_is_written_once_for_each_request)
{
	ck_assert(monitors_mode.dump(mode, fake_jni()));
	ck_assert_uint_eq(output.dumps, 1);
}
END_TEST

START_TEST(events_before_the_mode_is_live_are_ignored)
{
	enter();
	entered();
	monitors_mode.monitor_wait(mode, fake_jni(), ref(&first), ref(&lock), 1);
	ck_assert_ptr_null(first_java_thread->monitoring);
	monitors_mode.live(mode, fake_jni());
	write_section();
	ck_assert_uint_eq(output.row_count, 0);
	ck_assert_uint_eq(output.waits, 0);
}
END_TEST

static Suite *monitors_suite(void)
{
	Suite *suite = suite_create("monitors");
	TCase *live = tcase_create("live");
	TCase *early = tcase_create("before the live phase");

	tcase_add_checked_fixture(live, create_live_mode, destroy_mode);
	tcase_add_test(live, it_requests_the_events_and_capabilities_of_monitors);
	tcase_add_test(live, contended_enters_are_counted_at_their_trace);
	tcase_add_test(live, the_wait_lasts_until_the_thread_has_entered);
	tcase_add_test(live, a_wait_whose_start_was_not_seen_is_not_counted);
	tcase_add_test(live, the_methods_of_a_new_site_are_resolved_at_once);
	tcase_add_test(live, with_thread_each_thread_has_its_own_row);
	tcase_add_test(live, costs_have_each_trace_whatever_the_cutoff);
	tcase_add_test(live, without_costs_there_is_no_such_section);
	tcase_add_test(live, without_thread_threads_share_a_row);
	tcase_add_test(live, a_reset_starts_the_next_section);
	tcase_add_test(live, a_deep_stack_is_read_to_the_depth_of_the_settings);
	tcase_add_test(live, a_wait_to_be_notified_is_written_at_both_ends);
	tcase_add_test(live, the_end_of_a_wait_that_began_earlier_is_not_written);
	tcase_add_test(live, a_thread_that_ends_while_it_waits_leaves_no_reference);
	tcase_add_test(live, a_stopped_profile_takes_no_events);
	tcase_add_test(live, a_dump_is_written_once_for_each_request);
	suite_add_tcase(suite, live);
	tcase_add_checked_fixture(early, create_mode, destroy_mode);
	tcase_add_test(early, events_before_the_mode_is_live_are_ignored);
	suite_add_tcase(suite, early);
	return suite;
}

int main(void)
{
	return run_suite(monitors_suite());
}
