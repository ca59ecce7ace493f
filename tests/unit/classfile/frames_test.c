/*
 * classfile_frames_test.c: stack maps of rewritten methods, and which handler
 * covers which part of a constructor.
 */
#include "classfile/type_state.h"
#include "classfile_plan.h"
#include "run_suite.h"

#define U2(value) (uint8_t)((value) >> 8), (uint8_t)(value)

/* Frame types and type tags as in the class-file format. */
enum {
	SAME_1 = 64,
	SAME_1_EXTENDED = 247,
	CHOP_1 = 250,
	CHOP_2 = 249,
	SAME_EXTENDED = 251,
	APPEND_1 = 252,
	APPEND_2 = 253,
	FULL = 255,
	TOP = 0,
	INT = 1,
	DOUBLE = 3,
	LONG = 4,
	THIS = 6,
	OBJECT = 7,
	NEW = 8
};

START_TEST(frames_of_every_kind_move_with_their_instructions)
{
	struct class_builder *builder = new_builder();

	put_repeated(&builder->code, OP_NOP, 100);
	put1(&builder->code, OP_RETURN);
	builder->max_locals = 8;
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(7), 2,           /* same at 2 */
	              SAME_1 + 1, INT,                              /* at 4 */
	              APPEND_2, U2(0), INT, LONG,                   /* at 5 */
	              CHOP_1, U2(4),                                /* at 10 */
	              SAME_1_EXTENDED, U2(69), DOUBLE,              /* at 80 */
	              SAME_EXTENDED, U2(3),                         /* at 84 */
	              FULL, U2(5), U2(2), TOP, INT, U2(1), DOUBLE); /* at 90 */
	struct rewritten rewritten =
	        REWRITE(builder, {AT_ENTRY, 0, 100, 0}, {AFTER, 6, 100, 0}, {BEFORE, 80, 5, 0});

	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(7), SAME_EXTENDED, U2(102), SAME_1 + 1,
	                 INT, APPEND_2, U2(0), INT, LONG, CHOP_1, U2(104), SAME_1_EXTENDED, U2(69),
	                 DOUBLE, 8, FULL, U2(5), U2(2), TOP, INT, U2(1), DOUBLE);
	release(&rewritten);
}
END_TEST

START_TEST(frames_take_the_shortest_form_that_has_room)
{
	struct class_builder *builder = new_builder();

	put_repeated(&builder->code, OP_NOP, 200);
	put1(&builder->code, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(5), 62, /* at 62, by 1 farther now */
	              62,                                  /* at 125, the same */
	              SAME_1 + 4, INT,                     /* at 130, by 59 */
	              SAME_1 + 3, INT,                     /* at 134, by 60 */
	              FULL, U2(4), U2(4), INT, INT, INT, INT, U2(0));
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 1, 0}, {BEFORE, 124, 2, 0},
	                                     {BEFORE, 129, 59, 0}, {BEFORE, 133, 61, 0});

	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(5), 63, SAME_EXTENDED, U2(64), SAME_1 + 63,
	                 INT, SAME_1_EXTENDED, U2(64), INT, FULL, U2(4), U2(4), INT, INT, INT, INT,
	                 U2(0));
	release(&rewritten);
}
END_TEST

START_TEST(a_frame_of_a_jump_target_stands_before_the_code_inserted_there)
{
	struct class_builder *builder = new_builder();

	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, 0, 4, OP_NOP, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), 5);
	struct rewritten rewritten = REWRITE(builder, {AFTER, 4, 2, 0}, {BEFORE, 5, 3, 0});

	ASSERT_CODE(&rewritten, OP_ICONST_0, OP_IFEQ, 0, 6, OP_NOP, 0, 0, 0, 0, 0, OP_RETURN);
	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(1), 7);
	release(&rewritten);
}
END_TEST

START_TEST(an_uninitialised_object_is_named_by_where_its_new_is_now)
{
	struct class_builder *builder = new_builder();
	uint16_t class_index = add_class(builder, "T");

	ck_assert_uint_eq(class_index, 2);
	ADD_CODE(builder, OP_NEW, 0, 2, OP_ICONST_0, OP_IFEQ, 0, 4, OP_NOP, OP_POP, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), SAME_1 + 8, NEW, U2(0));
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 0, 7, 0}, {AFTER, 7, 1, 0});

	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(1), SAME_1 + 16, NEW, U2(7));
	release(&rewritten);
}
END_TEST

