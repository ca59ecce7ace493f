/*
 * alloc_instrumenter.c: see alloc_instrumenter.h.
 *
 * The code inserted after an instruction:
 *   new C                          ldc C; HprofHeap.allocated(Class)
 *   new C, before version 49       ldc "C"; HprofHeap.allocatedNamed(String)
 *   newarray, anewarray            dup; arraylength; ldc "[C"; HprofHeap.allocatedArray(int, Class)
 *   the same, before version 49    dup; HprofHeap.allocated(Object)
 *   multianewarray of n            dup; push n; HprofHeap.allocatedArrays(Object, int)
 *   clone() of arrays or Object's  dup; HprofHeap.allocated(Object)
 *   a call of a method whose allocation is not instrumented, see below
 * An object can't be passed before its constructor has run; its class can. An array is not
 * passed where its class and length are enough, so that compilers can still remove it.
 *
 * All but allocatedArrays return a birth mark. Without marks it is dropped, by pop. With them, one
 * more dup comes first where the object is on the stack, and HprofHeap.mark(Object, int) follows;
 * for new, the mark waits in a local variable until the constructor has run:
 *   new C                          ldc C; HprofHeap.allocated(Class); istore
 *   invokespecial C.<init>         dup; iload; HprofHeap.mark(Object, int)
 *
 * Where all of that would make a method too long for a class file, its last allocations report
 * nothing.
 */
#include "alloc/alloc_instrumenter.h"

#include "alloc/mark_locals.h"
#include "java/boot_classes.h"

#include <stdio.h>
#include <string.h>

/*
 * Methods whose result is counted after each call, and not in their own code: compilers
 * replace that code, or the method is native. The last two are called by the others for
 * their result: counted in there, it would be counted twice whenever a method's own code
 * runs.
 */
static const struct counted_call {
	const char *class_name;
	const char *name;
	const char *descriptor;
	/* The last argument may be the result: it is large enough. */
	bool may_return_argument;
} counted_calls[] = {
        {"java/util/Arrays", "copyOf", "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;",
         false},
        {"java/util/Arrays", "copyOfRange",
         "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;", false},
        {"java/lang/StringUTF16", "toBytes", "([CII)[B", false},
        {"jdk/internal/misc/Unsafe", "allocateUninitializedArray0",
         "(Ljava/lang/Class;I)Ljava/lang/Object;", false},
        {"jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;",
         false},
        {"java/math/BigInteger", "implMultiplyToLen", "([II[II[I)[I", true},
        {"java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;", false},
        {"java/lang/StringUTF16", "newBytesFor", "(I)[B", false},
};

/*
 * Classes that stay unchanged, with those nested in them. The agent's own
 * would call themselves. Code of the others runs while a virtual thread is mounted or
 * unmounted: the current thread is undefined then, and JVM TI must
 * not be called.
 */
static const char *const classes_left_out[] = {
        HEAP_CLASS,
        TRACKER_CLASS,
        "java/lang/VirtualThread",
        "java/lang/ThreadBuilders$BoundVirtualThread",
        "jdk/internal/vm/Continuation",
        "jdk/internal/vm/ContinuationSupport",
};

/*
 * The method that defines hidden classes, for which the VM posts no event: a lambda from
 * a constructor (ArrayList::new) allocates in such a class. It is in a class nested
 * in System, whose number differs between JDKs.
 */
static const struct {
	const char *outer;
	const char *name;
	const char *descriptor;
	uint16_t bytes_local;
} hidden_definer = {"java/lang/System$", "defineClass",
                    "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[B"
                    "Ljava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;",
                    4};

static bool is_hidden_definer(struct classfile_name class_name,
                              const struct classfile_method *method)
{
	size_t length = strlen(hidden_definer.outer);
	return class_name.length > length &&
	       memcmp(class_name.bytes, hidden_definer.outer, length) == 0 &&
	       classfile_name_is(method->name, hidden_definer.name) &&
	       classfile_name_is(method->descriptor, hidden_definer.descriptor);
}

