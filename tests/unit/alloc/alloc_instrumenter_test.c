/*
 * Tests of what the instrumenter of allocations puts into classes, and what it leaves
 * alone.
 */
#include "instrumented_class.h"
#include "alloc/alloc_instrumenter.h"
#include "alloc/mark_locals.h"
#include "classfile/instructions.h"
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
		ck_assert_uint_eq(method_after()->code_length, 11);
		ASSERT_CODE_AT(0, OP_NEW, 0, 2, OP_LDC, 2);
		ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Class;)I");
		ASSERT_CODE_AT(8, OP_POP, OP_POP, OP_RETURN);
		tear_down();
	}
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
}
END_TEST

START_TEST(before_version_49_a_new_object_is_reported_by_the_name_of_its_class)
{
	ck_assert(instrument(maker_of_object(48)));
	ck_assert_uint_eq(method_after()->code_length, 11);
	ASSERT_CODE_AT(0, OP_NEW, 0, 2, OP_LDC);
	uint8_t string = method_after()->code[4];
	ck_assert_uint_eq(constant_pool_tag(&after->pool, string), CONSTANT_STRING);
	struct classfile_name name;
	ck_assert(constant_pool_utf8(&after->pool,
	                             bytes_u2(constant_pool_data(&after->pool, string)), &name));
	ck_assert(classfile_name_is(name, "p/C"));
	ck_assert_str_eq(reported_at(5), "allocatedNamed(Ljava/lang/String;)I");
	ASSERT_CODE_AT(8, OP_POP, OP_POP, OP_RETURN);
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
	ck_assert_str_eq(reported_at(offset + 2), "allocatedArray(ILjava/lang/Class;)I");
}

START_TEST(arrays_of_primitive_types_are_reported_by_length_and_class)
{
	static const char *const classes[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};

	for (uint8_t i = 0; i < 8; i++) {
		ck_assert(instrument(maker_of_array((uint8_t)(4 + i))));
		ck_assert_uint_eq(method_after()->code_length, 13);
		ASSERT_CODE_AT(0, OP_ICONST_1, OP_NEWARRAY);
		ASSERT_CODE_AT(3, OP_DUP, OP_ARRAYLENGTH);
		assert_array_class_at(5, classes[i]);
		ASSERT_CODE_AT(10, OP_POP, OP_POP, OP_RETURN);
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
	ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Object;)I");
	tear_down();

	memset(name, 'C', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert(instrument(maker_of_objects(name, 52)));
	ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Object;)I");
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
		ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Object;)I");
		ASSERT_CODE_AT(8, OP_POP, OP_POP, OP_RETURN);
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
	ck_assert_str_eq(reported_at(behind + 1), "allocated(Ljava/lang/Object;)I");
	ASSERT_CODE_AT(behind + 4, OP_POP, OP_POP, OP_RETURN);
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
	ck_assert_str_eq(reported_at(5), "allocated(Ljava/lang/Class;)I");
}
END_TEST

START_TEST(a_result_that_may_be_an_argument_is_reported_with_it)
{
	ck_assert(instrument(caller_of(OP_INVOKESTATIC, "java/math/BigInteger", "implMultiplyToLen",
	                               "([II[II[I)[I", 5)));
	ASSERT_CODE_AT(0, OP_ACONST_NULL, OP_ASTORE, 4);
	ASSERT_CODE_AT(7, OP_ACONST_NULL, OP_DUP, OP_ASTORE, 4, OP_INVOKESTATIC);
	ASSERT_CODE_AT(14, OP_DUP, OP_ALOAD, 4);
	ck_assert_str_eq(reported_at(17), "allocatedUnless(Ljava/lang/Object;Ljava/lang/Object;)I");
	ASSERT_CODE_AT(20, OP_POP, OP_POP, OP_RETURN);
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
	return reports;
}

