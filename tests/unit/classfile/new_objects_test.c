/*
 * classfile_new_objects_test.c: which constructor calls are known to complete the
 * object that a new has allocated and to leave it on top of the stack.
 */
#include "classfile_plan.h"
#include "run_suite.h"

#define U2(value) (uint8_t)((value) >> 8), (uint8_t)(value)
#define U4(value) 0, 0, U2(value)

/* Frame and type tags as in the class-file format. */
enum { SAME_1 = 64, FULL = 255, TOP = 0, INT = 1, OBJECT = 7, NEW = 8 };

/* Constants of each class here. */
enum {
	A = 2,              /* a class */
	INIT = 8,           /* A.<init>()V */
	INIT_INT = 14,      /* (I)V */
	INIT_WIDE = 20,     /* (JD)V */
	INIT_OBJECT = 26,   /* (Ljava/lang/Object;)V */
	INIT_NAMES = 32,    /* (La)J;J)V */
	OBJECT_INIT = 38,   /* java/lang/Object.<init>()V */
	STATIC_METHOD = 44, /* T.s(IJ)La)Jx; */
	METHOD = 50,        /* A.m()V */
	LONG_FIELD = 56,    /* T.f J */
	OBJECT_FIELD = 62,  /* T.o Ljava/lang/Object; */
	DYNAMIC = 63,       /* invokedynamic s(IJ)La)Jx; */
	LONG_CONSTANT = 64, /* and 65 */
	INT_CONSTANT = 66
};

/* A class of a version whose code needs no stack maps. */
static struct class_builder *old_builder(void)
{
	struct class_builder *builder = new_builder();

	builder->major = 49;
	builder->max_stack = 12;
	ck_assert_uint_eq(add_class(builder, "A"), A);
	add_member(builder, CONSTANT_METHODREF, "A", "<init>", "()V");
	add_member(builder, CONSTANT_METHODREF, "A", "<init>", "(I)V");
	add_member(builder, CONSTANT_METHODREF, "A", "<init>", "(JD)V");
	add_member(builder, CONSTANT_METHODREF, "A", "<init>", "(Ljava/lang/Object;)V");
	add_member(builder, CONSTANT_METHODREF, "A", "<init>", "(La)J;J)V");
	add_member(builder, CONSTANT_METHODREF, "java/lang/Object", "<init>", "()V");
	add_member(builder, CONSTANT_METHODREF, "T", "s", "(IJ)La)Jx;");
	add_member(builder, CONSTANT_METHODREF, "A", "m", "()V");
	add_member(builder, CONSTANT_FIELDREF, "T", "f", "J");
	ck_assert_uint_eq(add_member(builder, CONSTANT_FIELDREF, "T", "o", "Ljava/lang/Object;"),
	                  OBJECT_FIELD);
	put1(&builder->pool, CONSTANT_INVOKE_DYNAMIC);
	put2(&builder->pool, 0);
	put2(&builder->pool, STATIC_METHOD - 1); /* its name and type */
	put1(&builder->pool, CONSTANT_LONG);
	put4(&builder->pool, 0);
	put4(&builder->pool, 1);
	put1(&builder->pool, CONSTANT_INTEGER);
	put4(&builder->pool, 1);
	builder->pool_count = (uint16_t)(builder->pool_count + 4);
	return builder;
}

/* The same of a version with stack maps. */
static struct class_builder *mapped_builder(void)
{
	struct class_builder *builder = old_builder();

	builder->major = 52;
	return builder;
}

/* A call that completes an object, and its new, by index. */
struct completion {
	uint32_t call;
	uint32_t object;
};

struct question {
	const struct completion *expected; /* ends with call 0 */
	uint32_t methods;
};

