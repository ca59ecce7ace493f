/* marks: posix */
/*
 * Tests of the list of threads that the sampler of states looks at, and of the time of each: from
 * look to look, until it is charged to a wait. The clocks and the VM are fakes.
 */
#include "looked_fixture.h"

static struct looked_threads threads;
static struct state_counts counts;
static const struct trace first = {.serial = TRACE_SERIAL_EMPTY + 1};
static const struct trace second = {.serial = TRACE_SERIAL_EMPTY + 2};

static void set_up(void)
{
	looked_set_up();
	counts = (struct state_counts){.charges = NULL};
	ck_assert(looked_threads_init(&threads, &profile, &pauses));
}

static void tear_down(void)
{
	looked_threads_free(&threads, fake_jni());
	state_counts_free(&counts);
	ck_assert_uint_eq(memory_errors, 0);
	looked_tear_down();
}

static struct look_times times_of(int number)
{
	struct look_clocks clocks = clocks_of(number);

	return looked_thread_times(&threads, thread_of(&threads, number), &clocks);
}

static void times_are(int number, uint64_t wall_ns, uint64_t cpu_ns, uint64_t queued_ns,
                      uint64_t paused_ns)
{
	struct look_times times = times_of(number);

	ck_assert_uint_eq(times.wall_ns, wall_ns);
	ck_assert_uint_eq(times.cpu_ns, cpu_ns);
	ck_assert_uint_eq(times.queued_ns, queued_ns);
	ck_assert_uint_eq(times.paused_ns, paused_ns);
}

static uint64_t charged(const struct trace *trace, enum trace_state state)
{
	uint32_t place = trace->serial - TRACE_SERIAL_EMPTY;
	return place < counts.capacity ? counts.charges[place].ns[state] : 0;
}

/* ---- the list ---------------------------------------------------------- */

START_TEST(a_thread_is_found_by_its_serial_until_it_is_removed)
{
	for (int i = 0; i < LOOKED_MAX; i++)
		add_thread(&threads, i);
	ck_assert_uint_eq(threads.count, LOOKED_MAX);
	ck_assert_int_eq(fake_counts.global_refs, LOOKED_MAX);
	for (int i = 0; i < LOOKED_MAX; i++) {
		const struct looked_thread *thread = thread_of(&threads, i);
		ck_assert_uint_eq(thread->serial, java_threads[i].serial);
		ck_assert_uint_eq(thread->id, java_threads[i].id);
		ck_assert_ptr_eq(thread->object, &objects[i]);
	}
	ck_assert_ptr_null(looked_threads_find(&threads, SERIAL_FIRST - 1));

	looked_threads_remove(&threads, fake_jni(), thread_of(&threads, 3));
	ck_assert_uint_eq(threads.count, LOOKED_MAX - 1);
	ck_assert_int_eq(fake_counts.global_refs, LOOKED_MAX - 1);
	ck_assert_uint_eq(open_queues, LOOKED_MAX - 1);
	ck_assert_ptr_null(looked_threads_find(&threads, java_threads[3].serial));
	ck_assert_uint_eq(HASH_COUNT(threads.serials), LOOKED_MAX - 1);
	(void)thread_of(&threads, 2);
	(void)thread_of(&threads, 4);
}
END_TEST

START_TEST(the_list_is_in_the_order_of_starts)
{
	int number = 0;

	for (int i = 0; i < LOOKED_MAX; i++)
		add_thread(&threads, i);
	for (const struct looked_thread *thread = threads.list; thread != NULL;
	     thread = thread->next)
		ck_assert_uint_eq(thread->serial, java_threads[number++].serial);
	ck_assert_int_eq(number, LOOKED_MAX);
}
END_TEST