/* Four bytes for each site and six for each report, up to 65,535. */
START_TEST(in_a_method_that_is_too_long_the_first_allocations_report)
{
	enum { BYTES = 65535 - 1, FIT = BYTES / (4 + 6), SITES = 10000, LONGEST = BYTES / 4 };

	ck_assert_uint_eq(reports_of(FIT), FIT);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 0);
	uint32_t reports = reports_of(SITES);
	uint32_t room = (BYTES - 4 * SITES) / 6;
	ck_assert_uint_le(reports, room);
	ck_assert_uint_ge(reports, room - room / 8);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 1);
	ck_assert_uint_eq(instrumenter.sites_left_out, SITES - reports);
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
	ck_assert_uint_eq(reports_of(LONGEST - 3), 2);
}
END_TEST

/* ---- marks ------------------------------------------------------------- */

static void set_up_marks(void)
{
	set_up();
	instrumenter.marks_objects = true;
}

/* Instructions of the code below by their names. */
static const struct {
	uint8_t opcode;
	const char *name;
	bool has_local;
} mnemonics[] = {
        {OP_ACONST_NULL, "aconst_null", false},
        {OP_ICONST_0, "iconst_0", false},
        {OP_ICONST_1, "iconst_1", false},
        {OP_ICONST_2, "iconst_2", false},
        {OP_ILOAD, "iload", true},
        {OP_ISTORE, "istore", true},
        {OP_ALOAD, "aload", true},
        {OP_ASTORE, "astore", true},
        {OP_NEW, "new", false},
        {OP_NEWARRAY, "newarray", false},
        {OP_ANEWARRAY, "anewarray", false},
        {OP_MULTIANEWARRAY, "multianewarray", false},
        {OP_LDC, "ldc", false},
        {OP_DUP, "dup", false},
        {OP_POP, "pop", false},
        {OP_ARRAYLENGTH, "arraylength", false},
        {OP_IFEQ, "ifeq", false},
        {OP_GOTO, "goto", false},
        {OP_RETURN, "return", false},
        {OP_ARETURN, "areturn", false},
};

/* Adds the name of an instruction that is no call. */
static void add_mnemonic(char *text, size_t size, const uint8_t *bytes)
{
	for (size_t i = 0; i < sizeof(mnemonics) / sizeof(mnemonics[0]); i++) {
		size_t length = strlen(text);
		if (mnemonics[i].opcode != bytes[0])
			continue;
		if (mnemonics[i].has_local)
			(void)snprintf(text + length, size - length, "%s %u ", mnemonics[i].name,
			               bytes[1]);
		else
			(void)snprintf(text + length, size - length, "%s ", mnemonics[i].name);
		return;
	}
	ck_abort_msg("opcode %u after %s", bytes[0], text);
}

/* Adds the name of the method that is called. */
static void add_called(char *text, size_t size, const uint8_t *bytes)
{
	struct classfile_member member;
	size_t length = strlen(text);

	ck_assert(classfile_member_at(after, bytes_u2(bytes + 1), &member));
	(void)snprintf(text + length, size - length, "%.*s ", member.name.length,
	               (const char *)member.name.bytes);
}

/* The instrumented method's instructions, calls by the method's name; valid until the next call. */
static const char *code_after(void)
{
	static char text[2000];
	const struct classfile_method *method = method_after();
	uint32_t length;

	text[0] = '\0';
	for (uint32_t at = 0; at < method->code_length; at += length) {
		const uint8_t *bytes = method->code + at;
		length = instruction_length(method->code, at, method->code_length);
		ck_assert_uint_gt(length, 0);
		if (bytes[0] == OP_INVOKESTATIC || bytes[0] == OP_INVOKESPECIAL ||
		    bytes[0] == OP_INVOKEVIRTUAL)
			add_called(text, sizeof(text), bytes);
		else
			add_mnemonic(text, sizeof(text), bytes);
	}
	ck_assert_uint_lt(strlen(text), sizeof(text) - 1);
	text[strlen(text) - 1] = '\0';
	return text;
}

#define ASSERT_INSTRUMENTED(builder, code)                                    \
	do {                                                                  \
		ck_assert(instrument(builder));                               \
		ck_assert_str_eq(code_after(), code);                         \
		ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0); \
	} while (0)