START_TEST(the_handler_gets_a_frame_even_in_a_method_that_had_none)
{
	struct class_builder *builder = new_builder();
	uint16_t throwable = add_class(builder, "java/lang/Throwable");

	ck_assert_uint_eq(throwable, 2);
	ADD_CODE(builder, OP_ICONST_0, OP_POP, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 2, 0}, {IN_HANDLER, 0, 0, 1});

	ASSERT_CODE(&rewritten, 0, 0, OP_ICONST_0, OP_POP, OP_RETURN, OP_ICONST_1, OP_POP,
	            OP_ATHROW);
	/* No locals, and the class that was there is used again. */
	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(1), SAME_1 + 5, OBJECT, U2(2));
	ck_assert_uint_eq(new_method(&rewritten)->view.max_stack, 4);
	release(&rewritten);
}
END_TEST

START_TEST(a_class_from_before_stack_maps_gets_none)
{
	struct class_builder *builder = new_builder();
	size_t length;

	builder->major = 49;
	ADD_CODE(builder, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), 77);
	ADD_ATTRIBUTE(builder, "StackMap", 1, 2, 3);
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 0, 1, 0}, {IN_HANDLER, 0, 1, 0});

	ck_assert_ptr_null(new_attribute(&rewritten, "StackMapTable", &length));
	ck_assert_ptr_null(new_attribute(&rewritten, "StackMap", &length));
	release(&rewritten);
}
END_TEST

static void edit_with_locals(void *context, const struct classfile *classfile,
                             const struct classfile_method *method, struct method_edit *edit)
{
	uint16_t number = method_edit_add_local(edit, "J");
	uint16_t object = method_edit_add_local(edit, "Ljava/lang/Thread;");
	struct code_emitter *emitter = method_edit_entry(edit);

	(void)context;
	(void)classfile;
	(void)method;
	ck_assert_uint_eq(number, 3);
	ck_assert_uint_eq(object, 5);
	emit_push_long(emitter, 1);
	emit_store(emitter, 'J', number);
	emit_op(emitter, OP_ACONST_NULL);
	emit_store(emitter, 'A', object);
}

START_TEST(added_locals_are_in_every_frame_that_knows_locals)
{
	struct class_builder *builder = new_builder();
	struct rewrite_plan plan = {.edit = edit_with_locals};
	uint16_t thread = add_class(builder, "java/lang/Thread");

	ck_assert_uint_eq(thread, 2);
	builder->max_locals = 3;
	put_repeated(&builder->code, OP_NOP, 20);
	put1(&builder->code, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(3), 1, 2, APPEND_1, U2(3), INT);
	struct rewritten rewritten = rewrite_built(builder, &plan);

	/* lconst_1, lstore_3, aconst_null, astore 5 */
	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(3),                               /* */
	                 FULL, U2(6), U2(5), TOP, TOP, TOP, LONG, OBJECT, U2(2), U2(0), 2, /* */
	                 FULL, U2(3), U2(5), INT, TOP, TOP, LONG, OBJECT, U2(2), U2(0));
	ck_assert_uint_eq(new_method(&rewritten)->view.max_locals, 6);
	release(&rewritten);
}
END_TEST

/* A method whose branch at offset 7 outgrows 16 bits, with an int and a long in its locals. */
static struct class_builder *far_branch(void)
{
	struct class_builder *builder = new_builder();

	ADD_CODE(builder, OP_ICONST_1, OP_ISTORE_0, OP_LCONST_1, OP_LSTORE_1, OP_ICONST_0,
	         OP_ICONST_0, OP_POP, OP_IFEQ, 0x7F, 0xFF);
	put_repeated(&builder->code, OP_NOP, 32764);
	put1(&builder->code, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), FULL, U2(7 + 32767), U2(1), INT, U2(0));
	return builder;
}

START_TEST(a_widened_conditional_branch_gets_the_frame_that_it_jumps_over_to)
{
	struct rewritten rewritten = REWRITE(far_branch(), {BEFORE, 10, 1, 0});

	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(2), APPEND_2, U2(15), INT, LONG, CHOP_1,
	                 U2(7 + 32767 + 6 - 16));
	release(&rewritten);
}
END_TEST

START_TEST(code_behind_a_widened_branch_stands_between_its_frame_and_the_next)
{
	struct class_builder *builder = new_builder();

	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, 0x7F, 0xFF);
	put_repeated(&builder->code, OP_NOP, 32764);
	put1(&builder->code, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(2), 4, SAME_EXTENDED, U2(1 + 32767 - 5));
	struct rewritten rewritten = REWRITE(builder, {AFTER, 1, 2, 0});

	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(3), 9, 1, SAME_EXTENDED,
	                 U2(1 + 32767 - 5));
	release(&rewritten);
}
END_TEST

