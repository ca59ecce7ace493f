/*
 * classfile_layout_test.c: where inserted code runs, and that branches, switches
 * and exception tables follow the code that they refer to.
 */
#include "classfile_plan.h"
#include "run_suite.h"

/* A class of a version whose code needs no stack maps. */
static struct class_builder *old_builder(void)
{
	struct class_builder *builder = new_builder();

	builder->major = 49;
	return builder;
}

START_TEST(entry_code_does_not_run_again_when_the_method_jumps_to_its_start)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, 0xFF, 0xFF, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 2, 0});

	ASSERT_CODE(&rewritten, 0, 0, OP_ICONST_0, OP_IFEQ, 0xFF, 0xFF, OP_RETURN);
	release(&rewritten);
}
END_TEST

START_TEST(code_before_an_instruction_runs_also_when_it_is_jumped_to)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, 0xFF, 0xFF, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 0, 1, 0});

	ASSERT_CODE(&rewritten, 0, OP_ICONST_0, OP_IFEQ, 0xFF, 0xFE, OP_RETURN);
	release(&rewritten);
}
END_TEST

START_TEST(code_after_a_branch_runs_only_when_it_is_not_taken)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, 0, 4, OP_NOP, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AFTER, 1, 2, 0});

	ASSERT_CODE(&rewritten, OP_ICONST_0, OP_IFEQ, 0, 6, 0, 0, OP_NOP, OP_RETURN);
	release(&rewritten);
}
END_TEST

START_TEST(insertions_at_one_instruction_run_in_the_order_they_began)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_ICONST_0, OP_POP, OP_RETURN);
	struct rewritten rewritten =
	        REWRITE(builder, {BEFORE, 2, 0, 3}, {BEFORE, 1, 0, 4}, {AFTER, 0, 0, 1},
	                {BEFORE, 1, 0, 5}, {AFTER, 0, 0, 2}, {AT_ENTRY, 0, 1, 0});

	ASSERT_CODE(&rewritten, 0, OP_ICONST_0, OP_ICONST_1, OP_POP, OP_ICONST_2, OP_POP,
	            OP_ICONST_4, OP_POP, OP_ICONST_5, OP_POP, OP_POP, OP_ICONST_3, OP_POP,
	            OP_RETURN);
	ck_assert_uint_eq(new_method(&rewritten)->view.max_stack, 5);
	release(&rewritten);
}
END_TEST

START_TEST(code_behind_an_instruction_that_does_not_go_on_is_refused)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_GOTO, 0, 3, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AFTER, 0, 1, 0});

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_BAD_PLAN);
	release(&rewritten);
}
END_TEST

START_TEST(code_at_an_offset_inside_an_instruction_is_refused)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_SIPUSH, 0, 3, OP_POP, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 1, 1, 0});

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_BAD_PLAN);
	release(&rewritten);
}
END_TEST

static void emit_too_much(void *context, const struct classfile *classfile,
                          const struct classfile_method *method, struct method_edit *edit)
{
	(void)context;
	(void)classfile;
	(void)method;
	emit_push_int(method_edit_entry(edit), 1);
}

START_TEST(code_that_changes_the_stack_is_refused)
{
	struct class_builder *builder = old_builder();
	struct rewrite_plan plan = {.edit = emit_too_much};

	ADD_CODE(builder, OP_RETURN);
	struct rewritten rewritten = rewrite_built(builder, &plan);

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_BAD_PLAN);
	release(&rewritten);
}
END_TEST

