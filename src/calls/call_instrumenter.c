/*
 * call_instrumenter.c: see call_instrumenter.h.
 *
 * The code inserted into a method, with the method's number and an added local variable:
 *   entry              caller = HprofTracker.enter(number)
 *   before a return    HprofTracker.exit(caller)
 *   its handlers       HprofTracker.resume(caller, number)
 * A leaf method, which neither calls nor throws, gets only:
 *   entry              HprofTracker.leaf(number)
 * An intrinsic, a method that compilers replace, stays unchanged; before a call of it:
 *   call               HprofTracker.leaf(number)
 * With PROBES_BREAKS the code calls the marked variants of these methods, with
 * PROBES_CLOCKS the clocked ones. With the latter, a short method is normally entered and
 * left without reading the clocks, which would take longer than the method itself, unless
 * it calls methods that are not counted and may take time.
 * Before and after a call of a native method that waits (wait_calls.h):
 *   call               HprofTracker.waits(cause)
 * Where all of that would make a method too long for a class file, what is inserted at calls is
 * left out: first at those of intrinsics, then at those that wait. An empty finalizer stays as it
 * is.
 *
 * A method left by an exception does not call exit, and its call stays open until the
 * method that handles the exception calls resume, or exit. So no handler has to be added
 * around method bodies. A method that the filter excludes restores the open call too, if
 * it has handlers:
 *   entry              open = HprofTracker.open()
 *   its handlers       HprofTracker.reopen(open)
 */
#include "calls/call_instrumenter.h"

#include "classfile/annotations.h"
#include "classfile/short_method.h"
#include "java/boot_classes.h"
#include "vm/wait_calls.h"

#include <stdlib.h>

/* The tracker calls this class; if it were instrumented, the tracker would recurse. */
#define UNSAFE_CLASS "jdk/internal/misc/Unsafe"

/* A virtual thread leaves its carrier with frames of this class, when it is not the current thread
 * any more: the tracker would take them for the carrier's. The VMs that were tried refuse to change
 * it. */
#define CONTINUATION_CLASS "jdk/internal/vm/Continuation"

/* How many parts of a method's code are left out, and which. */
enum { LEFT_OUT_INTRINSICS = 1, LEFT_OUT_WAITS = 2 };

/* The instrumentation of one class. */
struct instrumentation {
	struct call_instrumenter *instrumenter;
	char *class_name; /* internal */
	char *dotted_name;
	char *source;        /* NULL when unknown */
	bool has_intrinsics; /* may have intrinsics */
};

/* With any code in it HotSpot would have each object of the class, and of those that extend it,
 * wait for the finalizer thread. Empty, it is never called by the JVM. */
static bool is_empty_finalizer(const struct classfile_method *method)
{
	return classfile_name_is(method->name, "finalize") &&
	       classfile_name_is(method->descriptor, "()V") && method->code_length == 1;
}

static bool call_instrumenter_selects(void *context, const struct classfile *classfile,
                                      const struct classfile_method *method)
{
	const struct instrumentation *class = context;
	return !is_empty_finalizer(method) &&
	       (!class->has_intrinsics || !intrinsics_is_marked(classfile, method->index));
}

/* Whether the filter includes the method. */
static bool is_counted(const struct instrumentation *class, const struct classfile_method *method)
{
	if (!filter_is_set(class->instrumenter->filter))
		return true;
	char *name = class_rewriting_name(method->name);
	bool counted = name != NULL &&
	               filter_accepts(class->instrumenter->filter, class->dotted_name, name);
	free(name);
	return counted;
}

static bool number_of(struct instrumentation *class, const struct classfile_method *method,
                      call_method *number)
{
	char *name = class_rewriting_name(method->name);
	char *descriptor = class_rewriting_name(method->descriptor);
	bool found = name != NULL && descriptor != NULL &&
	             instrumented_methods_intern(class->instrumenter->methods, class->class_name,
	                                         class->source, name, descriptor, number);
	free(name);
	free(descriptor);
	return found;
}

/* The tracker's methods that one kind of method calls. */
struct tracker_calls {
	const char *enter;
	const char *exit;
	const char *resume;
	const char *reopen;
};