static void ask_all(void *context, const struct classfile *classfile,
                    const struct classfile_method *method, struct method_edit *edit)
{
	struct question *question = context;
	const struct completion *expected = question->expected;

	(void)classfile;
	(void)method;
	question->methods++;
	for (uint32_t i = 0; i < method_edit_instruction_count(edit); i++) {
		uint32_t object = 12345;

		if (method_edit_completes_new(edit, i, &object)) {
			ck_assert_uint_eq(i, expected->call);
			ck_assert_uint_eq(object, expected->object);
			expected++;
		} else {
			ck_assert_uint_eq(object, 12345);
		}
	}
	ck_assert_uint_eq(expected->call, 0);
}

static void check_completed(struct class_builder *builder, const struct completion *expected)
{
	struct question question = {expected, 0};
	struct rewrite_plan plan = {.context = &question, .edit = ask_all};
	uint32_t methods = builder->twice ? 2 : 1;
	struct rewritten rewritten = rewrite_built(builder, &plan);

	ck_assert_int_eq((int)rewritten.status, (int)REWRITE_UNCHANGED);
	ck_assert_uint_eq(question.methods, methods);
	release(&rewritten);
}

/* Checks that these instructions, { call, new } by index, are known to complete an object. */
#define COMPLETES(builder, ...)                                   \
	do {                                                      \
		struct completion list[] = {__VA_ARGS__, {0, 0}}; \
		check_completed(builder, list);                   \
	} while (0)

#define COMPLETES_NOTHING(builder)                            \
	do {                                                  \
		static const struct completion none = {0, 0}; \
		check_completed(builder, &none);              \
	} while (0)

#define CALL(method) OP_INVOKESPECIAL, U2(method)
#define NEW_A OP_NEW, U2(A)

START_TEST(a_duplicated_object_is_completed_by_its_constructor)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_RETURN);
	COMPLETES(builder, {2, 0});
}
END_TEST

START_TEST(each_method_of_a_class_has_its_own_answers)
{
	struct class_builder *builder = mapped_builder();

	builder->twice = true;
	ADD_CODE(builder, OP_NOP, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_RETURN);
	COMPLETES(builder, {3, 1});
}
END_TEST

START_TEST(arguments_of_two_slots_lie_above_the_object)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_LDC2_W, U2(LONG_CONSTANT), OP_DCONST_1, CALL(INIT_WIDE),
	         OP_POP, OP_RETURN);
	COMPLETES(builder, {4, 0});
}
END_TEST

START_TEST(objects_in_arguments_are_completed_before_theirs)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, NEW_A, OP_DUP, NEW_A, OP_DUP, CALL(INIT),
	         CALL(INIT_OBJECT), CALL(INIT_OBJECT), OP_POP, OP_RETURN);
	COMPLETES(builder, {6, 4}, {7, 2}, {8, 0});
}
END_TEST

START_TEST(an_object_that_nothing_keeps_is_not_on_the_stack)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_ACONST_NULL, NEW_A, CALL(INIT), NEW_A, NEW_A, CALL(INIT), OP_RETURN);
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(an_object_below_another_value_is_not_on_top)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_ICONST_0, OP_SWAP, CALL(INIT), OP_POP2, OP_RETURN);
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(an_object_allocated_after_its_argument_is_swapped_below_it)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_ICONST_0, NEW_A, OP_DUP_X1, OP_SWAP, CALL(INIT_INT), OP_POP,
	         OP_RETURN);
	COMPLETES(builder, {4, 1});
}
END_TEST

START_TEST(all_forms_of_dup_copy_objects)
{
	struct class_builder *builder = old_builder();

	/* [long a] by dup_x2 [a long a] [a a long a] */
	ADD_CODE(builder, OP_LCONST_0, NEW_A, OP_DUP_X2, OP_DUP_X2, OP_POP, OP_DCONST_0,
	         CALL(INIT_WIDE), OP_POP);
	/* [a 0] by dup2 [a 0 a 0] */
	ADD_CODE(builder, NEW_A, OP_ICONST_0, OP_DUP2, CALL(INIT_INT), OP_POP2);
	/* [0 a a] by dup2_x1 [a a 0 a a] */
	ADD_CODE(builder, OP_ICONST_0, NEW_A, OP_DUP, OP_DUP2_X1, OP_POP2, CALL(INIT_INT), OP_POP);
	/* [long a a] by dup2_x2 [a a long a a] */
	ADD_CODE(builder, OP_LCONST_0, NEW_A, OP_DUP, OP_DUP2_X2, OP_POP2, OP_DCONST_0,
	         CALL(INIT_WIDE), OP_POP, OP_RETURN);
	COMPLETES(builder, {6, 1}, {18, 14}, {26, 21});
}
END_TEST

