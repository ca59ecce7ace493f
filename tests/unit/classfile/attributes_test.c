/*
 * classfile_attributes_test.c: line numbers, local variables and type annotations
 * follow the code, and constants are added to the pool once.
 */
#include "classfile/pool_builder.h"
#include "classfile_plan.h"
#include "run_suite.h"

#define U2(value) (uint8_t)((value) >> 8), (uint8_t)(value)

/* Five nops, a sipush at 5, pop at 8 and return at 9. */
static struct class_builder *ten_bytes(void)
{
	struct class_builder *builder = new_builder();

	ADD_CODE(builder, OP_NOP, OP_NOP, OP_NOP, OP_NOP, OP_NOP, OP_SIPUSH, 0, 0, OP_POP,
	         OP_RETURN);
	return builder;
}

/* Three bytes at entry, one before the sipush at 5 and two after it. */
#define SPREAD(builder) REWRITE(builder, {AT_ENTRY, 0, 3, 0}, {BEFORE, 5, 1, 0}, {AFTER, 5, 2, 0})

START_TEST(lines_begin_with_the_code_inserted_before_their_first_instruction)
{
	struct class_builder *builder = ten_bytes();

	/* The entry at 6 is inside the sipush, that at 20 is no code at all. */
	ADD_ATTRIBUTE(builder, "LineNumberTable", U2(6), U2(0), U2(11), U2(5), U2(12), U2(6),
	              U2(13), U2(2), U2(14), U2(20), U2(15), U2(9), U2(16));
	struct rewritten rewritten = SPREAD(builder);

	ASSERT_ATTRIBUTE(&rewritten, "LineNumberTable", U2(5), U2(0), U2(11), U2(8), U2(12), U2(14),
	                 U2(13), U2(5), U2(14), U2(15), U2(16));
	release(&rewritten);
}
END_TEST

START_TEST(the_reader_gives_lines_in_the_order_of_the_file)
{
	struct class_builder *builder = ten_bytes();
	struct classfile_line lines[2];

	ADD_ATTRIBUTE(builder, "LineNumberTable", U2(2), U2(5), U2(12), U2(0), U2(65535));
	ADD_ATTRIBUTE(builder, "LineNumberTable", U2(1), U2(8), U2(13));
	struct rewritten rewritten = SPREAD(builder);

	ck_assert_uint_eq(classfile_method_lines(rewritten.after, 0, lines, 2), 3);
	ck_assert_uint_eq(lines[0].offset, 8);
	ck_assert_uint_eq(lines[0].line, 12);
	ck_assert_uint_eq(lines[1].offset, 0);
	ck_assert_uint_eq(lines[1].line, 65535);
	release(&rewritten);
}
END_TEST

START_TEST(local_variables_keep_the_instructions_that_they_span)
{
	struct class_builder *builder = ten_bytes();

	ADD_ATTRIBUTE(builder, "LocalVariableTable", U2(4), /* */
	              U2(0), U2(10), U2(1), U2(1), U2(0),   /* all of the code */
	              U2(2), U2(3), U2(1), U2(1), U2(1),    /* up to the sipush */
	              U2(8), U2(2), U2(1), U2(1), U2(2),    /* from the pop to the end */
	              U2(6), U2(4), U2(1), U2(1), U2(3));   /* from inside the sipush */
	ADD_ATTRIBUTE(builder, "LocalVariableTypeTable", U2(2), U2(5), U2(3), U2(1), U2(1), U2(0),
	              U2(6), U2(4), U2(1), U2(1), U2(3));
	struct rewritten rewritten = SPREAD(builder);

	ASSERT_ATTRIBUTE(&rewritten, "LocalVariableTable", U2(3), U2(0), U2(16), U2(1), U2(1),
	                 U2(0), U2(5), U2(3), U2(1), U2(1), U2(1), U2(14), U2(2), U2(1), U2(1),
	                 U2(2));
	ASSERT_ATTRIBUTE(&rewritten, "LocalVariableTypeTable", U2(1), U2(8), U2(6), U2(1), U2(1),
	                 U2(0));
	release(&rewritten);
}
END_TEST

#define NO_PATH_TYPE_1 0, U2(1), U2(0)