static const struct tracker_calls tracker_calls[] = {
        [PROBES_COUNT] = {"enter", "exit", "resume", "reopen"},
        [PROBES_BREAKS] = {"enterMarked", "exitMarked", "resumeMarked", "reopenMarked"},
        [PROBES_CLOCKS] = {"enterClocked", "exitClocked", "resumeClocked", "exitClocked"},
};
static const struct tracker_calls clocked_short = {"enterShort", "exitShort", NULL, NULL};

static void emit_restore(struct code_emitter *code, const char *method, uint16_t caller)
{
	emit_load(code, 'J', caller);
	emit_invokestatic(code, TRACKER_CLASS, method, "(J)V");
}

static void edit_returns(struct method_edit *edit, const struct tracker_calls *calls,
                         uint16_t caller)
{
	uint32_t count = method_edit_instruction_count(edit);
	for (uint32_t i = 0; i < count; i++) {
		struct edit_instruction instruction = method_edit_instruction(edit, i);
		if (edit_is_return(instruction.opcode))
			emit_restore(method_edit_before(edit, instruction.offset), calls->exit,
			             caller);
	}
}

static bool is_first_entry_of(struct method_edit *edit, uint32_t index, uint32_t handler)
{
	for (uint32_t i = 0; i < index; i++) {
		if (method_edit_exception_handler(edit, i) == handler)
			return false;
	}
	return true;
}

/* Starts an insertion before the next handler from *index on, once per handler. NULL when
 * there are no more. */
static struct code_emitter *next_handler(struct method_edit *edit, uint32_t *index)
{
	uint32_t count = method_edit_exception_count(edit);
	while (*index < count) {
		uint32_t handler = method_edit_exception_handler(edit, *index);
		if (is_first_entry_of(edit, (*index)++, handler))
			return method_edit_before(edit, handler);
	}
	return NULL;
}

static void edit_handlers(struct method_edit *edit, const struct tracker_calls *calls,
                          uint16_t caller, call_method number)
{
	struct code_emitter *code;
	uint32_t index = 0;

	while ((code = next_handler(edit, &index)) != NULL) {
		emit_load(code, 'J', caller);
		emit_push_int(code, (int32_t)number);
		emit_invokestatic(code, TRACKER_CLASS, calls->resume, "(JI)V");
	}
}

/* For a method that is not counted: its handlers restore the call that was open at its
 * entry. */
static void keep_open_call(struct method_edit *edit, const struct tracker_calls *calls)
{
	struct code_emitter *code;
	uint32_t index = 0;

	if (method_edit_exception_count(edit) == 0)
		return;
	uint16_t open = method_edit_add_local(edit, "J");
	code = method_edit_entry(edit);
	emit_invokestatic(code, TRACKER_CLASS, "open", "()J");
	emit_store(code, 'J', open);
	while ((code = next_handler(edit, &index)) != NULL)
		emit_restore(code, calls->reopen, open);
}

/* Counts a call that does not become the open call: a leaf calls nothing. */
static void emit_leaf(struct code_emitter *code, call_method number)
{
	emit_push_int(code, (int32_t)number);
	emit_invokestatic(code, TRACKER_CLASS, "leaf", "(I)V");
}

static void count_call(struct method_edit *edit, const struct tracker_calls *calls,
                       call_method number)
{
	uint16_t caller = method_edit_add_local(edit, "J");
	struct code_emitter *entry = method_edit_entry(edit);
	emit_push_int(entry, (int32_t)number);
	emit_invokestatic(entry, TRACKER_CLASS, calls->enter, "(I)J");
	emit_store(entry, 'J', caller);
	edit_returns(edit, calls, caller);
	edit_handlers(edit, calls, caller, number);
}

static void emit_waits(struct code_emitter *code, enum wait_cause cause)
{
	emit_push_int(code, (int32_t)cause);
	emit_invokestatic(code, TRACKER_CLASS, "waits", "(I)V");
}