/* A class, its constructor, and one that has an argument, in each class of marked_builder(). */
enum { C = 2, INIT = 8, INIT_OBJECT = 14 };

#define NEW_C OP_NEW, 0, C
#define CALL(method) OP_INVOKESPECIAL, 0, method

static struct class_builder *marked_builder(void)
{
	struct class_builder *builder = new_builder();

	builder->major = 49;
	builder->max_stack = 2;
	ck_assert_uint_eq(add_class(builder, "p/C"), C);
	ck_assert_uint_eq(add_member(builder, CONSTANT_METHODREF, "p/C", "<init>", "()V"), INIT);
	ck_assert_uint_eq(
	        add_member(builder, CONSTANT_METHODREF, "p/C", "<init>", "(Ljava/lang/Object;)V"),
	        INIT_OBJECT);
	return builder;
}

static struct class_builder *constructor_of_object(uint16_t major)
{
	struct class_builder *builder = marked_builder();

	builder->major = major;
	ADD_CODE(builder, NEW_C, OP_DUP, CALL(INIT), OP_POP, OP_RETURN);
	return builder;
}

START_TEST(without_marks_constructors_stay_as_they_are)
{
	instrumenter.marks_objects = false;
	ASSERT_INSTRUMENTED(constructor_of_object(52),
	                    "new ldc allocated pop dup <init> pop return");
	ck_assert_uint_eq(method_after()->max_locals, 4);
}
END_TEST

/* The result of instrumenting one `new`, its constructor's call and a pop. */
#define NEW_MARKED(allocated, local) \
	"new ldc " allocated " istore " local " dup <init> dup iload " local " mark pop"

START_TEST(a_new_object_is_marked_when_its_constructor_has_run)
{
	static const uint16_t versions[] = {49, 52};

	for (int i = 0; i < 2; i++) {
		ASSERT_INSTRUMENTED(constructor_of_object(versions[i]),
		                    "iconst_0 istore 4 " NEW_MARKED("allocated", "4") " return");
		ck_assert_str_eq(reported_at(8), "allocated(Ljava/lang/Class;)I");
		ck_assert_str_eq(reported_at(20), "mark(Ljava/lang/Object;I)V");
		ck_assert_uint_eq(method_after()->max_locals, 5);
		ck_assert_uint_ge(method_after()->max_stack, 3);
		tear_down();
	}
}
END_TEST

START_TEST(before_version_49_a_new_object_is_marked_too)
{
	ASSERT_INSTRUMENTED(constructor_of_object(48),
	                    "iconst_0 istore 4 " NEW_MARKED("allocatedNamed", "4") " return");
}
END_TEST

START_TEST(the_mark_of_a_nested_object_has_a_variable_of_its_own)
{
	struct class_builder *builder = marked_builder();

	builder->max_stack = 4;
	ADD_CODE(builder, NEW_C, OP_DUP, NEW_C, OP_DUP, CALL(INIT), CALL(INIT_OBJECT), OP_POP,
	         OP_RETURN);
	ASSERT_INSTRUMENTED(builder, "iconst_0 istore 4 iconst_0 istore 5 "
	                             "new ldc allocated istore 4 dup "
	                             "new ldc allocated istore 5 dup <init> dup iload 5 mark "
	                             "<init> dup iload 4 mark pop return");
	ck_assert_uint_eq(method_after()->max_locals, 6);
}
END_TEST

START_TEST(marks_of_objects_made_one_after_another_share_a_variable)
{
	struct class_builder *builder = marked_builder();

	ADD_CODE(builder, NEW_C, OP_DUP, CALL(INIT), OP_POP, NEW_C, OP_DUP, CALL(INIT), OP_POP,
	         OP_RETURN);
	ASSERT_INSTRUMENTED(builder,
	                    "iconst_0 istore 4 " NEW_MARKED("allocated", "4") " " NEW_MARKED(
	                            "allocated", "4") " return");
}
END_TEST

