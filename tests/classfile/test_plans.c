/*
 * The rewriting plans of the verification runs:
 *
 *  track   calls HprofTestTracker.enter, exit and unwind as a call counter would
 *  locals  the same with added locals that entry sets and every exit reads; one
 *          holds the depth, which exits and the method's own handlers give back
 *  sites   calls HprofTestTracker.site before and after each allocation and call
 *  every   puts code before and after every instruction, in methods of some length
 *          so much that branches outgrow 16 bits, with handler and locals
 *  broken  reads an added local that nothing has stored: every class that it
 *          touches (none that the JVM itself needs) must fail verification
 *
 * They keep no state except ids, which need not be unique: any thread.
 */
#include "test_plans.h"

#include <string.h>

#define TRACKER "HprofTestTracker"

/* An id that a method has in every run, small ones and such that need a constant. */
static int32_t method_id(const struct classfile *classfile, const struct classfile_method *method)
{
	struct classfile_name name = classfile_class_name(classfile);
	uint32_t hash = method->index;

	for (uint32_t i = 0; i < name.length; i++)
		hash = hash * 31 + name.bytes[i];
	return (int32_t)(hash % TEST_PLAN_IDS);
}

static void call_tracker(struct code_emitter *emitter, const char *name, int32_t id)
{
	emit_push_int(emitter, id);
	emit_invokestatic(emitter, TRACKER, name, "(I)V");
}

static void edit_track(void *context, const struct classfile *classfile,
                       const struct classfile_method *method, struct method_edit *edit)
{
	int32_t id = method_id(classfile, method);

	(void)context;
	call_tracker(method_edit_entry(edit), "enter", id);
	for (uint32_t i = 0; i < method_edit_instruction_count(edit); i++) {
		struct edit_instruction instruction = method_edit_instruction(edit, i);

		if (edit_is_return(instruction.opcode))
			call_tracker(method_edit_before(edit, instruction.offset), "exit", id);
	}
	call_tracker(method_edit_handler(edit), "unwind", id);
}

struct added_locals {
	uint16_t number;
	uint16_t thread;
	uint16_t array;
	uint16_t depth;
};

static struct added_locals add_locals(struct method_edit *edit)
{
	struct added_locals locals;

	locals.number = method_edit_add_local(edit, "J");
	locals.thread = method_edit_add_local(edit, "Ljava/lang/Thread;");
	locals.array = method_edit_add_local(edit, "[I");
	locals.depth = method_edit_add_local(edit, "I");
	return locals;
}

static void enter_with_locals(struct code_emitter *emitter, struct added_locals locals, int32_t id)
{
	emit_push_int(emitter, id);
	emit_invokestatic(emitter, TRACKER, "enterAt", "(I)I");
	emit_store(emitter, 'I', locals.depth);
	emit_push_long(emitter, ((int64_t)id << 32) + id);
	emit_store(emitter, 'J', locals.number);
	emit_invokestatic(emitter, TRACKER, "current", "()Ljava/lang/Thread;");
	emit_store(emitter, 'A', locals.thread);
	emit_getstatic(emitter, TRACKER, "NUMBERS", "[I");
	emit_store(emitter, 'A', locals.array);
}

static void leave_with_locals(struct code_emitter *emitter, struct added_locals locals,
                              const char *tracker_method)
{
	emit_load(emitter, 'J', locals.number);
	emit_load(emitter, 'A', locals.thread);
	emit_load(emitter, 'A', locals.array);
	emit_invokestatic(emitter, TRACKER, "check", "(JLjava/lang/Thread;[I)V");
	emit_load(emitter, 'I', locals.depth);
	emit_invokestatic(emitter, TRACKER, tracker_method, "(I)V");
}

/* What the method's own handlers catch may have left methods that saw nothing of it. */
static void drop_unseen(struct method_edit *edit, struct added_locals locals)
{
	uint32_t count = method_edit_exception_count(edit);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t handler = method_edit_exception_handler(edit, i);
		struct code_emitter *emitter;

		if (i && handler == method_edit_exception_handler(edit, i - 1))
			continue;
		emitter = method_edit_before(edit, handler);
		emit_load(emitter, 'I', locals.depth);
		emit_invokestatic(emitter, TRACKER, "caughtAt", "(I)V");
	}
}

static void edit_locals(void *context, const struct classfile *classfile,
                        const struct classfile_method *method, struct method_edit *edit)
{
	int32_t id = method_id(classfile, method);
	struct added_locals locals = add_locals(edit);
	struct code_emitter *emitter = method_edit_entry(edit);

	(void)context;
	enter_with_locals(emitter, locals, id);
	for (uint32_t i = 0; i < method_edit_instruction_count(edit); i++) {
		struct edit_instruction instruction = method_edit_instruction(edit, i);

		if (!edit_is_return(instruction.opcode))
			continue;
		emitter = method_edit_before(edit, instruction.offset);
		leave_with_locals(emitter, locals, "exitAt");
	}
	drop_unseen(edit, locals);
	leave_with_locals(method_edit_handler(edit), locals, "unwindAt");
}

