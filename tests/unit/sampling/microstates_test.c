/*
 * Tests of the mode msa=y: times in waits for monitors, and in which section the rows of
 * ended threads are. The VM, the writer and
 * the accounting of the OS are fakes.
 */
#include "run_suite.h"
#include "sampling/sampling_mode.h"
#include "vm/java_threads.h"

#include <string.h>

#define MS UINT64_C(1000000)

/* As reported by the fake OS: more than any wait here takes. */
#define SLEEP_NS (UINT64_C(10000000) * MS)
#define LATENCY_NS (UINT64_C(20000000) * MS)

enum { ROWS_MAX = 8 };

static struct settings settings = {.msa = true};
static struct profile profile = {.settings = &settings};
static struct os_microstates os_states;
static int enable_error;
static bool has_monitor_events;
static struct java_thread *current;
static struct microstates_row rows[ROWS_MAX];
static size_t row_count;
static unsigned messages;
static long references;
static void *mode;

/* ---- fakes ---------------------------------------------------------------- */

int os_microstates_enable(void)
{
	return enable_error;
}

int os_thread_microstates(os_thread thread, struct os_microstates *states)
{
	(void)thread;
	*states = os_states;
	return 0;
}

void message_print(const char *format, ...)
{
	(void)format;
	messages++;
}

void profile_note(struct profile *its_profile, const char *format, ...)
{
	(void)its_profile;
	(void)format;
}

void profile_out_of_memory(struct profile *its_profile)
{
	(void)its_profile;
	ck_abort_msg("out of memory");
}

struct java_thread *java_threads_current(struct java_threads *threads)
{
	(void)threads;
	return current;
}

void writer_microstates(struct record_writer *writer, const struct microstates_record *record)
{
	(void)writer;
	ck_assert_uint_le(record->row_count, ROWS_MAX);
	row_count = record->row_count;
	memcpy(rows, record->rows, row_count * sizeof(rows[0]));
}

static jobject JNICALL new_reference(JNIEnv *env, jobject object)
{
	(void)env;
	references++;
	return object;
}

static void JNICALL delete_reference(JNIEnv *env, jobject object)
{
	(void)env;
	(void)object;
	references--;
}

static jboolean JNICALL is_same_object(JNIEnv *env, jobject one, jobject other)
{
	(void)env;
	return one == other;
}

static jvmtiError JNICALL get_capabilities(jvmtiEnv *env, jvmtiCapabilities *capabilities)
{
	(void)env;
	memset(capabilities, 0, sizeof(*capabilities));
	capabilities->can_generate_monitor_events = has_monitor_events;
	return JVMTI_ERROR_NONE;
}

static struct JNINativeInterface_ jni_functions = {
        .NewGlobalRef = new_reference,
        .DeleteGlobalRef = delete_reference,
        .IsSameObject = is_same_object,
};
static JNIEnv jni = &jni_functions;
static struct jvmtiInterface_1_ jvmti_functions = {.GetCapabilities = get_capabilities};
static jvmtiEnv jvmti = &jvmti_functions;

/* ---- tests ---------------------------------------------------------------- */

static const struct string name = {.text = "t", .length = 1};
static struct thread_record records[2] = {{.serial = 200001, .name = &name},
                                          {.serial = 200002, .name = &name}};
static struct java_thread threads[2];

static jthread object_of(struct java_thread *thread)
{
	return (jthread)(void *)thread;
}

static void set_known(uint32_t known, uint64_t sleep_ns, uint64_t latency_ns)
{
	memset(&os_states, 0, sizeof(os_states));
	os_states.known = known;
	os_states.ns[OS_SLP] = sleep_ns;
	os_states.ns[OS_LAT] = latency_ns;
}

/* The mode is live, and both threads existed before; the first one is the current one. */
static void set_up(void)
{
	struct mode_needs needs = {0};

	profile.jvmti = &jvmti;
	enable_error = 0;
	has_monitor_events = true;
	references = 0;
	set_known(1u << OS_SLP | 1u << OS_LAT, SLEEP_NS, LATENCY_NS);
	mode = microstates_mode.create(&profile, &needs);
	ck_assert_ptr_nonnull(mode);
	ck_assert(needs.monitor_contention);
	microstates_mode.live(mode, &jni);
	for (int i = 0; i < 2; i++) {
		memset(&threads[i], 0, sizeof(threads[i]));
		threads[i].record = &records[i];
		microstates_mode.existing_thread(mode, &jni, object_of(&threads[i]), &threads[i]);
	}
	current = &threads[0];
}

static void tear_down(void)
{
	microstates_mode.destroy(mode, &jni);
	ck_assert_int_eq(references, 0);
}

struct moment {
	uint64_t wall_ns;
	uint64_t cpu_ns;
};

static struct moment now(void)
{
	return (struct moment){.wall_ns = os_monotonic_ns(), .cpu_ns = os_self_cpu_ns()};
}

