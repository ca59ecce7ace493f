/*
 * Tests of recording allocations over the fake VM, where references are no addresses: every
 * stack comes from the VM.
 */
#include "alloc/alloc_record.h"

#include "alloc/alloc_traces.h"
#include "profile_fixture.h"
#include "run_suite.h"
#include "vm/class_registry.h"
#include "vm/frame_resolver.h"

static struct fake_object work = {.name = "Ldemo/Work;", .source = "Work.java"};
static struct fake_object item = {.name = "Ldemo/Item;"};
static struct fake_object thread = {.name = "main"};
static struct fake_object object;
static struct fake_method agents = {&work, "allocated", "()V", JNI_TRUE, 0, JVMTI_ERROR_NONE};
static struct fake_method inner = {&work, "inner", "()V", JNI_FALSE, 10, JVMTI_ERROR_NONE};
static struct fake_method outer = {&work, "outer", "()V", JNI_FALSE, 50, JVMTI_ERROR_NONE};

static struct alloc alloc;

void profile_fail(struct profile *its_profile, const char *format, ...)
{
	(void)its_profile;
	ck_abort_msg("%s", format);
}

/* The fake VM's tables, and what it has not. */
void profile_note(struct profile *its_profile, const char *format, ...)
{
	(void)its_profile;
	(void)format;
}

static struct JNINativeInterface_ jni_functions;
static JNIEnv jni_table = &jni_functions;
static struct jvmtiInterface_1_ jvmti_functions;
static jvmtiEnv jvmti_table = &jvmti_functions;
static jlong object_size;
static jvmtiError size_error;
static int deleted_references;

static jclass JNICALL get_object_class(JNIEnv *env, jobject of)
{
	(void)env;
	ck_assert_ptr_eq(of, &object);
	return (jclass)(void *)&item;
}

static void JNICALL delete_local_ref(JNIEnv *env, jobject reference)
{
	(void)env;
	deleted_references += (void *)reference == (void *)&item;
}

static jvmtiError JNICALL get_object_size(jvmtiEnv *env, jobject of, jlong *size)
{
	(void)env;
	ck_assert_ptr_eq(of, &object);
	*size = object_size;
	return size_error;
}

static void set_up_tables(void)
{
	jni_functions = *(const struct JNINativeInterface_ *)*fake_jni();
	jni_functions.GetObjectClass = get_object_class;
	jni_functions.DeleteLocalRef = delete_local_ref;
	jvmti_functions = *(const struct jvmtiInterface_1_ *)*fake_jvmti();
	jvmti_functions.GetObjectSize = get_object_size;
	profile.jvmti = &jvmti_table;
	object_size = 40;
	size_error = JVMTI_ERROR_NONE;
	deleted_references = 0;
}

enum { MEMO_NODES = 1000 };

static void set_up(void)
{
	profile_set_up();
	work.tag = 0;
	item.tag = 0;
	fake_set_phase(JVMTI_PHASE_LIVE);
	set_up_tables();
	profile.classes = class_registry_create(&profile);
	profile.resolver = frame_resolver_create(&profile);
	memset(&alloc, 0, sizeof(alloc));
	alloc.profile = &profile;
	alloc.memo = memo_table_create(MEMO_NODES);
	alloc.traces = alloc_traces_create(&profile, alloc.memo);
	alloc.sites = site_table_create();
	alloc.site_cache = site_cache_create(alloc.sites);
	ck_assert(profile.classes != NULL && profile.resolver != NULL && alloc.traces != NULL &&
	          alloc.site_cache != NULL);
	gc_epoch_init(&alloc.epoch);
	atomic_init(&alloc.traced, true);
	fake_load_class(&work);
	fake_load_class(&item);
	fake_attach(&thread);
}

static void tear_down(void)
{
	fake_detach();
	site_cache_destroy(alloc.site_cache);
	site_table_destroy(alloc.sites);
	alloc_traces_destroy(alloc.traces);
	memo_table_destroy(alloc.memo);
	frame_resolver_destroy(profile.resolver);
	class_registry_destroy(profile.classes);
	profile_tear_down();
}

static jvmtiFrameInfo at(struct fake_method *method)
{
	return (jvmtiFrameInfo){(jmethodID)(void *)method, 0};
}

/* What the calling thread runs, innermost first. */
static void run_stack(const jvmtiFrameInfo *frames, jint count)
{
	atomic_store(&thread.frames, frames);
	atomic_store(&thread.frame_count, count);
}

static const struct site *only_site(void)
{
	ck_assert_uint_eq(site_table_count(alloc.sites), 1);
	return site_table_site(alloc.sites, 0);
}

static void expect_counts(const struct site *site, uint64_t bytes, uint64_t objects)
{
	struct site_counts counts = site_table_allocated(alloc.sites, site->number);
	ck_assert_uint_eq(counts.bytes, bytes);
	ck_assert_uint_eq(counts.objects, objects * SITE_OBJECT);
}

static void expect_frames(const struct trace *trace, const char *top, uint32_t depth)
{
	ck_assert_uint_eq(trace->depth, depth);
	ck_assert_str_eq(trace->frames[0]->method->name->text, top);
}

static struct allocation of_item(void)
{
	return (struct allocation){.jni = &jni_table,
	                           .object = (jobject)(void *)&object,
	                           .class = (jclass)(void *)&item,
	                           .size = 24};
}