START_TEST(a_frame_behind_a_widened_branch_is_there_once)
{
	struct class_builder *builder = new_builder();

	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, 0x7F, 0xFF);
	put_repeated(&builder->code, OP_NOP, 32764);
	put1(&builder->code, OP_RETURN);
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(2), 4, SAME_EXTENDED, U2(1 + 32767 - 5));
	struct rewritten rewritten = REWRITE(builder, {AFTER, 4, 2, 0});

	ASSERT_ATTRIBUTE(&rewritten, "StackMapTable", U2(2), 9, SAME_EXTENDED,
	                 U2(1 + 32767 - 5 + 2));
	release(&rewritten);
}
END_TEST

/* What each copying instruction leaves of the slots a b c d, the top last. */
static const struct {
	uint8_t opcode;
	const char *left;
} copies[] = {
        {OP_DUP, "abcdd"},   {OP_DUP_X1, "abdcd"},   {OP_DUP_X2, "adbcd"},
        {OP_DUP2, "abcdcd"}, {OP_DUP2_X1, "acdbcd"}, {OP_DUP2_X2, "cdabcd"},
        {OP_SWAP, "abdc"},   {OP_POP, "abc"},        {OP_POP2, "ab"},
};

START_TEST(instructions_that_copy_slots_copy_the_right_ones)
{
	static const uint8_t tags[] = {TYPE_INTEGER, TYPE_FLOAT, TYPE_NULL, TYPE_TOP};
	struct method_record record = {.view = {.max_stack = 6, .max_locals = 1}};
	struct instruction instruction = {.opcode = copies[_i].opcode};
	struct method_code code = {.record = &record, .bytes = &instruction.opcode};
	struct verification_type locals[1];
	struct verification_type stack[6] = {{.tag = 0}};
	struct type_state state;

	type_state_init(&state, &code, locals, stack);
	for (; state.depth < 4; state.depth++)
		stack[state.depth].tag = tags[state.depth];
	ck_assert(type_state_step(&state, &instruction));
	ck_assert_uint_eq(state.depth, strlen(copies[_i].left));
	for (uint32_t i = 0; i < state.depth; i++)
		ck_assert_uint_eq(stack[i].tag, tags[copies[_i].left[i] - 'a']);
}
END_TEST

START_TEST(simulated_types_are_those_that_a_verifier_finds)
{
	struct class_builder *builder = new_builder();
	uint16_t string = add_class(builder, "[[Ljava/lang/String;");
	uint16_t field = add_member(builder, CONSTANT_FIELDREF, "T", "f", "[Lp/Q;");
	uint16_t method = add_member(builder, CONSTANT_METHODREF, "T", "g", "(IJ)D");
	size_t length;
	const uint8_t *body;

	ck_assert_uint_eq(string, 2);
	put1(&builder->code, OP_ACONST_NULL);
	put1(&builder->code, OP_CHECKCAST);
	put2(&builder->code, string);
	ADD_CODE(builder, OP_ICONST_0, OP_AALOAD, OP_ASTORE_0); /* [Ljava/lang/String; */
	put1(&builder->code, OP_GETSTATIC);
	put2(&builder->code, field);
	ADD_CODE(builder, OP_ICONST_0, OP_AALOAD); /* p/Q */
	ADD_CODE(builder, OP_ICONST_1, OP_LCONST_0, OP_INVOKESTATIC);
	put2(&builder->code, method); /* a double */
	ADD_CODE(builder, OP_ICONST_3, OP_NEWARRAY, 10, OP_DUP_X2, OP_ASTORE_1);
	/* Stack: Q, int[], double; locals: String[], int[] */
	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, 0x7F, 0xFF);
	put_repeated(&builder->code, OP_NOP, 32767 - 3 - 4);
	ADD_CODE(builder, OP_POP2, OP_POP, OP_POP, OP_RETURN, OP_RETURN);
	builder->max_stack = 6;
	ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), FULL, U2(23 + 32767), U2(0), U2(0));
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 27, 1, 0});

	body = new_attribute(&rewritten, "StackMapTable", &length);
	ck_assert_ptr_nonnull(body);
	/* full, delta, 2 locals, 3 stack entries: 3 bytes each for objects, 1 for the double */
	ck_assert_uint_eq(bytes_u2(body), 2);
	ck_assert_uint_eq(body[2], FULL);
	ck_assert_uint_eq(bytes_u2(body + 3), 23 + 8);
	ck_assert_uint_eq(bytes_u2(body + 5), 2);
	static const char *const names[] = {"[Ljava/lang/String;", "[I", "p/Q", "[I"};
	static const uint32_t offsets[] = {7, 10, 15, 18};
	for (int i = 0; i < 4; i++) {
		struct classfile_name name = {NULL, 0};

		ck_assert_uint_eq(body[offsets[i]], OBJECT);
		ck_assert(classfile_class_at(rewritten.after, bytes_u2(body + offsets[i] + 1),
		                             &name));
		ck_assert_msg(classfile_name_is(name, names[i]), "%d: %.*s", i, name.length,
		              (const char *)name.bytes);
	}
	ck_assert_uint_eq(bytes_u2(body + 13), 3);
	ck_assert_uint_eq(body[21], DOUBLE);
	release(&rewritten);
}
END_TEST