/* A wait of the current thread for a monitor, and bounds of the lock time that it makes: wall
 * time without CPU time, by readings around those of the mode and between them. */
static struct moment outer_start;
static struct moment inner_start;
static uint64_t lock_min_ns;
static uint64_t lock_max_ns;

static void begin_wait(void)
{
	outer_start = now();
	microstates_mode.monitor_contended_enter(mode, &jni, object_of(current), NULL);
	inner_start = now();
}

static uint64_t less(uint64_t wall_ns, uint64_t cpu_ns)
{
	return wall_ns > cpu_ns ? wall_ns - cpu_ns : 0;
}

static void end_wait(void)
{
	struct moment inner_end = now();

	microstates_mode.monitor_contended_entered(mode, &jni, object_of(current), NULL);
	struct moment outer_end = now();
	lock_min_ns = less(inner_end.wall_ns - inner_start.wall_ns,
	                   outer_end.cpu_ns - outer_start.cpu_ns);
	lock_max_ns = less(outer_end.wall_ns - outer_start.wall_ns,
	                   inner_end.cpu_ns - inner_start.cpu_ns);
}

static void sleep_ms(uint64_t ms)
{
	os_sleep_until(os_monotonic_ns() + ms * MS);
}

static void check_states(size_t row, uint64_t lock_ns, uint64_t sleep_ns, uint64_t latency_ns)
{
	ck_assert_uint_lt(row, row_count);
	ck_assert_uint_ne(rows[row].states.known & 1u << OS_LCK, 0);
	ck_assert_uint_eq(rows[row].states.ns[OS_LCK], lock_ns);
	ck_assert_uint_eq(rows[row].states.ns[OS_SLP], sleep_ns);
	ck_assert_uint_eq(rows[row].states.ns[OS_LAT], latency_ns);
}

/* Returns the lock time of the row. */
static uint64_t lock_of(size_t row)
{
	ck_assert_uint_lt(row, row_count);
	return rows[row].states.ns[OS_LCK];
}

START_TEST(each_thread_has_a_row)
{
	microstates_mode.write(mode);
	ck_assert_uint_eq(row_count, 2);
	ck_assert_uint_eq(rows[0].thread_serial, 200001);
	ck_assert_uint_eq(rows[1].thread_serial, 200002);
	ck_assert_ptr_eq(rows[0].name, &name);
	check_states(0, 0, SLEEP_NS, LATENCY_NS);
}
END_TEST

START_TEST(a_wait_for_a_monitor_is_lock_time_and_not_sleep)
{
	begin_wait();
	sleep_ms(20);
	end_wait();
	microstates_mode.write(mode);
	uint64_t lock_ns = lock_of(0);
	ck_assert_uint_ge(lock_ns, lock_min_ns);
	ck_assert_uint_le(lock_ns, lock_max_ns);
	check_states(0, lock_ns, SLEEP_NS - lock_ns, LATENCY_NS);
	check_states(1, 0, SLEEP_NS, LATENCY_NS);
}
END_TEST

START_TEST(cpu_time_in_a_wait_is_not_lock_time)
{
	begin_wait();
	uint64_t start_ns = os_self_cpu_ns();
	while (os_self_cpu_ns() - start_ns < 20 * MS)
		;
	end_wait();
	microstates_mode.write(mode);
	ck_assert_uint_ge(lock_of(0), lock_min_ns);
	ck_assert_uint_le(lock_of(0), lock_max_ns);
}
END_TEST

START_TEST(lock_time_beyond_sleep_is_taken_from_latency)
{
	set_known(1u << OS_SLP | 1u << OS_LAT, MS, LATENCY_NS);
	do {
		begin_wait();
		sleep_ms(10);
		end_wait();
		microstates_mode.write(mode);
	} while (lock_of(0) < MS);
	check_states(0, lock_of(0), 0, LATENCY_NS + MS - lock_of(0));
}
END_TEST

START_TEST(a_wait_in_progress_counts)
{
	begin_wait();
	sleep_ms(10);
	uint64_t least_ns = now().wall_ns - inner_start.wall_ns;
	microstates_mode.write(mode);
	ck_assert_uint_ge(lock_of(0), least_ns);
	ck_assert_uint_le(lock_of(0), now().wall_ns - outer_start.wall_ns);
	sleep_ms(10);
	end_wait();
	microstates_mode.write(mode);
	ck_assert_uint_ge(lock_of(0), lock_min_ns);
	ck_assert_uint_le(lock_of(0), lock_max_ns);
}
END_TEST