static void rewrite_hidden_classes(struct code_emitter *entry)
{
	emit_load(entry, 'A', hidden_definer.bytes_local);
	emit_invokestatic(entry, HEAP_CLASS, "rewritten", "([B)[B");
	emit_store(entry, 'A', hidden_definer.bytes_local);
}

static bool is_left_out(struct classfile_name name)
{
	for (size_t i = 0; i < sizeof(classes_left_out) / sizeof(classes_left_out[0]); i++) {
		size_t length = strlen(classes_left_out[i]);
		if (name.length >= length && memcmp(name.bytes, classes_left_out[i], length) == 0 &&
		    (name.length == length || name.bytes[length] == '$'))
			return true;
	}
	return false;
}

static const struct counted_call *find_counted_call(const struct classfile_member *called)
{
	for (size_t i = 0; i < sizeof(counted_calls) / sizeof(counted_calls[0]); i++) {
		const struct counted_call *call = &counted_calls[i];
		if (classfile_name_is(called->name, call->name) &&
		    classfile_name_is(called->class_name, call->class_name) &&
		    classfile_name_is(called->descriptor, call->descriptor))
			return call;
	}
	return NULL;
}

/* Whether a call makes a copy of its object by Object's own clone(). */
static bool is_clone(uint8_t opcode, const struct classfile_member *called)
{
	return opcode != OP_INVOKESTATIC && classfile_name_is(called->name, "clone") &&
	       classfile_name_is(called->descriptor, "()Ljava/lang/Object;") &&
	       ((called->class_name.length > 0 && called->class_name.bytes[0] == '[') ||
	        classfile_name_is(called->class_name, "java/lang/Object"));
}

/* In a method that is too long, as many of the first allocations report as would fit if each took
 * the least; one sixteenth less of these if that is too much, and so on to none. */
enum { CODE_MAX_BYTES = 65535, LEAST_BYTES = 5, PARTS = 16 };

/* The instrumentation of one class. */
struct instrumentation {
	struct alloc_instrumenter *instrumenter;
	uint32_t sites_left_out; /* in the method that was edited last */
};

/* One method on its way. */
struct allocating_method {
	const struct classfile *classfile;
	struct method_edit *edit;
	/* Its result is counted by its callers. */
	bool is_counted_call;
	bool marks_objects;
	/* No instruction from here on reports. */
	uint32_t end;
	struct mark_locals marks; /* of objects made by new */
	/* Where the argument of a call waits that may be its result. */
	uint16_t argument_local;
};

static uint16_t pool_index_of(struct edit_instruction instruction)
{
	return (uint16_t)(instruction.bytes[1] << 8 | instruction.bytes[2]);
}

/* Before a report that takes the object: without marks that is its only copy on the stack. */
static void keep_for_mark(const struct allocating_method *method, struct code_emitter *code)
{
	if (method->marks_objects)
		emit_op(code, OP_DUP);
}

/* After a report: the mark lies on the stack, on top of what keep_for_mark() has left. */
static void use_mark(const struct allocating_method *method, struct code_emitter *code)
{
	if (method->marks_objects)
		emit_invokestatic(code, HEAP_CLASS, "mark", "(Ljava/lang/Object;I)V");
	else
		emit_op(code, OP_POP);
}

static void report_new(struct allocating_method *method, struct edit_instruction instruction)
{
	struct code_emitter *code = method_edit_after(method->edit, instruction.offset);
	uint16_t local;

	if (classfile_major_version(method->classfile) >= CLASSFILE_LOADS_CLASSES) {
		emit_push_class_at(code, pool_index_of(instruction));
		emit_invokestatic(code, HEAP_CLASS, "allocated", "(Ljava/lang/Class;)I");
	} else {
		emit_push_class_name_at(code, pool_index_of(instruction));
		emit_invokestatic(code, HEAP_CLASS, "allocatedNamed", "(Ljava/lang/String;)I");
	}
	if (mark_locals_of(&method->marks, instruction.offset, &local))
		emit_store(code, 'I', local);
	else
		emit_op(code, OP_POP);
}