START_TEST(type_annotations_follow_what_they_annotate)
{
	struct class_builder *builder = ten_bytes();

	ADD_ATTRIBUTE(builder, "RuntimeVisibleTypeAnnotations", U2(6), /* */
	              0x40, U2(2), U2(2), U2(3), U2(7), U2(0), U2(10), U2(8), NO_PATH_TYPE_1, 0x42,
	              U2(3), NO_PATH_TYPE_1,                 /* a catch */
	              0x44, U2(5), NO_PATH_TYPE_1,           /* a new */
	              0x47, U2(9), 1, 1, 3, 0, U2(1), U2(0), /* a cast, with a type path */
	              0x43, U2(65535), NO_PATH_TYPE_1,       /* where there is no code */
	              0x16, 2, NO_PATH_TYPE_1);
	struct rewritten rewritten = SPREAD(builder);

	/* A new is at its instruction, after the code inserted before it. */
	ASSERT_ATTRIBUTE(&rewritten, "RuntimeVisibleTypeAnnotations", U2(6), 0x40, U2(2), U2(5),
	                 U2(3), U2(7), U2(0), U2(16), U2(8), NO_PATH_TYPE_1, 0x42, U2(3),
	                 NO_PATH_TYPE_1, 0x44, U2(9), NO_PATH_TYPE_1, 0x47, U2(15), 1, 1, 3, 0,
	                 U2(1), U2(0), 0x43, U2(65535), NO_PATH_TYPE_1, 0x16, 2, NO_PATH_TYPE_1);
	release(&rewritten);
}
END_TEST

START_TEST(values_in_type_annotations_are_stepped_over)
{
	struct class_builder *builder = ten_bytes();

	ADD_ATTRIBUTE(
	        builder, "RuntimeInvisibleTypeAnnotations", U2(2), 0x44, U2(5), 0, U2(1), U2(4),
	        /* an int, an enum, an annotation with a class in it, an array */
	        U2(2), 'I', U2(3), U2(2), 'e', U2(3), U2(4), U2(2), '@', U2(1), U2(1), U2(2), 'c',
	        U2(3), U2(2), '[', U2(2), 's', U2(1), '[', U2(0), 0x44, U2(8), NO_PATH_TYPE_1);
	struct rewritten rewritten = SPREAD(builder);

	ASSERT_ATTRIBUTE(&rewritten, "RuntimeInvisibleTypeAnnotations", U2(2), 0x44, U2(9), 0,
	                 U2(1), U2(4), U2(2), 'I', U2(3), U2(2), 'e', U2(3), U2(4), U2(2), '@',
	                 U2(1), U2(1), U2(2), 'c', U2(3), U2(2), '[', U2(2), 's', U2(1), '[', U2(0),
	                 0x44, U2(14), NO_PATH_TYPE_1);
	release(&rewritten);
}
END_TEST

START_TEST(malformed_tables_leave_the_method_alone)
{
	static const struct {
		const char *name;
		uint8_t bytes[12];
		size_t length;
	} broken[] = {
	        {"LineNumberTable", {U2(2), U2(0), U2(1)}, 6},
	        {"LineNumberTable", {U2(0), 9}, 3},
	        {"LocalVariableTable", {U2(1), U2(0), U2(1)}, 6},
	        {"LocalVariableTypeTable", {0}, 1},
	        {"RuntimeVisibleTypeAnnotations", {U2(1), 0x99, 0, 0, 0, 0}, 7},
	        {"RuntimeVisibleTypeAnnotations", {U2(1), 0x44, U2(5), 0, U2(1), U2(1)}, 10},
	        {"RuntimeVisibleTypeAnnotations", {U2(1), 0x40, U2(9), U2(0)}, 7},
	        {"RuntimeInvisibleTypeAnnotations", {U2(0), 1}, 3},
	};
	struct class_builder *builder = ten_bytes();

	add_attribute(builder, broken[_i].name, broken[_i].bytes, broken[_i].length);
	struct rewritten rewritten = SPREAD(builder);

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
	release(&rewritten);
}
END_TEST

START_TEST(annotations_nested_without_end_are_refused)
{
	struct class_builder *builder = ten_bytes();
	struct built_bytes *body = calloc(1, sizeof(*body));

	ck_assert_ptr_nonnull(body);
	put2(body, 1);
	put1(body, 0x44);
	put2(body, 5);
	put1(body, 0);
	put2(body, 1);
	put2(body, 1);
	put2(body, 1);
	for (int i = 0; i < 100000; i++) {
		put1(body, '[');
		put2(body, 1);
	}
	add_attribute(builder, "RuntimeVisibleTypeAnnotations", body->bytes, body->length);
	free(body);
	struct rewritten rewritten = SPREAD(builder);

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
	release(&rewritten);
}
END_TEST

START_TEST(an_unknown_attribute_of_code_leaves_the_method_alone)
{
	struct class_builder *builder = ten_bytes();

	ADD_ATTRIBUTE(builder, "CharacterRangeTable", U2(0));
	struct rewritten rewritten = SPREAD(builder);

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_UNKNOWN_ATTRIBUTE);
	release(&rewritten);
}
END_TEST

