/*
 * Tests of which methods are leaves: the code of each is one, except the one thing
 * that a test is about. And of which others are short.
 */
#include "class_builder.h"
#include "classfile/short_method.h"
#include "run_suite.h"

enum { LEAVES = 1, OTHERS = 0 };

/* What short methods may call. */
static short_method_calls *calls;

/* Frees the builder. */
static enum method_kind kind_of(struct class_builder *builder)
{
	size_t length;
	uint8_t *bytes = build_class(builder, &length);
	struct classfile *classfile = classfile_parse(bytes, length, NULL, NULL);

	free(builder);
	ck_assert_ptr_nonnull(classfile);
	enum method_kind kind = classfile_method_kind(classfile, 0, calls, NULL);
	ck_assert_int_eq(classfile_method_kind(classfile, 1, calls, NULL), METHOD_OTHER);
	classfile_free(classfile);
	free(bytes);
	return kind;
}

static bool is_leaf(struct class_builder *builder)
{
	return kind_of(builder) == METHOD_LEAF;
}

static struct class_builder *instance_method(void)
{
	struct class_builder *builder = new_builder();
	builder->method_flags = 0;
	return builder;
}

#define CHECK_CODE(is, builder, ...)                                                        \
	do {                                                                                \
		struct class_builder *checked = builder;                                    \
		ADD_CODE(checked, __VA_ARGS__);                                             \
		ck_assert_msg(is_leaf(checked) == ((is) == LEAVES), #is ": " #__VA_ARGS__); \
	} while (0)

START_TEST(code_that_only_computes_is_a_leaf)
{
	CHECK_CODE(LEAVES, new_builder(), OP_RETURN);
	CHECK_CODE(LEAVES, new_builder(), OP_ACONST_NULL, OP_ARETURN);
	CHECK_CODE(LEAVES, new_builder(), OP_ILOAD, 1, OP_SIPUSH, 1, 1, OP_IADD, OP_IRETURN);
	CHECK_CODE(LEAVES, new_builder(), OP_DLOAD_0, OP_DLOAD_2, OP_DREM, OP_D2I, OP_ISTORE_1,
	           OP_IINC, 1, 1, OP_ILOAD_1, OP_IRETURN);
	CHECK_CODE(LEAVES, new_builder(), OP_ALOAD_0, OP_ASTORE, 3, OP_ALOAD_3, OP_ARETURN);
	CHECK_CODE(LEAVES, instance_method(), OP_ALOAD_0, OP_ALOAD_1, OP_SWAP, OP_POP2, OP_RETURN);
	CHECK_CODE(LEAVES, new_builder(), OP_LLOAD_0, OP_LLOAD_2, OP_LCMP, OP_IRETURN);
}
END_TEST

START_TEST(branches_ahead_are_allowed_and_back_are_not)
{
	CHECK_CODE(LEAVES, new_builder(), OP_ILOAD_0, OP_IFEQ, 0, 7, OP_ICONST_1, OP_GOTO, 0, 4,
	           OP_ICONST_0, OP_IRETURN);
	CHECK_CODE(LEAVES, new_builder(), OP_ALOAD_0, OP_IFNONNULL, 0, 4, OP_NOP, OP_RETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_NOP, OP_ILOAD_0, OP_IFEQ, 0xFF, 0xFE, OP_RETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_NOP, OP_GOTO, 0xFF, 0xFF);
	CHECK_CODE(OTHERS, new_builder(), OP_GOTO, 0, 0);
	CHECK_CODE(OTHERS, new_builder(), OP_ALOAD_0, OP_IFNULL, 0xFF, 0xFF, OP_RETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_GOTO_W, 0, 0, 0, 5, OP_RETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_ILOAD_0, OP_IFEQ, 0, 4, OP_RETURN);
}
END_TEST

START_TEST(switches_ahead_are_allowed_and_back_are_not)
{
	CHECK_CODE(LEAVES, new_builder(), OP_ILOAD_0, OP_TABLESWITCH, 0, 0, 0, 0, 0, 19, 0, 0, 0, 7,
	           0, 0, 0, 7, 0, 0, 0, 20, OP_RETURN, OP_RETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_ILOAD_0, OP_TABLESWITCH, 0, 0, 0, 0, 0, 19, 0, 0, 0, 7,
	           0, 0, 0, 7, 0xFF, 0xFF, 0xFF, 0xFF, OP_RETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_ILOAD_0, OP_TABLESWITCH, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF,
	           0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 19, OP_RETURN);
	CHECK_CODE(LEAVES, new_builder(), OP_ILOAD_0, OP_LOOKUPSWITCH, 0, 0, 0, 0, 0, 19, 0, 0, 0,
	           1, 0, 0, 0, 9, 0, 0, 0, 20, OP_RETURN, OP_RETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_ILOAD_0, OP_LOOKUPSWITCH, 0, 0, 0, 0, 0, 19, 0, 0, 0,
	           1, 0, 0, 0, 9, 0xFF, 0xFF, 0xFF, 0xFF, OP_RETURN);
	/* The values that a lookupswitch has are no offsets. */
	CHECK_CODE(LEAVES, new_builder(), OP_ILOAD_0, OP_LOOKUPSWITCH, 0, 0, 0, 0, 0, 19, 0, 0, 0,
	           1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 19, OP_RETURN);
}
END_TEST

START_TEST(what_may_find_a_divisor_of_0_is_none)
{
	CHECK_CODE(OTHERS, new_builder(), OP_ILOAD_0, OP_ILOAD_1, OP_IDIV, OP_IRETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_ILOAD_0, OP_ILOAD_1, OP_IREM, OP_IRETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_LLOAD_0, OP_LLOAD_2, OP_LDIV, OP_LRETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_LLOAD_0, OP_LLOAD_2, OP_LREM, OP_LRETURN);
	CHECK_CODE(LEAVES, new_builder(), OP_FLOAD_0, OP_FLOAD_1, OP_FDIV, OP_FRETURN);
}
END_TEST

START_TEST(arrays_make_none)
{
	for (uint8_t opcode = OP_IALOAD; opcode <= OP_SALOAD; opcode++) {
		struct class_builder *builder = new_builder();
		ADD_CODE(builder, OP_ALOAD_0, OP_ILOAD_1);
		put1(&builder->code, opcode);
		ADD_CODE(builder, OP_RETURN);
		ck_assert_msg(!is_leaf(builder), "%u", opcode);
	}
	for (uint8_t opcode = OP_IASTORE; opcode <= OP_SASTORE; opcode++) {
		struct class_builder *builder = new_builder();
		put1(&builder->code, opcode);
		ADD_CODE(builder, OP_RETURN);
		ck_assert_msg(!is_leaf(builder), "%u", opcode);
	}
	CHECK_CODE(OTHERS, new_builder(), OP_ALOAD_0, OP_ARRAYLENGTH, OP_IRETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_ICONST_1, OP_NEWARRAY, 10, OP_ARETURN);
}
END_TEST

/* The operand of the instructions is a constant that fits, so that nothing else
 * speaks against them. */
START_TEST(what_calls_makes_throws_or_waits_is_none)
{
	static const uint8_t opcodes[] = {
	        OP_INVOKEVIRTUAL, OP_INVOKESPECIAL, OP_INVOKESTATIC, OP_INVOKEINTERFACE,
	        OP_INVOKEDYNAMIC, OP_NEW,           OP_ANEWARRAY,    OP_MULTIANEWARRAY,
	        OP_CHECKCAST,     OP_INSTANCEOF,    OP_ATHROW,       OP_MONITORENTER,
	        OP_MONITOREXIT,   OP_RET,           OP_JSR,          OP_JSR_W};

	for (size_t i = 0; i < sizeof(opcodes); i++) {
		struct class_builder *builder = instance_method();
		uint16_t member = add_member(builder, CONSTANT_METHODREF, "T", "f", "()V");
		ADD_CODE(builder, OP_ALOAD_0);
		put1(&builder->code, opcodes[i]);
		if (opcodes[i] != OP_ATHROW && opcodes[i] != OP_MONITORENTER &&
		    opcodes[i] != OP_MONITOREXIT)
			put2(&builder->code, opcodes[i] == OP_JSR ? 3 : member);
		ADD_CODE(builder, OP_NOP, OP_NOP, OP_RETURN);
		ck_assert_msg(!is_leaf(builder), "opcode %u", opcodes[i]);
	}
}
END_TEST

static uint16_t add_constant(struct class_builder *builder, enum constant_tag tag)
{
	uint16_t utf8 = add_utf8(builder, "()V");
	uint16_t index = builder->pool_count++;

	put1(&builder->pool, tag);
	switch (tag) {
	case CONSTANT_LONG:
	case CONSTANT_DOUBLE:
		put4(&builder->pool, 0);
		put4(&builder->pool, 0);
		builder->pool_count++;
		break;
	case CONSTANT_INTEGER:
	case CONSTANT_FLOAT:
		put4(&builder->pool, 0);
		break;
	case CONSTANT_METHOD_HANDLE:
		put1(&builder->pool, 1);
		put2(&builder->pool, utf8);
		break;
	case CONSTANT_DYNAMIC:
		put2(&builder->pool, 0);
		put2(&builder->pool, utf8);
		break;
	default:
		put2(&builder->pool, utf8);
		break;
	}
	return index;
}

static void check_constant(bool wanted, enum constant_tag tag, uint8_t opcode)
{
	struct class_builder *builder = new_builder();
	uint16_t index = add_constant(builder, tag);

	put1(&builder->code, opcode);
	if (opcode == OP_LDC)
		put1(&builder->code, index);
	else
		put2(&builder->code, index);
	ADD_CODE(builder, OP_RETURN);
	ck_assert_msg(is_leaf(builder) == wanted, "tag %d, opcode %u", (int)tag, opcode);
}

START_TEST(constants_that_code_may_have_to_make_are_none)
{
	static const enum constant_tag made[] = {CONSTANT_CLASS, CONSTANT_METHOD_HANDLE,
	                                         CONSTANT_METHOD_TYPE, CONSTANT_DYNAMIC};

	for (uint8_t opcode = OP_LDC; opcode <= OP_LDC_W; opcode++) {
		check_constant(true, CONSTANT_INTEGER, opcode);
		check_constant(true, CONSTANT_FLOAT, opcode);
		check_constant(true, CONSTANT_STRING, opcode);
		for (int i = 0; i < 4; i++)
			check_constant(false, made[i], opcode);
	}
	check_constant(true, CONSTANT_LONG, OP_LDC2_W);
	check_constant(true, CONSTANT_DOUBLE, OP_LDC2_W);
	check_constant(false, CONSTANT_DYNAMIC, OP_LDC2_W);
	CHECK_CODE(OTHERS, new_builder(), OP_LDC, 200, OP_RETURN);
}
END_TEST

/* ---- fields ------------------------------------------------------------ */

/* Code as text: a letter is an instruction, and F that on the field. */
static struct class_builder *field_code(struct class_builder *builder, uint16_t field,
                                        const char *code)
{
	for (; *code != '\0'; code++) {
		switch (*code) {
		case '0':
			put1(&builder->code, OP_ALOAD_0);
			break;
		case '1':
			put1(&builder->code, OP_ALOAD_1);
			break;
		case 'd':
			put1(&builder->code, OP_DUP);
			break;
		case 'x':
			put1(&builder->code, OP_DUP_X1);
			break;
		case 'i':
			put1(&builder->code, OP_ICONST_1);
			break;
		case '+':
			put1(&builder->code, OP_IADD);
			break;
		case 's':
			put1(&builder->code, OP_SWAP);
			break;
		case 'o':
			put1(&builder->code, OP_POP);
			break;
		case '?': /* to the next instruction */
			put1(&builder->code, OP_IFEQ);
			put2(&builder->code, 3);
			break;
		default:
			put1(&builder->code, *code == 'g'   ? OP_GETFIELD
			                     : *code == 'p' ? OP_PUTFIELD
			                     : *code == 'G' ? OP_GETSTATIC
			                                    : OP_PUTSTATIC);
			put2(&builder->code, field);
			break;
		}
	}
	put1(&builder->code, OP_RETURN);
	return builder;
}

static bool uses_field(struct class_builder *builder, const char *class_name,
                       const char *descriptor, const char *code)
{
	uint16_t field = add_member(builder, CONSTANT_FIELDREF, class_name, "f", descriptor);
	return is_leaf(field_code(builder, field, code));
}

START_TEST(fields_of_this_are_allowed)
{
	static const char *const codes[] = {"0go",      "0ip",  "0dgi+p", "0dgxi+p",
	                                    "0d0gi+po", "i0sp", "01sgo"};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		ck_assert_msg(uses_field(instance_method(), "T", "I", codes[i]), "%s", codes[i]);
}
END_TEST

START_TEST(fields_of_what_may_be_null_are_not)
{
	ck_assert(!uses_field(instance_method(), "T", "I", "1go"));
	ck_assert(!uses_field(instance_method(), "T", "LT;", "0ggo"));
	ck_assert(!uses_field(instance_method(), "T", "I", "1ip"));
	ck_assert(!uses_field(instance_method(), "T", "I", "10sgo"));
	/* What was pushed before a branch may have been pushed by others. */
	ck_assert(!uses_field(instance_method(), "T", "I", "0i?go"));
	/* A static method's first argument is not this. */
	ck_assert(!uses_field(new_builder(), "T", "I", "0go"));
}
END_TEST

START_TEST(this_may_not_be_replaced)
{
	struct class_builder *builder = instance_method();
	ADD_CODE(builder, OP_ALOAD_1, OP_ASTORE_0);
	ck_assert(!uses_field(builder, "T", "I", "0go"));
	builder = instance_method();
	ADD_CODE(builder, OP_ALOAD_1, OP_ASTORE, 0);
	ck_assert(!uses_field(builder, "T", "I", "0go"));
	builder = instance_method();
	ADD_CODE(builder, OP_ALOAD_1, OP_ASTORE_1);
	ck_assert(uses_field(builder, "T", "I", "0go"));
}
END_TEST

START_TEST(fields_that_another_class_has_are_not)
{
	/* Resolving its name may load it, and run a class loader. */
	ck_assert(!uses_field(instance_method(), "U", "I", "0go"));
	ck_assert(!uses_field(instance_method(), "U", "I", "0ip"));
}
END_TEST

START_TEST(static_fields_that_the_class_declares_are_allowed)
{
	struct class_builder *builder = new_builder();
	add_field(builder, "e", "I");
	add_field(builder, "f", "J");
	add_field(builder, "f", "I");
	ck_assert(uses_field(builder, "T", "I", "GG+P"));
}
END_TEST

START_TEST(static_fields_that_it_inherits_are_not)
{
	struct class_builder *builder = new_builder();
	add_field(builder, "f", "J");
	add_field(builder, "e", "I");
	ck_assert(!uses_field(builder, "T", "I", "G"));
	builder = new_builder();
	add_field(builder, "f", "I");
	ck_assert(!uses_field(builder, "U", "I", "G"));
}
END_TEST

START_TEST(what_is_no_field_is_none)
{
	struct class_builder *builder = instance_method();
	uint16_t class_index = add_class(builder, "T");
	ck_assert(!is_leaf(field_code(builder, class_index, "0go")));
	ck_assert(!uses_field(instance_method(), "T", "", "0go"));
}
END_TEST

/* ---- the method -------------------------------------------------------- */

START_TEST(long_methods_are_none)
{
	struct class_builder *builder = new_builder();
	put_repeated(&builder->code, OP_NOP, LEAF_CODE_BYTES_MAX - 1);
	ADD_CODE(builder, OP_RETURN);
	ck_assert(is_leaf(builder));
	builder = new_builder();
	put_repeated(&builder->code, OP_NOP, LEAF_CODE_BYTES_MAX);
	ADD_CODE(builder, OP_RETURN);
	ck_assert(!is_leaf(builder));
}
END_TEST

START_TEST(synchronized_methods_and_handlers_are_none)
{
	struct class_builder *builder = new_builder();
	builder->method_flags |= CLASSFILE_SYNCHRONIZED;
	CHECK_CODE(OTHERS, builder, OP_RETURN);
	builder = new_builder();
	add_exception(builder, 0, 1, 2, 0);
	CHECK_CODE(OTHERS, builder, OP_NOP, OP_RETURN, OP_RETURN);
}
END_TEST

START_TEST(methods_without_code_are_none)
{
	struct class_builder *builder = new_builder();
	builder->method_flags = CLASSFILE_NATIVE;
	builder->without_code = true;
	ck_assert(!is_leaf(builder));
}
END_TEST

START_TEST(code_that_is_none_is_no_leaf)
{
	CHECK_CODE(OTHERS, new_builder(), OP_COUNT, OP_RETURN);
	CHECK_CODE(OTHERS, new_builder(), OP_RETURN, OP_SIPUSH, 0);
	CHECK_CODE(OTHERS, new_builder(), OP_WIDE, OP_ILOAD, 0, 1, OP_IRETURN);
	/* More is popped than was pushed. */
	CHECK_CODE(LEAVES, new_builder(), OP_POP2, OP_DUP2_X2, OP_DUP2_X2, OP_RETURN);
}
END_TEST

START_TEST(the_constructor_of_object_is_a_leaf)
{
	struct class_builder *builder = instance_method();
	builder->name = "java/lang/Object";
	builder->super = NULL;
	builder->method = "<init>";
	CHECK_CODE(LEAVES, builder, OP_RETURN);
}
END_TEST

/* ---- short methods that are no leaves ------------------------------------ */

#define CHECK_KIND(kind, builder, ...)                                              \
	do {                                                                        \
		struct class_builder *checked = builder;                            \
		ADD_CODE(checked, __VA_ARGS__);                                     \
		ck_assert_msg(kind_of(checked) == (kind), #kind ": " #__VA_ARGS__); \
	} while (0)

START_TEST(what_may_fail_is_short)
{
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_ILOAD_0, OP_ILOAD_1, OP_IDIV, OP_IRETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_LLOAD_0, OP_LLOAD_2, OP_LREM, OP_LRETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_ALOAD_0, OP_ARRAYLENGTH, OP_IRETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_ALOAD_0, OP_ILOAD_1, OP_SALOAD, OP_IRETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_ALOAD_0, OP_ILOAD_1, OP_ILOAD_2, OP_IASTORE,
	           OP_RETURN);
	CHECK_KIND(METHOD_SHORT, instance_method(), OP_ALOAD_1, OP_ASTORE_0, OP_RETURN);
	CHECK_KIND(METHOD_SHORT, instance_method(), OP_ALOAD_1, OP_ASTORE, 0, OP_RETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_ALOAD_0, OP_CHECKCAST, 0, 1, OP_ARETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_ALOAD_0, OP_INSTANCEOF, 0, 1, OP_IRETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_ALOAD_0, OP_GETFIELD, 0, 1, OP_IRETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_GETSTATIC, 0, 1, OP_IRETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_LDC, 1, OP_ARETURN);
}
END_TEST

START_TEST(what_calls_makes_throws_waits_or_repeats_is_not_short)
{
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_INVOKESTATIC, 0, 1, OP_RETURN);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_INVOKEDYNAMIC, 0, 1, 0, 0, OP_RETURN);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_NEW, 0, 1, OP_ARETURN);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_ICONST_1, OP_NEWARRAY, 10, OP_ARETURN);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_ALOAD_0, OP_ATHROW);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_ALOAD_0, OP_MONITORENTER, OP_RETURN);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_ALOAD_0, OP_ARRAYLENGTH, OP_IFEQ, 0xFF, 0xFE,
	           OP_RETURN);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_ILOAD_0, OP_ILOAD_1, OP_IDIV, OP_COUNT);
}
END_TEST

