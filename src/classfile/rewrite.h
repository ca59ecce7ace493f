/*
 * Class-file rewriter: inserts code into methods and puts right everything that
 * depends on where code is: branches, switches, exception tables, stack maps,
 * line numbers, local variables, type annotations, stack and local limits.
 *
 * A plan selects methods to change and inserts code at four kinds of place:
 *
 *  entry    runs once a call, before everything else. A branch to offset 0 of
 *           the original code does not run it again, and the method's own
 *           handlers do not cover it. Nor does the handler below.
 *  before   runs whenever the instruction is about to run, also when it is
 *           jumped to. The handlers that cover the instruction cover it too.
 *  after    runs when the instruction has completed and control reaches the
 *           next one: after a conditional branch, only if it was not taken. Not
 *           allowed for an instruction that never continues at the next one. The
 *           handlers that cover the instruction cover it too.
 *  handler  runs when an exception is about to leave the method, with the
 *           exception on the stack, which it must leave there; it is thrown on.
 *           Covers the whole body (in constructors also what runs before
 *           super() or this()), except three things. The entry code. A return
 *           instruction with the code inserted before it: what counts an exit
 *           before each return never runs the handler as well. And in classes
 *           with stack maps (version 50 on) the call of super() or this() itself,
 *           which verifiers let no handler cover. An exception from one of these
 *           three leaves the method without the handler: a plan that keeps a stack of
 *           open methods must be able to drop those that left without notice, by a
 *           depth kept in an added local and given back at exits, in the handler
 *           and before the first instruction of the method's own handlers.
 *
 * Inserted code has no branches and leaves the stack as deep as it found it.
 *
 * No global state and no locks: different threads may rewrite at the same time,
 * each with its own struct classfile and plan.
 */
#ifndef HPROF_CLASSFILE_REWRITE_H
#define HPROF_CLASSFILE_REWRITE_H

#include "classfile/classfile.h"
#include "classfile/opcodes.h"

/* A method while a plan edits it. Valid during the plan's edit call only. */
struct method_edit;

/* Takes the instructions of one insertion. Valid until the next insertion begins. */
struct code_emitter;

/* Why a method that the plan selected was left unchanged. */
enum rewrite_skip {
	REWRITE_SKIP_NONE,
	REWRITE_SKIP_CODE_TOO_LONG,       /* over 65,535 bytes (JVMS 4.7.3) */
	REWRITE_SKIP_POOL_FULL,           /* over 65,535 constants (JVMS 4.11) */
	REWRITE_SKIP_TABLE_FULL,          /* a u2 count of stack, locals or table entries */
	REWRITE_SKIP_MALFORMED_CODE,      /* no sequence of instructions */
	REWRITE_SKIP_MALFORMED_ATTRIBUTE, /* of the code's stack map or annotations */
	REWRITE_SKIP_UNKNOWN_ATTRIBUTE,   /* of the code: may hold offsets */
	REWRITE_SKIP_CONSTRUCTOR,         /* where this is initialised is unknown */
	REWRITE_SKIP_OLD_LAYOUT,          /* class-file version below 45.3 */
	REWRITE_SKIP_BAD_PLAN,            /* the inserted code breaks a rule of this header */
	REWRITE_SKIP_COUNT
};

/* The callbacks of a plan; each gets context. All run on the calling thread. */
struct rewrite_plan {
	void *context;

	/* Whether to edit a method that has code. NULL selects every method. */
	bool (*selects)(void *context, const struct classfile *classfile,
	                const struct classfile_method *method);

	/* Inserts code into one method. An edit without insertions changes nothing. */
	void (*edit)(void *context, const struct classfile *classfile,
	             const struct classfile_method *method, struct method_edit *edit);

	/*
	 * How many parts of its insertions edit can leave out. A method that would
	 * exceed a limit of class files is edited again with one part less, and so on:
	 * method_edit_left_out() is the number to leave out.
	 */
	uint32_t optional_parts;

	/* Called for each selected method that was left unchanged. May be NULL. */
	void (*skipped)(void *context, const struct classfile *classfile,
	                const struct classfile_method *method, enum rewrite_skip reason);

	/*
	 * Called for each method that was edited with left_out parts less, after the
	 * last edit, even if that inserted nothing. May be NULL.
	 */
	void (*reduced)(void *context, const struct classfile *classfile,
	                const struct classfile_method *method, uint32_t left_out);

	/*
	 * What to do with an attribute of Code that this engine does not know, and
	 * which may hold bytecode offsets: false leaves the method alone, true drops
	 * the attribute (a JVM ignores attributes it does not know, JVMS 4.7.1).
	 */
	bool drop_unknown_code_attributes;
};

enum rewrite_status {
	REWRITE_CHANGED,   /* result->bytes is the new class file */
	REWRITE_UNCHANGED, /* no method was changed: result->bytes is NULL */
	REWRITE_NO_MEMORY  /* result->bytes is NULL */
};

struct rewrite_result {
	uint8_t *bytes; /* from the class's allocator; free with rewrite_result_free */
	size_t length;
	uint32_t methods_rewritten;
	uint32_t methods_grown_huge; /* of those, grown past REWRITE_HUGE_METHOD_BYTES */
	uint32_t skipped[REWRITE_SKIP_COUNT];
};

