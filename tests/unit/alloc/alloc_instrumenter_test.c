/*
 * Tests of what the instrumenter of allocations puts into classes, and what it leaves
 * alone.
 */
#include "instrumented_class.h"
#include "alloc/alloc_instrumenter.h"
#include "run_suite.h"

static struct alloc_instrumenter instrumenter;

static void set_up(void)
{
	memset(&instrumenter, 0, sizeof(instrumenter));
}

static void tear_down(void)
{
	free_instrumented();
}

static bool rewrite(const uint8_t *bytes, size_t length, uint8_t **rewritten,
                    size_t *rewritten_length)
{
	return alloc_instrumenter_rewrite(&instrumenter, bytes, length, rewritten,
	                                  rewritten_length);
}

static bool instrument(struct class_builder *builder)
{
	return instrument_built(builder, rewrite);
}

/* The method of HprofHeap that the invokestatic at an offset of the code calls. */
static const char *reported_at(uint32_t offset)
{
	static const char heap_class[] = "java/lang/HprofHeap.";
	const char *called = called_at(offset);

	ck_assert_int_eq(strncmp(called, heap_class, strlen(heap_class)), 0);
	return called + strlen(heap_class);
}

/* The code from an offset on begins with these bytes. */
#define ASSERT_CODE_AT(offset, ...)                                                              \
	do {                                                                                     \
		static const uint8_t wanted_bytes[] = {__VA_ARGS__};                             \
		ck_assert_uint_le((offset) + sizeof(wanted_bytes), method_after()->code_length); \
		assert_bytes("code", method_after()->code + (offset), sizeof(wanted_bytes),      \
		             wanted_bytes, sizeof(wanted_bytes));                                \
	} while (0)

static struct class_builder *maker_of_object(uint16_t major)
{
	struct class_builder *builder = new_builder();

	builder->major = major;
	ck_assert_uint_eq(add_class(builder, "p/C"), 2);
	ADD_CODE(builder, OP_NEW, 0, 2, OP_POP, OP_RETURN);
	return builder;
}

static struct class_builder *maker_of_array(uint8_t type)
{
	const uint8_t code[] = {OP_ICONST_1, OP_NEWARRAY, type, OP_POP, OP_RETURN};
	struct class_builder *builder = new_builder();

	put(&builder->code, code, sizeof(code));
	return builder;
}

START_TEST(a_new_object_is_reported_by_the_class_constant_of_its_instruction)
{
	static const uint16_t versions[] = {49, 52};

	for (int i = 0; i < 2; i++) {
		ck_assert(instrument(maker_of_object(versions[i])));
		ck_assert_uint_eq(method_after()->code_length, 10);
		ASSERT_CODE_AT(0, OP_NEW, 0, 2, OP_LDC, 2);
		ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Class;)V");
		ASSERT_CODE_AT(8, OP_POP, OP_RETURN);
		tear_down();
	}
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
}
END_TEST

START_TEST(before_version_49_a_new_object_is_reported_by_the_name_of_its_class)
{
	ck_assert(instrument(maker_of_object(48)));
	ck_assert_uint_eq(method_after()->code_length, 10);
	ASSERT_CODE_AT(0, OP_NEW, 0, 2, OP_LDC);
	uint8_t string = method_after()->code[4];
	ck_assert_uint_eq(constant_pool_tag(&after->pool, string), CONSTANT_STRING);
	struct classfile_name name;
	ck_assert(constant_pool_utf8(&after->pool,
	                             bytes_u2(constant_pool_data(&after->pool, string)), &name));
	ck_assert(classfile_name_is(name, "p/C"));
	ck_assert_str_eq(reported_at(5), "allocatedNamed(Ljava/lang/String;)V");
}
END_TEST

/* The name of the class that the ldc at an offset of the code pushes. */
static struct classfile_name class_pushed_at(uint32_t offset)
{
	const struct classfile_method *method = method_after();
	struct classfile_name name;

	ck_assert_uint_lt(offset + 1, method->code_length);
	ck_assert_uint_eq(method->code[offset], OP_LDC);
	ck_assert(classfile_class_at(after, method->code[offset + 1], &name));
	return name;
}