START_TEST(an_object_that_is_duplicated_twice_is_completed_once)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_DUP, CALL(INIT), CALL(INIT), OP_RETURN);
	COMPLETES(builder, {3, 0});
}
END_TEST

static struct class_builder *constructor_of_subclass(void)
{
	struct class_builder *builder = old_builder();

	builder->super = "A";
	builder->method = "<init>";
	builder->method_flags = 0;
	return builder;
}

START_TEST(the_call_of_super_completes_nothing)
{
	struct class_builder *builder = constructor_of_subclass();

	ADD_CODE(builder, OP_ALOAD_0, OP_DUP, CALL(INIT), OP_POP, NEW_A, OP_DUP, CALL(INIT), OP_POP,
	         OP_RETURN);
	COMPLETES(builder, {6, 4});
}
END_TEST

START_TEST(an_object_that_lay_around_at_the_call_of_super_is_not_completed)
{
	struct class_builder *builder = constructor_of_subclass();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_POP2, OP_ALOAD_0, CALL(INIT), OP_RETURN);
	COMPLETES_NOTHING(builder);
	builder = constructor_of_subclass();
	ADD_CODE(builder, NEW_A, OP_ALOAD_0, CALL(INIT), OP_POP, OP_RETURN);
	COMPLETES_NOTHING(builder);
	builder = constructor_of_subclass();
	ADD_CODE(builder, OP_ALOAD_0, NEW_A, OP_SWAP, CALL(INIT), OP_POP, OP_RETURN);
	COMPLETES_NOTHING(builder);
	builder = constructor_of_subclass();
	ADD_CODE(builder, OP_ALOAD_0, NEW_A, OP_POP, CALL(INIT), OP_RETURN);
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(an_argument_of_super_is_completed)
{
	struct class_builder *builder = constructor_of_subclass();

	ADD_CODE(builder, OP_ALOAD_0, NEW_A, OP_DUP, CALL(INIT), CALL(INIT_OBJECT), OP_RETURN);
	COMPLETES(builder, {3, 1});
}
END_TEST

START_TEST(a_constructor_of_a_superclass_may_complete_an_object)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, CALL(OBJECT_INIT), OP_ARETURN);
	COMPLETES(builder, {2, 0});
}
END_TEST

