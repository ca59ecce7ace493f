/*
 * Rewrites a class: runs a plan over its methods and puts the new class file
 * together. Called when a class is loaded, from the loading thread; takes no
 * lock.
 */
#include "classfile/rewrite.h"

#include "classfile/code_attributes.h"
#include "classfile/code_layout.h"

#include <string.h>

struct rewriter {
	const struct classfile *classfile;
	const struct rewrite_plan *plan;
	struct rewrite_result *result;
	struct pool_builder pool;
	struct method_edit edit;
	struct frame_arrays arrays;
	struct code_buffer methods; /* the new method table, from its first method on */
	const uint8_t *copied;      /* old methods before this are in it */
};

static const char *const skip_texts[REWRITE_SKIP_COUNT] = {
        [REWRITE_SKIP_NONE] = "not skipped",
        [REWRITE_SKIP_CODE_TOO_LONG] = "its code would grow past 65,535 bytes",
        [REWRITE_SKIP_POOL_FULL] = "the constant pool would grow past 65,535 entries",
        [REWRITE_SKIP_TABLE_FULL] = "a count in its code would grow past 65,535",
        [REWRITE_SKIP_MALFORMED_CODE] = "its code is malformed",
        [REWRITE_SKIP_MALFORMED_ATTRIBUTE] = "an attribute of its code is malformed",
        [REWRITE_SKIP_UNKNOWN_ATTRIBUTE] = "its code has an unknown attribute",
        [REWRITE_SKIP_CONSTRUCTOR] = "it is not clear where the constructor initialises its object",
        [REWRITE_SKIP_OLD_LAYOUT] = "the class-file version is below 45.3",
        [REWRITE_SKIP_BAD_PLAN] = "the code to insert breaks a rule of the rewriter",
};

const char *rewrite_skip_text(enum rewrite_skip reason)
{
	return (unsigned)reason < REWRITE_SKIP_COUNT ? skip_texts[reason] : "unknown reason";
}

static void write_u2_limits(struct method_edit *edit, struct code_buffer *out)
{
	int32_t stack = edit->code.record->view.max_stack + edit->stack_growth;

	if (stack < edit->stack_outside)
		stack = edit->stack_outside;
	code_buffer_put_u2(out, (uint32_t)stack);
	code_buffer_put_u2(out, edit->max_locals);
}

/* Writes the method's new Code attribute. */
static void write_code_attribute(struct rewriter *rewriter, const struct method_record *record)
{
	struct method_edit *edit = &rewriter->edit;
	struct code_buffer *out = &rewriter->methods;
	size_t body;

	code_buffer_put_bytes(out, record->code_attribute, 2);
	code_buffer_put_u4(out, 0);
	body = out->length;
	write_u2_limits(edit, out);
	code_buffer_put_u4(out, edit->new_length);
	code_layout_write_code(edit, out);
	code_layout_write_exceptions(edit, out);
	code_attributes_write(edit, &rewriter->arrays, out);
	if (out->failed)
		code_edit_no_memory(edit);
	else
		code_buffer_patch_u4(out, body - 4, (uint32_t)(out->length - body));
}

/* Writes the method, and what the table has before it, if the edit works out. */
static void write_method(struct rewriter *rewriter, const struct method_record *record)
{
	struct method_edit *edit = &rewriter->edit;
	struct code_buffer *out = &rewriter->methods;
	size_t length = out->length;

	code_buffer_put_bytes(out, rewriter->copied,
	                      (size_t)(record->code_attribute - rewriter->copied));
	write_code_attribute(rewriter, record);
	if (!code_edit_is_good(edit)) {
		out->length = length;
		return;
	}
	rewriter->copied = record->code_end;
	rewriter->result->methods_rewritten++;
	if (edit->new_length > REWRITE_HUGE_METHOD_BYTES &&
	    edit->code.length <= REWRITE_HUGE_METHOD_BYTES)
		rewriter->result->methods_grown_huge++;
}

static void edit_method(struct rewriter *rewriter, const struct method_record *record)
{
	const struct rewrite_plan *plan = rewriter->plan;
	struct method_edit *edit = &rewriter->edit;

	code_edit_begin(edit, record);
	if (!code_edit_is_good(edit))
		return;
	plan->edit(plan->context, rewriter->classfile, &record->view, edit);
	code_edit_end(edit);
	if (!code_edit_is_good(edit) || !code_edit_has_insertions(edit))
		return;
	constructor_flow_find(edit, &rewriter->arrays);
	if (code_edit_is_good(edit))
		code_layout(edit);
	if (code_edit_is_good(edit))
		write_method(rewriter, record);
}

static void note_skip(struct rewriter *rewriter, const struct method_record *record,
                      enum rewrite_skip reason)
{
	const struct rewrite_plan *plan = rewriter->plan;

	rewriter->result->skipped[reason]++;
	if (plan->skipped)
		plan->skipped(plan->context, rewriter->classfile, &record->view, reason);
}