/* Shifts a switch of three targets by each of 1 to 4 bytes. */
static void check_switch(bool table, uint32_t shift)
{
	struct class_builder *builder = old_builder();
	uint32_t pad = 3 - (1 + shift) % 4;
	uint32_t fixed = table ? 12 : 8 + 8;
	const uint8_t *code;

	put1(&builder->code, OP_ICONST_0);
	put1(&builder->code, table ? OP_TABLESWITCH : OP_LOOKUPSWITCH);
	put2(&builder->code, 0);
	put4(&builder->code, table ? 27 : 31);
	if (table) {
		put4(&builder->code, 5);
		put4(&builder->code, 7);
		put4(&builder->code, 28);
		put4(&builder->code, (uint32_t)-1);
		put4(&builder->code, 29);
	} else {
		put4(&builder->code, 2);
		put4(&builder->code, (uint32_t)-9);
		put4(&builder->code, (uint32_t)-1);
		put4(&builder->code, 1000);
		put4(&builder->code, 32);
		put_repeated(&builder->code, OP_NOP, 4);
	}
	put_repeated(&builder->code, OP_NOP, 4);
	put1(&builder->code, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, shift, 0});

	code = new_method(&rewritten)->view.code + shift;
	ck_assert_uint_eq(code[1], table ? OP_TABLESWITCH : OP_LOOKUPSWITCH);
	for (uint32_t i = 0; i < pad; i++)
		ck_assert_uint_eq(code[2 + i], 0);
	code += 2 + pad;
	/* The old padding was 2: what is after the switch has moved by the difference. */
	ck_assert_int_eq(bytes_s4(code), (int)((table ? 27 : 31) + pad - 2));
	ck_assert_int_eq(bytes_s4(code + fixed), table ? (int)(28 + pad - 2) : 1000);
	ck_assert_int_eq(bytes_s4(code + (table ? fixed + 4 : 12)), -1);
	if (!table)
		ck_assert_int_eq(bytes_s4(code + 20), (int)(32 + pad - 2));
	release(&rewritten);
}

START_TEST(a_tableswitch_is_right_at_every_alignment)
{
	check_switch(true, (uint32_t)_i);
}
END_TEST

START_TEST(a_lookupswitch_is_right_at_every_alignment)
{
	check_switch(false, (uint32_t)_i);
}
END_TEST

enum {
	FAR = 32767 /* the farthest that a branch reaches */
};

START_TEST(a_goto_that_no_longer_reaches_becomes_wide)
{
	struct class_builder *builder = old_builder();
	const uint8_t *code;

	ADD_CODE(builder, OP_GOTO, FAR >> 8, FAR & 0xFF);
	put_repeated(&builder->code, OP_NOP, FAR - 3);
	put1(&builder->code, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 3, 1, 0});

	code = new_method(&rewritten)->view.code;
	ck_assert_uint_eq(code[0], OP_GOTO_W);
	ck_assert_int_eq(bytes_s4(code + 1), FAR + 1 + 2);
	ck_assert_uint_eq(code[FAR + 3], OP_RETURN);
	release(&rewritten);
}
END_TEST

START_TEST(a_goto_that_just_reaches_stays_short)
{
	struct class_builder *builder = old_builder();
	const uint8_t *code;

	ADD_CODE(builder, OP_GOTO, (FAR - 1) >> 8, (FAR - 1) & 0xFF);
	put_repeated(&builder->code, OP_NOP, FAR - 4);
	put1(&builder->code, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 3, 1, 0});

	code = new_method(&rewritten)->view.code;
	ck_assert_uint_eq(code[0], OP_GOTO);
	ck_assert_uint_eq(bytes_u2(code + 1), FAR);
	release(&rewritten);
}
END_TEST

START_TEST(a_jsr_that_no_longer_reaches_becomes_wide)
{
	struct class_builder *builder = old_builder();
	const uint8_t *code;

	ADD_CODE(builder, OP_JSR, FAR >> 8, FAR & 0xFF, OP_RETURN);
	put_repeated(&builder->code, OP_NOP, FAR - 4);
	ADD_CODE(builder, OP_ASTORE_0, OP_RET, 0);
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 4, 1, 0});

	code = new_method(&rewritten)->view.code;
	ck_assert_uint_eq(code[0], OP_JSR_W);
	ck_assert_int_eq(bytes_s4(code + 1), FAR + 1 + 2);
	ck_assert_uint_eq(code[FAR + 3], OP_ASTORE_0);
	release(&rewritten);
}
END_TEST

/* Each conditional branch and what it is when it jumps over its long half. */
static const uint8_t inverted[][2] = {
        {OP_IFEQ, OP_IFNE},           {OP_IFLT, OP_IFGE},           {OP_IFGT, OP_IFLE},
        {OP_IF_ICMPEQ, OP_IF_ICMPNE}, {OP_IF_ICMPLT, OP_IF_ICMPGE}, {OP_IF_ICMPGT, OP_IF_ICMPLE},
        {OP_IF_ACMPEQ, OP_IF_ACMPNE}, {OP_IFNULL, OP_IFNONNULL},
};

