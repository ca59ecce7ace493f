/* marks: tsan */
/*
 * Tests of the model's tables with several threads at once: threads that intern
 * the same thing get the same record, and no serial is used twice.
 */
#include "model/model.h"
#include "os/os.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdio.h>
#include <string.h>

/* Each test runs several times: a lock that is missing shows only by chance. */
enum { WORKERS = 4, ITEMS = 20000, RUNS = 5 };

static struct model model;
static struct os_thread_handle workers[WORKERS];
static atomic_uint waiting;

/* The results of each worker, by item. */
static const void *got[WORKERS][ITEMS];
static uint32_t serials[WORKERS][ITEMS];
static atomic_uint created[ITEMS];

static struct method methods[ITEMS];
static const struct frame frames[3];

/* All workers start together, each at a different item, and process all items. */
static void begin(void)
{
	atomic_fetch_sub(&waiting, 1);
	while (atomic_load(&waiting) > 0)
		;
}

static uint32_t item_of(uintptr_t worker, uint32_t step)
{
	/* Half of them go up, half go down. */
	uint32_t item = (step + (uint32_t)worker * 17) % ITEMS;
	return worker % 2 == 0 ? item : ITEMS - 1 - item;
}

static void run_workers(void (*work)(void *))
{
	for (int i = 0; i < ITEMS; i++)
		atomic_store(&created[i], 0);
	atomic_store(&waiting, WORKERS);
	for (uintptr_t i = 0; i < WORKERS; i++)
		ck_assert_int_eq(os_thread_start(&workers[i], work, (void *)i), 0);
	for (int i = 0; i < WORKERS; i++)
		os_thread_join(&workers[i]);
}

static void expect_one_record_each(void)
{
	for (int item = 0; item < ITEMS; item++) {
		QUICK_CHECK(got[0][item] != NULL, "item %d is missing", item);
		for (int worker = 1; worker < WORKERS; worker++)
			QUICK_CHECK(got[worker][item] == got[0][item], "item %d exists twice",
			            item);
	}
}

/* Checks that each number from first on was used once. */
static void expect_dense(const uint32_t *numbers, size_t count, uint32_t first)
{
	static bool seen[WORKERS * ITEMS];

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < count; i++) {
		uint32_t place = numbers[i] - first;
		QUICK_CHECK(place < count, "%u is beyond what was given", numbers[i]);
		QUICK_CHECK(!seen[place], "%u was given twice", numbers[i]);
		seen[place] = true;
	}
}

static void intern_strings(void *arg)
{
	uintptr_t worker = (uintptr_t)arg;

	begin();
	for (uint32_t step = 0; step < ITEMS; step++) {
		uint32_t item = item_of(worker, step);
		char text[32];
		int length = snprintf(text, sizeof(text), "name %u", item);
		const struct string *string =
		        string_table_intern(model.strings, text, (size_t)length);
		got[worker][item] = string;
		serials[worker][item] = string->id;
	}
}

START_TEST(strings_of_all_threads_are_one_each)
{
	run_workers(intern_strings);
	expect_one_record_each();
	expect_dense(serials[0], ITEMS, 1);
}
END_TEST

static void add_methods(void *arg)
{
	uintptr_t worker = (uintptr_t)arg;

	begin();
	for (uint32_t step = 0; step < ITEMS; step++) {
		uint32_t item = item_of(worker, step);
		const struct method *found = method_table_find(model.methods, methods[item].vm_id);
		const struct method *added = method_table_add(model.methods, &methods[item]);
		got[worker][item] = found == NULL || found == added ? added : NULL;
	}
}

START_TEST(methods_of_all_threads_are_one_each)
{
	for (uint32_t i = 0; i < ITEMS; i++)
		methods[i].vm_id = i * UINT64_C(8);
	run_workers(add_methods);
	expect_one_record_each();
}
END_TEST

static void intern_frames(void *arg)
{
	uintptr_t worker = (uintptr_t)arg;

	begin();
	for (uint32_t step = 0; step < ITEMS; step++) {
		uint32_t item = item_of(worker, step);
		const struct frame *frame =
		        frame_table_intern(model.frames, &methods[item % 10], (int32_t)(item / 10));
		got[worker][item] = frame;
		serials[worker][item] = frame->id;
	}
}