START_TEST(object_counts_at_its_stack_and_class)
{
	const jvmtiFrameInfo stack[] = {at(&inner), at(&outer)};
	const struct allocation allocation = of_item();

	run_stack(stack, 2);
	alloc_record(&alloc, &allocation);
	alloc_record(&alloc, &allocation);
	const struct site *site = only_site();
	expect_frames(site->trace, "inner", 2);
	ck_assert_str_eq(site->class->name->text, "demo.Item");
	expect_counts(site, 48, 2);
}
END_TEST

START_TEST(each_stack_and_each_class_is_a_site)
{
	const jvmtiFrameInfo first[] = {at(&inner), at(&outer)};
	const jvmtiFrameInfo second[] = {at(&outer)};
	struct allocation allocation = of_item();

	run_stack(first, 2);
	alloc_record(&alloc, &allocation);
	run_stack(second, 1);
	alloc_record(&alloc, &allocation);
	allocation.class = (jclass)(void *)&work;
	alloc_record(&alloc, &allocation);
	ck_assert_uint_eq(site_table_count(alloc.sites), 3);
	for (uint32_t number = 0; number < 3; number++)
		expect_counts(site_table_site(alloc.sites, number), 24, 1);
}
END_TEST

/* The nodes of many deep stacks fill it. */
START_TEST(a_full_memo_loses_no_allocation)
{
	const jvmtiFrameInfo stack[] = {at(&inner), at(&outer)};
	const struct allocation allocation = of_item();

	for (uintptr_t i = 0; i < MEMO_NODES; i++)
		(void)memo_add(alloc.memo, NULL, UINTPTR_MAX, i, NULL);
	ck_assert_uint_eq(memo_count(alloc.memo), MEMO_NODES);
	run_stack(stack, 2);
	alloc_record(&alloc, &allocation);
	alloc_record(&alloc, &allocation);
	ck_assert(!profile_is_stopped(&profile));
	expect_counts(only_site(), 48, 2);
}
END_TEST

START_TEST(frames_of_the_agent_are_left_out)
{
	const jvmtiFrameInfo stack[] = {at(&agents), at(&inner), at(&outer)};
	struct allocation allocation = of_item();

	allocation.agent_frames = 1;
	run_stack(stack, 3);
	alloc_record(&alloc, &allocation);
	expect_frames(only_site()->trace, "inner", 2);
}
END_TEST

START_TEST(class_and_size_of_an_object_alone_come_from_the_vm)
{
	const jvmtiFrameInfo stack[] = {at(&inner)};
	struct allocation allocation = of_item();

	allocation.class = NULL;
	allocation.size = 0;
	run_stack(stack, 1);
	alloc_record(&alloc, &allocation);
	ck_assert_str_eq(only_site()->class->name->text, "demo.Item");
	expect_counts(only_site(), 40, 1);
	ck_assert_int_eq(deleted_references, 1);
}
END_TEST

START_TEST(object_without_a_size_is_not_counted)
{
	const jvmtiFrameInfo stack[] = {at(&inner)};
	struct allocation allocation = of_item();

	allocation.class = NULL;
	size_error = JVMTI_ERROR_INVALID_OBJECT;
	run_stack(stack, 1);
	alloc_record(&alloc, &allocation);
	ck_assert_uint_eq(site_table_count(alloc.sites), 0);
	ck_assert_int_eq(deleted_references, 1);
}
END_TEST

START_TEST(without_traces_the_trace_is_empty)
{
	const jvmtiFrameInfo stack[] = {at(&inner)};
	const struct allocation allocation = of_item();

	atomic_store(&alloc.traced, false);
	run_stack(stack, 1);
	alloc_record(&alloc, &allocation);
	ck_assert_uint_eq(only_site()->trace->serial, TRACE_SERIAL_EMPTY);
	expect_counts(only_site(), 24, 1);
}
END_TEST

/* One sampled object of 1,000 bytes at an interval of 1,000 stands for 1 / (1 - 1/e). */
START_TEST(sampled_object_stands_for_more_than_one)
{
	const jvmtiFrameInfo stack[] = {at(&inner)};
	struct allocation allocation = of_item();

	alloc.sampled = 1000;
	allocation.size = 1000;
	run_stack(stack, 1);
	alloc_record(&alloc, &allocation);
	struct site_counts counts = site_table_allocated(alloc.sites, only_site()->number);
	ck_assert_uint_eq(counts.bytes, 1582);
	ck_assert_uint_eq(counts.objects, (uint64_t)(1.5819767068693265 * SITE_OBJECT + 0.5));
}
END_TEST

static Suite *alloc_record_suite(void)
{
	Suite *suite = suite_create("alloc_record");
	TCase *tests = tcase_create("alloc_record");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, object_counts_at_its_stack_and_class);
	tcase_add_test(tests, each_stack_and_each_class_is_a_site);
	tcase_add_test(tests, a_full_memo_loses_no_allocation);
	tcase_add_test(tests, frames_of_the_agent_are_left_out);
	tcase_add_test(tests, class_and_size_of_an_object_alone_come_from_the_vm);
	tcase_add_test(tests, object_without_a_size_is_not_counted);
	tcase_add_test(tests, without_traces_the_trace_is_empty);
	tcase_add_test(tests, sampled_object_stands_for_more_than_one);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(alloc_record_suite());
}