/* The object of a `new` is complete, and lies on the stack. */
static void mark_new(struct allocating_method *method, uint32_t index)
{
	struct edit_instruction instruction = method_edit_instruction(method->edit, index);
	uint32_t new_index;
	uint16_t local;

	if (method->marks.used == 0 ||
	    !method_edit_completes_new(method->edit, index, &new_index) ||
	    !mark_locals_of(&method->marks, method_edit_instruction(method->edit, new_index).offset,
	                    &local))
		return;
	struct code_emitter *code = method_edit_after(method->edit, instruction.offset);
	emit_op(code, OP_DUP);
	emit_load(code, 'I', local);
	emit_invokestatic(code, HEAP_CLASS, "mark", "(Ljava/lang/Object;I)V");
}

/* The object lies on the stack. */
static void report_result(struct allocating_method *method, struct edit_instruction instruction)
{
	struct code_emitter *code = method_edit_after(method->edit, instruction.offset);

	keep_for_mark(method, code);
	emit_op(code, OP_DUP);
	emit_invokestatic(code, HEAP_CLASS, "allocated", "(Ljava/lang/Object;)I");
	use_mark(method, code);
}

/* The class of the array that newarray or anewarray makes. False when its name is too long
 * for a name of ours. */
static bool name_array_class(const struct classfile *classfile, struct edit_instruction instruction,
                             char *name, size_t size)
{
	/* By the operand of newarray, from T_BOOLEAN on (JVMS table 6.5.newarray-A). */
	enum { T_BOOLEAN = 4 };
	static const char primitives[] = "ZCFDBSIJ";
	struct classfile_name element;
	int length;

	if (instruction.opcode == OP_NEWARRAY) {
		uint8_t type = (uint8_t)(instruction.bytes[1] - T_BOOLEAN);
		if (type >= sizeof(primitives) - 1)
			return false;
		length = snprintf(name, size, "[%c", primitives[type]);
	} else if (!classfile_class_at(classfile, pool_index_of(instruction), &element)) {
		return false;
	} else if (element.length > 0 && element.bytes[0] == '[') {
		length = snprintf(name, size, "[%.*s", element.length, (const char *)element.bytes);
	} else {
		length = snprintf(name, size, "[L%.*s;", element.length,
		                  (const char *)element.bytes);
	}
	return length > 0 && (size_t)length < size;
}

/* The array lies on the stack. */
static void report_array(struct allocating_method *method, struct edit_instruction instruction)
{
	enum { NAME_BYTES = 1024 };
	char name[NAME_BYTES];

	if (classfile_major_version(method->classfile) < CLASSFILE_LOADS_CLASSES ||
	    !name_array_class(method->classfile, instruction, name, sizeof(name))) {
		report_result(method, instruction);
		return;
	}
	struct code_emitter *code = method_edit_after(method->edit, instruction.offset);
	keep_for_mark(method, code);
	emit_op(code, OP_DUP);
	emit_op(code, OP_ARRAYLENGTH);
	emit_push_class(code, name);
	emit_invokestatic(code, HEAP_CLASS, "allocatedArray", "(ILjava/lang/Class;)I");
	use_mark(method, code);
}

/* Marked by the native method, as are those in it. */
static void report_arrays(struct allocating_method *method, struct edit_instruction instruction)
{
	struct code_emitter *code = method_edit_after(method->edit, instruction.offset);

	emit_op(code, OP_DUP);
	emit_push_int(code, instruction.bytes[3]);
	emit_invokestatic(code, HEAP_CLASS, "allocatedArrays", "(Ljava/lang/Object;I)V");
}

static void report_result_unless_argument(struct allocating_method *method,
                                          struct edit_instruction instruction)
{
	uint16_t argument = method->argument_local;
	struct code_emitter *code = method_edit_before(method->edit, instruction.offset);

