/*
 * Writes stack maps. Called by the rewriter from the rewriting thread; takes no
 * lock.
 */
#include "classfile/stack_map.h"

#include "classfile/code_layout.h"
#include "classfile/frame_reader.h"
#include "classfile/type_state.h"

#include <string.h>

enum {
	/* A table past this is not worth having, whatever it belongs to. */
	TABLE_MAX_BYTES = 1 << 24,
	/* Frame types (JVMS 4.7.4) */
	SAME_MAX = 63,
	SAME_LOCALS_1 = 64,
	SAME_LOCALS_1_EXTENDED = 247,
	SAME_EXTENDED = 251,
	FULL = 255
};

struct frame_writer {
	struct method_edit *edit;
	struct frame_arrays *arrays;
	struct code_buffer *out;
	size_t begin; /* of the table in out */
	uint32_t count;
	uint32_t written_count; /* entries of written_locals */
	uint32_t position;      /* of the frame written last, in the new code */
};

bool stack_map_is_used(const struct classfile *classfile)
{
	return classfile_major_version(classfile) >= VERSION_STACK_MAPS;
}

bool frame_arrays_reserve(struct frame_arrays *arrays, struct method_edit *edit)
{
	size_t locals = edit->max_locals;
	size_t stack = edit->code.record->view.max_stack;
	struct verification_type *block =
	        class_memory_grow(edit->code.memory, arrays->block, &arrays->capacity,
	                          5 * locals + 3 * stack + 1, sizeof(arrays->block[0]));

	if (!block)
		return code_edit_no_memory(edit);
	arrays->block = block;
	arrays->read_locals = block;
	arrays->state_locals = arrays->read_locals + locals;
	arrays->stored_locals = arrays->state_locals + locals;
	arrays->written_locals = arrays->stored_locals + locals;
	arrays->next_locals = arrays->written_locals + locals;
	arrays->read_stack = arrays->next_locals + locals;
	arrays->state_stack = arrays->read_stack + stack;
	arrays->stored_stack = arrays->state_stack + stack;
	return true;
}

void frame_arrays_free(struct frame_arrays *arrays, const struct classfile_memory *memory)
{
	class_memory_give_back(memory, arrays->block);
}

/* The Class constant of a reference type that has none yet. */
static uint16_t class_index(struct method_edit *edit, const struct verification_type *type)
{
	struct classfile_name name = {type->name, type->name_length};
	struct classfile_name array = {NULL, 0};
	uint8_t *built;
	uint32_t length;
	uint16_t index;
	bool is_class;

	if (!type->is_array)
		return pool_builder_class(edit->pool, name);
	if (!constant_pool_class_name(&edit->code.classfile->pool, type->index, &name))
		return 0;
	is_class = name.length && name.bytes[0] != '[';
	length = name.length + (is_class ? 3u : 1u);
	if (length > UINT16_MAX)
		return 0;
	built = class_memory_take(edit->code.memory, length);
	if (!built) {
		edit->pool->no_memory = true;
		return 0;
	}
	built[0] = '[';
	built[1] = 'L';
	memcpy(built + (is_class ? 2 : 1), name.bytes, name.length);
	if (is_class)
		built[length - 1] = ';';
	array.bytes = built;
	array.length = (uint16_t)length;
	index = pool_builder_class(edit->pool, array);
	class_memory_give_back(edit->code.memory, built);
	return index;
}