/* As arguments of one call: each is complete before the next is made. */
START_TEST(marks_of_objects_in_one_expression_share_what_is_free)
{
	struct class_builder *builder = marked_builder();

	builder->max_stack = 5;
	ADD_CODE(builder, NEW_C, OP_DUP, NEW_C, OP_DUP, CALL(INIT), OP_POP, NEW_C, OP_DUP,
	         CALL(INIT), CALL(INIT_OBJECT), OP_POP, OP_RETURN);
	ASSERT_INSTRUMENTED(builder,
	                    "iconst_0 istore 4 iconst_0 istore 5 "
	                    "new ldc allocated istore 4 dup " NEW_MARKED(
	                            "allocated", "5") " new ldc allocated istore 5 dup <init> dup "
	                                              "iload 5 mark <init> dup iload 4 mark "
	                                              "pop return");
}
END_TEST

START_TEST(an_object_with_two_constructor_calls_is_marked_after_each)
{
	struct class_builder *builder = marked_builder();

	builder->max_stack = 3;
	ADD_CODE(builder, NEW_C, OP_DUP, OP_ICONST_1, OP_IFEQ, 0, 9, CALL(INIT), OP_GOTO, 0, 6,
	         CALL(INIT), OP_POP, OP_RETURN);
	ASSERT_INSTRUMENTED(builder, "iconst_0 istore 4 new ldc allocated istore 4 dup "
	                             "iconst_1 ifeq <init> dup iload 4 mark goto "
	                             "<init> dup iload 4 mark pop return");
}
END_TEST

/* Only the object's last reference is on the stack, or it is in a variable, or is never complete.
 */
START_TEST(an_object_that_is_not_completed_for_certain_is_not_marked)
{
	struct class_builder *builder = marked_builder();

	ADD_CODE(builder, NEW_C, CALL(INIT), OP_RETURN);
	ASSERT_INSTRUMENTED(builder, "new ldc allocated pop <init> return");
	tear_down();
	builder = marked_builder();
	ADD_CODE(builder, NEW_C, OP_ASTORE, 0, OP_ALOAD, 0, CALL(INIT), OP_RETURN);
	ASSERT_INSTRUMENTED(builder, "new ldc allocated pop astore 0 aload 0 <init> return");
	tear_down();
	builder = marked_builder();
	ADD_CODE(builder, NEW_C, OP_POP, OP_RETURN);
	ASSERT_INSTRUMENTED(builder, "new ldc allocated pop pop return");
	ck_assert_uint_eq(method_after()->max_locals, 4);
}
END_TEST

/* Other objects of the method are. */
START_TEST(an_object_in_one_that_is_never_completed_is_marked)
{
	struct class_builder *builder = marked_builder();

	builder->max_stack = 4;
	ADD_CODE(builder, NEW_C, NEW_C, OP_DUP, CALL(INIT), OP_POP, OP_POP, OP_RETURN);
	ASSERT_INSTRUMENTED(builder, "iconst_0 istore 4 new ldc allocated pop " NEW_MARKED(
	                                     "allocated", "4") " pop return");
}
END_TEST

/* Objects each in the constructor's call of the one before. */
static struct class_builder *nest_of(uint32_t depth)
{
	static const uint8_t begin[] = {NEW_C, OP_DUP};
	static const uint8_t end[] = {CALL(INIT_OBJECT)};
	struct class_builder *builder = marked_builder();

	builder->max_stack = (uint16_t)(2 * depth);
	for (uint32_t i = 0; i < depth; i++)
		put(&builder->code, begin, sizeof(begin));
	ADD_CODE(builder, CALL(INIT));
	for (uint32_t i = 1; i < depth; i++)
		put(&builder->code, end, sizeof(end));
	ADD_CODE(builder, OP_POP, OP_RETURN);
	return builder;
}

/* How often the instrumented code has these instructions. */
static uint32_t count_in_code(const char *words)
{
	uint32_t count = 0;

	for (const char *at = code_after(); (at = strstr(at, words)) != NULL; at++)
		count++;
	return count;
}

