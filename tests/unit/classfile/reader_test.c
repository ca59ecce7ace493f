/*
 * classfile_reader_test.c: what the class-file reader accepts and says of a
 * class, and that it refuses what is cut short or wrong without reading past the
 * end (each input is in a block of exactly its size, for the address sanitizer).
 */
#include "classfile/instructions.h"
#include "classfile_plan.h"
#include "run_suite.h"

/* A class with all that the reader looks at: constants of each kind, tables, attributes. */
static struct class_builder *full_class(void)
{
	static const uint8_t constants[] = {CONSTANT_INTEGER,
	                                    0,
	                                    0,
	                                    0,
	                                    1,
	                                    CONSTANT_FLOAT,
	                                    0,
	                                    0,
	                                    0,
	                                    1,
	                                    CONSTANT_LONG,
	                                    0,
	                                    0,
	                                    0,
	                                    0,
	                                    0,
	                                    0,
	                                    0,
	                                    1,
	                                    CONSTANT_DOUBLE,
	                                    0,
	                                    0,
	                                    0,
	                                    0,
	                                    0,
	                                    0,
	                                    0,
	                                    1,
	                                    CONSTANT_STRING,
	                                    0,
	                                    1,
	                                    CONSTANT_METHOD_HANDLE,
	                                    1,
	                                    0,
	                                    1,
	                                    CONSTANT_METHOD_TYPE,
	                                    0,
	                                    1,
	                                    CONSTANT_DYNAMIC,
	                                    0,
	                                    0,
	                                    0,
	                                    1,
	                                    CONSTANT_INVOKE_DYNAMIC,
	                                    0,
	                                    0,
	                                    0,
	                                    1,
	                                    CONSTANT_MODULE,
	                                    0,
	                                    1,
	                                    CONSTANT_PACKAGE,
	                                    0,
	                                    1};
	struct class_builder *builder = new_builder();

	add_utf8(builder, "first");
	put(&builder->pool, constants, sizeof(constants));
	builder->pool_count = (uint16_t)(builder->pool_count + 13);
	add_member(builder, CONSTANT_METHODREF, "p/Other", "call", "(I)V");
	add_member(builder, CONSTANT_INTERFACE_METHODREF, "p/Face", "face", "()V");
	add_member(builder, CONSTANT_FIELDREF, "p/Other", "field", "[I");
	ADD_CODE(builder, OP_NOP, OP_RETURN, OP_ATHROW);
	add_exception(builder, 0, 1, 2, 0);
	ADD_ATTRIBUTE(builder, "LineNumberTable", 0, 1, 0, 0, 0, 7);
	ADD_ATTRIBUTE(builder, "StackMapTable", 0, 1, 64 + 2, 7, 0, 16);
	return builder;
}

static struct classfile *parse_copy(const uint8_t *bytes, size_t length, uint8_t **copy,
                                    struct classfile_error *error)
{
	*copy = malloc(length ? length : 1);
	ck_assert_ptr_nonnull(*copy);
	memcpy(*copy, bytes, length);
	return classfile_parse(*copy, length, NULL, error);
}