/* HotSpot's default for the longest method that it compiles (HugeMethodLimit). */
enum { REWRITE_HUGE_METHOD_BYTES = 8000 };

/*
 * Rewrites a class by a plan. The class is not changed. The result needs no
 * initialisation and is complete for every status; it does not point into the
 * class or its bytes.
 */
enum rewrite_status rewrite_class(const struct classfile *classfile,
                                  const struct rewrite_plan *plan, struct rewrite_result *result);

/* Frees the result of rewrite_class for this class. */
void rewrite_result_free(const struct classfile *classfile, struct rewrite_result *result);

/* A reason in words for a message, of constant storage. */
const char *rewrite_skip_text(enum rewrite_skip reason);

/* One instruction of the original code. */
struct edit_instruction {
	uint32_t offset;
	uint32_t length;
	uint8_t opcode;
	const uint8_t *bytes; /* opcode and operands */
};

/* How many of the plan's optional parts are to be left out this time, the first ones first. */
uint32_t method_edit_left_out(const struct method_edit *edit);

/* The number of instructions in the method, and the one at an index below it. */
uint32_t method_edit_instruction_count(const struct method_edit *edit);
struct edit_instruction method_edit_instruction(const struct method_edit *edit, uint32_t index);

/*
 * The number of entries in the original exception table, and the offset of the
 * handler that the entry at an index below it leads to.
 */
uint32_t method_edit_exception_count(const struct method_edit *edit);
uint32_t method_edit_exception_handler(const struct method_edit *edit, uint32_t index);

/*
 * True if the instruction at an index below the count is invokespecial of a constructor for an
 * object that the new at *new_index, an index too, has allocated, and that very object, which is
 * initialised then, lies on top of the stack after it. False where that is not certain. The first
 * question about a method simulates all of it.
 */
bool method_edit_completes_new(struct method_edit *edit, uint32_t index, uint32_t *new_index);

/* True for ireturn to return. */
bool edit_is_return(uint8_t opcode);

/*
 * Begin an insertion: the instructions emitted next, until another insertion
 * begins, make it up. offset is that of an instruction in the original code.
 * Several insertions before (or after) the same instruction run in the order in
 * which they began. entry and handler can begin once each.
 */
struct code_emitter *method_edit_entry(struct method_edit *edit);
struct code_emitter *method_edit_before(struct method_edit *edit, uint32_t offset);
struct code_emitter *method_edit_after(struct method_edit *edit, uint32_t offset);
struct code_emitter *method_edit_handler(struct method_edit *edit);

/*
 * Adds a local variable that all inserted code may use. The entry code must
 * store it; from then on it is valid throughout the method. descriptor is a
 * field descriptor, of constant storage or valid until rewrite_class returns.
 * At most EDIT_LOCALS_MAX. Returns its index.
 */
enum { EDIT_LOCALS_MAX = 16 };
uint16_t method_edit_add_local(struct method_edit *edit, const char *descriptor);

/*
 * An instruction without operands that continues at the next one, such as dup,
 * swap or iadd: its effect on the stack is known from the opcode.
 */
void emit_op(struct code_emitter *emitter, enum opcode opcode);

/* Push a constant in the shortest way; large ones become constants of the class. */
void emit_push_int(struct code_emitter *emitter, int32_t value);
void emit_push_long(struct code_emitter *emitter, int64_t value);
void emit_push_string(struct code_emitter *emitter, const char *modified_utf8);

/*
 * Push a class, by its internal name ("java/lang/String", or "[I"), or that which a
 * CONSTANT_Class entry of the original class stands for, by the entry's index, as operands of new
 * and its like have it: what the original code resolves is not resolved again by another name. The
 * class itself needs class-file version 49 or later (JVMS 4.9.1); its internal name, as a string,
 * goes with any.
 */
void emit_push_class(struct code_emitter *emitter, const char *internal_name);
void emit_push_class_at(struct code_emitter *emitter, uint16_t pool_index);
void emit_push_class_name_at(struct code_emitter *emitter, uint16_t pool_index);

/* Load or store a local; type is I, J, F, D or A (a reference). */
void emit_load(struct code_emitter *emitter, char type, uint16_t local);
void emit_store(struct code_emitter *emitter, char type, uint16_t local);

/* Static members, by internal class name, name and descriptor. */
void emit_invokestatic(struct code_emitter *emitter, const char *class_name, const char *name,
                       const char *descriptor);
void emit_getstatic(struct code_emitter *emitter, const char *class_name, const char *name,
                    const char *descriptor);
void emit_putstatic(struct code_emitter *emitter, const char *class_name, const char *name,
                    const char *descriptor);

/* Instance members of an object on the stack. */
void emit_invokevirtual(struct code_emitter *emitter, const char *class_name, const char *name,
                        const char *descriptor);
void emit_getfield(struct code_emitter *emitter, const char *class_name, const char *name,
                   const char *descriptor);
void emit_putfield(struct code_emitter *emitter, const char *class_name, const char *name,
                   const char *descriptor);

#endif