START_TEST(a_method_that_is_no_constructor_completes_nothing)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, CALL(METHOD), NEW_A, OP_DUP, OP_INVOKEVIRTUAL, U2(INIT),
	         OP_RETURN);
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(an_object_from_a_local_is_not_known)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_ASTORE_0, OP_ALOAD_0, CALL(INIT), OP_POP);
	ADD_CODE(builder, NEW_A, OP_ASTORE_0, OP_ALOAD_0, OP_DUP, CALL(INIT), OP_POP);
	ADD_CODE(builder, NEW_A, OP_ASTORE_0, OP_ALOAD_0, OP_ALOAD_0, CALL(INIT), OP_POP,
	         OP_RETURN);
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(arguments_may_be_of_all_instructions)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP); /* 0 */
	ADD_CODE(builder, OP_LDC, INT_CONSTANT, OP_GETSTATIC, U2(LONG_FIELD), OP_DUP2, OP_PUTSTATIC,
	         U2(LONG_FIELD), OP_INVOKEDYNAMIC, U2(DYNAMIC), 0, 0);                    /* 2 */
	ADD_CODE(builder, OP_POP, OP_ICONST_2, OP_ICONST_3, OP_MULTIANEWARRAY, U2(A), 2); /* 7 */
	ADD_CODE(builder, OP_DUP, OP_GETFIELD, U2(LONG_FIELD), OP_L2I, OP_ISTORE_1);      /* 11 */
	ADD_CODE(builder, OP_DUP, OP_LDC2_W, U2(LONG_CONSTANT), OP_PUTFIELD,
	         U2(LONG_FIELD)); /* 15 */
	ADD_CODE(builder, OP_WIDE, OP_IINC, U2(1), U2(1), OP_WIDE, OP_LLOAD, U2(2), OP_WIDE,
	         OP_LSTORE, U2(2));                              /* 18 */
	ADD_CODE(builder, OP_DUP, OP_INVOKEVIRTUAL, U2(METHOD)); /* 21 */
	ADD_CODE(builder, OP_LDC_W, U2(INT_CONSTANT), OP_LLOAD_2, OP_INVOKESTATIC,
	         U2(STATIC_METHOD));                                                     /* 23 */
	ADD_CODE(builder, OP_POP, OP_ICONST_1, OP_NEWARRAY, 11, OP_ICONST_0, OP_LALOAD); /* 26 */
	ADD_CODE(builder, CALL(INIT_NAMES), OP_POP, OP_RETURN);                          /* 31 */
	COMPLETES(builder, {31, 0});
}
END_TEST

START_TEST(ternary_arguments_keep_the_object)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_ICONST_0, OP_IFEQ, U2(7), /* to iconst_2 */
	         OP_ICONST_1, OP_GOTO, U2(4), OP_ICONST_2, CALL(INIT_INT), OP_POP, OP_RETURN);
	COMPLETES(builder, {7, 0});
}
END_TEST

START_TEST(switches_in_arguments_keep_the_object)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_ICONST_0);
	if (_i)
		ADD_CODE(builder, OP_TABLESWITCH, 0, 0, U4(23), U4(0), U4(1), U4(27), U4(31));
	else
		ADD_CODE(builder, OP_LOOKUPSWITCH, 0, 0, U4(27), U4(2), U4(7), U4(31), U4(9),
		         U4(35));
	ADD_CODE(builder, OP_ICONST_1, OP_GOTO, U2(8), OP_ICONST_2, OP_GOTO, U2(4), OP_ICONST_3,
	         CALL(INIT_INT), OP_POP, OP_RETURN);
	COMPLETES(builder, {9, 0});
}
END_TEST

START_TEST(values_that_differ_where_paths_meet_are_not_known)
{
	struct class_builder *builder = old_builder();

	/* The object or null below the object. */
	ADD_CODE(builder, NEW_A, OP_ICONST_0, OP_IFEQ, U2(7), OP_DUP, OP_GOTO, U2(5),
	         OP_ACONST_NULL, OP_SWAP, CALL(INIT), OP_POP, OP_RETURN);
	COMPLETES_NOTHING(builder);
	/* The same, the other way round. */
	builder = old_builder();
	ADD_CODE(builder, NEW_A, OP_ICONST_0, OP_IFEQ, U2(8), OP_ACONST_NULL, OP_SWAP, OP_GOTO,
	         U2(4), OP_DUP, CALL(INIT), OP_POP, OP_RETURN);
	COMPLETES_NOTHING(builder);
	/* Objects of two places. */
	builder = old_builder();
	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, U2(9), NEW_A, OP_GOTO, U2(6), NEW_A, OP_DUP,
	         CALL(INIT), OP_POP, OP_RETURN);
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(objects_that_all_paths_agree_on_are_known_where_they_meet)
{
	struct class_builder *builder = old_builder();

	/* What differs lies further down. */
	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, U2(9), NEW_A, OP_GOTO, U2(4), OP_ACONST_NULL, NEW_A,
	         OP_DUP, CALL(INIT), OP_POP2, OP_RETURN);
	COMPLETES(builder, {7, 5});
}
END_TEST