/* Classes that the frame after a widened branch names, which begins with stores of each. */
static void assert_local_classes(const struct rewritten *rewritten, const char *const *names,
                                 uint32_t count)
{
	size_t length;
	const uint8_t *body = new_attribute(rewritten, "StackMapTable", &length);

	ck_assert_ptr_nonnull(body);
	ck_assert_uint_eq(body[2], FULL);
	ck_assert_uint_eq(bytes_u2(body + 5), count + 2);
	for (uint32_t i = 0; i < count; i++) {
		struct classfile_name name = {NULL, 0};

		ck_assert_uint_eq(body[7 + 3 * i], OBJECT);
		ck_assert(classfile_class_at(rewritten->after, bytes_u2(body + 8 + 3 * i), &name));
		ck_assert_msg(classfile_name_is(name, names[i]), "%u: %.*s, wanted %s", i,
		              name.length, (const char *)name.bytes, names[i]);
	}
}

START_TEST(simulated_arrays_and_constants_have_their_classes)
{
	static const char *const names[] = {"[Lp/Q;", "[[I", "p/Q", "java/lang/invoke/MethodType",
	                                    "java/lang/String"};
	struct class_builder *builder = new_builder();
	uint16_t object = add_class(builder, "p/Q");
	uint16_t array = add_class(builder, "[I");
	uint32_t branch;
	size_t length;

	put1(&builder->pool, CONSTANT_METHOD_TYPE);
	put2(&builder->pool, 1);
	put1(&builder->pool, CONSTANT_STRING);
	put2(&builder->pool, 1);
	builder->pool_count = (uint16_t)(builder->pool_count + 2);
	builder->max_locals = 7;
	ADD_CODE(builder, OP_ICONST_1, OP_ANEWARRAY);
	put2(&builder->code, object);
	ADD_CODE(builder, OP_DUP, OP_ASTORE_0, OP_ICONST_1, OP_ANEWARRAY);
	put2(&builder->code, array);
	ADD_CODE(builder, OP_ASTORE_1, OP_ICONST_0, OP_AALOAD, OP_ASTORE_2);
	ADD_CODE(builder, OP_LDC, 5, OP_ASTORE_3, OP_LDC_W, 0, 6, OP_WIDE, OP_ASTORE, 0, 4);
	/* A long in locals 5 and 6, of which a later store to 6 leaves nothing in 5. */
	ADD_CODE(builder, OP_LCONST_0, OP_LSTORE, 5, OP_LDC, 6, OP_ASTORE, 6, OP_ICONST_0);
	branch = (uint32_t)builder->code.length;
	ADD_CODE(builder, OP_IFEQ, 0x7F, 0xFF);
	put_repeated(&builder->code, OP_NOP, 32764);
	put1(&builder->code, OP_RETURN);
	uint8_t map[] = {U2(1), FULL, U2(branch + 32767), U2(0), U2(0)};
	add_attribute(builder, "StackMapTable", map, sizeof(map));
	struct rewritten rewritten = REWRITE(builder, {BEFORE, branch + 3, 1, 0});

	assert_local_classes(&rewritten, names, 5);
	/* Behind 5 references: nothing in local 5, a reference in 6. */
	const uint8_t *locals = new_attribute(&rewritten, "StackMapTable", &length) + 7;
	ck_assert_uint_eq(locals[15], TOP);
	ck_assert_uint_eq(locals[16], OBJECT);
	release(&rewritten);
}
END_TEST

