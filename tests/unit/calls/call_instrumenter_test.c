/*
 * Tests of the code that the instrumenter inserts, and of classes that stay unchanged.
 */
#include "instrumented_class.h"
#include "calls/call_instrumenter.h"
#include "vm/wait_calls.h"
#include "run_suite.h"

static struct model model;
static struct filter filter;
static struct call_instrumenter instrumenter;
static struct method_numbers *numbers;

static void set_up(void)
{
	ck_assert(model_init(&model));
	memset(&filter, 0, sizeof(filter));
	memset(&instrumenter, 0, sizeof(instrumenter));
	numbers = method_numbers_create();
	instrumenter.methods = instrumented_methods_create(&model, numbers);
	instrumenter.filter = &filter;
}

static void tear_down(void)
{
	free_instrumented();
	intrinsics_clear(&instrumenter.intrinsics);
	instrumented_methods_destroy(instrumenter.methods);
	method_numbers_destroy(numbers);
	model_destroy(&model);
}

static bool rewrite(const uint8_t *bytes, size_t length, uint8_t **rewritten,
                    size_t *rewritten_length)
{
	return call_instrumenter_rewrite(&instrumenter, bytes, length, rewritten, rewritten_length);
}

static bool instrument(struct class_builder *builder)
{
	return instrument_built(builder, rewrite);
}

static const uint8_t *code_after(uint32_t *length)
{
	*length = method_after()->code_length;
	return method_after()->code;
}

/* The number of calls of a method of the tracker in the code. */
static unsigned calls_of(const char *name)
{
	uint32_t length;
	const uint8_t *code = code_after(&length);
	unsigned calls = 0;

	for (uint32_t at = 0; at + 2 < length; at++) {
		/* No operand in the tests' code has the value of the opcode. */
		if (code[at] == OP_INVOKESTATIC)
			calls += strcmp(called_at(at), name) == 0;
	}
	return calls;
}

#define TRACKER "java/lang/HprofTracker."

/* Class files of version 49 need no stack maps for branches and handlers. */
static struct class_builder *old_builder(void)
{
	struct class_builder *builder = new_builder();
	builder->major = 49;
	return builder;
}

static struct class_builder *empty_method(void)
{
	struct class_builder *builder = new_builder();
	ADD_CODE(builder, OP_RETURN);
	return builder;
}

/* It can throw, so it is not a leaf. */
static struct class_builder *short_method(void)
{
	struct class_builder *builder = new_builder();
	ADD_CODE(builder, OP_ALOAD_0, OP_ARRAYLENGTH, OP_POP, OP_RETURN);
	return builder;
}

START_TEST(a_method_enters_and_exits)
{
	uint32_t length;

	ck_assert(instrument(short_method()));
	const uint8_t *code = code_after(&length);
	ck_assert_uint_eq(length, 15);
	ck_assert_uint_eq(code[0], OP_ICONST_0);
	ck_assert_str_eq(called_at(1), TRACKER "enter(I)J");
	ck_assert_uint_eq(code[4], OP_LSTORE);
	ck_assert_uint_eq(code[5], 4);
	ck_assert_uint_eq(code[9], OP_LLOAD);
	ck_assert_uint_eq(code[10], 4);
	ck_assert_str_eq(called_at(11), TRACKER "exit(J)V");
	ck_assert_uint_eq(code[14], OP_RETURN);
	ck_assert_uint_eq(after->methods[0].exception_count, 0);
	ck_assert_uint_eq(method_after()->max_locals, 6);
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
	ck_assert_str_eq(instrumented_methods_get(instrumenter.methods, 0)->name->text, "m");
	ck_assert_str_eq(instrumented_methods_get(instrumenter.methods, 0)->class->name->text, "T");
}
END_TEST

START_TEST(a_leaf_is_only_counted_at_its_entry)
{
	for (int probes = PROBES_COUNT; probes <= PROBES_CLOCKS; probes++) {
		uint32_t length;

		instrumenter.probes = (enum call_probes)probes;
		ck_assert(instrument(empty_method()));
		const uint8_t *code = code_after(&length);
		ck_assert_uint_eq(length, 5);
		ck_assert_uint_eq(code[0], OP_ICONST_0);
		ck_assert_str_eq(called_at(1), TRACKER "leaf(I)V");
		ck_assert_uint_eq(code[4], OP_RETURN);
		ck_assert_uint_eq(method_after()->max_locals, 4);
	}
}
END_TEST