static void edit_sites(void *context, const struct classfile *classfile,
                       const struct classfile_method *method, struct method_edit *edit)
{
	int32_t id = method_id(classfile, method);

	(void)context;
	for (uint32_t i = 0; i < method_edit_instruction_count(edit); i++) {
		struct edit_instruction instruction = method_edit_instruction(edit, i);
		struct code_emitter *emitter;

		switch (instruction.opcode) {
		case OP_NEWARRAY:
		case OP_ANEWARRAY:
		case OP_MULTIANEWARRAY:
			emitter = method_edit_after(edit, instruction.offset);
			emit_op(emitter, OP_DUP);
			emit_push_int(emitter, id);
			emit_invokestatic(emitter, TRACKER, "array", "(Ljava/lang/Object;I)V");
			break;
		case OP_NEW:
		case OP_INVOKEVIRTUAL:
		case OP_INVOKESPECIAL:
		case OP_INVOKESTATIC:
		case OP_INVOKEINTERFACE:
		case OP_INVOKEDYNAMIC:
			call_tracker(method_edit_before(edit, instruction.offset), "site", id);
			call_tracker(method_edit_after(edit, instruction.offset), "site", id);
			break;
		default:
			break;
		}
	}
}

static bool goes_on(uint8_t opcode)
{
	return opcode != OP_GOTO && opcode != OP_GOTO_W && opcode != OP_ATHROW &&
	       opcode != OP_RET && opcode != OP_TABLESWITCH && opcode != OP_LOOKUPSWITCH &&
	       opcode != OP_WIDE && !edit_is_return(opcode);
}

/*
 * How many nops go before each instruction: few in most methods, but so many in
 * methods of some length that they come close to the largest there can be, where
 * branches no longer reach.
 */
static uint32_t nops_for_every(const struct classfile_method *method, uint32_t instructions)
{
	/* Behind an instruction stand up to four bytes. */
	uint32_t fixed = method->code_length + 4 * instructions;
	uint32_t room = fixed < 55000 ? (55000 - fixed) / instructions : 0;

	if (method->code_length < 1500)
		return 2;
	return room < 60 ? room : 60;
}

static void edit_every(void *context, const struct classfile *classfile,
                       const struct classfile_method *method, struct method_edit *edit)
{
	int32_t id = method_id(classfile, method);
	struct added_locals locals = add_locals(edit);
	uint32_t nops = nops_for_every(method, method_edit_instruction_count(edit));
	struct code_emitter *emitter = method_edit_entry(edit);

	(void)context;
	enter_with_locals(emitter, locals, id);
	for (uint32_t i = 0; i < method_edit_instruction_count(edit); i++) {
		struct edit_instruction instruction = method_edit_instruction(edit, i);

		emitter = method_edit_before(edit, instruction.offset);
		for (uint32_t nop = 0; nop < nops; nop++)
			emit_op(emitter, OP_NOP);
		if (edit_is_return(instruction.opcode))
			leave_with_locals(emitter, locals, "exitAt");
		if (!goes_on(instruction.opcode))
			continue;
		emitter = method_edit_after(edit, instruction.offset);
		emit_push_int(emitter, (int32_t)i);
		emit_op(emitter, OP_POP);
	}
	drop_unseen(edit, locals);
	leave_with_locals(method_edit_handler(edit), locals, "unwindAt");
}

static bool is_no_platform_class(void *context, const struct classfile *classfile,
                                 const struct classfile_method *method)
{
	struct classfile_name name = classfile_class_name(classfile);

	(void)context;
	(void)method;
	return name.length > 4 && memcmp(name.bytes, "java/", 5) != 0 &&
	       memcmp(name.bytes, "jdk/", 4) != 0 && memcmp(name.bytes, "sun/", 4) != 0 &&
	       memcmp(name.bytes, "Verif", 5) != 0;
}

static void edit_broken(void *context, const struct classfile *classfile,
                        const struct classfile_method *method, struct method_edit *edit)
{
	uint16_t local = method_edit_add_local(edit, "Ljava/lang/String;");
	struct code_emitter *emitter = method_edit_entry(edit);

	(void)context;
	(void)classfile;
	(void)method;
	emit_load(emitter, 'A', local);
	emit_op(emitter, OP_POP);
}

static const struct named_plan {
	const char *name;
	struct rewrite_plan plan;
} plans[] = {
        {"track", {.edit = edit_track}},
        {"locals", {.edit = edit_locals}},
        {"sites", {.edit = edit_sites}},
        {"every", {.edit = edit_every}},
        {"broken", {.selects = is_no_platform_class, .edit = edit_broken}},
};

const struct rewrite_plan *test_plan_at(size_t index, const char **name)
{
	if (index >= sizeof(plans) / sizeof(plans[0]))
		return NULL;
	if (name)
		*name = plans[index].name;
	return &plans[index].plan;
}

const struct rewrite_plan *test_plan_find(const char *name)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		if (!strcmp(plans[i].name, name))
			return &plans[i].plan;
	}
	return NULL;
}