START_TEST(wrong_stack_maps_leave_the_method_alone)
{
	static const struct {
		uint8_t bytes[12];
		size_t length;
	} broken[] = {
	        {{0}, 1},                                            /* no count */
	        {{U2(2), 0}, 3},                                     /* fewer frames than counted */
	        {{U2(1), 0, 0}, 4},                                  /* more bytes than frames */
	        {{U2(1), 1}, 3},                                     /* inside an instruction */
	        {{U2(1), 4}, 3},                                     /* after the code */
	        {{U2(1), 128}, 3},                                   /* a reserved type */
	        {{U2(1), CHOP_1, U2(0)}, 5},                         /* no local to chop */
	        {{U2(1), SAME_1, 9}, 4},                             /* no such type */
	        {{U2(1), SAME_1, OBJECT, U2(1)}, 6},                 /* no class */
	        {{U2(1), SAME_1, NEW, U2(0)}, 6},                    /* no new there */
	        {{U2(1), FULL, U2(0), U2(9), U2(0)}, 9},             /* fewer locals than counted */
	        {{U2(1), APPEND_2 + 1, U2(0), LONG, LONG, LONG}, 8}, /* more than max_locals */
	};
	struct class_builder *builder = new_builder();

	ADD_CODE(builder, OP_SIPUSH, 0, 0, OP_POP, OP_RETURN);
	builder->code.length = 4;
	put1(&builder->code, OP_RETURN);
	add_attribute(builder, "StackMapTable", broken[_i].bytes, broken[_i].length);
	if (_i == 4)
		builder->attributes.bytes[builder->attributes.length - 1] = 5;
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 1, 0});

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
	release(&rewritten);
}
END_TEST

/*
 * aload_0, iconst_0, ifeq +4, nop, invokespecial Object.<init>, nop, return: a
 * constructor that branches before super().
 */
static struct class_builder *constructor(uint16_t major)
{
	struct class_builder *builder = new_builder();
	uint16_t init =
	        add_member(builder, CONSTANT_METHODREF, "java/lang/Object", "<init>", "()V");

	builder->major = major;
	builder->method = "<init>";
	builder->method_flags = 0;
	ADD_CODE(builder, OP_ALOAD_0, OP_ICONST_0, OP_IFEQ, 0, 4, OP_NOP, OP_INVOKESPECIAL);
	put2(&builder->code, init);
	ADD_CODE(builder, OP_NOP, OP_RETURN);
	if (major >= 50)
		ADD_ATTRIBUTE(builder, "StackMapTable", U2(1), SAME_1 + 6, THIS);
	return builder;
}

START_TEST(a_constructor_has_one_handler_before_super_and_one_behind_it)
{
	struct rewritten rewritten =
	        REWRITE(constructor(52), {AT_ENTRY, 0, 2, 0}, {BEFORE, 6, 1, 0}, {AFTER, 6, 1, 0},
	                {BEFORE, 10, 1, 0}, {IN_HANDLER, 0, 1, 0});

	/* The call is at 9, what is after it at 12, the handlers at 16 and 18. */
	ck_assert_uint_eq(new_method(&rewritten)->view.code_length, 20);
	ASSERT_EXCEPTIONS(&rewritten, U2(2), U2(9), U2(18), U2(0), /* this uninitialised */
	                  U2(12), U2(14), U2(16), U2(0));          /* and initialised */
	size_t length;
	const uint8_t *map = new_attribute(&rewritten, "StackMapTable", &length);
	ck_assert_ptr_nonnull(map);
	ck_assert_uint_eq(bytes_u2(map), 3);
	/* The old frame, at 8; then a full frame without locals, then one with this. */
	ck_assert_uint_eq(map[2], SAME_1 + 8);
	ck_assert_uint_eq(map[3], THIS);
	ck_assert_uint_eq(map[4], FULL);
	ck_assert_uint_eq(bytes_u2(map + 5), 7);
	ck_assert_uint_eq(bytes_u2(map + 7), 0);
	ck_assert_uint_eq(map[14], FULL);
	ck_assert_uint_eq(bytes_u2(map + 15), 1);
	ck_assert_uint_eq(bytes_u2(map + 17), 1);
	ck_assert_uint_eq(map[19], THIS);
	ck_assert_uint_eq(length, 25);
	release(&rewritten);
}
END_TEST