START_TEST(the_last_thread_can_be_removed_and_another_one_added)
{
	add_thread(&threads, 0);
	looked_threads_remove(&threads, fake_jni(), thread_of(&threads, 0));
	ck_assert_uint_eq(threads.count, 0);
	ck_assert_ptr_null(threads.list);
	ck_assert_ptr_null(looked_threads_find(&threads, java_threads[0].serial));
	add_thread(&threads, 1);
	(void)thread_of(&threads, 1);
}
END_TEST

START_TEST(a_thread_without_a_clock_is_not_listed)
{
	system_threads[0].is_gone = true;
	add_thread(&threads, 0);
	ck_assert_uint_eq(threads.count, 0);
	ck_assert_int_eq(fake_counts.global_refs, 0);
	ck_assert_uint_eq(threads.queues + threads.queueless, 0);
}
END_TEST

START_TEST(queueless_are_threads_whose_queue_fails_though_the_system_has_one)
{
	system_threads[0].queue_error = OS_UNSUPPORTED;
	system_threads[2].queue_error = EMFILE;
	system_threads[3].queue_error = EACCES;
	for (int i = 0; i < 4; i++)
		add_thread(&threads, i);
	ck_assert_uint_eq(threads.count, 4);
	ck_assert_uint_eq(threads.queues, 1);
	ck_assert_uint_eq(threads.queueless, 2);
	ck_assert_uint_eq(open_queues, 1);
}
END_TEST

/* ---- times ------------------------------------------------------------- */

START_TEST(times_are_what_has_passed_since_the_last_look)
{
	add_thread(&threads, 1);
	times_are(1, 0, 0, 0, 0);

	pass(1, 100, 30);
	system_threads[1].queued_ns += 20;
	atomic_store(&pauses.collected_ns, 7);
	times_are(1, 100, 30, 20, 7);
	times_are(1, 0, 0, 0, 0);

	pass(1, 50, 1);
	system_threads[1].queued_ns += 2;
	atomic_store(&pauses.collected_ns, 10);
	times_are(1, 50, 1, 2, 3);
}
END_TEST

START_TEST(what_was_before_the_start_does_not_count)
{
	atomic_store(&pauses.collected_ns, 5 * MS);
	add_thread(&threads, 0);
	pass(0, 10, 3);
	times_are(0, 10, 3, 0, 0);
}
END_TEST

START_TEST(pauses_are_all_safepoints_or_at_least_collections)
{
	static const volatile uint64_t safepoints = 1;
	static volatile uint64_t stopped;
	static const volatile uint64_t synchronizing = 0;

	stopped = 0;
	pauses.synchronizing = &synchronizing;
	pauses.stopped = &stopped;
	pauses.ticks_per_second = 1000 * MS;
	atomic_store(&pauses.safepoints, &safepoints);
	add_thread(&threads, 0);
	stopped = 90;
	atomic_store(&pauses.collected_ns, 40);
	times_are(0, 0, 0, 0, 90);
	/* The VM adds a pause to the time of safepoints last. */
	atomic_store(&pauses.collected_ns, 100);
	times_are(0, 0, 0, 0, 10);
}
END_TEST

START_TEST(waits_for_a_cpu_are_read_only_if_the_thread_has_run)
{
	add_thread(&threads, 0);
	unsigned readings = system_threads[0].queue_readings;
	pass(0, 100, 0);
	system_threads[0].queued_ns += 60;
	times_are(0, 100, 0, 0, 0);
	ck_assert_uint_eq(system_threads[0].queue_readings, readings);

	pass(0, 10, 1);
	times_are(0, 10, 1, 60, 0);
	ck_assert_uint_eq(system_threads[0].queue_readings, readings + 1);
}
END_TEST

START_TEST(a_queue_that_goes_backwards_is_ignored)
{
	uint64_t queued_ns = system_threads[0].queued_ns;

	add_thread(&threads, 0);
	pass(0, 10, 1);
	system_threads[0].queued_ns = queued_ns - 5;
	times_are(0, 10, 1, 0, 0);
	pass(0, 10, 1);
	system_threads[0].queued_ns = queued_ns + 4;
	times_are(0, 10, 1, 4, 0);
}
END_TEST