static void assert_array_class_at(uint32_t offset, const char *name)
{
	ck_assert(classfile_name_is(class_pushed_at(offset), name));
	ck_assert_str_eq(reported_at(offset + 2), "allocatedArray(ILjava/lang/Class;)V");
}

START_TEST(arrays_of_primitive_types_are_reported_by_length_and_class)
{
	static const char *const classes[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};

	for (uint8_t i = 0; i < 8; i++) {
		ck_assert(instrument(maker_of_array((uint8_t)(4 + i))));
		ck_assert_uint_eq(method_after()->code_length, 12);
		ASSERT_CODE_AT(0, OP_ICONST_1, OP_NEWARRAY);
		ASSERT_CODE_AT(3, OP_DUP, OP_ARRAYLENGTH);
		assert_array_class_at(5, classes[i]);
		ASSERT_CODE_AT(10, OP_POP, OP_RETURN);
		tear_down();
	}
}
END_TEST

static struct class_builder *maker_of_objects(const char *element, uint16_t major)
{
	struct class_builder *builder = new_builder();

	builder->major = major;
	ck_assert_uint_eq(add_class(builder, element), 2);
	ADD_CODE(builder, OP_ICONST_1, OP_ANEWARRAY, 0, 2, OP_POP, OP_RETURN);
	return builder;
}

START_TEST(arrays_of_objects_are_reported_by_length_and_class)
{
	ck_assert(instrument(maker_of_objects("p/C", 49)));
	ASSERT_CODE_AT(0, OP_ICONST_1, OP_ANEWARRAY, 0, 2, OP_DUP, OP_ARRAYLENGTH);
	assert_array_class_at(6, "[Lp/C;");
	tear_down();
	ck_assert(instrument(maker_of_objects("[[I", 52)));
	assert_array_class_at(6, "[[[I");
}
END_TEST

START_TEST(arrays_whose_class_can_not_be_named_are_reported_themselves)
{
	char name[1100];

	ck_assert(instrument(maker_of_objects("p/C", 48)));
	ASSERT_CODE_AT(0, OP_ICONST_1, OP_ANEWARRAY, 0, 2, OP_DUP);
	ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Object;)V");
	tear_down();

	memset(name, 'C', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert(instrument(maker_of_objects(name, 52)));
	ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Object;)V");
}
END_TEST

START_TEST(arrays_of_arrays_are_reported_with_the_number_of_dimensions_made)
{
	struct class_builder *builder = new_builder();

	ck_assert_uint_eq(add_class(builder, "[[[I"), 2);
	ADD_CODE(builder, OP_ICONST_1, OP_ICONST_2, OP_MULTIANEWARRAY, 0, 2, 2, OP_POP, OP_RETURN);
	ck_assert(instrument(builder));
	ASSERT_CODE_AT(2, OP_MULTIANEWARRAY, 0, 2, 2, OP_DUP, OP_ICONST_2);
	ck_assert_str_eq(reported_at(8), "allocatedArrays(Ljava/lang/Object;I)V");
	ASSERT_CODE_AT(11, OP_POP, OP_RETURN);
}
END_TEST

/* A method that calls another, of so many arguments of one slot, and drops its result. */
static struct class_builder *caller_of(uint8_t opcode, const char *class_name, const char *name,
                                       const char *descriptor, size_t arguments)
{
	struct class_builder *builder = new_builder();
	uint16_t member = add_member(builder, CONSTANT_METHODREF, class_name, name, descriptor);

	builder->major = 49;
	builder->max_stack = 6;
	put_repeated(&builder->code, OP_ACONST_NULL, arguments);
	put1(&builder->code, opcode);
	put2(&builder->code, member);
	ADD_CODE(builder, OP_POP, OP_RETURN);
	return builder;
}

START_TEST(clones_that_object_makes_are_reported)
{
	static const struct {
		uint8_t opcode;
		const char *class_name;
	} calls[] = {{OP_INVOKEVIRTUAL, "[I"},
	             {OP_INVOKEVIRTUAL, "[Ljava/lang/String;"},
	             {OP_INVOKEVIRTUAL, "java/lang/Object"},
	             {OP_INVOKESPECIAL, "java/lang/Object"}};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		ck_assert(instrument(caller_of(calls[i].opcode, calls[i].class_name, "clone",
		                               "()Ljava/lang/Object;", 1)));
		ASSERT_CODE_AT(4, OP_DUP);
		ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Object;)V");
		ASSERT_CODE_AT(8, OP_POP, OP_RETURN);
		tear_down();
	}
}
END_TEST