static void check_widened_if(uint8_t opcode, uint8_t opposite)
{
	struct class_builder *builder = old_builder();
	const uint8_t *code;

	put1(&builder->code, opcode);
	put2(&builder->code, FAR);
	put_repeated(&builder->code, OP_NOP, FAR - 3);
	put1(&builder->code, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AFTER, 0, 1, 0});

	code = new_method(&rewritten)->view.code;
	ck_assert_uint_eq(code[0], opposite);
	ck_assert_uint_eq(bytes_u2(code + 1), 8);
	ck_assert_uint_eq(code[3], OP_GOTO_W);
	ck_assert_int_eq(bytes_s4(code + 4), FAR + 1 + 5 - 3);
	ck_assert_uint_eq(code[FAR + 6], OP_RETURN);
	release(&rewritten);
}

START_TEST(a_conditional_branch_that_no_longer_reaches_is_inverted_over_a_goto_w)
{
	check_widened_if(inverted[_i][0], inverted[_i][1]);
	check_widened_if(inverted[_i][1], inverted[_i][0]);
}
END_TEST

START_TEST(a_backward_branch_that_no_longer_reaches_becomes_wide)
{
	struct class_builder *builder = old_builder();
	const uint8_t *code;
	uint32_t distance = 32768;

	put_repeated(&builder->code, OP_NOP, distance);
	put1(&builder->code, OP_GOTO);
	put2(&builder->code, (uint32_t) - (int32_t)distance);
	struct rewritten rewritten = REWRITE(builder, {AFTER, 5, 3, 0});

	code = new_method(&rewritten)->view.code + distance + 3;
	ck_assert_uint_eq(code[0], OP_GOTO_W);
	ck_assert_int_eq(bytes_s4(code + 1), -(int32_t)distance - 3);
	release(&rewritten);
}
END_TEST

START_TEST(a_branch_made_wide_can_push_another_out_of_reach)
{
	struct class_builder *builder = old_builder();
	const uint8_t *code;

	/* The first has one byte to spare, and the second grows by two. */
	ADD_CODE(builder, OP_GOTO, (FAR - 1) >> 8, (FAR - 1) & 0xFF);
	ADD_CODE(builder, OP_GOTO, FAR >> 8, FAR & 0xFF);
	put_repeated(&builder->code, OP_NOP, FAR);
	put1(&builder->code, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {BEFORE, FAR, 1, 0});

	code = new_method(&rewritten)->view.code;
	ck_assert_uint_eq(code[0], OP_GOTO_W);
	ck_assert_int_eq(bytes_s4(code + 1), FAR - 1 + 2 + 2);
	ck_assert_uint_eq(code[5], OP_GOTO_W);
	ck_assert_int_eq(bytes_s4(code + 6), FAR + 1 + 2);
	release(&rewritten);
}
END_TEST

START_TEST(wide_branches_and_long_operands_move_unchanged)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_WIDE, OP_IINC, 1, 2, 3, 4, OP_WIDE, OP_ILOAD, 1, 2, OP_POP, OP_GOTO_W,
	         0, 0, 0, 5, OP_RETURN);
	builder->max_locals = 300;
	struct rewritten rewritten = REWRITE(builder, {BEFORE, 16, 2, 0});

	ASSERT_CODE(&rewritten, OP_WIDE, OP_IINC, 1, 2, 3, 4, OP_WIDE, OP_ILOAD, 1, 2, OP_POP,
	            OP_GOTO_W, 0, 0, 0, 5, 0, 0, OP_RETURN);
	release(&rewritten);
}
END_TEST

START_TEST(exception_ranges_keep_the_code_inserted_at_their_instructions)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_NOP, OP_ICONST_0, OP_POP, OP_RETURN, OP_ATHROW);
	add_exception(builder, 1, 3, 4, 0);
	struct rewritten rewritten =
	        REWRITE(builder, {AT_ENTRY, 0, 1, 0}, {BEFORE, 1, 1, 0}, {AFTER, 2, 2, 0},
	                {BEFORE, 3, 4, 0}, {BEFORE, 4, 1, 0});

	ASSERT_CODE(&rewritten, 0, OP_NOP, 0, OP_ICONST_0, OP_POP, 0, 0, 0, 0, 0, 0, OP_RETURN, 0,
	            OP_ATHROW);
	ASSERT_EXCEPTIONS(&rewritten, 0, 2, 0, 7, 0, 12, 0, 0);
	release(&rewritten);
}
END_TEST