	emit_op(code, OP_DUP);
	emit_store(code, 'A', argument);
	code = method_edit_after(method->edit, instruction.offset);
	keep_for_mark(method, code);
	emit_op(code, OP_DUP);
	emit_load(code, 'A', argument);
	emit_invokestatic(code, HEAP_CLASS, "allocatedUnless",
	                  "(Ljava/lang/Object;Ljava/lang/Object;)I");
	use_mark(method, code);
}

typedef void report(struct allocating_method *method, struct edit_instruction instruction);

static report *report_of_call(const struct allocating_method *method,
                              struct edit_instruction instruction)
{
	struct classfile_member called;

	if (!classfile_member_at(method->classfile, pool_index_of(instruction), &called))
		return NULL;
	const struct counted_call *call = find_counted_call(&called);
	if (call != NULL && call->may_return_argument)
		return report_result_unless_argument;
	return call != NULL || is_clone(instruction.opcode, &called) ? report_result : NULL;
}

/* What reports the array that comes to be, or the object by other means than new. */
static report *report_of_result(const struct allocating_method *method,
                                struct edit_instruction instruction)
{
	switch (instruction.opcode) {
	case OP_NEWARRAY:
	case OP_ANEWARRAY:
		return report_array;
	case OP_MULTIANEWARRAY:
		return report_arrays;
	case OP_INVOKEVIRTUAL:
	case OP_INVOKESPECIAL:
	case OP_INVOKESTATIC:
		return report_of_call(method, instruction);
	default:
		return NULL;
	}
}

/* What reports the allocation by an instruction; NULL if it does not allocate. */
static report *report_of(const struct allocating_method *method,
                         struct edit_instruction instruction)
{
	/* What a counted call makes by new is not its result, but an exception. */
	if (instruction.opcode == OP_NEW)
		return report_new;
	return method->is_counted_call ? NULL : report_of_result(method, instruction);
}

static uint32_t count_sites(const struct allocating_method *method)
{
	uint32_t count = method_edit_instruction_count(method->edit);
	uint32_t sites = 0;

	for (uint32_t i = 0; i < count; i++)
		sites += report_of(method, method_edit_instruction(method->edit, i)) != NULL;
	return sites;
}

/* How many of the method's allocations report; sets how many do not. */
static uint32_t sites_that_report(const struct allocating_method *method, uint32_t code_length,
                                  uint32_t *sites_left_out)
{
	uint32_t left_out = method_edit_left_out(method->edit);

	*sites_left_out = 0;
	if (left_out == 0)
		return UINT32_MAX;
	uint32_t sites = count_sites(method);
	uint32_t fitting = (CODE_MAX_BYTES - code_length) / LEAST_BYTES;
	if (fitting > sites)
		fitting = sites;
	fitting = fitting * (PARTS + 1 - left_out) / PARTS;
	*sites_left_out = sites - fitting;
	return fitting;
}

/* The instruction before which all of that many allocations are. */
static uint32_t end_of_sites(const struct allocating_method *method, uint32_t sites)
{
	uint32_t count = method_edit_instruction_count(method->edit);
	uint32_t end = 0;

	if (sites == UINT32_MAX)
		return count;
	for (; end < count && sites > 0; end++)
		sites -= report_of(method, method_edit_instruction(method->edit, end)) != NULL;
	return end;
}

static bool is_counted_call(const struct classfile *classfile,
                            const struct classfile_method *method)
{
	struct classfile_member self = {.class_name = classfile_class_name(classfile),
	                                .name = method->name,
	                                .descriptor = method->descriptor};
	return find_counted_call(&self) != NULL;
}

static bool keeps_argument(const struct allocating_method *method)
{
	for (uint32_t i = 0; i < method->end; i++) {
		if (report_of(method, method_edit_instruction(method->edit, i)) ==
		    report_result_unless_argument)
			return true;
	}
	return false;
}