START_TEST(of_all_methods_only_the_constructor_of_object_may_be_called)
{
	static const struct {
		const char *class;
		const char *name;
		enum method_kind kind;
	} called[] = {{"java/lang/Object", "<init>", METHOD_SHORT},
	              {"java/lang/Object", "finalize", METHOD_OTHER},
	              {"T", "<init>", METHOD_OTHER}};

	for (size_t i = 0; i < sizeof(called) / sizeof(called[0]); i++) {
		struct class_builder *builder = instance_method();
		uint16_t member = add_member(builder, CONSTANT_METHODREF, called[i].class,
		                             called[i].name, "()V");
		ADD_CODE(builder, OP_ALOAD_0, OP_INVOKESPECIAL);
		put2(&builder->code, member);
		ADD_CODE(builder, OP_RETURN);
		ck_assert_int_eq(kind_of(builder), called[i].kind);
	}
}
END_TEST

static bool only_f(void *context, const struct classfile_member *called)
{
	ck_assert_ptr_null(context);
	return classfile_name_is(called->name, "f") &&
	       classfile_name_is(called->descriptor, "()V") &&
	       classfile_name_is(called->class_name, "U");
}

START_TEST(a_short_method_calls_what_it_may_and_makes_and_throws_objects)
{
	static const uint8_t opcodes[] = {OP_INVOKEVIRTUAL, OP_INVOKESPECIAL, OP_INVOKESTATIC,
	                                  OP_INVOKEINTERFACE};

	calls = only_f;
	for (size_t i = 0; i < sizeof(opcodes); i++) {
		for (int other = 0; other < 2; other++) {
			struct class_builder *builder = instance_method();
			uint16_t member = add_member(builder, CONSTANT_METHODREF, "U",
			                             other ? "g" : "f", "()V");
			ADD_CODE(builder, OP_ALOAD_0);
			put1(&builder->code, opcodes[i]);
			put2(&builder->code, member);
			if (opcodes[i] == OP_INVOKEINTERFACE)
				put2(&builder->code, 0x100);
			ADD_CODE(builder, OP_RETURN);
			ck_assert_int_eq(kind_of(builder), other ? METHOD_OTHER : METHOD_SHORT);
		}
	}
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_NEW, 0, 1, OP_ARETURN);
	CHECK_KIND(METHOD_SHORT, new_builder(), OP_ALOAD_0, OP_ATHROW);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_ALOAD_0, OP_MONITORENTER, OP_RETURN);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_INVOKEDYNAMIC, 0, 1, 0, 0, OP_RETURN);
	CHECK_KIND(METHOD_OTHER, new_builder(), OP_ICONST_1, OP_NEWARRAY, 10, OP_ARETURN);
	calls = NULL;
}
END_TEST