static void edit_call(struct instrumentation *class, struct method_edit *edit,
                      const struct edit_instruction *call, const struct classfile_member *called)
{
	uint32_t left_out = method_edit_left_out(edit);
	call_method number;

	if (left_out < LEFT_OUT_INTRINSICS &&
	    intrinsics_find(&class->instrumenter->intrinsics, call->opcode, called, &number))
		emit_leaf(method_edit_before(edit, call->offset), number);
	enum wait_cause cause =
	        class->instrumenter->probes == PROBES_COUNT ? WAIT_NONE : wait_calls_find(called);
	if (cause == WAIT_NONE || left_out >= LEFT_OUT_WAITS)
		return;
	emit_waits(method_edit_before(edit, call->offset), cause);
	emit_waits(method_edit_after(edit, call->offset), WAIT_NONE);
}

/* After all other insertions, since the tracker must have restored the open call first
 * where both insert at the same place. */
static void edit_calls(struct instrumentation *class, const struct classfile *classfile,
                       struct method_edit *edit)
{
	uint32_t count = method_edit_instruction_count(edit);

	for (uint32_t i = 0; i < count; i++) {
		struct edit_instruction call = method_edit_instruction(edit, i);
		struct classfile_member called;

		if (call.opcode >= OP_INVOKEVIRTUAL && call.opcode <= OP_INVOKESTATIC &&
		    classfile_member_at(classfile, (uint16_t)(call.bytes[1] << 8 | call.bytes[2]),
		                        &called))
			edit_call(class, edit, &call, &called);
	}
}

static bool is_counted_call(void *context, const struct classfile_member *called)
{
	const struct instrumentation *class = context;
	return !native_calls_has(&class->instrumenter->natives, called);
}

/* With a filter, it is not known which called methods are counted. */
static enum method_kind kind_of(struct instrumentation *class, const struct classfile *classfile,
                                const struct classfile_method *method)
{
	bool filtered = filter_is_set(class->instrumenter->filter);
	return classfile_method_kind(classfile, method->index, filtered ? NULL : is_counted_call,
	                             class);
}

static void edit_counted(struct instrumentation *class, const struct classfile *classfile,
                         const struct classfile_method *method, struct method_edit *edit)
{
	enum call_probes probes = class->instrumenter->probes;
	const struct tracker_calls *calls = &tracker_calls[probes];
	call_method number;

	if (!is_counted(class, method)) {
		keep_open_call(edit, calls);
		return;
	}
	if (!number_of(class, method, &number))
		return;
	enum method_kind kind = kind_of(class, classfile, method);
	if (kind == METHOD_LEAF)
		emit_leaf(method_edit_entry(edit), number);
	else
		count_call(edit,
		           probes == PROBES_CLOCKS && kind == METHOD_SHORT ? &clocked_short : calls,
		           number);
}

static void call_instrumenter_edit(void *context, const struct classfile *classfile,
                                   const struct classfile_method *method, struct method_edit *edit)
{
	struct instrumentation *class = context;

	edit_counted(class, classfile, method, edit);
	edit_calls(class, classfile, edit);
}

static void call_instrumenter_skipped(void *context, const struct classfile *classfile,
                                      const struct classfile_method *method,
                                      enum rewrite_skip reason)
{
	struct instrumentation *class = context;
	class_rewriting_print_skipped(&class->instrumenter->rewriting, classfile, method, reason);
}

static void call_instrumenter_reduced(void *context, const struct classfile *classfile,
                                      const struct classfile_method *method, uint32_t left_out)
{
	struct instrumentation *class = context;
	bool has_waits = left_out < LEFT_OUT_WAITS;

	if (!has_waits)
		atomic_fetch_add(&class->instrumenter->methods_without_waits, 1);
	class_rewriting_add_reduced(&class->instrumenter->rewriting, classfile, method,
	                            has_waits ? "calls of intrinsics"
	                                      : "calls of intrinsics and causes of waits");
}

static bool is_left_out(const struct classfile *classfile)
{
	struct classfile_name name = classfile_class_name(classfile);
	return classfile_name_is(name, TRACKER_CLASS) || classfile_name_is(name, UNSAFE_CLASS) ||
	       classfile_name_is(name, CONTINUATION_CLASS);
}