START_TEST(a_class_is_read_with_its_names_and_methods)
{
	struct class_builder *builder = full_class();
	size_t length;
	uint8_t *bytes = build_class(builder, &length);
	struct classfile_error error = {"none", 0};
	struct classfile *classfile = classfile_parse(bytes, length, NULL, &error);
	const struct classfile_method *method;
	struct classfile_line line;

	ck_assert_msg(classfile != NULL, "%s at %zu", error.reason, error.offset);
	ck_assert_uint_eq(classfile_major_version(classfile), 52);
	ck_assert_uint_eq(classfile_minor_version(classfile), 0);
	ck_assert_uint_eq(classfile_access_flags(classfile), 0x21);
	ck_assert(classfile_name_is(classfile_class_name(classfile), "T"));
	ck_assert(classfile_name_is(classfile_super_name(classfile), "java/lang/Object"));
	ck_assert_uint_eq(classfile_method_count(classfile), 1);
	method = classfile_method(classfile, 0);
	ck_assert(classfile_name_is(method->name, "m"));
	ck_assert(classfile_name_is(method->descriptor, "()V"));
	ck_assert_uint_eq(method->access_flags, CLASSFILE_STATIC);
	ck_assert_uint_eq(method->code_length, 3);
	ck_assert_uint_eq(method->code[1], OP_RETURN);
	ck_assert_uint_eq(method->max_stack, 4);
	ck_assert_uint_eq(method->max_locals, 4);
	ck_assert_uint_eq(classfile_method_lines(classfile, 0, &line, 1), 1);
	ck_assert_uint_eq(line.line, 7);
	ck_assert_ptr_null(classfile_method(classfile, 1));
	ck_assert_uint_eq(classfile_method_lines(classfile, 1, &line, 1), 0);
	classfile_free(classfile);
	free(bytes);
	free(builder);
}
END_TEST

START_TEST(members_and_classes_are_found_by_their_constants)
{
	struct class_builder *builder = full_class();
	size_t length;
	uint8_t *bytes = build_class(builder, &length);
	struct classfile *classfile = classfile_parse(bytes, length, NULL, NULL);
	struct classfile_member member;
	struct classfile_name name;
	int members = 0;
	int classes = 0;

	ck_assert_ptr_nonnull(classfile);
	for (uint32_t i = 0; i < 65536; i++) {
		classes += classfile_class_at(classfile, (uint16_t)i, &name);
		if (!classfile_member_at(classfile, (uint16_t)i, &member))
			continue;
		members++;
		if (members == 1) {
			ck_assert(classfile_name_is(member.class_name, "p/Other"));
			ck_assert(classfile_name_is(member.name, "call"));
			ck_assert(classfile_name_is(member.descriptor, "(I)V"));
		}
	}
	ck_assert_int_eq(members, 3);
	ck_assert_int_eq(classes, 5);
	classfile_free(classfile);
	free(bytes);
	free(builder);
}
END_TEST

START_TEST(a_file_cut_short_anywhere_is_refused)
{
	struct class_builder *builder = full_class();
	size_t length;
	uint8_t *bytes = build_class(builder, &length);

	for (size_t cut = 0; cut < length; cut++) {
		struct classfile_error error = {NULL, 0};
		uint8_t *copy;

		ck_assert_msg(parse_copy(bytes, cut, &copy, &error) == NULL, "accepted at %zu",
		              cut);
		ck_assert_ptr_nonnull(error.reason);
		ck_assert_uint_le(error.offset, cut);
		free(copy);
	}
	free(bytes);
	free(builder);
}
END_TEST

START_TEST(no_single_wrong_byte_makes_the_engine_read_outside_the_file)
{
	static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
	struct class_builder *builder = full_class();
	struct wanted list[] = {{AT_ENTRY, 0, 1, 0}, {IN_HANDLER, 0, 1, 0}, {LIST_END, 0, 0, 0}};
	struct rewrite_plan plan = {.context = list, .edit = edit_by_list};
	size_t length;
	uint8_t *bytes = build_class(builder, &length);
	int accepted = 0;

	for (size_t i = 0; i < length * sizeof(values); i++) {
		uint8_t *at = &bytes[i / sizeof(values)];
		uint8_t right = *at;
		struct rewrite_result result;
		struct classfile *classfile;
		uint8_t *copy;

		*at = values[i % sizeof(values)];
		classfile = parse_copy(bytes, length, &copy, NULL);
		if (classfile) {
			accepted++;
			rewrite_class(classfile, &plan, &result);
			rewrite_result_free(classfile, &result);
		}
		classfile_free(classfile);
		free(copy);
		*at = right;
	}
	ck_assert_int_gt(accepted, 0);
	free(bytes);
	free(builder);
}
END_TEST