START_TEST(what_is_too_long_for_a_leaf_may_be_short)
{
	struct class_builder *builder = new_builder();
	put_repeated(&builder->code, OP_NOP, SHORT_CODE_BYTES_MAX - 1);
	ADD_CODE(builder, OP_RETURN);
	ck_assert_int_eq(kind_of(builder), METHOD_SHORT);
	builder = new_builder();
	put_repeated(&builder->code, OP_NOP, SHORT_CODE_BYTES_MAX);
	ADD_CODE(builder, OP_RETURN);
	ck_assert_int_eq(kind_of(builder), METHOD_OTHER);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("short_method");
	TCase *tests = tcase_create("short_method");

	tcase_add_test(tests, code_that_only_computes_is_a_leaf);
	tcase_add_test(tests, branches_ahead_are_allowed_and_back_are_not);
	tcase_add_test(tests, switches_ahead_are_allowed_and_back_are_not);
	tcase_add_test(tests, what_may_find_a_divisor_of_0_is_none);
	tcase_add_test(tests, arrays_make_none);
	tcase_add_test(tests, what_calls_makes_throws_or_waits_is_none);
	tcase_add_test(tests, constants_that_code_may_have_to_make_are_none);
	tcase_add_test(tests, fields_of_this_are_allowed);
	tcase_add_test(tests, fields_of_what_may_be_null_are_not);
	tcase_add_test(tests, this_may_not_be_replaced);
	tcase_add_test(tests, fields_that_another_class_has_are_not);
	tcase_add_test(tests, static_fields_that_the_class_declares_are_allowed);
	tcase_add_test(tests, static_fields_that_it_inherits_are_not);
	tcase_add_test(tests, what_is_no_field_is_none);
	tcase_add_test(tests, long_methods_are_none);
	tcase_add_test(tests, synchronized_methods_and_handlers_are_none);
	tcase_add_test(tests, methods_without_code_are_none);
	tcase_add_test(tests, code_that_is_none_is_no_leaf);
	tcase_add_test(tests, the_constructor_of_object_is_a_leaf);
	tcase_add_test(tests, what_may_fail_is_short);
	tcase_add_test(tests, what_calls_makes_throws_waits_or_repeats_is_not_short);
	tcase_add_test(tests, of_all_methods_only_the_constructor_of_object_may_be_called);
	tcase_add_test(tests, a_short_method_calls_what_it_may_and_makes_and_throws_objects);
	tcase_add_test(tests, what_is_too_long_for_a_leaf_may_be_short);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