START_TEST(the_handler_covers_the_body_but_no_entry_code_and_no_return)
{
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_ICONST_0, OP_IFEQ, 0, 4, OP_RETURN, OP_NOP, OP_RETURN, OP_ATHROW);
	add_exception(builder, 0, 5, 7, 0);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 3, 0}, {BEFORE, 4, 2, 0},
	                                     {BEFORE, 6, 2, 0}, {IN_HANDLER, 0, 1, 0});

	ASSERT_CODE(&rewritten, 0, 0, 0, OP_ICONST_0, OP_IFEQ, 0, 6, 0, 0, OP_RETURN, OP_NOP, 0, 0,
	            OP_RETURN, OP_ATHROW, 0, OP_ATHROW);
	ASSERT_EXCEPTIONS(&rewritten, 0, 3, 0, 10, 0, 14, 0, 0, /* the method's own, first */
	                  0, 3, 0, 7, 0, 15, 0, 0,              /* up to the first return */
	                  0, 10, 0, 11, 0, 15, 0, 0,            /* between the two */
	                  0, 14, 0, 15, 0, 15, 0, 0);           /* the method's own handler */
	release(&rewritten);
}
END_TEST

START_TEST(code_that_would_pass_64_kib_leaves_the_method_alone)
{
	struct class_builder *builder = old_builder();

	put_repeated(&builder->code, OP_NOP, 65000);
	put1(&builder->code, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 535, 0});

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_CODE_TOO_LONG);
	release(&rewritten);
}
END_TEST

START_TEST(code_may_grow_to_65535_bytes)
{
	struct class_builder *builder = old_builder();

	put_repeated(&builder->code, OP_NOP, 65000);
	put1(&builder->code, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 534, 0});

	ck_assert_uint_eq(new_method(&rewritten)->view.code_length, 65535);
	release(&rewritten);
}
END_TEST

/* How far a plan of four parts of that many nops is reduced. */
struct reduction {
	uint32_t nops;
	uint32_t edits;
	uint32_t reductions;
	uint32_t left_out;
};

static void edit_in_parts(void *context, const struct classfile *classfile,
                          const struct classfile_method *method, struct method_edit *edit)
{
	struct reduction *reduction = context;
	uint32_t parts = 4 - method_edit_left_out(edit);
	(void)classfile;
	(void)method;

	reduction->edits++;
	if (parts == 0)
		return;
	struct code_emitter *emitter = method_edit_entry(edit);
	/* A constant that only this try has. */
	emit_push_int(emitter, 100000 + (int32_t)parts);
	emit_op(emitter, OP_POP);
	for (uint32_t i = 0; i < parts * reduction->nops; i++)
		emit_op(emitter, OP_NOP);
}

static void count_reduction(void *context, const struct classfile *classfile,
                            const struct classfile_method *method, uint32_t left_out)
{
	struct reduction *reduction = context;
	(void)classfile;
	(void)method;
	reduction->reductions++;
	reduction->left_out = left_out;
}

static struct rewritten rewrite_in_parts(struct reduction *reduction, uint32_t optional_parts)
{
	struct rewrite_plan plan = {.context = reduction,
	                            .edit = edit_in_parts,
	                            .optional_parts = optional_parts,
	                            .reduced = count_reduction};
	struct class_builder *builder = old_builder();

	put_repeated(&builder->code, OP_NOP, 65000);
	put1(&builder->code, OP_RETURN);
	return rewrite_built(builder, &plan);
}

START_TEST(parts_are_left_out_until_the_rest_fits)
{
	struct reduction reduction = {.nops = 200};
	struct rewritten rewritten = rewrite_in_parts(&reduction, 4);

	ck_assert_uint_eq(rewritten.result.methods_rewritten, 1);
	ck_assert_uint_eq(new_method(&rewritten)->view.code_length, 65000 + 1 + 3 + 400);
	ck_assert_uint_eq(reduction.edits, 3);
	ck_assert_uint_eq(reduction.reductions, 1);
	ck_assert_uint_eq(reduction.left_out, 2);
	/* One constant, of the last try. */
	ck_assert_uint_eq(rewritten.after->pool.count, rewritten.before->pool.count + 1);
	release(&rewritten);
}
END_TEST