START_TEST(an_unknown_attribute_of_code_is_dropped_on_request)
{
	struct class_builder *builder = ten_bytes();
	struct wanted list[] = {{AT_ENTRY, 0, 1, 0}, {LIST_END, 0, 0, 0}};
	struct rewrite_plan plan = {
	        .context = list, .edit = edit_by_list, .drop_unknown_code_attributes = true};
	size_t length;

	ADD_ATTRIBUTE(builder, "CharacterRangeTable", U2(0));
	ADD_ATTRIBUTE(builder, "LineNumberTable", U2(0));
	struct rewritten rewritten = rewrite_built(builder, &plan);

	ck_assert_ptr_null(new_attribute(&rewritten, "CharacterRangeTable", &length));
	ASSERT_ATTRIBUTE(&rewritten, "LineNumberTable", U2(0));
	release(&rewritten);
}
END_TEST

static void emit_constants(void *context, const struct classfile *classfile,
                           const struct classfile_method *method, struct method_edit *edit)
{
	uint16_t local = method_edit_add_local(edit, "D");
	struct code_emitter *emitter = method_edit_entry(edit);

	(void)context;
	(void)classfile;
	(void)method;
	ck_assert_uint_eq(local, 4);
	for (int i = 0; i < 2; i++) {
		emit_push_int(emitter, 100);
		emit_push_int(emitter, -1000);
		emit_push_int(emitter, 100000);
		emit_invokestatic(emitter, "T", "call", "(III)V");
		emit_push_long(emitter, 0);
		emit_push_long(emitter, -2);
		emit_push_long(emitter, INT64_C(1) << 40);
		emit_op(emitter, OP_LADD);
		emit_op(emitter, OP_LADD);
		emit_putstatic(emitter, "T", "sum", "J");
		emit_push_string(emitter, "text");
		emit_op(emitter, OP_POP);
		emit_getstatic(emitter, "T", "ratio", "D");
		emit_store(emitter, 'D', local);
		emit_load(emitter, 'D', local);
		emit_op(emitter, OP_POP2);
	}
}

START_TEST(each_constant_is_added_once_and_those_of_the_class_are_used)
{
	struct class_builder *builder = new_builder();
	struct rewrite_plan plan = {.edit = emit_constants};

	ADD_CODE(builder, OP_RETURN);
	ck_assert_uint_eq(add_utf8(builder, "unused"), 1);
	struct rewritten rewritten = rewrite_built(builder, &plan);
	const struct classfile_method *method = &new_method(&rewritten)->view;
	struct classfile_member member;

	ck_assert_uint_eq(method->code_length, 2 * 33 + 1);
	assert_bytes("the second round", method->code + 33, 33, method->code, 33);
	ck_assert_uint_eq(method->max_stack, 6);
	ck_assert_uint_eq(method->max_locals, 6);
	ck_assert_uint_eq(method->code[0], OP_BIPUSH);
	ck_assert_uint_eq(method->code[2], OP_SIPUSH);
	ck_assert_uint_eq(bytes_u2(method->code + 3), 0xFC18);
	ck_assert_uint_eq(method->code[5], OP_LDC);
	ck_assert(classfile_member_at(rewritten.after, bytes_u2(method->code + 8), &member));
	ck_assert(classfile_name_is(member.class_name, "T"));
	ck_assert(classfile_name_is(member.name, "call"));
	ck_assert(classfile_name_is(member.descriptor, "(III)V"));
	/* T's Class constant is the one that was there. */
	ck_assert_uint_eq(
	        bytes_u2(constant_pool_data(&rewritten.after->pool, bytes_u2(method->code + 8))),
	        rewritten.before->this_class);
	release(&rewritten);
}
END_TEST

/* What is pushed of which constant. */
struct class_push {
	uint16_t index;
	bool name;
};

static void emit_class(void *context, const struct classfile *classfile,
                       const struct classfile_method *method, struct method_edit *edit)
{
	const struct class_push *push = context;
	struct code_emitter *emitter = method_edit_entry(edit);

	(void)classfile;
	(void)method;
	if (push->name)
		emit_push_class_name_at(emitter, push->index);
	else
		emit_push_class_at(emitter, push->index);
	emit_op(emitter, OP_POP);
}

/* The method does nothing but push; unused constants come before its class. */
static struct rewritten push_class(uint16_t major, uint32_t unused, struct class_push push)
{
	struct class_builder *builder = new_builder();
	struct rewrite_plan plan = {.context = &push, .edit = emit_class};