START_TEST(bytes_behind_the_class_are_refused)
{
	struct class_builder *builder = full_class();
	size_t length;
	uint8_t *bytes = build_class(builder, &length);
	uint8_t *longer = calloc(1, length + 1);

	ck_assert_ptr_nonnull(longer);
	memcpy(longer, bytes, length);
	ck_assert_ptr_null(classfile_parse(longer, length + 1, NULL, NULL));
	free(longer);
	free(bytes);
	free(builder);
}
END_TEST

START_TEST(wrong_structure_is_refused_with_its_reason)
{
	/* What to change in a class that begins with one Utf8 "first" and an Integer. */
	static const struct {
		size_t offset;
		uint8_t value;
		const char *reason;
	} wrong[] = {
	        {0, 0xCB, "the file does not begin with the class-file magic"},
	        {10, 2, "a constant pool entry has an unknown tag"},
	        {10, 21, "a constant pool entry has an unknown tag"},
	        {10, 0, "a constant pool entry has an unknown tag"},
	        {8, 0xFF, NULL},
	};
	struct class_builder *builder = full_class();
	size_t length;
	uint8_t *bytes = build_class(builder, &length);
	struct classfile_error error = {NULL, 0};

	bytes[wrong[_i].offset] = wrong[_i].value;
	ck_assert_ptr_null(classfile_parse(bytes, length, NULL, &error));
	if (wrong[_i].reason)
		ck_assert_str_eq(error.reason, wrong[_i].reason);
	else
		ck_assert_ptr_nonnull(error.reason);
	free(bytes);
	free(builder);
}
END_TEST

START_TEST(a_long_without_a_second_index_is_refused)
{
	static const uint8_t bytes[] = {0xCA,          0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 2,
	                                CONSTANT_LONG, 0,    0,    0,    0, 0, 0, 0,  1};
	struct classfile_error error = {NULL, 0};

	ck_assert_ptr_null(classfile_parse(bytes, sizeof(bytes), NULL, &error));
	ck_assert_str_eq(error.reason, "a long or double constant has no second index");
}
END_TEST

START_TEST(a_pool_without_its_zeroth_entry_is_refused)
{
	static const uint8_t bytes[] = {0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 0};
	struct classfile_error error = {NULL, 0};

	ck_assert_ptr_null(classfile_parse(bytes, sizeof(bytes), NULL, &error));
	ck_assert_str_eq(error.reason, "the constant pool's count is 0");
}
END_TEST

START_TEST(versions_of_any_age_are_read)
{
	static const uint16_t versions[][2] = {{45, 3}, {46, 0},     {50, 0},     {52, 0},
	                                       {69, 0}, {69, 65535}, {70, 65535}, {200, 12345}};
	struct class_builder *builder = full_class();

	builder->major = versions[_i][0];
	builder->minor = versions[_i][1];
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 1, 0});

	ck_assert_uint_eq(new_method(&rewritten)->view.code_length, 4);
	ck_assert_uint_eq(classfile_major_version(rewritten.after), versions[_i][0]);
	ck_assert_uint_eq(classfile_minor_version(rewritten.after), versions[_i][1]);
	release(&rewritten);
}
END_TEST

START_TEST(an_empty_file_is_refused)
{
	ck_assert_ptr_null(classfile_parse((const uint8_t *)"", 0, NULL, NULL));
	classfile_free(NULL);
}
END_TEST