/* What the other insertions need of it: an entry that rewrites hidden classes, and local
 * variables. */
static void prepare(struct allocating_method *method, bool defines_hidden_classes)
{
	bool has_argument = keeps_argument(method);

	if (method->marks_objects)
		mark_locals_plan(&method->marks, method->edit, method->end);
	if (!defines_hidden_classes && !has_argument && method->marks.used == 0)
		return;
	struct code_emitter *entry = method_edit_entry(method->edit);
	if (defines_hidden_classes)
		rewrite_hidden_classes(entry);
	if (has_argument) {
		method->argument_local = method_edit_add_local(method->edit, "Ljava/lang/Object;");
		emit_op(entry, OP_ACONST_NULL);
		emit_store(entry, 'A', method->argument_local);
	}
	mark_locals_add(&method->marks, method->edit, entry);
}

static void alloc_instrumenter_edit(void *context, const struct classfile *classfile,
                                    const struct classfile_method *classfile_method,
                                    struct method_edit *edit)
{
	struct instrumentation *class = context;
	struct allocating_method method = {
	        .classfile = classfile,
	        .edit = edit,
	        .is_counted_call = is_counted_call(classfile, classfile_method),
	        .marks_objects = class->instrumenter->marks_objects,
	};
	uint32_t count = method_edit_instruction_count(edit);
	uint32_t sites =
	        sites_that_report(&method, classfile_method->code_length, &class->sites_left_out);

	method.end = end_of_sites(&method, sites);
	prepare(&method, is_hidden_definer(classfile_class_name(classfile), classfile_method));
	for (uint32_t i = 0; i < count; i++) {
		struct edit_instruction instruction = method_edit_instruction(edit, i);
		report *reports = i < method.end ? report_of(&method, instruction) : NULL;
		if (reports != NULL)
			reports(&method, instruction);
		else
			mark_new(&method, i);
	}
	mark_locals_free(&method.marks);
}

static void alloc_instrumenter_skipped(void *context, const struct classfile *classfile,
                                       const struct classfile_method *method,
                                       enum rewrite_skip reason)
{
	const struct instrumentation *class = context;
	class_rewriting_print_skipped(&class->instrumenter->rewriting, classfile, method, reason);
}

static void alloc_instrumenter_reduced(void *context, const struct classfile *classfile,
                                       const struct classfile_method *method, uint32_t left_out)
{
	struct instrumentation *class = context;
	(void)left_out;

	atomic_fetch_add(&class->instrumenter->sites_left_out, class->sites_left_out);
	class_rewriting_add_reduced(&class->instrumenter->rewriting, classfile, method,
	                            "its last allocations");
}

static bool rewrite(struct alloc_instrumenter *instrumenter, const struct classfile *classfile,
                    uint8_t **rewritten, size_t *rewritten_length)
{
	struct instrumentation class = {.instrumenter = instrumenter};
	struct rewrite_plan plan = {
	        .context = &class,
	        .edit = alloc_instrumenter_edit,
	        .optional_parts = PARTS + 1,
	        .skipped = alloc_instrumenter_skipped,
	        .reduced = alloc_instrumenter_reduced,
	        .drop_unknown_code_attributes = true,
	};

	return class_rewriting_apply(&instrumenter->rewriting, classfile, &plan, rewritten,
	                             rewritten_length);
}

bool alloc_instrumenter_rewrite(struct alloc_instrumenter *instrumenter, const uint8_t *bytes,
                                size_t length, uint8_t **rewritten, size_t *rewritten_length)
{
	struct classfile *classfile =
	        class_rewriting_parse(&instrumenter->rewriting, bytes, length);

	if (classfile == NULL)
		return false;
	bool changed = !is_left_out(classfile_class_name(classfile)) &&
	               rewrite(instrumenter, classfile, rewritten, rewritten_length);
	classfile_free(classfile);
	return changed;
}