START_TEST(a_queue_without_an_answer_is_ignored)
{
	add_thread(&threads, 0);
	system_threads[0].queue_lost = true;
	pass(0, 10, 1);
	system_threads[0].queued_ns += 6;
	times_are(0, 10, 1, 0, 0);
	system_threads[0].queue_lost = false;
	pass(0, 10, 1);
	times_are(0, 10, 1, 6, 0);
}
END_TEST

START_TEST(a_cpu_clock_that_goes_backwards_has_not_advanced)
{
	add_thread(&threads, 0);
	pass(0, 10, (uint64_t)-3);
	times_are(0, 10, 0, 0, 0);
	ck_assert(!thread_of(&threads, 0)->has_run);
}
END_TEST

/* ---- waits ------------------------------------------------------------- */

static void waits_at(int number, const struct trace *trace, enum trace_state state)
{
	struct looked_thread *thread = thread_of(&threads, number);

	thread->trace = trace;
	thread->state = state;
	thread->has_run = false;
}

static bool still_waits(int number)
{
	return looked_thread_still_waits(thread_of(&threads, number),
	                                 system_threads[number].cpu_ns);
}

START_TEST(a_thread_waits_until_it_runs)
{
	add_thread(&threads, 0);
	ck_assert(!still_waits(0));
	waits_at(0, &first, TRACE_SLP);
	ck_assert(still_waits(0));
	pass(0, 10, 0);
	(void)times_of(0);
	ck_assert(still_waits(0));
	pass(0, 10, 1);
	ck_assert(!still_waits(0));
}
END_TEST

START_TEST(a_wait_is_over_even_if_the_clock_was_read_since_the_thread_ran)
{
	add_thread(&threads, 0);
	waits_at(0, &first, TRACE_SLP);
	pass(0, 10, 1);
	(void)times_of(0);
	ck_assert(!still_waits(0));
	pass(0, 10, 0);
	(void)times_of(0);
	ck_assert(!still_waits(0));
	waits_at(0, &first, TRACE_SLP);
	ck_assert(still_waits(0));
}
END_TEST

START_TEST(each_time_is_moved_to_the_wait_exactly_once)
{
	add_thread(&threads, 0);
	struct looked_thread *thread = thread_of(&threads, 0);
	thread->account = (struct look_account){.waited_ns = 5, .queued_ns = 3, .stopped_ns = 2};
	waits_at(0, &first, TRACE_IO);
	pass(0, 100, 20);
	system_threads[0].queued_ns += 7;
	atomic_store(&pauses.collected_ns, 50);
	struct look_times times = times_of(0);
	looked_thread_charge_wait(thread, &times);
	thread->charge.samples++;
	ck_assert_uint_eq(charged(&first, TRACE_IO), 0);
	ck_assert(looked_thread_flush(thread, &counts));
	ck_assert(looked_thread_flush(thread, &counts));
	ck_assert_uint_eq(charged(&first, TRACE_IO), 5 + 100 - 20 - 7);
	ck_assert_uint_eq(charged(&first, TRACE_LAT), 7);
	ck_assert_uint_eq(charged(&first, TRACE_STW), 0);
	ck_assert_uint_eq(counts.charges[1].samples, 1);
	ck_assert_int_eq(thread->account.waited_ns, 0);
	ck_assert_int_eq(thread->account.queued_ns, 3);
	ck_assert_int_eq(thread->account.stopped_ns, 2);

	waits_at(0, &second, TRACE_LCK);
	pass(0, 30, 0);
	times = times_of(0);
	looked_thread_charge_wait(thread, &times);
	ck_assert(looked_thread_flush(thread, &counts));
	ck_assert_uint_eq(charged(&second, TRACE_LCK), 30);
	ck_assert_uint_eq(charged(&second, TRACE_LAT), 0);
	ck_assert_uint_eq(charged(&first, TRACE_IO), 78);
	ck_assert_uint_eq(counts.charges[1].samples, 1);
}
END_TEST

