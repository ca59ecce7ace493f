/*
 * Tests of walks of Java frames over a made-up stack, code cache and method: a walk ends at the
 * limit of its steps, wherever its frames lead.
 */
#include "hotspot/java_walk.h"
#include "code_fixture.h"
#include "os_machine.h"
#include "run_suite.h"

enum { WORDS = 1 << 14, FRAMES = 8 };

struct made_class {
	uintptr_t *ids;
};

struct made_pool {
	struct made_class *holder;
};

struct made_const_method {
	struct made_pool *pool;
	uint16_t code_size;
	uint16_t number;
};

struct made_method {
	struct made_const_method *const_method;
};

static uintptr_t ids[2];
static struct made_class class = {ids};
static struct made_pool pool = {&class};
static struct made_const_method const_method = {&pool, 100, 0};
static struct made_method method = {&const_method};
static uintptr_t id;
static uintptr_t words[WORDS];
static struct java_walker walker;
static struct raw_frame frames[FRAMES];

/* A stack of nothing but calls of the method by itself. */
static void setup(void)
{
	code_setup();
	id = (uintptr_t)&method;
	ids[0] = 1;
	ids[1] = (uintptr_t)&id;
	blob->method = &method;
	blob->methods[0] = &method;
	for (size_t i = FRAME_WORDS - 1; i < WORDS; i += FRAME_WORDS)
		words[i] = call_address();
	walker = (struct java_walker){
	        .stack = {.code = cache, .layout = *frame_layout_of(OS_CPU_X86_64)},
	        .code = {.name = BLOB_AT(name),
	                 .method = BLOB_AT(method),
	                 .original_pc = BLOB_AT(original_pc),
	                 .stubs = BLOB_AT(stubs),
	                 .handler_is_offset = true,
	                 .handler = BLOB_AT(handler),
	                 .handle_handler = BLOB_AT(handle_handler),
	                 .metadata = BLOB_AT(metadata)},
	        .methods = {.const_method = offsetof(struct made_method, const_method),
	                    .const_method_bytes = sizeof(struct made_const_method),
	                    .constants = offsetof(struct made_const_method, pool),
	                    .code_size = offsetof(struct made_const_method, code_size),
	                    .id_number = offsetof(struct made_const_method, number),
	                    .pool_holder = offsetof(struct made_pool, holder),
	                    .ids = offsetof(struct made_class, ids)},
	};
}

static bool walk(uint32_t depth, uint32_t *steps, uint32_t *count)
{
	struct java_walk try = {
	        .walker = &walker, .frames = frames, .depth = depth, .steps = *steps};
	const struct java_walk_start start = {.at = {.sp = (uintptr_t)words,
	                                             .pc = call_address(),
	                                             .base = (uintptr_t)&words[WORDS]},
	                                      .frame = JAVA_WALK_CALLING};
	bool found = java_walk_try(&try, &start);

	*steps = try.steps;
	*count = try.count;
	return found;
}

START_TEST(a_walk_has_the_frames_that_are_asked_for)
{
	uint32_t steps = java_walk_steps(FRAMES);
	uint32_t count;

	ck_assert(walk(FRAMES, &steps, &count));
	ck_assert_uint_eq(count, FRAMES);
	for (int i = 0; i < FRAMES; i++) {
		ck_assert_ptr_eq(frames[i].method, &id);
		ck_assert_int_eq(frames[i].bci, i % 2 == 0 ? INNER_BCI : OUTER_BCI);
	}
}
END_TEST

START_TEST(a_walk_that_has_no_step_left_fails)
{
	uint32_t steps = 5;
	uint32_t count;

	ck_assert(!walk(FRAMES, &steps, &count));
	ck_assert_uint_eq(steps, 0);
	ck_assert(!walk(FRAMES, &steps, &count));
}
END_TEST

START_TEST(a_walk_that_leads_beyond_the_stack_fails_with_steps_left)
{
	uint32_t steps = java_walk_steps(FRAMES);
	uint32_t count;

	words[4 * FRAME_WORDS - 1] = 0;
	ck_assert(!walk(FRAMES, &steps, &count));
	ck_assert_uint_gt(steps, 0);
}
END_TEST

START_TEST(steps_are_enough_for_the_depth_and_never_too_many_to_count)
{
	ck_assert_uint_gt(java_walk_steps(0), 1000);
	ck_assert_uint_gt(java_walk_steps(100000), 100000);
	ck_assert_uint_eq(java_walk_steps(UINT32_MAX), UINT32_MAX);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("java_walk");
	TCase *tests = tcase_create("walks");

	tcase_add_checked_fixture(tests, setup, code_teardown);
	tcase_add_test(tests, a_walk_has_the_frames_that_are_asked_for);
	tcase_add_test(tests, a_walk_that_has_no_step_left_fails);
	tcase_add_test(tests, a_walk_that_leads_beyond_the_stack_fails_with_steps_left);
	tcase_add_test(tests, steps_are_enough_for_the_depth_and_never_too_many_to_count);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