START_TEST(lengths_of_instructions_are_those_of_the_specification)
{
	static const uint8_t two[] = {OP_BIPUSH, OP_LDC, OP_ILOAD, OP_ASTORE, OP_RET, OP_NEWARRAY};
	static const uint8_t three[] = {OP_SIPUSH,       OP_LDC_W,  OP_LDC2_W,    OP_IINC,
	                                OP_IFEQ,         OP_GOTO,   OP_JSR,       OP_GETSTATIC,
	                                OP_INVOKESTATIC, OP_NEW,    OP_ANEWARRAY, OP_CHECKCAST,
	                                OP_INSTANCEOF,   OP_IFNULL, OP_IFNONNULL};
	static const uint8_t five[] = {OP_INVOKEINTERFACE, OP_INVOKEDYNAMIC, OP_GOTO_W, OP_JSR_W};
	uint32_t sum = 0;

	for (size_t i = 0; i < sizeof(two); i++)
		ck_assert_uint_eq(instruction_table[two[i]].length, 2);
	for (size_t i = 0; i < sizeof(three); i++)
		ck_assert_uint_eq(instruction_table[three[i]].length, 3);
	for (size_t i = 0; i < sizeof(five); i++)
		ck_assert_uint_eq(instruction_table[five[i]].length, 5);
	ck_assert_uint_eq(instruction_table[OP_MULTIANEWARRAY].length, 4);
	for (int i = 0; i < OP_COUNT; i++) {
		ck_assert_uint_ne(instruction_table[i].kind, KIND_INVALID);
		sum += instruction_table[i].length;
	}
	/* 199 of fixed length: 147 of one byte and the others. */
	ck_assert_uint_eq(sum, 147 + 2 * 14 + 3 * 33 + 4 + 5 * 4);
	for (int i = OP_COUNT; i < 256; i++)
		ck_assert_uint_eq(instruction_table[i].kind, KIND_INVALID);
}
END_TEST

START_TEST(a_switch_too_long_for_its_code_has_no_length)
{
	uint8_t code[64] = {OP_TABLESWITCH};

	/* From the smallest to the largest int: 2 to the power of 32 offsets. */
	bytes_put_u4(code + 8, 0x80000000u);
	bytes_put_u4(code + 12, 0x7FFFFFFF);
	ck_assert_uint_eq(instruction_length(code, 0, sizeof(code)), 0);
	bytes_put_u4(code + 8, 1);
	bytes_put_u4(code + 12, 0);
	ck_assert_uint_eq(instruction_length(code, 0, sizeof(code)), 0);
	bytes_put_u4(code + 12, 12);
	ck_assert_uint_eq(instruction_length(code, 0, sizeof(code)), 64);
	bytes_put_u4(code + 12, 13);
	ck_assert_uint_eq(instruction_length(code, 0, sizeof(code)), 0);
	code[0] = OP_LOOKUPSWITCH;
	bytes_put_u4(code + 8, 6);
	ck_assert_uint_eq(instruction_length(code, 0, sizeof(code)), 60);
	bytes_put_u4(code + 8, 7);
	ck_assert_uint_eq(instruction_length(code, 0, sizeof(code)), 0);
	bytes_put_u4(code + 8, 0xFFFFFFFFu);
	ck_assert_uint_eq(instruction_length(code, 0, sizeof(code)), 0);
}
END_TEST

static int32_t argument_slots(const char *descriptor)
{
	return descriptor_argument_slots((const uint8_t *)descriptor, (uint32_t)strlen(descriptor));
}

START_TEST(descriptors_give_the_slots_of_their_arguments)
{
	ck_assert_int_eq(argument_slots("()V"), 0);
	ck_assert_int_eq(argument_slots("(IJLjava/lang/String;[D[[Lp/Q;DZ)[I"), 9);
	ck_assert_int_eq(argument_slots(""), -1);
	ck_assert_int_eq(argument_slots("("), -1);
	ck_assert_int_eq(argument_slots("()"), -1);
	ck_assert_int_eq(argument_slots("(I"), -1);
	ck_assert_int_eq(argument_slots("(V)V"), -1);
	ck_assert_int_eq(argument_slots("([)V"), -1);
	ck_assert_int_eq(argument_slots("(Lp/Q)V"), -1);
	ck_assert_int_eq(argument_slots("()VV"), -1);
	ck_assert_int_eq(argument_slots("()X"), -1);
}
END_TEST