START_TEST(an_object_completed_on_one_path_only_is_not_known)
{
	struct class_builder *builder = old_builder();

	/* ifeq leads past aconst_null */
	ADD_CODE(builder, NEW_A, OP_DUP, OP_DUP, OP_ICONST_0, OP_IFEQ, U2(7), CALL(INIT),
	         OP_ACONST_NULL, CALL(INIT), OP_RETURN);
	COMPLETES(builder, {5, 0});
}
END_TEST

START_TEST(loops_in_arguments_keep_the_object)
{
	struct class_builder *builder = _i ? mapped_builder() : old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_ICONST_0, OP_ICONST_1, OP_IADD, OP_DUP, OP_IFNE, U2(-3),
	         CALL(INIT_INT), OP_POP, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), FULL, U2(5), U2(0), U2(3), NEW, U2(0), NEW,
	              U2(0), INT);
	COMPLETES(builder, {7, 0});
}
END_TEST

START_TEST(objects_allocated_in_loops_are_completed)
{
	struct class_builder *builder = _i ? mapped_builder() : old_builder();

	ADD_CODE(builder, OP_NOP, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_GOTO, U2(-8));
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), 1);
	COMPLETES(builder, {3, 1});
}
END_TEST

START_TEST(loops_whose_condition_stands_last_are_followed)
{
	struct class_builder *builder = old_builder();

	/* The body is reached by a jump back alone, from code that stands after it. */
	ADD_CODE(builder, OP_GOTO, U2(11), NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_ICONST_0, OP_IFEQ,
	         U2(-9), OP_RETURN);
	COMPLETES(builder, {3, 1});
}
END_TEST

START_TEST(what_a_jump_back_brings_counts_for_code_before_it)
{
	struct class_builder *builder = old_builder();

	/* Below the object lies the object, and after the jump null. */
	ADD_CODE(builder, NEW_A, OP_DUP, OP_ICONST_0, OP_IFEQ, U2(7), CALL(INIT), OP_RETURN,
	         OP_SWAP, OP_POP, OP_ACONST_NULL, OP_SWAP, OP_GOTO, U2(-12));
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(an_older_object_of_the_same_new_is_another_one)
{
	struct class_builder *builder = old_builder();

	/* Below the object lies null or one that the last turn left. */
	ADD_CODE(builder, OP_ACONST_NULL, NEW_A, OP_ICONST_0, OP_IFEQ, U2(8), OP_SWAP, OP_POP,
	         OP_GOTO, U2(-9), CALL(INIT), OP_POP, OP_RETURN);
	COMPLETES_NOTHING(builder);
	/* By a frame that no verifier accepts. */
	builder = mapped_builder();
	ADD_CODE(builder, OP_RETURN, NEW_A, CALL(INIT), OP_POP, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), SAME_1 + 1, NEW, U2(1));
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(unreached_code_completes_nothing)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_GOTO, U2(11), OP_POP, NEW_A, OP_DUP, CALL(INIT),
	         CALL(INIT), OP_POP, OP_RETURN, NEW_A, OP_DUP, CALL(INIT), OP_JSR, U2(0));
	COMPLETES(builder, {7, 0});
}
END_TEST