START_TEST(objects_that_are_nested_too_deep_are_not_marked)
{
	ck_assert(instrument(nest_of(MARK_LOCALS_MAX)));
	ck_assert_uint_eq(count_in_code(" mark"), MARK_LOCALS_MAX);
	ck_assert_uint_eq(method_after()->max_locals, 4 + MARK_LOCALS_MAX);
	tear_down();
	ck_assert(instrument(nest_of(MARK_LOCALS_MAX + 2)));
	ck_assert_uint_eq(count_in_code("allocated istore"), MARK_LOCALS_MAX);
	ck_assert_uint_eq(count_in_code("allocated pop dup"), 2);
	ck_assert_uint_eq(count_in_code(" mark"), MARK_LOCALS_MAX);
	ck_assert_uint_eq(count_in_code("<init> <init> <init> dup iload 15 mark"), 1);
	ck_assert_uint_eq(method_after()->max_locals, 4 + MARK_LOCALS_MAX);
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
}
END_TEST

START_TEST(an_array_is_marked_where_it_is_made)
{
	ASSERT_INSTRUMENTED(
	        maker_of_array(10),
	        "iconst_1 newarray dup dup arraylength ldc allocatedArray mark pop return");
	tear_down();
	ASSERT_INSTRUMENTED(
	        maker_of_objects("p/C", 49),
	        "iconst_1 anewarray dup dup arraylength ldc allocatedArray mark pop return");
	ck_assert_uint_eq(method_after()->max_locals, 4);
	tear_down();
	ASSERT_INSTRUMENTED(maker_of_objects("p/C", 48),
	                    "iconst_1 anewarray dup dup allocated mark pop return");
}
END_TEST

START_TEST(arrays_of_arrays_are_marked_by_the_native_method)
{
	struct class_builder *builder = new_builder();

	ck_assert_uint_eq(add_class(builder, "[[I"), 2);
	ADD_CODE(builder, OP_ICONST_1, OP_ICONST_2, OP_MULTIANEWARRAY, 0, 2, 2, OP_POP, OP_RETURN);
	ASSERT_INSTRUMENTED(
	        builder,
	        "iconst_1 iconst_2 multianewarray dup iconst_2 allocatedArrays pop return");
}
END_TEST

START_TEST(results_of_calls_are_marked)
{
	ASSERT_INSTRUMENTED(caller_of(OP_INVOKEVIRTUAL, "[I", "clone", "()Ljava/lang/Object;", 1),
	                    "aconst_null clone dup dup allocated mark pop return");
	tear_down();
	ASSERT_INSTRUMENTED(
	        caller_of(OP_INVOKESTATIC, "java/lang/StringUTF16", "toBytes", "([CII)[B", 3),
	        "aconst_null aconst_null aconst_null toBytes "
	        "dup dup allocated mark pop return");
}
END_TEST

START_TEST(a_result_that_may_be_an_argument_is_marked_by_what_is_said_of_it)
{
	ASSERT_INSTRUMENTED(caller_of(OP_INVOKESTATIC, "java/math/BigInteger", "implMultiplyToLen",
	                              "([II[II[I)[I", 5),
	                    "aconst_null astore 4 aconst_null aconst_null aconst_null aconst_null "
	                    "aconst_null dup astore 4 implMultiplyToLen dup dup aload 4 "
	                    "allocatedUnless mark pop return");
	ck_assert_uint_eq(method_after()->max_locals, 5);
}
END_TEST

/* Its result is not: its callers mark it. */
START_TEST(what_a_counted_call_makes_by_new_is_marked)
{
	struct class_builder *builder = marked_builder();

	builder->name = counted_calls[0].class_name;
	builder->method = counted_calls[0].name;
	builder->descriptor = counted_calls[0].descriptor;
	ADD_CODE(builder, OP_ICONST_1, OP_ANEWARRAY, 0, C, OP_POP, NEW_C, OP_DUP, CALL(INIT),
	         OP_POP, OP_RETURN);
	ASSERT_INSTRUMENTED(builder, "iconst_0 istore 4 iconst_1 anewarray pop " NEW_MARKED(
	                                     "allocated", "4") " return");
}
END_TEST