START_TEST(what_fits_is_not_reduced)
{
	struct reduction reduction = {.nops = 100};
	struct rewritten rewritten = rewrite_in_parts(&reduction, 4);

	ck_assert_uint_eq(new_method(&rewritten)->view.code_length, 65000 + 1 + 3 + 400);
	ck_assert_uint_eq(reduction.edits, 1);
	ck_assert_uint_eq(reduction.reductions, 0);
	release(&rewritten);
}
END_TEST

START_TEST(a_method_can_be_reduced_to_nothing)
{
	struct reduction reduction = {.nops = 1000};
	struct rewritten rewritten = rewrite_in_parts(&reduction, 4);

	ck_assert_int_eq((int)rewritten.status, (int)REWRITE_UNCHANGED);
	ck_assert_uint_eq(rewritten.result.skipped[REWRITE_SKIP_CODE_TOO_LONG], 0);
	ck_assert_uint_eq(reduction.left_out, 4);
	release(&rewritten);
}
END_TEST

START_TEST(a_method_without_more_parts_to_leave_out_is_left_alone)
{
	struct reduction reduction = {.nops = 1000};
	struct rewritten rewritten = rewrite_in_parts(&reduction, 3);

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_CODE_TOO_LONG);
	ck_assert_uint_eq(reduction.edits, 4);
	ck_assert_uint_eq(reduction.reductions, 0);
	release(&rewritten);
}
END_TEST

START_TEST(a_method_grown_past_what_hotspot_compiles_is_counted)
{
	struct class_builder *builder = old_builder();

	put_repeated(&builder->code, OP_NOP, 7999);
	put1(&builder->code, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 1, 0});

	ck_assert_uint_eq(rewritten.result.methods_rewritten, 1);
	ck_assert_uint_eq(rewritten.result.methods_grown_huge, 1);
	release(&rewritten);
}
END_TEST

START_TEST(code_that_is_no_sequence_of_instructions_is_left_alone)
{
	static const struct {
		uint8_t bytes[8];
		size_t length;
	} broken[] = {
	        {{OP_RETURN, 0xCB}, 2},                     /* no opcode */
	        {{OP_SIPUSH, 0}, 2},                        /* ends in an operand */
	        {{OP_GOTO, 0, 1}, 3},                       /* into itself */
	        {{OP_GOTO, 0, 3}, 3},                       /* after the end */
	        {{OP_GOTO, 0x80, 0}, 3},                    /* before the start */
	        {{OP_WIDE, OP_NOP, 0, 0}, 4},               /* nothing to widen */
	        {{OP_TABLESWITCH, 0, 0, 0, 0, 0, 0, 0}, 8}, /* ends in a switch */
	};
	struct class_builder *builder = old_builder();

	put(&builder->code, broken[_i].bytes, broken[_i].length);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 1, 0});

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_MALFORMED_CODE);
	release(&rewritten);
}
END_TEST

START_TEST(exception_tables_that_lead_nowhere_are_left_alone)
{
	static const uint16_t broken[][3] = {{1, 1, 0}, {2, 1, 0}, {0, 4, 0}, {0, 3, 3}, {3, 4, 0}};
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_NOP, OP_NOP, OP_RETURN);
	add_exception(builder, broken[_i][0], broken[_i][1], broken[_i][2], 0);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 1, 0});

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_MALFORMED_CODE);
	release(&rewritten);
}
END_TEST

START_TEST(a_plan_that_inserts_nothing_leaves_the_class_unchanged)
{
	struct class_builder *builder = old_builder();
	struct wanted none = {LIST_END, 0, 0, 0};
	struct rewrite_plan plan = {.context = &none, .edit = edit_by_list};

	ADD_CODE(builder, OP_RETURN);
	struct rewritten rewritten = rewrite_built(builder, &plan);

	ck_assert_int_eq((int)rewritten.status, (int)REWRITE_UNCHANGED);
	ck_assert_uint_eq(rewritten.result.methods_rewritten, 0);
	release(&rewritten);
}
END_TEST

START_TEST(code_of_class_files_before_45_3_is_left_alone)
{
	struct class_builder *builder = old_builder();

	builder->major = 45;
	builder->minor = 2;
	ADD_CODE(builder, OP_RETURN);
	struct rewritten rewritten = REWRITE(builder, {AT_ENTRY, 0, 1, 0});

	ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_OLD_LAYOUT);
	release(&rewritten);
}
END_TEST

