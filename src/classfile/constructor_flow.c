/*
 * Finds where a constructor's this becomes initialised. Called by the rewriter
 * from the rewriting thread; takes no lock.
 *
 * A handler's frame must state whether this is initialised, and the verifier
 * checks it against the state at every covered instruction (JVMS 4.10.1.6). So
 * code before super() or this() needs a handler of its own. The states follow
 * from the method's stack map frames and, between them, from the code.
 *
 * The call of super() or this() itself can have no handler: HotSpot checks a
 * handler's frame against the locals both before the call, with this
 * uninitialised, and after it, with this initialised, each time with the flag
 * for an uninitialised this, which a frame has only if it has such a local.
 */
#include "classfile/frame_reader.h"
#include "classfile/stack_map.h"
#include "classfile/type_state.h"

#include <string.h>

static bool has_unready(const struct verification_type *types, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (types[i].tag == TYPE_UNINITIALIZED_THIS)
			return true;
	}
	return false;
}

/* Goes over an instruction that runs with this uninitialised. False if it does not fit. */
static bool follow(struct type_state *state, const struct instruction *instruction,
                   uint8_t *this_state)
{
	/* Our handler's frame has it in local 0, where it must be all along. */
	if (!state->max_locals || state->locals[0].tag != TYPE_UNINITIALIZED_THIS)
		return false;
	if (!type_state_step(state, instruction))
		return false;
	*this_state = state->this_initialized ? THIS_BECOMES : THIS_UNREADY;
	return true;
}

static bool follow_all(struct method_edit *edit, struct type_state *state,
                       struct frame_reader *reader)
{
	const struct method_code *code = &edit->code;
	enum this_state now = THIS_UNREADY;

	for (uint32_t i = 0; i < code->count; i++) {
		const struct instruction *instruction = &code->instructions[i];

		if (frame_reader_is_at(reader, instruction)) {
			const struct frame *frame = &reader->frame;

			now = THIS_READY;
			if (has_unready(frame->locals, frame->local_count) ||
			    has_unready(frame->stack, frame->stack_count)) {
				now = THIS_UNREADY;
				type_state_load(state, frame);
			}
			frame_reader_next(reader);
		}
		edit->this_states[i] = (uint8_t)now;
		if (reader->malformed ||
		    (now == THIS_UNREADY && !follow(state, instruction, &edit->this_states[i])))
			return false;
		if (edit->this_states[i] == THIS_BECOMES)
			now = THIS_READY;
		if (!instruction_falls_through(instruction->opcode,
		                               code->bytes[instruction->offset + 1]))
			now = THIS_UNREACHED;
	}
	return true;
}

static bool reserve_states(struct method_edit *edit)
{
	uint8_t *states = class_memory_grow(edit->code.memory, edit->this_states_block,
	                                    &edit->this_states_capacity, edit->code.count, 1);

	if (!states)
		return code_edit_no_memory(edit);
	edit->this_states_block = states;
	edit->this_states = states;
	return true;
}

void constructor_flow_find(struct method_edit *edit, struct frame_arrays *arrays)
{
	struct frame_reader reader;
	struct type_state state;

	if (!edit->has_handler || !stack_map_is_used(edit->code.classfile) ||
	    !classfile_name_is(edit->code.record->view.name, "<init>"))
		return;
	if (!frame_arrays_reserve(arrays, edit) || !reserve_states(edit))
		return;
	frame_reader_begin(&reader, &edit->code, arrays->read_locals, arrays->read_stack);
	if (reader.malformed) {
		code_edit_fail(edit, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
		return;
	}
	if (!reader.frame.local_count || reader.frame.locals[0].tag != TYPE_UNINITIALIZED_THIS) {
		edit->this_states = NULL;
		return;
	}
	type_state_init(&state, &edit->code, arrays->state_locals, arrays->state_stack);
	type_state_load(&state, &reader.frame);
	frame_reader_next(&reader);
	if (!follow_all(edit, &state, &reader))
		code_edit_fail(edit, reader.malformed ? REWRITE_SKIP_MALFORMED_ATTRIBUTE
		                                      : REWRITE_SKIP_CONSTRUCTOR);
}
