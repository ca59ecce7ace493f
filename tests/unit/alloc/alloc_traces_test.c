/*
 * Tests of the traces of allocations while a command changes how deep traces are. The stack,
 * the walk over it and the VM are stand-ins; the nodes are the agent's own table.
 */
#include "alloc/alloc_traces.h"

#include "vm/frame_resolver.h"
#include "vm/java_thread_serials.h"
#include "run_suite.h"

/* A node stands for INLINED frames, as one of compiled code may. */
enum { STACK_FRAMES = 20, INLINED = 10, NODES = 1000, EPOCH = 2, SKIP = 1 };

static struct settings settings;
static struct profile profile;
static struct memo_table *memo;
static struct alloc_traces *traces;
static struct frame frames[STACK_FRAMES];
static unsigned stacks_asked;
static unsigned faults;

/* ---- stand-ins --------------------------------------------------------- */

static jvmtiError JNICALL get_stack_trace(jvmtiEnv *env, jthread thread, jint start, jint most,
                                          jvmtiFrameInfo *buffer, jint *count)
{
	(void)env;
	(void)thread;
	(void)start;
	stacks_asked++;
	*count = most < STACK_FRAMES ? most : STACK_FRAMES;
	for (jint i = 0; i < *count; i++)
		buffer[i].method = (jmethodID)(void *)&frames[i];
	return JVMTI_ERROR_NONE;
}

const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method, jlocation bci)
{
	(void)resolver;
	(void)jni;
	(void)bci;
	return (const struct frame *)(const void *)method;
}

bool stack_walker_find(struct stack_walker *walker, jvmtiEnv *its_jvmti, JNIEnv *jni,
                       struct memo_table *table)
{
	(void)its_jvmti;
	(void)jni;
	walker->table = table;
	return true;
}

void stack_walk(const struct stack_walker *walker, JNIEnv *jni, struct stack_walk *walk)
{
	(void)jni;
	walk->node = walk->root;
	for (uint32_t i = 0; i < walk->depth && i < STACK_FRAMES; i += INLINED)
		walk->node = memo_add(walker->table, walk->node, (uintptr_t)&frames[i], 0, NULL);
	walk->ended = walk->depth > STACK_FRAMES;
}

/* A way that does not lead back to where the walk began has no end. */
bool stack_walk_agrees(const struct stack_walker *walker, const struct stack_walk *walk,
                       const jvmtiFrameInfo *told, uint32_t count)
{
	const struct memo_node *node = walk->node;
	uint32_t length = 0;
	(void)walker;
	(void)told;

	for (; node != walk->root; node = node->parent) {
		ck_assert_ptr_nonnull(node);
		length += INLINED;
	}
	return count <= length && count + INLINED > length;
}

uint32_t java_threads_current_serial(struct java_threads *threads, JNIEnv *env)
{
	(void)threads;
	(void)env;
	return 0;
}

void writer_trace(struct record_writer *writer, const struct trace *trace)
{
	(void)writer;
	(void)trace;
}

void profile_fail(struct profile *its_profile, const char *format, ...)
{
	(void)its_profile;
	(void)format;
	faults++;
}

void profile_out_of_memory(struct profile *its_profile)
{
	profile_fail(its_profile, "out of memory");
}

/* No walk is wrong here. */
void profile_note(struct profile *its_profile, const char *format, ...)
{
	profile_fail(its_profile, "%s", format);
}

/* ---- tests ------------------------------------------------------------- */

static void set_up(void)
{
	static struct jvmtiInterface_1_ functions;
	static jvmtiEnv environment = &functions;

	functions.GetStackTrace = get_stack_trace;
	settings.depth = 4;
	profile.settings = &settings;
	profile.jvmti = &environment;
	profile.model.traces = trace_table_create();
	memo = memo_table_create(NODES);
	traces = alloc_traces_create(&profile, memo);
	ck_assert_ptr_nonnull(traces);
	alloc_traces_live(traces, NULL);
	stacks_asked = 0;
	faults = 0;
}

static void tear_down(void)
{
	ck_assert_uint_eq(faults, 0);
	alloc_traces_destroy(traces);
	memo_table_destroy(memo);
	trace_table_destroy(profile.model.traces);
}

/* The trace of an allocation during which the depth changes twice. */
static const struct trace *trace_of(uint32_t depth, uint32_t after_begin, uint32_t after_walk)
{
	alloc_traces_set_depth(traces, depth);
	struct stack_walk walk;
	alloc_traces_begin_walk(traces, SKIP, &walk);
	alloc_traces_set_depth(traces, after_begin);
	alloc_traces_walk(traces, NULL, &walk);
	ck_assert_ptr_nonnull(walk.node);
	alloc_traces_set_depth(traces, after_walk);
	const struct trace *trace = alloc_traces_of_walk(traces, NULL, &walk, EPOCH);
	ck_assert_ptr_nonnull(trace);
	alloc_traces_check(traces, NULL, &walk, trace);
	return trace;
}

static const struct {
	uint32_t depth;
	uint32_t after_begin;
	uint32_t after_walk;
} changes[] = {
        {4, 4, 4}, {4, 4, 9}, {9, 9, 4}, {4, 9, 9}, {9, 4, 4},   {1, 9, 4},
        {9, 0, 0}, {0, 9, 9}, {5, 5, 0}, {0, 0, 5}, {30, 30, 2}, {2, 30, 30},
};

START_TEST(a_trace_is_as_deep_as_its_walk_began)
{
	uint32_t depth = changes[_i].depth;
	uint32_t rest = STACK_FRAMES - SKIP;
	const struct trace *trace =
	        trace_of(depth, changes[_i].after_begin, changes[_i].after_walk);

	ck_assert_uint_eq(trace->depth, depth < rest ? depth : rest);
	for (uint32_t i = 0; i < trace->depth; i++)
		ck_assert_ptr_eq(trace->frames[i], &frames[i + SKIP]);
}
END_TEST

START_TEST(what_is_remembered_at_one_depth_is_not_found_at_another)
{
	const struct trace *four = trace_of(4, 9, 9);
	const struct trace *nine = trace_of(9, 4, 4);

	ck_assert_ptr_ne(four, nine);
	stacks_asked = 0;
	ck_assert_ptr_eq(trace_of(4, 4, 4), four);
	ck_assert_ptr_eq(trace_of(9, 9, 9), nine);
	/* By the checks, and at most once more where a known trace is checked by and by. */
	ck_assert_uint_le(stacks_asked, 4);
}
END_TEST

START_TEST(frames_alone_make_the_trace_unless_it_has_none)
{
	struct stack_walk walk;
	alloc_traces_begin_walk(traces, SKIP, &walk);

	ck_assert_uint_eq(walk.depth, 4 + SKIP);
	ck_assert_ptr_nonnull(alloc_traces_walker(traces, &walk));
	alloc_traces_set_depth(traces, 0);
	ck_assert_ptr_nonnull(alloc_traces_walker(traces, &walk));
	alloc_traces_begin_walk(traces, SKIP, &walk);
	ck_assert_ptr_null(alloc_traces_walker(traces, &walk));
}
END_TEST

static Suite *alloc_traces_suite(void)
{
	Suite *suite = suite_create("alloc_traces");
	TCase *tests = tcase_create("depth");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, a_trace_is_as_deep_as_its_walk_began, 0,
	                    sizeof(changes) / sizeof(changes[0]));
	tcase_add_test(tests, what_is_remembered_at_one_depth_is_not_found_at_another);
	tcase_add_test(tests, frames_alone_make_the_trace_unless_it_has_none);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(alloc_traces_suite());
}