START_TEST(a_thread_that_was_not_seen_to_wait_has_nothing_to_flush)
{
	add_thread(&threads, 0);
	ck_assert(looked_thread_flush(thread_of(&threads, 0), &counts));
	ck_assert_uint_eq(counts.capacity, 0);
}
END_TEST

/* ---- ends -------------------------------------------------------------- */

START_TEST(the_last_time_of_an_ended_thread_goes_into_its_account)
{
	add_thread(&threads, 0);
	add_thread(&threads, 1);
	pass(0, 100, 30);
	system_threads[0].queued_ns += 20;
	atomic_store(&pauses.collected_ns, 15);
	end_thread(&threads, 0);
	const struct looked_thread *thread = thread_of(&threads, 0);
	ck_assert(thread->ended);
	ck_assert_int_eq(thread->account.waited_ns, 100 - 30 - 20 - 15);
	ck_assert_int_eq(thread->account.queued_ns, 20);
	ck_assert_int_eq(thread->account.stopped_ns, 15);
	ck_assert_ptr_null(system_threads[0].queue);
	ck_assert_uint_eq(open_queues, 1);
	ck_assert_uint_eq(threads.queues, 2);
	ck_assert(!thread_of(&threads, 1)->ended);

	looked_threads_remove(&threads, fake_jni(), thread_of(&threads, 0));
	ck_assert_uint_eq(open_queues, 1);
	ck_assert_int_eq(fake_counts.global_refs, 1);
}
END_TEST

START_TEST(a_thread_that_is_not_listed_may_end)
{
	add_thread(&threads, 0);
	looked_threads_end(&threads, &java_threads[1]);
	ck_assert_uint_eq(threads.count, 1);
	ck_assert(!thread_of(&threads, 0)->ended);
}
END_TEST

static Suite *looked_threads_suite(void)
{
	Suite *suite = suite_create("looked_threads");
	TCase *list = tcase_create("list");
	TCase *times = tcase_create("times");

	tcase_add_checked_fixture(list, set_up, tear_down);
	tcase_add_test(list, a_thread_is_found_by_its_serial_until_it_is_removed);
	tcase_add_test(list, the_list_is_in_the_order_of_starts);
	tcase_add_test(list, the_last_thread_can_be_removed_and_another_one_added);
	tcase_add_test(list, a_thread_without_a_clock_is_not_listed);
	tcase_add_test(list, queueless_are_threads_whose_queue_fails_though_the_system_has_one);
	tcase_add_test(list, the_last_time_of_an_ended_thread_goes_into_its_account);
	tcase_add_test(list, a_thread_that_is_not_listed_may_end);
	suite_add_tcase(suite, list);
	tcase_add_checked_fixture(times, set_up, tear_down);
	tcase_add_test(times, times_are_what_has_passed_since_the_last_look);
	tcase_add_test(times, what_was_before_the_start_does_not_count);
	tcase_add_test(times, pauses_are_all_safepoints_or_at_least_collections);
	tcase_add_test(times, waits_for_a_cpu_are_read_only_if_the_thread_has_run);
	tcase_add_test(times, a_queue_that_goes_backwards_is_ignored);
	tcase_add_test(times, a_queue_without_an_answer_is_ignored);
	tcase_add_test(times, a_cpu_clock_that_goes_backwards_has_not_advanced);
	tcase_add_test(times, a_thread_waits_until_it_runs);
	tcase_add_test(times, a_wait_is_over_even_if_the_clock_was_read_since_the_thread_ran);
	tcase_add_test(times, each_time_is_moved_to_the_wait_exactly_once);
	tcase_add_test(times, a_thread_that_was_not_seen_to_wait_has_nothing_to_flush);
	suite_add_tcase(suite, times);
	return suite;
}

int main(void)
{
	return run_suite(looked_threads_suite());
}