START_TEST(other_clones_are_reported_by_their_own_code)
{
	ck_assert(!instrument(caller_of(OP_INVOKEVIRTUAL, "java/util/ArrayList", "clone",
	                                "()Ljava/lang/Object;", 1)));
	ck_assert(!instrument(caller_of(OP_INVOKESTATIC, "java/lang/Object", "clone",
	                                "()Ljava/lang/Object;", 0)));
	ck_assert(!instrument(caller_of(OP_INVOKEVIRTUAL, "[I", "clone", "()[I", 1)));
	ck_assert(!instrument(caller_of(OP_INVOKEVIRTUAL, "[I", "hashCode", "()I", 1)));
}
END_TEST

/* A method whose result its callers count. */
struct counted_call {
	const char *class_name;
	const char *name;
	const char *descriptor;
	size_t arguments; /* with the object, if it has one */
	bool is_virtual;
};

static const struct counted_call counted_calls[] = {
        {"java/util/Arrays", "copyOf", "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;",
         3, false},
        {"java/util/Arrays", "copyOfRange",
         "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;", 4, false},
        {"java/lang/StringUTF16", "toBytes", "([CII)[B", 3, false},
        {"java/lang/StringUTF16", "newBytesFor", "(I)[B", 1, false},
        {"jdk/internal/misc/Unsafe", "allocateUninitializedArray0",
         "(Ljava/lang/Class;I)Ljava/lang/Object;", 3, true},
        {"jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;", 2,
         true},
        {"java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;", 2,
         false},
};

enum { COUNTED_CALLS = sizeof(counted_calls) / sizeof(counted_calls[0]) };

START_TEST(what_compilers_replace_is_reported_behind_its_calls)
{
	const struct counted_call *call = &counted_calls[_i];

	ck_assert(instrument(caller_of(call->is_virtual ? OP_INVOKEVIRTUAL : OP_INVOKESTATIC,
	                               call->class_name, call->name, call->descriptor,
	                               call->arguments)));
	uint32_t behind = (uint32_t)call->arguments + 3;
	ASSERT_CODE_AT(behind, OP_DUP);
	ck_assert_str_eq(reported_at(behind + 1), "allocated(Ljava/lang/Object;)V");
	ASSERT_CODE_AT(behind + 4, OP_POP, OP_RETURN);
}
END_TEST

START_TEST(what_it_makes_as_its_result_is_not_told_in_its_own_code)
{
	const struct counted_call *call = &counted_calls[_i];
	struct class_builder *builder = maker_of_array(10);

	builder->name = call->class_name;
	builder->method = call->name;
	builder->descriptor = call->descriptor;
	ck_assert(!instrument(builder));
	/* Others of the class by that name are like any. */
	builder = maker_of_array(10);
	builder->name = call->class_name;
	builder->method = call->name;
	ck_assert(instrument(builder));
}
END_TEST

START_TEST(what_it_makes_by_new_is)
{
	struct class_builder *builder = maker_of_object(52);

	builder->name = counted_calls[0].class_name;
	builder->method = counted_calls[0].name;
	builder->descriptor = counted_calls[0].descriptor;
	ck_assert(instrument(builder));
	ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Class;)V");
}
END_TEST

START_TEST(a_result_that_may_be_an_argument_is_reported_with_it)
{
	ck_assert(instrument(caller_of(OP_INVOKESTATIC, "java/math/BigInteger", "implMultiplyToLen",
	                               "([II[II[I)[I", 5)));
	ASSERT_CODE_AT(0, OP_ACONST_NULL, OP_ASTORE, 4);
	ASSERT_CODE_AT(7, OP_ACONST_NULL, OP_DUP, OP_ASTORE, 4, OP_INVOKESTATIC);
	ASSERT_CODE_AT(14, OP_DUP, OP_ALOAD, 4);
	ck_assert_str_eq(reported_at(17), "allocatedUnless(Ljava/lang/Object;Ljava/lang/Object;)V");
	ASSERT_CODE_AT(20, OP_POP, OP_RETURN);
	ck_assert_uint_eq(method_after()->max_locals, 5);
}
END_TEST