	builder->major = major;
	ADD_CODE(builder, OP_RETURN);
	for (uint32_t i = 0; i < unused; i++)
		add_utf8(builder, "unused");
	add_class(builder, "p/C");
	return rewrite_built(builder, &plan);
}

START_TEST(a_class_is_pushed_by_the_constant_that_the_code_has)
{
	struct rewritten rewritten = push_class(49, 0, (struct class_push){2, false});

	ASSERT_CODE(&rewritten, OP_LDC, 2, OP_POP, OP_RETURN);
	ck_assert_uint_eq(rewritten.after->pool.count, rewritten.before->pool.count);
	release(&rewritten);
}
END_TEST

START_TEST(a_class_whose_index_needs_two_bytes_is_pushed_by_ldc_w)
{
	struct rewritten rewritten = push_class(52, 253, (struct class_push){255, false});

	ASSERT_CODE(&rewritten, OP_LDC, 255, OP_POP, OP_RETURN);
	release(&rewritten);
	rewritten = push_class(52, 254, (struct class_push){256, false});
	ASSERT_CODE(&rewritten, OP_LDC_W, 1, 0, OP_POP, OP_RETURN);
	release(&rewritten);
}
END_TEST

START_TEST(a_class_s_name_is_pushed_as_a_string_in_any_version)
{
	for (uint16_t major = 46; major <= 52; major = (uint16_t)(major + 6)) {
		struct rewritten rewritten = push_class(major, 0, (struct class_push){2, true});
		const struct classfile_method *method = &new_method(&rewritten)->view;
		const struct constant_pool *pool = &rewritten.after->pool;

		ck_assert_uint_eq(method->code[0], OP_LDC);
		ck_assert_uint_eq(constant_pool_tag(pool, method->code[1]), CONSTANT_STRING);
		/* The text is the one that the class has. */
		ck_assert_uint_eq(bytes_u2(constant_pool_data(pool, method->code[1])), 1);
		release(&rewritten);
	}
}
END_TEST

START_TEST(what_can_not_be_pushed_as_a_class_leaves_the_method_alone)
{
	static const struct {
		uint16_t major;
		struct class_push push;
	} bad[] = {
	        {48, {2, false}}, {52, {1, false}}, {52, {0, false}},   {52, {9999, false}},
	        {52, {1, true}},  {52, {0, true}},  {52, {9999, true}},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rewritten rewritten = push_class(bad[i].major, 0, bad[i].push);

		ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_BAD_PLAN);
		release(&rewritten);
	}
}
END_TEST

START_TEST(a_full_constant_pool_leaves_the_method_alone)
{
	struct class_builder *builder = new_builder();
	struct rewrite_plan plan = {.edit = emit_constants};

	ADD_CODE(builder, OP_RETURN);
	while (builder->pool_count < 65535 - 7 - 15) {
		put1(&builder->pool, CONSTANT_INTEGER);
		put4(&builder->pool, builder->pool_count++);
	}
	struct rewritten rewritten = rewrite_built(builder, &plan);

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_POOL_FULL);
	release(&rewritten);
}
END_TEST

/* A pool of one Utf8 constant, "abc", at index 1. */
static const uint8_t small_pool[] = {0, CONSTANT_UTF8, 0, 3, 'a', 'b', 'c'};

START_TEST(constants_that_a_method_added_in_vain_are_taken_back)
{
	uint32_t offsets[] = {0, 1};
	struct constant_pool pool = {small_pool, offsets, 2};
	struct pool_builder builder;
	struct pool_mark mark;

	pool_builder_init(&builder, &pool, class_memory_or_default(NULL));
	ck_assert_uint_eq(pool_builder_text(&builder, "abc"), 1);
	ck_assert_uint_eq(pool_builder_text(&builder, "x"), 2);
	mark = pool_builder_mark(&builder);
	ck_assert_uint_eq(pool_builder_long(&builder, 7), 3);
	ck_assert_uint_eq(pool_builder_long(&builder, 7), 3);
	ck_assert_uint_eq(pool_builder_text(&builder, "y"), 5);
	ck_assert_uint_eq(pool_builder_long(&builder, 8), 6);
	ck_assert_uint_eq(builder.count, 8);
	pool_builder_roll_back(&builder, mark);
	ck_assert_uint_eq(builder.count, 3);
	ck_assert_uint_eq(pool_builder_text(&builder, "x"), 2);
	ck_assert_uint_eq(pool_builder_text(&builder, "y"), 3);
	ck_assert_uint_eq(pool_builder_long(&builder, 7), 4);
	ck_assert_uint_eq(pool_builder_class(&builder, pool_builder_name("abc")), 6);
	ck_assert_uint_eq(pool_builder_string(&builder, pool_builder_name("abc")), 7);
	ck_assert_uint_eq(pool_builder_integer(&builder, 7), 8);
	pool_builder_free(&builder);
}
END_TEST