/* An allocator that fails from the request on that left counts down to, and keeps a balance. */
struct counted_memory {
	int left;
	int blocks;
};

static void *counted_resize(void *context, void *block, size_t bytes)
{
	struct counted_memory *memory = context;

	if (!bytes) {
		memory->blocks--;
		free(block);
		return NULL;
	}
	if (memory->left-- <= 0)
		return NULL;
	memory->blocks += !block;
	return realloc(block, bytes);
}

/* Parses and rewrites; true if all of it worked. */
static bool rewrite_with(const uint8_t *bytes, size_t length, struct counted_memory *counted)
{
	struct classfile_memory memory = {counted_resize, counted};
	struct wanted list[] = {{AT_ENTRY, 0, 300, 0},
	                        {BEFORE, 1, 0, 3},
	                        {IN_HANDLER, 0, 1, 0},
	                        {LIST_END, 0, 0, 0}};
	struct rewrite_plan plan = {.context = list, .edit = edit_by_list};
	struct classfile_error error = {"none", 0};
	struct classfile *classfile = classfile_parse(bytes, length, &memory, &error);
	struct rewrite_result result;
	enum rewrite_status status;

	if (!classfile) {
		ck_assert_str_eq(error.reason, "no memory");
		return false;
	}
	status = rewrite_class(classfile, &plan, &result);
	if (status == REWRITE_CHANGED)
		ck_assert_uint_gt(result.length, length);
	else
		ck_assert_int_eq((int)status, (int)REWRITE_NO_MEMORY);
	rewrite_result_free(classfile, &result);
	classfile_free(classfile);
	return status == REWRITE_CHANGED;
}

START_TEST(each_allocation_that_fails_is_reported_and_nothing_leaks)
{
	struct class_builder *builder = full_class();
	size_t length;
	uint8_t *bytes = build_class(builder, &length);
	int allowed = 0;
	bool done = false;

	for (; !done; allowed++) {
		struct counted_memory memory = {allowed, 0};

		done = rewrite_with(bytes, length, &memory);
		ck_assert_int_eq(memory.blocks, 0);
		ck_assert_int_lt(allowed, 1000);
	}
	ck_assert_int_gt(allowed, 8);
	free(bytes);
	free(builder);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("classfile reader");
	TCase *reader = tcase_create("reader");
	TCase *instructions = tcase_create("instructions");
	TCase *memory = tcase_create("memory");

	tcase_add_test(reader, a_class_is_read_with_its_names_and_methods);
	tcase_add_test(reader, members_and_classes_are_found_by_their_constants);
	tcase_add_test(reader, a_file_cut_short_anywhere_is_refused);
	tcase_add_test(reader, no_single_wrong_byte_makes_the_engine_read_outside_the_file);
	tcase_add_test(reader, bytes_behind_the_class_are_refused);
	tcase_add_loop_test(reader, wrong_structure_is_refused_with_its_reason, 0, 5);
	tcase_add_test(reader, a_long_without_a_second_index_is_refused);
	tcase_add_test(reader, a_pool_without_its_zeroth_entry_is_refused);
	tcase_add_loop_test(reader, versions_of_any_age_are_read, 0, 8);
	tcase_add_test(reader, an_empty_file_is_refused);
	tcase_add_test(instructions, lengths_of_instructions_are_those_of_the_specification);
	tcase_add_test(instructions, a_switch_too_long_for_its_code_has_no_length);
	tcase_add_test(instructions, descriptors_give_the_slots_of_their_arguments);
	tcase_add_test(memory, each_allocation_that_fails_is_reported_and_nothing_leaks);
	suite_add_tcase(suite, reader);
	suite_add_tcase(suite, instructions);
	suite_add_tcase(suite, memory);
	return run_suite(suite);
}