START_TEST(stacks_that_do_not_fit_leave_the_method_uncertain)
{
	struct class_builder *builder = old_builder();

	/* too little on the stack */
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_POP, OP_RETURN);
	COMPLETES_NOTHING(builder);
	/* too much */
	builder = old_builder();
	builder->max_stack = 2;
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_LCONST_0, OP_RETURN);
	COMPLETES_NOTHING(builder);
	/* depths that differ, forward and back */
	builder = old_builder();
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_IFNULL, U2(4), OP_ICONST_0, OP_RETURN);
	COMPLETES_NOTHING(builder);
	builder = old_builder();
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_GOTO, U2(-7));
	COMPLETES_NOTHING(builder);
	/* a constant of the wrong kind */
	builder = old_builder();
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_INVOKESTATIC, U2(LONG_FIELD), OP_RETURN);
	COMPLETES_NOTHING(builder);
	builder = old_builder();
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_GETFIELD, U2(METHOD), OP_RETURN);
	COMPLETES_NOTHING(builder);
	/* no room for an exception */
	builder = old_builder();
	builder->max_stack = 0;
	ADD_CODE(builder, NEW_A, OP_RETURN);
	add_exception(builder, 0, 3, 3, 0);
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(subroutines_leave_the_method_uncertain)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_JSR, U2(4), OP_RETURN, OP_ASTORE_0,
	         OP_RET, 0);
	COMPLETES_NOTHING(builder);
	builder = old_builder();
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_JSR_W, U4(6), OP_RETURN,
	         OP_ASTORE_0, OP_WIDE, OP_RET, U2(0));
	COMPLETES_NOTHING(builder);
	builder = old_builder();
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_WIDE, OP_RET, U2(0));
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(handlers_begin_with_the_exception_alone)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_RETURN);  /* 0 */
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP2, OP_RETURN); /* 5, at 9 */
	ADD_CODE(builder, CALL(INIT), OP_RETURN);                         /* 10, at 18 */
	add_exception(builder, 0, 8, 9, 0);
	add_exception(builder, 0, 8, 18, 0);
	COMPLETES(builder, {2, 0}, {7, 5});
}
END_TEST

START_TEST(a_handler_that_code_runs_into_with_another_stack_leaves_the_method_uncertain)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_RETURN);
	add_exception(builder, 0, 8, 8, 0);
	COMPLETES_NOTHING(builder);
}
END_TEST

START_TEST(frames_that_state_less_count)
{
	struct class_builder *builder = mapped_builder();

	ADD_CODE(builder, NEW_A, OP_DUP, OP_GOTO, U2(3), CALL(INIT), OP_RETURN);
	switch (_i) {
	case 0:
		ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), FULL, U2(7), U2(0), U2(2), NEW,
		              U2(0), NEW, U2(0));
		COMPLETES(builder, {3, 0});
		break;
	case 1: /* a slot that may not be used any more, as verifiers accept */
		ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), FULL, U2(7), U2(0), U2(2), TOP, NEW,
		              U2(0));
		COMPLETES_NOTHING(builder);
		break;
	case 2: /* of another depth */
		ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), SAME_1 + 7, NEW, U2(0));
		COMPLETES_NOTHING(builder);
		break;
	case 3: /* no table at all, as in classes that fall back to the old verifier */
		COMPLETES(builder, {3, 0});
		break;
	default: /* malformed: names no new */
		ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), FULL, U2(7), U2(0), U2(2), NEW,
		              U2(3), NEW, U2(0));
		COMPLETES_NOTHING(builder);
		break;
	}
}
END_TEST

/* Blocks that each jump back to the one before, the last of which runs first. */
static struct class_builder *backward_blocks(uint32_t count)
{
	struct class_builder *builder = old_builder();

	put1(&builder->code, OP_GOTO);
	put2(&builder->code, 3 + 1 + 3 * count);
	put1(&builder->code, OP_RETURN);
	put1(&builder->code, OP_GOTO);
	put2(&builder->code, (uint32_t)-1);
	for (; count > 1; count--) {
		put1(&builder->code, OP_GOTO);
		put2(&builder->code, (uint32_t)-3);
	}
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_POP, OP_GOTO, U2(-11));
	return builder;
}

START_TEST(jumps_back_are_followed_to_a_limit)
{
	COMPLETES(backward_blocks(5), {9, 7});
	COMPLETES_NOTHING(backward_blocks(100));
}
END_TEST