/* Hidden classes, an argument that may be a result, and marks. */
START_TEST(all_that_is_prepared_is_in_one_entry)
{
	struct class_builder *builder = definer_in("java/lang/System$2");

	builder->major = 49;
	builder->max_stack = 5;
	builder->code.length = 0;
	uint16_t c = add_class(builder, "p/C");
	uint16_t init = add_member(builder, CONSTANT_METHODREF, "p/C", "<init>", "()V");
	uint16_t multiply = add_member(builder, CONSTANT_METHODREF, "java/math/BigInteger",
	                               "implMultiplyToLen", "([II[II[I)[I");
	put_repeated(&builder->code, OP_ACONST_NULL, 5);
	put1(&builder->code, OP_INVOKESTATIC);
	put2(&builder->code, multiply);
	put1(&builder->code, OP_POP);
	put1(&builder->code, OP_NEW);
	put2(&builder->code, c);
	put1(&builder->code, OP_DUP);
	put1(&builder->code, OP_INVOKESPECIAL);
	put2(&builder->code, init);
	ADD_CODE(builder, OP_ARETURN);
	ASSERT_INSTRUMENTED(builder,
	                    "aload 4 rewritten astore 4 aconst_null astore 9 iconst_0 istore 10 "
	                    "aconst_null aconst_null aconst_null aconst_null aconst_null "
	                    "dup astore 9 implMultiplyToLen dup dup aload 9 allocatedUnless mark "
	                    "pop new ldc allocated istore 10 dup <init> dup iload 10 mark areturn");
	ck_assert_uint_eq(method_after()->max_locals, 11);
}
END_TEST

struct calls {
	uint32_t reports;
	uint32_t marks;
};

/* Counts the calls of HprofHeap in code of one class and constructor. */
static struct calls count_calls(void)
{
	const struct classfile_method *method = method_after();
	struct calls calls = {0, 0};
	uint32_t length;

	for (uint32_t at = 0; at < method->code_length; at += length) {
		length = instruction_length(method->code, at, method->code_length);
		ck_assert_uint_gt(length, 0);
		if (method->code[at] != OP_INVOKESTATIC)
			continue;
		bool is_mark = strncmp(reported_at(at), "mark(", 5) == 0;
		calls.marks += is_mark;
		calls.reports += !is_mark;
	}
	return calls;
}

/* Those in a method of that many objects one after another. */
static struct calls calls_of(uint32_t sites)
{
	static const uint8_t code[] = {NEW_C, OP_DUP, CALL(INIT), OP_POP};
	struct class_builder *builder = marked_builder();

	for (uint32_t i = 0; i < sites; i++)
		put(&builder->code, code, sizeof(code));
	ADD_CODE(builder, OP_RETURN);
	ck_assert(instrument(builder));
	struct calls calls = count_calls();
	return calls;
}

/* Eight bytes for each site and 13 for report and mark, three at the entry, up to 65,535. */
START_TEST(in_a_method_that_is_too_long_what_reports_is_marked)
{
	enum { BYTES = 65535 - 1 - 3, FIT = BYTES / (8 + 13), SITES = 5000 };
	struct calls calls = calls_of(FIT);

	ck_assert_uint_eq(calls.reports, FIT);
	ck_assert_uint_eq(calls.marks, FIT);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 0);
	calls = calls_of(SITES);
	uint32_t room = (BYTES - 8 * SITES) / 13;
	ck_assert_uint_eq(calls.marks, calls.reports);
	ck_assert_uint_le(calls.reports, room);
	ck_assert_uint_ge(calls.reports, room - room / 8);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 1);
	ck_assert_uint_eq(instrumenter.sites_left_out, SITES - calls.reports);
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
}
END_TEST

/* Its constructor is called after what does not report any more; an object from there has no
 * mark, so that none of another object is used for it. */