START_TEST(a_wait_of_a_virtual_thread_is_not_its_carriers)
{
	microstates_mode.monitor_contended_enter(mode, &jni, object_of(&threads[1]), NULL);
	sleep_ms(5);
	microstates_mode.monitor_contended_entered(mode, &jni, object_of(&threads[1]), NULL);
	microstates_mode.write(mode);
	check_states(0, 0, SLEEP_NS, LATENCY_NS);
	check_states(1, 0, SLEEP_NS, LATENCY_NS);
}
END_TEST

START_TEST(lock_time_of_the_os_is_kept)
{
	set_known(1u << OS_SLP | 1u << OS_LAT | 1u << OS_LCK, SLEEP_NS, LATENCY_NS);
	os_states.ns[OS_LCK] = 3 * MS;
	begin_wait();
	sleep_ms(5);
	end_wait();
	microstates_mode.write(mode);
	check_states(0, 3 * MS, SLEEP_NS, LATENCY_NS);
}
END_TEST

START_TEST(without_contention_events_lock_time_is_unknown)
{
	has_monitor_events = false;
	microstates_mode.live(mode, &jni);
	microstates_mode.write(mode);
	ck_assert_uint_eq(rows[0].states.known & 1u << OS_LCK, 0);
	ck_assert_uint_eq(rows[0].states.ns[OS_SLP], SLEEP_NS);
}
END_TEST

START_TEST(an_ended_thread_is_in_one_section)
{
	microstates_mode.thread_end(mode, &jni, &threads[1]);
	microstates_mode.write(mode);
	ck_assert_uint_eq(row_count, 2);
	microstates_mode.reset(mode);
	microstates_mode.write(mode);
	ck_assert_uint_eq(row_count, 1);
	ck_assert_uint_eq(rows[0].thread_serial, 200001);
}
END_TEST

START_TEST(a_thread_that_ends_between_a_section_and_the_reset_is_in_the_next)
{
	microstates_mode.thread_end(mode, &jni, &threads[1]);
	microstates_mode.write(mode);
	microstates_mode.thread_end(mode, &jni, &threads[0]);
	microstates_mode.reset(mode);
	microstates_mode.write(mode);
	ck_assert_uint_eq(row_count, 1);
	ck_assert_uint_eq(rows[0].thread_serial, 200001);
}
END_TEST

START_TEST(the_next_thread_of_a_system_thread_has_only_its_own_states)
{
	microstates_mode.thread_end(mode, &jni, &threads[1]);
	microstates_mode.thread_start(mode, &jni, object_of(&threads[1]), &threads[1]);
	os_states.ns[OS_SLP] += 7 * MS;
	os_states.ns[OS_LAT] += 2 * MS;
	microstates_mode.write(mode);
	ck_assert_uint_eq(row_count, 3);
	check_states(0, 0, SLEEP_NS + 7 * MS, LATENCY_NS + 2 * MS);
	uint64_t both_ns = rows[1].states.ns[OS_SLP] + rows[2].states.ns[OS_SLP];
	ck_assert_uint_eq(both_ns, SLEEP_NS + 7 * MS);
	ck_assert_uint_eq(rows[1].states.life_ns + rows[2].states.life_ns,
	                  SLEEP_NS + LATENCY_NS + 9 * MS);
}
END_TEST

START_TEST(a_thread_without_a_record_has_no_row)
{
	threads[1].record = NULL;
	microstates_mode.write(mode);
	ck_assert_uint_eq(row_count, 1);
	microstates_mode.thread_end(mode, &jni, &threads[1]);
	microstates_mode.write(mode);
	ck_assert_uint_eq(row_count, 1);
}
END_TEST

START_TEST(without_accounting_the_mode_is_refused)
{
	struct mode_needs needs = {0};

	messages = 0;
	enable_error = 1;
	ck_assert_ptr_null(microstates_mode.create(&profile, &needs));
	ck_assert_uint_eq(messages, 1);
	ck_assert(!needs.monitor_contention);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("microstates");
	TCase *tests = tcase_create("microstates");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, each_thread_has_a_row);
	tcase_add_test(tests, a_wait_for_a_monitor_is_lock_time_and_not_sleep);
	tcase_add_test(tests, cpu_time_in_a_wait_is_not_lock_time);
	tcase_add_test(tests, lock_time_beyond_sleep_is_taken_from_latency);
	tcase_add_test(tests, a_wait_in_progress_counts);
	tcase_add_test(tests, a_wait_of_a_virtual_thread_is_not_its_carriers);
	tcase_add_test(tests, lock_time_of_the_os_is_kept);
	tcase_add_test(tests, without_contention_events_lock_time_is_unknown);
	tcase_add_test(tests, an_ended_thread_is_in_one_section);
	tcase_add_test(tests, a_thread_that_ends_between_a_section_and_the_reset_is_in_the_next);
	tcase_add_test(tests, the_next_thread_of_a_system_thread_has_only_its_own_states);
	tcase_add_test(tests, a_thread_without_a_record_has_no_row);
	tcase_add_test(tests, without_accounting_the_mode_is_refused);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