START_TEST(a_class_that_allocates_nothing_stays_as_it_is)
{
	struct class_builder *builder = new_builder();

	ADD_CODE(builder, OP_RETURN);
	ck_assert(!instrument(builder));
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
	ck_assert_uint_eq(instrumenter.rewriting.classes_refused, 0);
}
END_TEST

static bool is_changed_by_name(const char *class_name)
{
	struct class_builder *builder = maker_of_array(10);

	builder->name = class_name;
	bool changed = instrument(builder);
	tear_down();
	return changed;
}

START_TEST(classes_that_must_not_call_the_agent_stay_as_they_are)
{
	static const char *const names[] = {
	        "java/lang/HprofHeap",
	        "java/lang/HprofTracker",
	        "java/lang/VirtualThread",
	        "java/lang/VirtualThread$VThreadContinuation",
	        "java/lang/VirtualThread$VThreadContinuation$1",
	        "java/lang/ThreadBuilders$BoundVirtualThread",
	        "jdk/internal/vm/Continuation",
	        "jdk/internal/vm/Continuation$Pinned",
	        "jdk/internal/vm/ContinuationSupport",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_msg(!is_changed_by_name(names[i]), "%s", names[i]);
	ck_assert(is_changed_by_name("java/lang/ThreadBuilders"));
	ck_assert(is_changed_by_name("java/lang/VirtualThreads"));
	ck_assert(is_changed_by_name("java/lang/Virtual"));
	ck_assert_uint_eq(instrumenter.rewriting.classes_refused, 0);
}
END_TEST

#define DEFINER                                                         \
	"(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[B" \
	"Ljava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;"

static struct class_builder *definer_in(const char *class_name)
{
	struct class_builder *builder = new_builder();

	builder->name = class_name;
	builder->method = "defineClass";
	builder->descriptor = DEFINER;
	builder->method_flags = 0;
	builder->max_locals = 9;
	ADD_CODE(builder, OP_ACONST_NULL, OP_ARETURN);
	return builder;
}

START_TEST(hidden_classes_are_rewritten_where_they_are_defined)
{
	ck_assert(instrument(definer_in("java/lang/System$2")));
	ASSERT_CODE_AT(0, OP_ALOAD, 4);
	ck_assert_str_eq(reported_at(2), "rewritten([B)[B");
	ASSERT_CODE_AT(5, OP_ASTORE, 4, OP_ACONST_NULL, OP_ARETURN);
	ck_assert(!instrument(definer_in("java/lang/System")));
	ck_assert(!instrument(definer_in("java/lang/ClassLoader")));
}
END_TEST

START_TEST(unknown_attributes_of_code_are_dropped)
{
	struct class_builder *builder = maker_of_array(10);

	ADD_ATTRIBUTE(builder, "Unknown", 1, 2, 3);
	ck_assert(instrument(builder));
	ck_assert_uint_eq(after->methods[0].attribute_count, 0);
}
END_TEST

START_TEST(a_method_that_can_not_grow_is_left_alone_and_counted)
{
	struct class_builder *builder = new_builder();

	builder->major = 49;
	put_repeated(&builder->code, OP_NOP, 65530);
	ADD_CODE(builder, OP_ICONST_1, OP_NEWARRAY, 10, OP_POP, OP_RETURN);
	instrumenter.rewriting.verbose = true;
	ck_assert(!instrument(builder));
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 1);
	ck_assert_uint_eq(instrumenter.sites_left_out, 1);
}
END_TEST

START_TEST(a_method_that_makes_what_is_no_class_is_left_alone_and_counted)
{
	static const uint16_t versions[] = {48, 52};

	for (int i = 0; i < 2; i++) {
		struct class_builder *builder = new_builder();
		builder->major = versions[i];
		ck_assert_uint_eq(add_utf8(builder, "p/C"), 1);
		ADD_CODE(builder, OP_NEW, 0, 1, OP_POP, OP_RETURN);
		ck_assert(!instrument(builder));
	}
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 2);
}
END_TEST