/* A method with two returns and a handler. */
static struct class_builder *returning_and_handling(void)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_NOP, OP_RETURN, OP_POP, OP_RETURN);
	add_exception(builder, 0, 1, 2, 0);
	return builder;
}

START_TEST(where_marks_show_breaks_the_marked_methods_are_called)
{
	instrumenter.probes = PROBES_BREAKS;
	ck_assert(instrument(returning_and_handling()));
	ck_assert_uint_eq(calls_of(TRACKER "enterMarked(I)J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "exitMarked(J)V"), 2);
	ck_assert_uint_eq(calls_of(TRACKER "resumeMarked(JI)V"), 1);
}
END_TEST

START_TEST(with_both_clocks_the_clocked_methods_are_called)
{
	instrumenter.probes = PROBES_CLOCKS;
	ck_assert(instrument(returning_and_handling()));
	ck_assert_uint_eq(calls_of(TRACKER "enterClocked(I)J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "exitClocked(J)V"), 2);
	ck_assert_uint_eq(calls_of(TRACKER "resumeClocked(JI)V"), 1);
}
END_TEST

START_TEST(the_number_of_the_method_is_passed)
{
	uint32_t length;
	call_method number;

	for (int i = 0; i < 300; i++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "m%d", i);
		ck_assert(instrumented_methods_intern(instrumenter.methods, "U", NULL, name, "()V",
		                                      &number));
	}
	ck_assert(instrument(empty_method()));
	const uint8_t *code = code_after(&length);
	ck_assert_uint_eq(code[0], OP_SIPUSH);
	ck_assert_uint_eq(bytes_u2(code + 1), 300);
}
END_TEST

START_TEST(each_return_exits)
{
	struct class_builder *builder = old_builder();

	builder->descriptor = "(I)I";
	ADD_CODE(builder, OP_ILOAD_0, OP_IFEQ, 0, 5, OP_ICONST_1, OP_IRETURN, OP_ALOAD_1,
	         OP_ARRAYLENGTH, OP_IRETURN);
	ck_assert(instrument(builder));
	ck_assert_uint_eq(calls_of(TRACKER "enter(I)J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "exit(J)V"), 2);
}
END_TEST

START_TEST(each_handler_resumes_once)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_NOP, OP_NOP, OP_RETURN, OP_POP, OP_RETURN, OP_POP, OP_RETURN);
	add_exception(builder, 0, 1, 3, 0);
	add_exception(builder, 1, 2, 3, 0);
	add_exception(builder, 0, 2, 5, 0);
	ck_assert(instrument(builder));
	ck_assert_uint_eq(calls_of(TRACKER "resume(JI)V"), 2);
	ck_assert_uint_eq(calls_of(TRACKER "exit(J)V"), 3);
	ck_assert_uint_eq(after->methods[0].exception_count, 3);
	/* Handlers start with the call of resume. */
	const struct method_record *method = &after->methods[0];
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t handler = bytes_u2(method->exceptions + 8 * i + 4);
		ck_assert_uint_eq(method->view.code[handler], OP_LLOAD);
		ck_assert_str_eq(called_at(handler + 3), TRACKER "resume(JI)V");
	}
}
END_TEST

static struct class_builder *excluded_with_handler(void)
{
	ck_assert(filter_add(&filter.exclude, "T.m", 3));
	struct class_builder *builder = old_builder();
	ADD_CODE(builder, OP_NOP, OP_RETURN, OP_POP, OP_RETURN);
	add_exception(builder, 0, 1, 2, 0);
	return builder;
}

START_TEST(handlers_of_an_excluded_method_restore_the_open_call)
{
	ck_assert(instrument(excluded_with_handler()));
	ck_assert_uint_eq(calls_of(TRACKER "open()J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "enter(I)J"), 0);
	ck_assert_uint_eq(calls_of(TRACKER "exit(J)V"), 0);
	ck_assert_uint_eq(calls_of(TRACKER "reopen(J)V"), 1);
	const struct method_record *method = &after->methods[0];
	uint32_t handler = bytes_u2(method->exceptions + 4);
	ck_assert_uint_eq(method->view.code[handler], OP_LLOAD);
	ck_assert_str_eq(called_at(handler + 2), TRACKER "reopen(J)V");
	ck_assert_ptr_null(instrumented_methods_get(instrumenter.methods, 0));
}
END_TEST

START_TEST(excluded_methods_are_not_counted)
{
	ck_assert(filter_add(&filter.exclude, "T.m", 3));
	ck_assert(!instrument(empty_method()));
	ck_assert_ptr_null(instrumented_methods_get(instrumenter.methods, 0));
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
	ck_assert_uint_eq(instrumenter.rewriting.classes_refused, 0);
}
END_TEST

START_TEST(handlers_of_an_excluded_method_restore_the_open_call_with_both_clocks)
{
	instrumenter.probes = PROBES_CLOCKS;
	ck_assert(instrument(excluded_with_handler()));
	ck_assert_uint_eq(calls_of(TRACKER "open()J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "exitClocked(J)V"), 1);
	instrumenter.probes = PROBES_BREAKS;
	ck_assert(instrument(excluded_with_handler()));
	ck_assert_uint_eq(calls_of(TRACKER "open()J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "reopenMarked(J)V"), 1);
}
END_TEST

START_TEST(the_filter_sees_class_names_with_dots)
{
	ck_assert(filter_add(&filter.include, "com.foo.Bar", 11));
	struct class_builder *builder = empty_method();
	builder->name = "com/foo/Bar";
	ck_assert(instrument(builder));
}
END_TEST

START_TEST(classes_on_which_the_tracker_relies_stay_unchanged)
{
	static const char *const names[] = {"java/lang/HprofTracker", "jdk/internal/misc/Unsafe",
	                                    "jdk/internal/vm/Continuation"};

	for (int i = 0; i < 3; i++) {
		struct class_builder *builder = empty_method();
		builder->name = names[i];
		ck_assert(!instrument(builder));
	}
	ck_assert_uint_eq(instrumenter.rewriting.classes_refused, 0);
}
END_TEST

static struct class_builder *annotated(const char *type, const char *method)
{
	struct class_builder *builder = old_builder();
	uint16_t name = add_utf8(builder, "RuntimeVisibleAnnotations");
	uint16_t type_name = add_utf8(builder, type);

	put2(&builder->method_attributes, name);
	put4(&builder->method_attributes, 6);
	put2(&builder->method_attributes, 1);
	put2(&builder->method_attributes, type_name);
	put2(&builder->method_attributes, 0);
	builder->method_attribute_count = 1;
	builder->method = method;
	ADD_CODE(builder, OP_RETURN);
	return builder;
}

START_TEST(intrinsics_are_not_counted_at_their_entry)
{
	static const char *const types[] = {"Ljdk/internal/vm/annotation/IntrinsicCandidate;",
	                                    "Ljdk/internal/HotSpotIntrinsicCandidate;"};

	for (int i = 0; i < 2; i++)
		ck_assert(!instrument(annotated(types[i], "m")));
	ck_assert(instrument(annotated("Ljava/lang/Deprecated;", "m")));
}
END_TEST

static struct class_builder *named_method(const char *name, const char *descriptor, bool is_empty)
{
	struct class_builder *builder = new_builder();

	builder->method = name;
	builder->descriptor = descriptor;
	if (!is_empty)
		ADD_CODE(builder, OP_ICONST_0, OP_POP);
	ADD_CODE(builder, OP_RETURN);
	return builder;
}

START_TEST(an_empty_finalizer_stays_empty)
{
	ck_assert(!instrument(named_method("finalize", "()V", true)));
	ck_assert(instrument(named_method("finalize", "()V", false)));
	ck_assert(instrument(named_method("finalize", "(I)V", true)));
	ck_assert(instrument(named_method("finalizer", "()V", true)));
}
END_TEST

/* Adds an intrinsic m, with the number 0, to the instrumenter. */
static void add_intrinsics(uint16_t method_flags)
{
	struct class_builder *builder =
	        annotated("Ljdk/internal/vm/annotation/IntrinsicCandidate;", "m");
	size_t length;

	builder->name = "java/lang/R";
	builder->method_flags = method_flags;
	uint8_t *bytes = build_class(builder, &length);
	free(builder);
	call_instrumenter_add_intrinsics(&instrumenter, bytes, length);
	free(bytes);
}

static struct class_builder *caller_of_replaced(uint8_t opcode)
{
	struct class_builder *builder = old_builder();
	uint16_t member =
	        add_member(builder, CONSTANT_METHODREF, "java/lang/R", "m", builder->descriptor);

	ck_assert_uint_lt(member, 256);
	put1(&builder->code, opcode);
	put2(&builder->code, member);
	put1(&builder->code, OP_RETURN);
	return builder;
}

START_TEST(calls_of_intrinsics_are_counted_before_the_call)
{
	static const struct {
		uint8_t opcode;
		uint16_t flags;
		unsigned calls;
	} ways[] = {
	        {OP_INVOKESTATIC, CLASSFILE_STATIC, 1},
	        {OP_INVOKESPECIAL, 0, 1},
	        {OP_INVOKEVIRTUAL, CLASSFILE_FINAL, 1},
	        {OP_INVOKEVIRTUAL, CLASSFILE_PRIVATE, 1},
	        {OP_INVOKEVIRTUAL, 0, 0},
	};
	uint32_t length;

	add_intrinsics(ways[_i].flags);
	ck_assert_uint_eq(instrumenter.intrinsics.any, true);
	ck_assert(instrument(caller_of_replaced(ways[_i].opcode)));
	ck_assert_uint_eq(calls_of(TRACKER "enter(I)J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "leaf(I)V"), ways[_i].calls);
	if (ways[_i].calls == 0)
		return;
	/* After the entry: the number of the called method, leaf(), and the call. */
	const uint8_t *code = code_after(&length);
	ck_assert_uint_eq(code[6], OP_ICONST_0);
	ck_assert_str_eq(called_at(7), TRACKER "leaf(I)V");
	ck_assert_uint_eq(code[10], ways[_i].opcode);
	ck_assert_str_eq(instrumented_methods_get(instrumenter.methods, 0)->class->name->text,
	                 "java.lang.R");
}
END_TEST

static struct class_builder *caller_of(const char *class_name, const char *name)
{
	struct class_builder *builder = new_builder();
	uint16_t member = add_member(builder, CONSTANT_METHODREF, class_name, name, "()V");

	ck_assert_uint_lt(member, 256);
	put1(&builder->code, OP_INVOKESTATIC);
	put2(&builder->code, member);
	put1(&builder->code, OP_RETURN);
	return builder;
}

START_TEST(waits_are_announced_before_the_call_and_ended_after_it)
{
	uint32_t length;

	ck_assert(instrument(caller_of("java/lang/Thread", "sleep0")));
	ck_assert_uint_eq(calls_of(TRACKER "waits(I)V"), 0);
	instrumenter.probes = PROBES_BREAKS;
	ck_assert(instrument(caller_of("java/lang/Thread", "sleep0")));
	ck_assert_uint_eq(calls_of(TRACKER "waits(I)V"), 2);
	instrumenter.probes = PROBES_CLOCKS;
	ck_assert(instrument(caller_of("java/lang/Thread", "sleep0")));
	ck_assert_uint_eq(calls_of(TRACKER "waits(I)V"), 2);
	/* After the entry: the cause, waits(), the call, no cause, waits(). */
	const uint8_t *code = code_after(&length);
	ck_assert_uint_eq(code[6], OP_ICONST_0 + WAIT_SLEEP);
	ck_assert_str_eq(called_at(7), TRACKER "waits(I)V");
	ck_assert_str_eq(called_at(10), "java/lang/Thread.sleep0()V");
	ck_assert_uint_eq(code[13], OP_ICONST_0 + WAIT_NONE);
	ck_assert_str_eq(called_at(14), TRACKER "waits(I)V");
	ck_assert(instrument(caller_of("java/lang/Thread", "onSpinWait")));
	ck_assert_uint_eq(calls_of(TRACKER "waits(I)V"), 0);
}
END_TEST

START_TEST(excluded_methods_announce_their_waits)
{
	ck_assert(filter_add(&filter.include, "java.lang.R", 11));
	instrumenter.probes = PROBES_CLOCKS;
	ck_assert(instrument(caller_of("java/lang/Thread", "sleep0")));
	ck_assert_uint_eq(calls_of(TRACKER "enterClocked(I)J"), 0);
	ck_assert_uint_eq(calls_of(TRACKER "waits(I)V"), 2);
}
END_TEST

START_TEST(excluded_methods_count_their_calls_of_included_intrinsics)
{
	ck_assert(filter_add(&filter.include, "java.lang.R", 11));
	add_intrinsics(CLASSFILE_STATIC);
	ck_assert(instrument(caller_of_replaced(OP_INVOKESTATIC)));
	ck_assert_uint_eq(calls_of(TRACKER "enter(I)J"), 0);
	ck_assert_uint_eq(calls_of(TRACKER "leaf(I)V"), 1);
}
END_TEST

START_TEST(calls_of_excluded_intrinsics_are_not_counted)
{
	ck_assert(filter_add(&filter.exclude, "java.lang.R", 11));
	add_intrinsics(CLASSFILE_STATIC);
	ck_assert_uint_eq(instrumenter.intrinsics.any, false);
	ck_assert(instrument(caller_of_replaced(OP_INVOKESTATIC)));
	ck_assert_uint_eq(calls_of(TRACKER "leaf(I)V"), 0);
}
END_TEST

START_TEST(a_handler_resumes_before_it_counts_a_call)
{
	add_intrinsics(CLASSFILE_STATIC);
	struct class_builder *builder = caller_of_replaced(OP_INVOKESTATIC);
	add_exception(builder, 3, 4, 0, 0);
	ck_assert(instrument(builder));
	uint32_t handler = bytes_u2(after->methods[0].exceptions + 4);
	ck_assert_uint_eq(method_after()->code[handler], OP_LLOAD);
	ck_assert_str_eq(called_at(handler + 3), TRACKER "resume(JI)V");
	ck_assert_str_eq(called_at(handler + 7), TRACKER "leaf(I)V");
}
END_TEST

START_TEST(bridges_and_native_methods_are_no_intrinsics)
{
	struct class_builder *builder =
	        annotated("Ljdk/internal/vm/annotation/IntrinsicCandidate;", "m");
	builder->method_flags = CLASSFILE_BRIDGE;
	ck_assert(instrument(builder));
	ck_assert_uint_eq(instrumenter.intrinsics.any, false);
}
END_TEST

START_TEST(the_constructor_of_object_is_counted_although_annotated)
{
	struct class_builder *builder =
	        annotated("Ljdk/internal/vm/annotation/IntrinsicCandidate;", "<init>");
	builder->name = "java/lang/Object";
	builder->super = NULL;
	builder->method_flags = 0;
	ck_assert(instrument(builder));
	ck_assert_uint_eq(calls_of(TRACKER "leaf(I)V"), 1);
}
END_TEST

START_TEST(methods_without_code_stay_unchanged)
{
	struct class_builder *builder = new_builder();
	builder->method_flags = 0x0100; /* native */
	builder->without_code = true;
	ck_assert(!instrument(builder));
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
}
END_TEST

START_TEST(a_method_too_long_to_grow_stays_unchanged_and_is_counted)
{
	struct class_builder *builder = old_builder();

	put_repeated(&builder->code, OP_NOP, 65530);
	ADD_CODE(builder, OP_RETURN);
	ck_assert(!instrument(builder));
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 1);
}
END_TEST

/* A method with that many calls of an intrinsic, and of Thread.sleep0(). */
static struct class_builder *caller_of_many(uint32_t intrinsics, uint32_t waits)
{
	struct class_builder *builder = old_builder();
	uint16_t intrinsic =
	        add_member(builder, CONSTANT_METHODREF, "java/lang/R", "m", builder->descriptor);
	uint16_t wait =
	        add_member(builder, CONSTANT_METHODREF, "java/lang/Thread", "sleep0", "()V");

	for (uint32_t i = 0; i < intrinsics + waits; i++) {
		put1(&builder->code, OP_INVOKESTATIC);
		put2(&builder->code, i < intrinsics ? intrinsic : wait);
	}
	put1(&builder->code, OP_RETURN);
	return builder;
}

START_TEST(in_a_method_that_is_too_long_calls_of_intrinsics_are_left_out)
{
	enum { CALLS = 16000 }; /* of three bytes; seven with the count */

	add_intrinsics(CLASSFILE_STATIC);
	ck_assert(instrument(caller_of_many(CALLS, 0)));
	ck_assert_uint_eq(calls_of(TRACKER "enter(I)J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "exit(J)V"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "leaf(I)V"), 0);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 1);
	ck_assert_uint_eq(instrumenter.methods_without_waits, 0);
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
}
END_TEST

START_TEST(causes_of_waits_are_left_out_after_calls_of_intrinsics)
{
	enum { INTRINSICS = 10000, FEW = 1000, MANY = 6000 };

	add_intrinsics(CLASSFILE_STATIC);
	instrumenter.probes = PROBES_CLOCKS;
	ck_assert(instrument(caller_of_many(INTRINSICS, FEW)));
	ck_assert_uint_eq(calls_of(TRACKER "leaf(I)V"), 0);
	ck_assert_uint_eq(calls_of(TRACKER "waits(I)V"), 2 * FEW);
	ck_assert_uint_eq(instrumenter.methods_without_waits, 0);
	ck_assert(instrument(caller_of_many(INTRINSICS, MANY)));
	ck_assert_uint_eq(calls_of(TRACKER "enterClocked(I)J"), 1);
	ck_assert_uint_eq(calls_of(TRACKER "waits(I)V"), 0);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 2);
	ck_assert_uint_eq(instrumenter.methods_without_waits, 1);
}
END_TEST

START_TEST(truncated_class_files_are_refused_and_counted)
{
	size_t length = assert_prefixes_unchanged(empty_method(), rewrite);

	ck_assert_uint_eq(instrumenter.rewriting.classes_refused, length);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("instrumenter");
	TCase *tests = tcase_create("instrumenter");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_method_enters_and_exits);
	tcase_add_test(tests, a_leaf_is_only_counted_at_its_entry);
	tcase_add_test(tests, where_marks_show_breaks_the_marked_methods_are_called);
	tcase_add_test(tests, with_both_clocks_the_clocked_methods_are_called);
	tcase_add_test(tests, the_number_of_the_method_is_passed);
	tcase_add_test(tests, each_return_exits);
	tcase_add_test(tests, each_handler_resumes_once);
	tcase_add_test(tests, handlers_of_an_excluded_method_restore_the_open_call);
	tcase_add_test(tests, excluded_methods_are_not_counted);
	tcase_add_test(tests,
	               handlers_of_an_excluded_method_restore_the_open_call_with_both_clocks);
	tcase_add_test(tests, the_filter_sees_class_names_with_dots);
	tcase_add_test(tests, classes_on_which_the_tracker_relies_stay_unchanged);
	tcase_add_test(tests, an_empty_finalizer_stays_empty);
	tcase_add_test(tests, intrinsics_are_not_counted_at_their_entry);
	tcase_add_loop_test(tests, calls_of_intrinsics_are_counted_before_the_call, 0, 5);
	tcase_add_test(tests, waits_are_announced_before_the_call_and_ended_after_it);
	tcase_add_test(tests, excluded_methods_announce_their_waits);
	tcase_add_test(tests, excluded_methods_count_their_calls_of_included_intrinsics);
	tcase_add_test(tests, calls_of_excluded_intrinsics_are_not_counted);
	tcase_add_test(tests, a_handler_resumes_before_it_counts_a_call);
	tcase_add_test(tests, bridges_and_native_methods_are_no_intrinsics);
	tcase_add_test(tests, the_constructor_of_object_is_counted_although_annotated);
	tcase_add_test(tests, methods_without_code_stay_unchanged);
	tcase_add_test(tests, a_method_too_long_to_grow_stays_unchanged_and_is_counted);
	tcase_add_test(tests, in_a_method_that_is_too_long_calls_of_intrinsics_are_left_out);
	tcase_add_test(tests, causes_of_waits_are_left_out_after_calls_of_intrinsics);
	tcase_add_test(tests, truncated_class_files_are_refused_and_counted);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