static void write_type(struct frame_writer *writer, const struct verification_type *type)
{
	struct method_edit *edit = writer->edit;
	const struct method_code *code = &edit->code;
	uint16_t index = type->index;

	if (type->tag > TYPE_UNINITIALIZED) {
		code_edit_fail(edit, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
		return;
	}
	code_buffer_put_u1(writer->out, type->tag);
	if (type->tag == TYPE_UNINITIALIZED) {
		code_buffer_put_u2(writer->out, code->instructions[code->index_at[index]].at);
	} else if (type->tag == TYPE_OBJECT) {
		if (!index || type->is_array)
			index = class_index(edit, type);
		if (!index)
			code_edit_pool_failed(edit);
		code_buffer_put_u2(writer->out, index);
	}
}

static void write_types(struct frame_writer *writer, const struct verification_type *types,
                        uint32_t count)
{
	for (uint32_t i = 0; i < count && code_edit_is_good(writer->edit); i++)
		write_type(writer, &types[i]);
}

static uint32_t common_locals(const struct frame_writer *writer, uint32_t count)
{
	const struct verification_type *written = writer->arrays->written_locals;
	const struct verification_type *next = writer->arrays->next_locals;
	uint32_t common = 0;

	while (common < count && common < writer->written_count &&
	       verification_type_equals(&written[common], &next[common]))
		common++;
	return common;
}

/* Writes next_locals and a stack in the shortest form after the frame before. */
static void write_shortest(struct frame_writer *writer, uint32_t delta, uint32_t local_count,
                           const struct verification_type *stack, uint32_t stack_count)
{
	struct code_buffer *out = writer->out;
	uint32_t common = common_locals(writer, local_count);
	uint32_t chopped = writer->written_count - common;
	uint32_t appended = local_count - common;

	if (!chopped && !appended && !stack_count) {
		if (delta > SAME_MAX)
			code_buffer_put_u1(out, SAME_EXTENDED);
		if (delta > SAME_MAX)
			code_buffer_put_u2(out, delta);
		else
			code_buffer_put_u1(out, delta);
	} else if (!chopped && !appended && stack_count == 1) {
		code_buffer_put_u1(out, delta > SAME_MAX ? SAME_LOCALS_1_EXTENDED
		                                         : SAME_LOCALS_1 + delta);
		if (delta > SAME_MAX)
			code_buffer_put_u2(out, delta);
		write_types(writer, stack, 1);
	} else if (!stack_count && ((!chopped && appended <= 3) || (!appended && chopped <= 3))) {
		code_buffer_put_u1(out, SAME_EXTENDED + appended - chopped);
		code_buffer_put_u2(out, delta);
		write_types(writer, writer->arrays->next_locals + common, appended);
	} else {
		code_buffer_put_u1(out, FULL);
		code_buffer_put_u2(out, delta);
		code_buffer_put_u2(out, local_count);
		write_types(writer, writer->arrays->next_locals, local_count);
		code_buffer_put_u2(out, stack_count);
		write_types(writer, stack, stack_count);
	}
}

/* Appends the locals that the edit has added to count entries; returns the new count. */
static uint32_t add_edit_locals(struct frame_writer *writer, uint32_t count)
{
	struct verification_type *locals = writer->arrays->next_locals;
	const struct method_edit *edit = writer->edit;
	const struct verification_type top = {.tag = TYPE_TOP};
	uint32_t slots = 0;

	if (!edit->local_count)
		return count;
	for (uint32_t i = 0; i < count; i++)
		slots += verification_type_slots(&locals[i]);
	for (; slots < edit->local_indexes[0]; slots++)
		locals[count++] = top;
	for (uint32_t i = 0; i < edit->local_count; i++) {
		const char *descriptor = edit->local_descriptors[i];

		locals[count++] = verification_type_of((const uint8_t *)descriptor,
		                                       (uint32_t)strlen(descriptor));
	}
	return count;
}

static void write_frame(struct frame_writer *writer, uint32_t position,
                        const struct verification_type *locals, uint32_t local_count,
                        const struct verification_type *stack, uint32_t stack_count)
{
	struct frame_arrays *arrays = writer->arrays;
	struct verification_type *swapped = arrays->written_locals;
	uint32_t delta = writer->count ? position - writer->position - 1 : position;

	if (!code_edit_is_good(writer->edit))
		return;
	if (writer->count == UINT16_MAX || writer->out->length - writer->begin > TABLE_MAX_BYTES) {
		code_edit_fail(writer->edit, REWRITE_SKIP_TABLE_FULL);
		return;
	}
	memcpy(arrays->next_locals, locals, local_count * sizeof(locals[0]));
	local_count = add_edit_locals(writer, local_count);
	write_shortest(writer, delta, local_count, stack, stack_count);
	arrays->written_locals = arrays->next_locals;
	arrays->next_locals = swapped;
	writer->written_count = local_count;
	writer->position = position;
	writer->count++;
}

static void write_old_frame(struct frame_writer *writer, const struct frame *frame)
{
	const struct method_code *code = &writer->edit->code;
	uint32_t start = code->instructions[code->index_at[frame->offset]].start;

	write_frame(writer, start, frame->locals, frame->local_count, frame->stack,
	            frame->stack_count);
}

/* The frame that the second half of a widened conditional branch jumps over to. */
static void write_fall_through(struct frame_writer *writer, const struct type_state *state,
                               const struct frame_reader *reader,
                               const struct instruction *instruction)
{
	struct frame frame = {.locals = writer->arrays->stored_locals,
	                      .stack = writer->arrays->stored_stack};
	uint32_t position = instruction->at + WIDENED_IF_BYTES;

	if (frame_reader_is_at(reader, instruction + 1) && instruction[1].start == position)
		return;
	type_state_store(state, &frame);
	write_frame(writer, position, frame.locals, frame.local_count, frame.stack,
	            frame.stack_count);
}

/* Follows the code from frame to frame, to know the types after widened branches. */
static void write_body_simulated(struct frame_writer *writer, struct frame_reader *reader)
{
	struct method_edit *edit = writer->edit;
	const struct method_code *code = &edit->code;
	struct type_state state;
	bool known = true;

	type_state_init(&state, code, writer->arrays->state_locals, writer->arrays->state_stack);
	type_state_load(&state, &reader->frame);
	frame_reader_next(reader);
	for (uint32_t i = 0; i < code->count && code_edit_is_good(edit); i++) {
		const struct instruction *instruction = &code->instructions[i];

		if (frame_reader_is_at(reader, instruction)) {
			write_old_frame(writer, &reader->frame);
			type_state_load(&state, &reader->frame);
			frame_reader_next(reader);
			known = true;
		}
		if (!known || reader->malformed || !type_state_step(&state, instruction)) {
			code_edit_fail(edit, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
			return;
		}
		if (instruction->widened && instruction_table[instruction->opcode].kind == KIND_IF)
			write_fall_through(writer, &state, reader, instruction);
		known = instruction_falls_through(instruction->opcode,
		                                  code->bytes[instruction->offset + 1]);
	}
}

static void write_body(struct frame_writer *writer, struct frame_reader *reader)
{
	struct method_edit *edit = writer->edit;

	if (edit->widened_ifs) {
		write_body_simulated(writer, reader);
	} else {
		frame_reader_next(reader);
		while (reader->pending && code_edit_is_good(edit)) {
			write_old_frame(writer, &reader->frame);
			frame_reader_next(reader);
		}
	}
	if (reader->malformed || reader->pending)
		code_edit_fail(edit, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
}

/* A handler knows nothing of the body's locals, except an uninitialised this. */
static void write_handlers(struct frame_writer *writer)
{
	struct method_edit *edit = writer->edit;
	const struct verification_type unready = {.tag = TYPE_UNINITIALIZED_THIS};
	struct verification_type thrown = {.tag = TYPE_OBJECT};

	thrown.index = pool_builder_class(edit->pool, pool_builder_name("java/lang/Throwable"));
	if (!thrown.index) {
		code_edit_pool_failed(edit);
		return;
	}
	write_frame(writer, edit->body_end, &unready, 0, &thrown, 1);
	if (edit->unready_handler)
		write_frame(writer, edit->unready_handler, &unready, 1, &thrown, 1);
}

void stack_map_write(struct method_edit *edit, struct frame_arrays *arrays, struct code_buffer *out)
{
	struct frame_writer writer = {
	        .edit = edit, .arrays = arrays, .out = out, .begin = out->length};
	struct frame_reader reader;

	if (!frame_arrays_reserve(arrays, edit))
		return;
	frame_reader_begin(&reader, &edit->code, arrays->read_locals, arrays->read_stack);
	if (reader.malformed) {
		code_edit_fail(edit, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
		return;
	}
	writer.written_count = reader.frame.local_count;
	memcpy(arrays->written_locals, reader.frame.locals,
	       writer.written_count * sizeof(reader.frame.locals[0]));
	code_buffer_put_u2(out, 0);
	write_body(&writer, &reader);
	if (edit->has_handler && code_edit_is_good(edit))
		write_handlers(&writer);
	if (writer.count)
		code_buffer_patch_u2(out, writer.begin, writer.count);
	else
		out->length = writer.begin;
}