START_TEST(a_call_of_what_is_no_method_is_passed_over)
{
	struct class_builder *builder = new_builder();

	ck_assert_uint_eq(add_utf8(builder, "clone"), 1);
	ADD_CODE(builder, OP_INVOKESTATIC, 0, 1, OP_INVOKESTATIC, 0xFF, 0xFF, OP_RETURN);
	ck_assert(!instrument(builder));
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
}
END_TEST

START_TEST(truncated_class_files_are_refused_and_counted)
{
	size_t length = assert_prefixes_unchanged(maker_of_object(52), rewrite);

	ck_assert_uint_eq(instrumenter.rewriting.classes_refused, length);
}
END_TEST

/* The number of reports in a method of that many instructions new, each with a pop. */
static uint32_t reports_of(uint32_t sites)
{
	static const uint8_t code[] = {OP_NEW, 0, 2, OP_POP};
	struct class_builder *builder = new_builder();
	uint32_t reports = 0;

	ck_assert_uint_eq(add_class(builder, "p/C"), 2);
	for (uint32_t i = 0; i < sites; i++)
		put(&builder->code, code, sizeof(code));
	ADD_CODE(builder, OP_RETURN);
	ck_assert(instrument(builder));
	for (uint32_t at = 0; at < method_after()->code_length; at++)
		reports += method_after()->code[at] == OP_INVOKESTATIC;
	free_instrumented();
	return reports;
}

/* Four bytes for each site and five for each report, up to 65,535. */
START_TEST(in_a_method_that_is_too_long_the_first_allocations_report)
{
	enum { BYTES = 65535 - 1, FIT = BYTES / (4 + 5), SITES = 10000, LONGEST = BYTES / 4 };

	ck_assert_uint_eq(reports_of(FIT), FIT);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 0);
	uint32_t reports = reports_of(SITES);
	uint32_t room = (BYTES - 4 * SITES) / 5;
	ck_assert_uint_le(reports, room);
	ck_assert_uint_ge(reports, room - room / 8);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 1);
	ck_assert_uint_eq(instrumenter.sites_left_out, SITES - reports);
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
	ck_assert_uint_eq(reports_of(LONGEST - 3), 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("alloc_instrumenter");
	TCase *tests = tcase_create("alloc_instrumenter");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_new_object_is_reported_by_the_class_constant_of_its_instruction);
	tcase_add_test(tests, before_version_49_a_new_object_is_reported_by_the_name_of_its_class);
	tcase_add_test(tests, arrays_of_primitive_types_are_reported_by_length_and_class);
	tcase_add_test(tests, arrays_of_objects_are_reported_by_length_and_class);
	tcase_add_test(tests, arrays_whose_class_can_not_be_named_are_reported_themselves);
	tcase_add_test(tests, arrays_of_arrays_are_reported_with_the_number_of_dimensions_made);
	tcase_add_test(tests, clones_that_object_makes_are_reported);
	tcase_add_test(tests, other_clones_are_reported_by_their_own_code);
	tcase_add_loop_test(tests, what_compilers_replace_is_reported_behind_its_calls, 0,
	                    COUNTED_CALLS);
	tcase_add_loop_test(tests, what_it_makes_as_its_result_is_not_told_in_its_own_code, 0,
	                    COUNTED_CALLS);
	tcase_add_test(tests, what_it_makes_by_new_is);
	tcase_add_test(tests, a_result_that_may_be_an_argument_is_reported_with_it);
	tcase_add_test(tests, a_class_that_allocates_nothing_stays_as_it_is);
	tcase_add_test(tests, classes_that_must_not_call_the_agent_stay_as_they_are);
	tcase_add_test(tests, hidden_classes_are_rewritten_where_they_are_defined);
	tcase_add_test(tests, unknown_attributes_of_code_are_dropped);
	tcase_add_test(tests, a_method_that_can_not_grow_is_left_alone_and_counted);
	tcase_add_test(tests, a_method_that_makes_what_is_no_class_is_left_alone_and_counted);
	tcase_add_test(tests, a_call_of_what_is_no_method_is_passed_over);
	tcase_add_test(tests, truncated_class_files_are_refused_and_counted);
	tcase_add_test(tests, in_a_method_that_is_too_long_the_first_allocations_report);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