static void fail_first_method(void *context, const struct classfile *classfile,
                              const struct classfile_method *method, struct method_edit *edit)
{
	struct code_emitter *emitter = method_edit_entry(edit);

	(void)context;
	(void)classfile;
	emit_push_string(emitter, method->index ? "second" : "first");
	if (method->index)
		emit_op(emitter, OP_POP);
}

START_TEST(a_method_left_alone_leaves_no_constants_behind)
{
	struct class_builder *builder = new_builder();
	struct rewrite_plan plan = {.edit = fail_first_method};

	builder->twice = true;
	ADD_CODE(builder, OP_RETURN);
	struct rewritten rewritten = rewrite_built(builder, &plan);

	ck_assert_int_eq((int)rewritten.status, (int)REWRITE_CHANGED);
	ck_assert_uint_eq(rewritten.result.methods_rewritten, 1);
	ck_assert_uint_eq(rewritten.result.skipped[REWRITE_SKIP_BAD_PLAN], 1);
	ck_assert_uint_eq(rewritten.after->pool.count, rewritten.before->pool.count + 2u);
	ck_assert_uint_eq(rewritten.after->methods[0].view.code_length, 1);
	ck_assert_uint_eq(rewritten.after->methods[1].view.code_length, 4);
	release(&rewritten);
}
END_TEST

START_TEST(the_pool_takes_65534_constants_and_no_more)
{
	uint32_t offsets[] = {0, 1};
	struct constant_pool pool = {small_pool, offsets, 2};
	struct pool_builder builder;
	struct pool_mark mark;

	pool_builder_init(&builder, &pool, class_memory_or_default(NULL));
	mark = pool_builder_mark(&builder);
	for (int32_t i = 2; i < 65534; i++)
		ck_assert_uint_eq(pool_builder_integer(&builder, i), (unsigned)i);
	ck_assert_uint_eq(pool_builder_long(&builder, 1), 0);
	ck_assert(builder.full);
	ck_assert_uint_eq(pool_builder_integer(&builder, 0), 65534);
	ck_assert_uint_eq(pool_builder_integer(&builder, 1), 0);
	ck_assert_uint_eq(pool_builder_integer(&builder, 65533), 65533);
	ck_assert_uint_eq(builder.count, 65535);
	pool_builder_roll_back(&builder, mark);
	ck_assert(!builder.full);
	ck_assert_uint_eq(pool_builder_long(&builder, 1), 2);
	pool_builder_free(&builder);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("classfile attributes");
	TCase *attributes = tcase_create("attributes");
	TCase *pool = tcase_create("pool");

	tcase_add_test(attributes,
	               lines_begin_with_the_code_inserted_before_their_first_instruction);
	tcase_add_test(attributes, the_reader_gives_lines_in_the_order_of_the_file);
	tcase_add_test(attributes, local_variables_keep_the_instructions_that_they_span);
	tcase_add_test(attributes, type_annotations_follow_what_they_annotate);
	tcase_add_test(attributes, values_in_type_annotations_are_stepped_over);
	tcase_add_loop_test(attributes, malformed_tables_leave_the_method_alone, 0, 8);
	tcase_add_test(attributes, annotations_nested_without_end_are_refused);
	tcase_add_test(attributes, an_unknown_attribute_of_code_leaves_the_method_alone);
	tcase_add_test(attributes, an_unknown_attribute_of_code_is_dropped_on_request);
	tcase_add_test(pool, each_constant_is_added_once_and_those_of_the_class_are_used);
	tcase_add_test(pool, a_class_is_pushed_by_the_constant_that_the_code_has);
	tcase_add_test(pool, a_class_whose_index_needs_two_bytes_is_pushed_by_ldc_w);
	tcase_add_test(pool, a_class_s_name_is_pushed_as_a_string_in_any_version);
	tcase_add_test(pool, what_can_not_be_pushed_as_a_class_leaves_the_method_alone);
	tcase_add_test(pool, a_full_constant_pool_leaves_the_method_alone);
	tcase_add_test(pool, constants_that_a_method_added_in_vain_are_taken_back);
	tcase_add_test(pool, a_method_left_alone_leaves_no_constants_behind);
	tcase_add_test(pool, the_pool_takes_65534_constants_and_no_more);
	suite_add_tcase(suite, attributes);
	suite_add_tcase(suite, pool);
	return run_suite(suite);
}
