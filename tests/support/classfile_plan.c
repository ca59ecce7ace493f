/* classfile_plan.c: see classfile_plan.h. */
#include "classfile_plan.h"

static struct code_emitter *begin_insertion(struct method_edit *edit, const struct wanted *wanted)
{
	switch (wanted->place) {
	case AT_ENTRY:
		return method_edit_entry(edit);
	case BEFORE:
		return method_edit_before(edit, wanted->offset);
	case AFTER:
		return method_edit_after(edit, wanted->offset);
	default:
		return method_edit_handler(edit);
	}
}

void edit_by_list(void *context, const struct classfile *classfile,
                  const struct classfile_method *method, struct method_edit *edit)
{
	(void)classfile;
	(void)method;
	for (const struct wanted *wanted = context; wanted->place; wanted++) {
		struct code_emitter *emitter = begin_insertion(edit, wanted);

		for (uint32_t i = 0; i < wanted->nops; i++)
			emit_op(emitter, OP_NOP);
		if (!wanted->nops) {
			emit_push_int(emitter, wanted->mark);
			emit_op(emitter, OP_POP);
		}
	}
}