START_TEST(frames_of_all_threads_are_one_each)
{
	run_workers(intern_frames);
	expect_one_record_each();
	expect_dense(serials[0], ITEMS, 1);
}
END_TEST

static void intern_traces(void *arg)
{
	const struct frame *const stack[] = {&frames[0], &frames[1], &frames[2]};
	uintptr_t worker = (uintptr_t)arg;

	begin();
	for (uint32_t step = 0; step < ITEMS; step++) {
		uint32_t item = item_of(worker, step);
		bool is_new = false;
		const struct trace *trace = trace_table_intern(model.traces, stack, 1 + item % 3,
		                                               200001 + item / 3, &is_new);
		got[worker][item] = trace;
		serials[worker][item] = trace->serial;
		atomic_fetch_add(&created[item], is_new);
		if (trace_table_find(model.traces, trace->serial) != trace ||
		    trace_table_count(model.traces) <= trace->serial - TRACE_SERIAL_EMPTY)
			got[worker][item] = NULL;
	}
}

START_TEST(traces_of_all_threads_are_one_each_and_new_for_one_thread)
{
	run_workers(intern_traces);
	expect_one_record_each();
	expect_dense(serials[0], ITEMS, TRACE_SERIAL_EMPTY + 1);
	for (int i = 0; i < ITEMS; i++)
		QUICK_CHECK(atomic_load(&created[i]) == 1, "item %d was new %u times", i,
		            atomic_load(&created[i]));
	ck_assert_uint_eq(trace_table_count(model.traces), ITEMS + 1);
}
END_TEST

static void add_classes(void *arg)
{
	uintptr_t worker = (uintptr_t)arg;

	begin();
	for (uint32_t step = 0; step < ITEMS; step++) {
		const struct class_record *class = class_table_add(model.classes, "La/B;");
		serials[worker][step] = class->serial;
		got[worker][step] =
		        class_table_find(model.classes, class->serial) == class ? class->name
		                                                                : NULL;
	}
}

START_TEST(each_class_gets_a_serial_of_its_own)
{
	run_workers(add_classes);
	expect_one_record_each(); /* their names */
	expect_dense(serials[0], (size_t)WORKERS * ITEMS, CLASS_SERIAL_BASE + 1);
}
END_TEST

/* Threads that start and end; each worker keeps one until the end. */
static void add_threads(void *arg)
{
	uintptr_t worker = (uintptr_t)arg;
	struct thread_record *kept = NULL;

	begin();
	for (uint32_t step = 0; step < ITEMS; step++) {
		uint32_t serial = thread_table_next_serial(model.threads);
		struct thread_record *thread =
		        thread_table_add(model.threads, serial, 0, "pool", "main", NULL);
		serials[worker][step] = (uint32_t)thread->object_id;
		got[worker][step] = thread->serial == serial ? thread->name : NULL;
		if (kept != NULL)
			thread_table_remove(model.threads, kept);
		kept = thread;
	}
}

START_TEST(each_thread_gets_an_object_id_of_its_own)
{
	run_workers(add_threads);
	expect_one_record_each(); /* their names */
	expect_dense(serials[0], (size_t)WORKERS * ITEMS, OBJECT_ID_BASE + 1);
	ck_assert_uint_eq(thread_table_next_serial(model.threads),
	                  THREAD_SERIAL_BASE + WORKERS * ITEMS + 1);
}
END_TEST

static void make_model(void)
{
	ck_assert(model_init(&model));
}

static void destroy_model(void)
{
	model_destroy(&model);
}

int main(void)
{
	Suite *suite = suite_create("model_sharing");
	TCase *tests = tcase_create("threads");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, make_model, destroy_model);
	tcase_add_loop_test(tests, strings_of_all_threads_are_one_each, 0, RUNS);
	tcase_add_loop_test(tests, methods_of_all_threads_are_one_each, 0, RUNS);
	tcase_add_loop_test(tests, frames_of_all_threads_are_one_each, 0, RUNS);
	tcase_add_loop_test(tests, traces_of_all_threads_are_one_each_and_new_for_one_thread, 0,
	                    RUNS);
	tcase_add_loop_test(tests, each_class_gets_a_serial_of_its_own, 0, RUNS);
	tcase_add_loop_test(tests, each_thread_gets_an_object_id_of_its_own, 0, RUNS);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