START_TEST(deep_stacks_are_followed_to_a_limit)
{
	struct class_builder *builder = old_builder();

	builder->max_stack = 1024;
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT));
	put_repeated(&builder->code, OP_ICONST_0, 1000);
	for (int left = 1000; left; left--)
		ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, U2(3));
	put1(&builder->code, OP_RETURN);
	COMPLETES(builder, {2, 0});
	builder = old_builder();
	builder->max_stack = 1025;
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT), OP_RETURN);
	COMPLETES_NOTHING(builder);
	builder = old_builder();
	builder->max_stack = 1024;
	ADD_CODE(builder, NEW_A, OP_DUP, CALL(INIT));
	put_repeated(&builder->code, OP_ICONST_0, 1000);
	for (int left = 1100; left; left--)
		ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, U2(3));
	put1(&builder->code, OP_RETURN);
	COMPLETES_NOTHING(builder);
}
END_TEST

/* An allocator that fails after some requests and counts them. */
struct limited_memory {
	uint32_t left;
	uint32_t requests;
	int32_t blocks;
};

static void *limited_resize(void *context, void *block, size_t bytes)
{
	struct limited_memory *limit = context;

	if (!bytes) {
		limit->blocks--;
		free(block);
		return NULL;
	}
	limit->requests++;
	if (!limit->left)
		return NULL;
	limit->left--;
	limit->blocks += !block;
	return realloc(block, bytes);
}

static void ask_nothing(void *context, const struct classfile *classfile,
                        const struct classfile_method *method, struct method_edit *edit)
{
	(void)context;
	(void)classfile;
	(void)method;
	(void)edit;
}

/* Asks about a class with so many allocations; returns how many it requested. */
static uint32_t rewrite_within(const uint8_t *bytes, size_t length, uint32_t limit,
                               const struct rewrite_plan *plan, enum rewrite_status *status)
{
	struct limited_memory limited = {limit, 0, 0};
	struct classfile_memory memory = {limited_resize, &limited};
	struct classfile *classfile = classfile_parse(bytes, length, &memory, NULL);
	struct rewrite_result result;

	*status = REWRITE_NO_MEMORY;
	if (classfile) {
		*status = rewrite_class(classfile, plan, &result);
		rewrite_result_free(classfile, &result);
	}
	classfile_free(classfile);
	ck_assert_int_eq(limited.blocks, 0);
	return limited.requests;
}

static void ask_about_each(void *context, const struct classfile *classfile,
                           const struct classfile_method *method, struct method_edit *edit)
{
	uint32_t *known = context;
	uint32_t object;

	(void)classfile;
	(void)method;
	for (uint32_t i = 0; i < method_edit_instruction_count(edit); i++)
		*known += method_edit_completes_new(edit, i, &object);
}

START_TEST(lack_of_memory_ends_the_rewriting)
{
	struct class_builder *builder = old_builder();
	uint32_t known = 0;
	struct rewrite_plan plan = {.context = &known, .edit = ask_about_each};
	struct rewrite_plan silent = {.edit = ask_nothing};
	enum rewrite_status status = REWRITE_NO_MEMORY;
	uint32_t limit;
	uint32_t least;
	size_t length;
	uint8_t *bytes;

	ADD_CODE(builder, NEW_A, OP_DUP, OP_ICONST_0, OP_IFEQ, U2(7), OP_ICONST_1, OP_GOTO, U2(4),
	         OP_ICONST_2, CALL(INIT_INT), OP_POP, OP_RETURN);
	bytes = build_class(builder, &length);
	free(builder);
	least = rewrite_within(bytes, length, UINT32_MAX, &silent, &status);
	ck_assert_int_eq((int)status, (int)REWRITE_UNCHANGED);
	status = REWRITE_NO_MEMORY;
	for (limit = 0; status == REWRITE_NO_MEMORY; limit++) {
		ck_assert_uint_eq(known, 0);
		rewrite_within(bytes, length, limit, &plan, &status);
	}
	ck_assert_int_eq((int)status, (int)REWRITE_UNCHANGED);
	ck_assert_uint_eq(known, 1);
	ck_assert_uint_gt(limit - 1, least);
	free(bytes);
}
END_TEST