/* Whether less code may do. */
static bool is_limit(enum rewrite_skip reason)
{
	return reason == REWRITE_SKIP_CODE_TOO_LONG || reason == REWRITE_SKIP_POOL_FULL ||
	       reason == REWRITE_SKIP_TABLE_FULL;
}

/* Edits the method, leaving out parts of the plan until the rest fits. Returns false when there
 * is no memory. */
static bool edit_until_it_fits(struct rewriter *rewriter, const struct method_record *record)
{
	const struct rewrite_plan *plan = rewriter->plan;
	struct method_edit *edit = &rewriter->edit;
	struct pool_mark mark = pool_builder_mark(&rewriter->pool);

	edit->left_out = 0;
	edit_method(rewriter, record);
	while (is_limit(edit->skip) && edit->left_out < plan->optional_parts) {
		pool_builder_roll_back(&rewriter->pool, mark);
		edit->left_out++;
		edit_method(rewriter, record);
	}
	if (edit->no_memory || rewriter->pool.no_memory)
		return false;
	if (edit->skip) {
		pool_builder_roll_back(&rewriter->pool, mark);
		note_skip(rewriter, record, edit->skip);
	} else if (edit->left_out > 0 && plan->reduced) {
		plan->reduced(plan->context, rewriter->classfile, &record->view, edit->left_out);
	}
	return true;
}

/* Returns false when there is no memory. */
static bool rewrite_method(struct rewriter *rewriter, const struct method_record *record)
{
	const struct rewrite_plan *plan = rewriter->plan;

	if (!record->code_attribute)
		return true;
	if (plan->selects && !plan->selects(plan->context, rewriter->classfile, &record->view))
		return true;
	if (classfile_has_short_code_layout(rewriter->classfile)) {
		note_skip(rewriter, record, REWRITE_SKIP_OLD_LAYOUT);
		return true;
	}
	return edit_until_it_fits(rewriter, record);
}

/* Puts the file together: header, old and new constants, the rest with the new methods. */
static bool write_class(struct rewriter *rewriter)
{
	const struct classfile *classfile = rewriter->classfile;
	const uint8_t *end = classfile->bytes + classfile->length;
	const struct code_buffer *added = &rewriter->pool.added;
	struct code_buffer out;

	code_buffer_init(&out, classfile->memory);
	code_buffer_extend(&out, classfile->length + added->length + rewriter->methods.length);
	out.length = 0;
	code_buffer_put_bytes(&out, classfile->bytes,
	                      (size_t)(classfile->after_pool - classfile->bytes));
	code_buffer_patch_u2(&out, 8, rewriter->pool.count);
	code_buffer_put_bytes(&out, added->bytes, added->length);
	code_buffer_put_bytes(&out, classfile->after_pool,
	                      (size_t)(classfile->first_method - classfile->after_pool));
	code_buffer_put_bytes(&out, rewriter->methods.bytes, rewriter->methods.length);
	code_buffer_put_bytes(&out, rewriter->copied, (size_t)(end - rewriter->copied));
	if (out.failed) {
		code_buffer_free(&out);
		return false;
	}
	rewriter->result->bytes = out.bytes;
	rewriter->result->length = out.length;
	return true;
}

static enum rewrite_status rewrite_methods(struct rewriter *rewriter)
{
	const struct classfile *classfile = rewriter->classfile;

	for (uint32_t i = 0; i < classfile->method_count; i++) {
		if (!rewrite_method(rewriter, &classfile->methods[i]))
			return REWRITE_NO_MEMORY;
	}
	if (!rewriter->result->methods_rewritten)
		return REWRITE_UNCHANGED;
	return write_class(rewriter) ? REWRITE_CHANGED : REWRITE_NO_MEMORY;
}

enum rewrite_status rewrite_class(const struct classfile *classfile,
                                  const struct rewrite_plan *plan, struct rewrite_result *result)
{
	struct rewriter rewriter;
	enum rewrite_status status;

	memset(result, 0, sizeof(*result));
	memset(&rewriter, 0, sizeof(rewriter));
	rewriter.classfile = classfile;
	rewriter.plan = plan;
	rewriter.result = result;
	rewriter.copied = classfile->first_method;
	pool_builder_init(&rewriter.pool, &classfile->pool, classfile->memory);
	code_buffer_init(&rewriter.methods, classfile->memory);
	code_edit_init(&rewriter.edit, classfile, &rewriter.pool, plan);
	status = rewrite_methods(&rewriter);
	code_edit_free(&rewriter.edit);
	frame_arrays_free(&rewriter.arrays, classfile->memory);
	code_buffer_free(&rewriter.methods);
	pool_builder_free(&rewriter.pool);
	return status;
}

void rewrite_result_free(const struct classfile *classfile, struct rewrite_result *result)
{
	class_memory_give_back(classfile->memory, result->bytes);
	result->bytes = NULL;
	result->length = 0;
}