static void edit_with_many_locals(void *context, const struct classfile *classfile,
                                  const struct classfile_method *method,
                                  struct method_edit *edit)
{
	const uint32_t *count = context;

	(void)classfile;
	(void)method;
	for (uint32_t i = 0; i < *count; i++)
		ck_assert_uint_eq(method_edit_add_local(edit, "I"), i < 16 ? 4 + i : 0);
	for (uint32_t i = 0; i < *count; i++) {
		struct code_emitter *emitter = method_edit_before(edit, 0);

		emit_push_int(emitter, 1);
		emit_store(emitter, 'I', (uint16_t)(4 + i));
	}
}

START_TEST(a_plan_can_add_sixteen_locals)
{
	uint32_t count = 16 + (uint32_t)_i;
	struct rewrite_plan plan = {.context = &count, .edit = edit_with_many_locals};
	struct class_builder *builder = old_builder();

	ADD_CODE(builder, OP_RETURN);
	struct rewritten rewritten = rewrite_built(builder, &plan);

	if (count == 16)
		ck_assert_uint_eq(new_method(&rewritten)->view.max_locals, 4 + 16);
	else
		ASSERT_SKIPPED(&rewritten, REWRITE_SKIP_BAD_PLAN);
	release(&rewritten);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("classfile layout");
	TCase *layout = tcase_create("layout");

	tcase_add_test(layout, entry_code_does_not_run_again_when_the_method_jumps_to_its_start);
	tcase_add_test(layout, code_before_an_instruction_runs_also_when_it_is_jumped_to);
	tcase_add_test(layout, code_after_a_branch_runs_only_when_it_is_not_taken);
	tcase_add_test(layout, insertions_at_one_instruction_run_in_the_order_they_began);
	tcase_add_test(layout, code_behind_an_instruction_that_does_not_go_on_is_refused);
	tcase_add_test(layout, code_at_an_offset_inside_an_instruction_is_refused);
	tcase_add_test(layout, code_that_changes_the_stack_is_refused);
	tcase_add_loop_test(layout, a_tableswitch_is_right_at_every_alignment, 1, 5);
	tcase_add_loop_test(layout, a_lookupswitch_is_right_at_every_alignment, 1, 5);
	tcase_add_test(layout, a_goto_that_no_longer_reaches_becomes_wide);
	tcase_add_test(layout, a_goto_that_just_reaches_stays_short);
	tcase_add_test(layout, a_jsr_that_no_longer_reaches_becomes_wide);
	tcase_add_loop_test(layout,
	                    a_conditional_branch_that_no_longer_reaches_is_inverted_over_a_goto_w,
	                    0, (int)(sizeof(inverted) / sizeof(inverted[0])));
	tcase_add_test(layout, a_backward_branch_that_no_longer_reaches_becomes_wide);
	tcase_add_test(layout, a_branch_made_wide_can_push_another_out_of_reach);
	tcase_add_test(layout, wide_branches_and_long_operands_move_unchanged);
	tcase_add_test(layout, exception_ranges_keep_the_code_inserted_at_their_instructions);
	tcase_add_test(layout, the_handler_covers_the_body_but_no_entry_code_and_no_return);
	tcase_add_test(layout, code_that_would_pass_64_kib_leaves_the_method_alone);
	tcase_add_test(layout, code_may_grow_to_65535_bytes);
	tcase_add_test(layout, parts_are_left_out_until_the_rest_fits);
	tcase_add_test(layout, what_fits_is_not_reduced);
	tcase_add_test(layout, a_method_can_be_reduced_to_nothing);
	tcase_add_test(layout, a_method_without_more_parts_to_leave_out_is_left_alone);
	tcase_add_test(layout, a_method_grown_past_what_hotspot_compiles_is_counted);
	tcase_add_loop_test(layout, code_that_is_no_sequence_of_instructions_is_left_alone, 0, 7);
	tcase_add_loop_test(layout, exception_tables_that_lead_nowhere_are_left_alone, 0, 5);
	tcase_add_test(layout, a_plan_that_inserts_nothing_leaves_the_class_unchanged);
	tcase_add_test(layout, code_of_class_files_before_45_3_is_left_alone);
	tcase_add_loop_test(layout, a_plan_can_add_sixteen_locals, 0, 2);
	suite_add_tcase(suite, layout);
	return run_suite(suite);
}