/* Before the methods that may call them are rewritten. */
static void add_natives(struct instrumentation *class, const struct classfile *classfile)
{
	for (uint32_t i = 0; i < classfile_method_count(classfile); i++) {
		const struct classfile_method *method = classfile_method(classfile, i);
		struct classfile_member member = {.name = method->name,
		                                  .descriptor = method->descriptor};
		if ((method->access_flags & CLASSFILE_NATIVE) != 0)
			native_calls_add(&class->instrumenter->natives, &member);
	}
}

static bool is_final(const struct classfile *classfile, const struct classfile_method *method)
{
	return ((classfile_access_flags(classfile) & CLASSFILE_FINAL) |
	        (method->access_flags & (CLASSFILE_FINAL | CLASSFILE_PRIVATE))) != 0;
}

static void add_intrinsics(struct instrumentation *class, const struct classfile *classfile)
{
	for (uint32_t i = 0; class->has_intrinsics && i < classfile_method_count(classfile); i++) {
		const struct classfile_method *method = classfile_method(classfile, i);
		struct classfile_member member = {.class_name = classfile_class_name(classfile),
		                                  .name = method->name,
		                                  .descriptor = method->descriptor};
		call_method number;
		if (intrinsics_is_marked(classfile, i) && is_counted(class, method) &&
		    number_of(class, method, &number))
			(void)intrinsics_add(&class->instrumenter->intrinsics, &member,
			                     is_final(classfile, method), number);
	}
}

/* Copies the names; the caller calls free_names(). False without memory. */
static bool begin(struct instrumentation *class, const struct classfile *classfile)
{
	struct classfile_name source;

	class->class_name = class_rewriting_name(classfile_class_name(classfile));
	class->dotted_name = class_rewriting_dotted_name(classfile_class_name(classfile));
	class->source =
	        classfile_source_file(classfile, &source) ? class_rewriting_name(source) : NULL;
	return class->class_name != NULL && class->dotted_name != NULL;
}

static void free_names(struct instrumentation *class)
{
	free(class->class_name);
	free(class->dotted_name);
	free(class->source);
}

static bool rewrite(struct instrumentation *class, const struct classfile *classfile,
                    uint8_t **rewritten, size_t *rewritten_length)
{
	struct rewrite_plan plan = {
	        .context = class,
	        .selects = call_instrumenter_selects,
	        .edit = call_instrumenter_edit,
	        .optional_parts = LEFT_OUT_WAITS,
	        .skipped = call_instrumenter_skipped,
	        .reduced = call_instrumenter_reduced,
	        .drop_unknown_code_attributes = true,
	};

	if (!begin(class, classfile))
		return false;
	add_natives(class, classfile);
	add_intrinsics(class, classfile);
	return class_rewriting_apply(&class->instrumenter->rewriting, classfile, &plan, rewritten,
	                             rewritten_length);
}

bool call_instrumenter_rewrite(struct call_instrumenter *instrumenter, const uint8_t *bytes,
                               size_t length, uint8_t **rewritten, size_t *rewritten_length)
{
	struct instrumentation class = {
	        .instrumenter = instrumenter,
	        .has_intrinsics = intrinsics_may_be_marked(bytes, length),
	};
	struct classfile *classfile =
	        class_rewriting_parse(&instrumenter->rewriting, bytes, length);

	if (classfile == NULL)
		return false;
	bool changed =
	        !is_left_out(classfile) && rewrite(&class, classfile, rewritten, rewritten_length);
	free_names(&class);
	classfile_free(classfile);
	return changed;
}

void call_instrumenter_add_intrinsics(struct call_instrumenter *instrumenter, const uint8_t *bytes,
                                      size_t length)
{
	struct instrumentation class = {
	        .instrumenter = instrumenter,
	        .has_intrinsics = intrinsics_may_be_marked(bytes, length),
	};
	struct classfile_error error;
	struct classfile *classfile =
	        class.has_intrinsics ? classfile_parse(bytes, length, NULL, &error) : NULL;

	if (classfile != NULL && !is_left_out(classfile) && begin(&class, classfile))
		add_intrinsics(&class, classfile);
	free_names(&class);
	classfile_free(classfile);
}