START_TEST(one_handler_covers_all_of_a_constructor_where_types_are_inferred)
{
	struct rewritten rewritten = REWRITE(constructor(49), {AT_ENTRY, 0, 2, 0},
	                                     {BEFORE, 10, 1, 0}, {IN_HANDLER, 0, 1, 0});

	ASSERT_EXCEPTIONS(&rewritten, U2(2), U2(12), U2(14), U2(0));
	release(&rewritten);
}
END_TEST

START_TEST(the_constructor_of_object_has_no_part_before_super)
{
	struct class_builder *builder = new_builder();

	builder->name = "java/lang/Object";
	builder->super = NULL;
	builder->method = "<init>";
	builder->method_flags = 0;
	ADD_CODE(builder, OP_NOP, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 1, 1, 0}, {IN_HANDLER, 0, 1, 0});

	ASSERT_EXCEPTIONS(&rewritten, U2(0), U2(1), U2(3), U2(0));
	release(&rewritten);
}
END_TEST

START_TEST(the_call_of_a_new_objects_constructor_is_not_super)
{
	struct class_builder *builder = new_builder();
	uint16_t init =
	        add_member(builder, CONSTANT_METHODREF, "T", "<init>", "(Ljava/lang/Object;)V");
	uint16_t class_index = add_class(builder, "T");

	/* this(new T(null)) */
	builder->method = "<init>";
	builder->method_flags = 0;
	ADD_CODE(builder, OP_ALOAD_0, OP_NEW);
	put2(&builder->code, class_index);
	ADD_CODE(builder, OP_DUP, OP_ACONST_NULL, OP_INVOKESPECIAL);
	put2(&builder->code, init);
	put1(&builder->code, OP_INVOKESPECIAL);
	put2(&builder->code, init);
	ADD_CODE(builder, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {IN_HANDLER, 0, 1, 0});

	ASSERT_EXCEPTIONS(&rewritten, U2(0), U2(9), U2(15), U2(0));
	release(&rewritten);
}
END_TEST

START_TEST(a_constructor_that_moves_this_elsewhere_is_left_alone)
{
	struct class_builder *builder = new_builder();
	uint16_t init =
	        add_member(builder, CONSTANT_METHODREF, "java/lang/Object", "<init>", "()V");

	builder->method = "<init>";
	builder->method_flags = 0;
	ADD_CODE(builder, OP_ALOAD_0, OP_ASTORE_1, OP_ACONST_NULL, OP_ASTORE_0, OP_ALOAD_1,
	         OP_INVOKESPECIAL);
	put2(&builder->code, init);
	ADD_CODE(builder, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {IN_HANDLER, 0, 1, 0});

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_CONSTRUCTOR);
	release(&rewritten);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("classfile frames");
	TCase *frames = tcase_create("frames");

	tcase_add_test(frames, frames_of_every_kind_move_with_their_instructions);
	tcase_add_test(frames, frames_take_the_shortest_form_that_has_room);
	tcase_add_test(frames, a_frame_of_a_jump_target_stands_before_the_code_inserted_there);
	tcase_add_test(frames, an_uninitialised_object_is_named_by_where_its_new_is_now);
	tcase_add_test(frames, the_handler_gets_a_frame_even_in_a_method_that_had_none);
	tcase_add_test(frames, a_class_from_before_stack_maps_gets_none);
	tcase_add_test(frames, added_locals_are_in_every_frame_that_knows_locals);
	tcase_add_test(frames, a_widened_conditional_branch_gets_the_frame_that_it_jumps_over_to);
	tcase_add_test(frames, code_behind_a_widened_branch_stands_between_its_frame_and_the_next);
	tcase_add_test(frames, a_frame_behind_a_widened_branch_is_there_once);
	tcase_add_loop_test(frames, instructions_that_copy_slots_copy_the_right_ones, 0, 9);
	tcase_add_test(frames, simulated_types_are_those_that_a_verifier_finds);
	tcase_add_test(frames, simulated_arrays_and_constants_have_their_classes);
	tcase_add_loop_test(frames, wrong_stack_maps_leave_the_method_alone, 0, 12);
	tcase_add_test(frames, a_constructor_has_one_handler_before_super_and_one_behind_it);
	tcase_add_test(frames, one_handler_covers_all_of_a_constructor_where_types_are_inferred);
	tcase_add_test(frames, the_constructor_of_object_has_no_part_before_super);
	tcase_add_test(frames, the_call_of_a_new_objects_constructor_is_not_super);
	tcase_add_test(frames, a_constructor_that_moves_this_elsewhere_is_left_alone);
	suite_add_tcase(suite, frames);
	return run_suite(suite);
}
