/*
 * Decodes stack map frames. Called by the rewriter from the rewriting thread;
 * takes no lock.
 */
#include "classfile/frame_reader.h"

/* Frame types (JVMS 4.7.4), by the first value of their range. */
enum {
	FRAME_SAME_LOCALS_1 = 64,
	FRAME_RESERVED = 128,
	FRAME_SAME_LOCALS_1_EXTENDED = 247,
	FRAME_CHOP = 248,
	FRAME_SAME_EXTENDED = 251,
	FRAME_APPEND = 252,
	FRAME_FULL = 255
};

static void find_table(struct frame_reader *reader)
{
	struct attribute_walk walk;
	struct attribute attribute;

	reader->cursor = cursor_over(reader->code->bytes, 0);
	reader->left = 0;
	if (classfile_major_version(reader->code->classfile) < VERSION_STACK_MAPS)
		return;
	attribute_walk_begin(&walk, reader->code->record);
	while (attribute_walk_next(&walk, &reader->code->classfile->pool, &attribute)) {
		if (attribute.kind == ATTRIBUTE_STACK_MAP) {
			reader->cursor = cursor_over(attribute.body, attribute.length);
			reader->left = cursor_u2(&reader->cursor);
			return;
		}
	}
}

static void add_local(struct frame_reader *reader, uint32_t *slots, struct verification_type type)
{
	*slots += verification_type_slots(&type);
	if (*slots > reader->max_locals)
		reader->malformed = true;
	else
		reader->frame.locals[reader->frame.local_count++] = type;
}

static struct verification_type initial_this(const struct classfile *classfile,
                                             struct classfile_name method)
{
	struct verification_type type = {.tag = TYPE_OBJECT, .index = classfile->this_class};

	if (classfile_name_is(method, "<init>") &&
	    !classfile_name_is(classfile->class_name, "java/lang/Object")) {
		type.tag = TYPE_UNINITIALIZED_THIS;
		type.index = 0;
	}
	return type;
}

static void set_initial_frame(struct frame_reader *reader)
{
	const struct classfile_method *method = &reader->code->record->view;
	const uint8_t *descriptor = method->descriptor.bytes;
	uint32_t length = method->descriptor.length;
	uint32_t slots = 0;

	reader->frame.offset = 0;
	reader->frame.local_count = 0;
	reader->frame.stack_count = 0;
	if (descriptor_argument_slots(descriptor, length) < 0) {
		reader->malformed = true;
		return;
	}
	if (!(method->access_flags & CLASSFILE_STATIC))
		add_local(reader, &slots, initial_this(reader->code->classfile, method->name));
	for (uint32_t at = 1; descriptor[at] != ')' && !reader->malformed;) {
		uint32_t size = descriptor_type_length(descriptor + at, length - at);

		add_local(reader, &slots, verification_type_of(descriptor + at, size));
		at += size;
	}
}

void frame_reader_begin(struct frame_reader *reader, const struct method_code *code,
                        struct verification_type *locals, struct verification_type *stack)
{
	reader->code = code;
	reader->first = true;
	reader->malformed = false;
	reader->pending = false;
	reader->max_stack = code->record->view.max_stack;
	reader->max_locals = code->record->view.max_locals;
	reader->frame.locals = locals;
	reader->frame.stack = stack;
	find_table(reader);
	set_initial_frame(reader);
}

static struct verification_type read_type(struct frame_reader *reader)
{
	struct verification_type type = {.tag = cursor_u1(&reader->cursor)};
	const struct method_code *code = reader->code;

	switch (type.tag) {
	case TYPE_TOP:
	case TYPE_INTEGER:
	case TYPE_FLOAT:
	case TYPE_DOUBLE:
	case TYPE_LONG:
	case TYPE_NULL:
	case TYPE_UNINITIALIZED_THIS:
		break;
	case TYPE_OBJECT:
		type.index = cursor_u2(&reader->cursor);
		if (constant_pool_tag(&code->classfile->pool, type.index) != CONSTANT_CLASS)
			reader->malformed = true;
		break;
	case TYPE_UNINITIALIZED:
		type.index = cursor_u2(&reader->cursor);
		if (method_code_index(code, type.index) >= code->count ||
		    code->bytes[type.index] != OP_NEW)
			reader->malformed = true;
		break;
	default:
		reader->malformed = true;
	}
	return type;
}

static uint32_t count_slots(const struct verification_type *types, uint32_t count)
{
	uint32_t slots = 0;

	for (uint32_t i = 0; i < count; i++)
		slots += verification_type_slots(&types[i]);
	return slots;
}

static void read_locals(struct frame_reader *reader, uint32_t count)
{
	uint32_t slots = count_slots(reader->frame.locals, reader->frame.local_count);

	for (; count && !reader->malformed && !reader->cursor.overrun; count--)
		add_local(reader, &slots, read_type(reader));
}

static void read_stack(struct frame_reader *reader, uint32_t count)
{
	uint32_t slots = 0;

	reader->frame.stack_count = 0;
	for (; count && !reader->malformed && !reader->cursor.overrun; count--) {
		struct verification_type type = read_type(reader);

		slots += verification_type_slots(&type);
		if (slots > reader->max_stack)
			reader->malformed = true;
		else
			reader->frame.stack[reader->frame.stack_count++] = type;
	}
}

/* Reads the rest of a frame after its type; returns the offset delta. */
static uint32_t read_frame(struct frame_reader *reader, uint32_t type)
{
	uint32_t delta;

	if (type < FRAME_SAME_LOCALS_1) {
		read_stack(reader, 0);
		return type;
	}
	if (type < FRAME_RESERVED) {
		read_stack(reader, 1);
		return type - FRAME_SAME_LOCALS_1;
	}
	if (type < FRAME_SAME_LOCALS_1_EXTENDED) {
		reader->malformed = true;
		return 0;
	}
	delta = cursor_u2(&reader->cursor);
	if (type == FRAME_SAME_LOCALS_1_EXTENDED) {
		read_stack(reader, 1);
	} else if (type < FRAME_APPEND) {
		uint32_t chopped = FRAME_SAME_EXTENDED - type;

		read_stack(reader, 0);
		if (chopped > reader->frame.local_count)
			reader->malformed = true;
		else
			reader->frame.local_count -= chopped;
	} else if (type < FRAME_FULL) {
		read_stack(reader, 0);
		read_locals(reader, type - FRAME_SAME_EXTENDED);
	} else {
		reader->frame.local_count = 0;
		read_locals(reader, cursor_u2(&reader->cursor));
		read_stack(reader, cursor_u2(&reader->cursor));
	}
	return delta;
}

void frame_reader_next(struct frame_reader *reader)
{
	uint32_t delta;

	reader->pending = false;
	if (reader->malformed || !reader->left) {
		/* Bytes after the last frame: the table is malformed. */
		reader->malformed |= reader->cursor.overrun || cursor_left(&reader->cursor);
		return;
	}
	reader->left--;
	delta = read_frame(reader, cursor_u1(&reader->cursor));
	reader->frame.offset = reader->first ? delta : reader->frame.offset + delta + 1;
	reader->first = false;
	if (reader->cursor.overrun ||
	    method_code_index(reader->code, reader->frame.offset) >= reader->code->count)
		reader->malformed = true;
	reader->pending = !reader->malformed;
}