START_TEST(in_a_method_that_is_too_long_an_object_is_marked_at_the_end)
{
	enum { SITES = 16000 };
	static const uint8_t array[] = {OP_ICONST_1, OP_NEWARRAY, 10, OP_POP};
	struct class_builder *builder = marked_builder();

	builder->max_stack = 4;
	ADD_CODE(builder, NEW_C, OP_DUP);
	for (uint32_t i = 0; i < SITES; i++)
		put(&builder->code, array, sizeof(array));
	ADD_CODE(builder, NEW_C, OP_DUP, CALL(INIT), CALL(INIT_OBJECT), OP_POP, OP_RETURN);
	ck_assert(instrument(builder));
	struct calls calls = count_calls();
	ck_assert_uint_gt(calls.reports, 1);
	ck_assert_uint_eq(calls.marks, calls.reports);
	ck_assert_uint_eq(instrumenter.sites_left_out, SITES + 2 - calls.reports);
	uint32_t end = method_after()->code_length;
	ASSERT_CODE_AT(end - 18, NEW_C, OP_DUP, CALL(INIT), OP_INVOKESPECIAL);
	ASSERT_CODE_AT(end - 8, OP_DUP, OP_ILOAD, 4, OP_INVOKESTATIC);
	ck_assert_uint_eq(method_after()->max_locals, 5);
}
END_TEST

/* The entry is not written for nothing. */
START_TEST(in_a_method_that_can_not_grow_nothing_is_marked)
{
	struct class_builder *builder = marked_builder();

	put_repeated(&builder->code, OP_NOP, 65525);
	ADD_CODE(builder, NEW_C, OP_DUP, CALL(INIT), OP_POP, OP_RETURN);
	ck_assert(!instrument(builder));
	ck_assert_uint_eq(instrumenter.rewriting.methods_skipped, 0);
	ck_assert_uint_eq(instrumenter.rewriting.methods_reduced, 1);
	ck_assert_uint_eq(instrumenter.sites_left_out, 1);
}
END_TEST

static TCase *marks_case(void)
{
	TCase *tests = tcase_create("marks");

	tcase_add_checked_fixture(tests, set_up_marks, tear_down);
	tcase_add_test(tests, without_marks_constructors_stay_as_they_are);
	tcase_add_test(tests, a_new_object_is_marked_when_its_constructor_has_run);
	tcase_add_test(tests, before_version_49_a_new_object_is_marked_too);
	tcase_add_test(tests, the_mark_of_a_nested_object_has_a_variable_of_its_own);
	tcase_add_test(tests, marks_of_objects_made_one_after_another_share_a_variable);
	tcase_add_test(tests, marks_of_objects_in_one_expression_share_what_is_free);
	tcase_add_test(tests, an_object_with_two_constructor_calls_is_marked_after_each);
	tcase_add_test(tests, an_object_that_is_not_completed_for_certain_is_not_marked);
	tcase_add_test(tests, an_object_in_one_that_is_never_completed_is_marked);
	tcase_add_test(tests, objects_that_are_nested_too_deep_are_not_marked);
	tcase_add_test(tests, an_array_is_marked_where_it_is_made);
	tcase_add_test(tests, arrays_of_arrays_are_marked_by_the_native_method);
	tcase_add_test(tests, results_of_calls_are_marked);
	tcase_add_test(tests, a_result_that_may_be_an_argument_is_marked_by_what_is_said_of_it);
	tcase_add_test(tests, what_a_counted_call_makes_by_new_is_marked);
	tcase_add_test(tests, all_that_is_prepared_is_in_one_entry);
	tcase_add_test(tests, in_a_method_that_is_too_long_what_reports_is_marked);
	tcase_add_test(tests, in_a_method_that_is_too_long_an_object_is_marked_at_the_end);
	tcase_add_test(tests, in_a_method_that_can_not_grow_nothing_is_marked);
	return tests;
}

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
	suite_add_tcase(suite, marks_case());
	return run_suite(suite);
}