START_TEST(methods_without_new_need_no_memory_for_it)
{
	struct class_builder *builder = constructor_of_subclass();
	uint32_t known = 0;
	struct rewrite_plan plan = {.context = &known, .edit = ask_about_each};
	struct rewrite_plan silent = {.edit = ask_nothing};
	enum rewrite_status status;
	size_t length;
	uint8_t *bytes;

	ADD_CODE(builder, OP_ALOAD_0, CALL(INIT), OP_RETURN);
	bytes = build_class(builder, &length);
	free(builder);
	ck_assert_uint_eq(rewrite_within(bytes, length, UINT32_MAX, &plan, &status),
	                  rewrite_within(bytes, length, UINT32_MAX, &silent, &status));
	ck_assert_int_eq((int)status, (int)REWRITE_UNCHANGED);
	ck_assert_uint_eq(known, 0);
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("classfile new objects");
	TCase *objects = tcase_create("new objects");

	tcase_add_test(objects, a_duplicated_object_is_completed_by_its_constructor);
	tcase_add_test(objects, each_method_of_a_class_has_its_own_answers);
	tcase_add_test(objects, arguments_of_two_slots_lie_above_the_object);
	tcase_add_test(objects, objects_in_arguments_are_completed_before_theirs);
	tcase_add_test(objects, an_object_that_nothing_keeps_is_not_on_the_stack);
	tcase_add_test(objects, an_object_below_another_value_is_not_on_top);
	tcase_add_test(objects, an_object_allocated_after_its_argument_is_swapped_below_it);
	tcase_add_test(objects, all_forms_of_dup_copy_objects);
	tcase_add_test(objects, an_object_that_is_duplicated_twice_is_completed_once);
	tcase_add_test(objects, the_call_of_super_completes_nothing);
	tcase_add_test(objects, an_object_that_lay_around_at_the_call_of_super_is_not_completed);
	tcase_add_test(objects, an_argument_of_super_is_completed);
	tcase_add_test(objects, a_constructor_of_a_superclass_may_complete_an_object);
	tcase_add_test(objects, a_method_that_is_no_constructor_completes_nothing);
	tcase_add_test(objects, an_object_from_a_local_is_not_known);
	tcase_add_test(objects, arguments_may_be_of_all_instructions);
	tcase_add_test(objects, ternary_arguments_keep_the_object);
	tcase_add_loop_test(objects, switches_in_arguments_keep_the_object, 0, 2);
	tcase_add_test(objects, values_that_differ_where_paths_meet_are_not_known);
	tcase_add_test(objects, objects_that_all_paths_agree_on_are_known_where_they_meet);
	tcase_add_test(objects, an_object_completed_on_one_path_only_is_not_known);
	tcase_add_loop_test(objects, loops_in_arguments_keep_the_object, 0, 2);
	tcase_add_loop_test(objects, objects_allocated_in_loops_are_completed, 0, 2);
	tcase_add_test(objects, loops_whose_condition_stands_last_are_followed);
	tcase_add_test(objects, what_a_jump_back_brings_counts_for_code_before_it);
	tcase_add_test(objects, an_older_object_of_the_same_new_is_another_one);
	tcase_add_test(objects, unreached_code_completes_nothing);
	tcase_add_test(objects, stacks_that_do_not_fit_leave_the_method_uncertain);
	tcase_add_test(objects, subroutines_leave_the_method_uncertain);
	tcase_add_test(objects, handlers_begin_with_the_exception_alone);
	tcase_add_test(
	        objects,
	        a_handler_that_code_runs_into_with_another_stack_leaves_the_method_uncertain);
	tcase_add_loop_test(objects, frames_that_state_less_count, 0, 5);
	tcase_add_test(objects, jumps_back_are_followed_to_a_limit);
	tcase_add_test(objects, deep_stacks_are_followed_to_a_limit);
	tcase_add_test(objects, lack_of_memory_ends_the_rewriting);
	tcase_add_test(objects, methods_without_new_need_no_memory_for_it);
	suite_add_tcase(suite, objects);
	return run_suite(suite);
}
