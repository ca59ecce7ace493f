/*
 * Moves the bytecode offsets in type annotations of Code (JVMS 4.7.20). Called
 * by the rewriter from the rewriting thread; takes no lock.
 *
 * Compilers are known to leave offsets that mean nothing for code which they
 * have optimised away. Such offsets are kept as they are.
 */
#include "classfile/code_attributes.h"

enum {
	/* Annotations within annotations deeper than this are refused. */
	NESTING_MAX = 32
};

/* target_type (JVMS table 4.7.20-A and -B) */
enum {
	TARGET_TYPE_PARAMETER_METHOD = 0x01,
	TARGET_SUPERTYPE = 0x10,
	TARGET_TYPE_PARAMETER_BOUND_CLASS = 0x11,
	TARGET_TYPE_PARAMETER_BOUND_METHOD = 0x12,
	TARGET_EMPTY_FIRST = 0x13,
	TARGET_EMPTY_LAST = 0x15,
	TARGET_FORMAL_PARAMETER = 0x16,
	TARGET_THROWS = 0x17,
	TARGET_LOCAL_VARIABLE = 0x40,
	TARGET_RESOURCE_VARIABLE = 0x41,
	TARGET_CATCH = 0x42,
	TARGET_OFFSET_FIRST = 0x43,
	TARGET_OFFSET_LAST = 0x46,
	TARGET_TYPE_ARGUMENT_FIRST = 0x47,
	TARGET_TYPE_ARGUMENT_LAST = 0x4B
};

/* A copy in progress: what is read goes to out, from copied on, in pieces. */
struct annotation_copy {
	const struct method_code *code;
	struct cursor cursor;
	const uint8_t *copied;
	struct code_buffer *out;
};

/* Writes what has been read except the last count bytes, which the caller replaces. */
static void write_up_to(struct annotation_copy *copy, uint32_t count)
{
	const uint8_t *end = copy->cursor.at - count;

	code_buffer_put_bytes(copy->out, copy->copied, (size_t)(end - copy->copied));
	copy->copied = copy->cursor.at;
}

/* The offset of an instruction. */
static void move_offset(struct annotation_copy *copy)
{
	uint16_t offset = cursor_u2(&copy->cursor);
	uint32_t index = method_code_index(copy->code, offset);

	if (copy->cursor.overrun || index >= copy->code->count)
		return;
	write_up_to(copy, 2);
	code_buffer_put_u2(copy->out, copy->code->instructions[index].at);
}

/* The range of a local variable: start and length. */
static void move_range(struct annotation_copy *copy)
{
	uint16_t start = cursor_u2(&copy->cursor);
	uint32_t length = cursor_u2(&copy->cursor);
	uint32_t first = method_code_index(copy->code, start);
	uint32_t last = method_code_index(copy->code, start + length);
	uint32_t place;

	if (copy->cursor.overrun || first == NO_INSTRUCTION || last == NO_INSTRUCTION)
		return;
	place = first ? copy->code->instructions[first].start : 0;
	write_up_to(copy, 4);
	code_buffer_put_u2(copy->out, place);
	code_buffer_put_u2(copy->out, copy->code->instructions[last].start - place);
}

/* Reads target_info. False for a target that the format does not know. */
static bool copy_target(struct annotation_copy *copy, uint8_t target)
{
	struct cursor *cursor = &copy->cursor;

	if (target <= TARGET_TYPE_PARAMETER_METHOD || target == TARGET_FORMAL_PARAMETER) {
		cursor_take(cursor, 1);
	} else if (target == TARGET_LOCAL_VARIABLE || target == TARGET_RESOURCE_VARIABLE) {
		for (uint32_t left = cursor_u2(cursor); left && !cursor->overrun; left--) {
			move_range(copy);
			cursor_take(cursor, 2);
		}
	} else if (target >= TARGET_OFFSET_FIRST && target <= TARGET_OFFSET_LAST) {
		move_offset(copy);
	} else if (target >= TARGET_TYPE_ARGUMENT_FIRST && target <= TARGET_TYPE_ARGUMENT_LAST) {
		move_offset(copy);
		cursor_take(cursor, 1);
	} else if (target == TARGET_CATCH || target == TARGET_SUPERTYPE ||
	           target == TARGET_TYPE_PARAMETER_BOUND_CLASS ||
	           target == TARGET_TYPE_PARAMETER_BOUND_METHOD || target == TARGET_THROWS) {
		/* An exception table index stays: new entries come after the old ones. */
		cursor_take(cursor, 2);
	} else {
		return target >= TARGET_EMPTY_FIRST && target <= TARGET_EMPTY_LAST;
	}
	return true;
}

static bool skip_annotation(struct cursor *cursor, uint32_t nesting);

static bool skip_element_value(struct cursor *cursor, uint32_t nesting)
{
	uint32_t left;

	if (nesting > NESTING_MAX)
		return false;
	switch (cursor_u1(cursor)) {
	case 'e':
		cursor_take(cursor, 4);
		break;
	case '@':
		return skip_annotation(cursor, nesting + 1);
	case '[':
		for (left = cursor_u2(cursor); left; left--) {
			if (!skip_element_value(cursor, nesting + 1))
				return false;
		}
		break;
	default:
		cursor_take(cursor, 2);
	}
	return !cursor->overrun;
}

static bool skip_annotation(struct cursor *cursor, uint32_t nesting)
{
	cursor_take(cursor, 2);
	for (uint32_t left = cursor_u2(cursor); left; left--) {
		cursor_take(cursor, 2);
		if (!skip_element_value(cursor, nesting + 1))
			return false;
	}
	return !cursor->overrun;
}

static bool copy_type_annotation(struct annotation_copy *copy)
{
	struct cursor *cursor = &copy->cursor;

	if (!copy_target(copy, cursor_u1(cursor)))
		return false;
	cursor_take(cursor, 2 * (size_t)cursor_u1(cursor));
	return skip_annotation(cursor, 0);
}

void type_annotations_write(struct method_edit *edit, const struct attribute *attribute,
                            struct code_buffer *out)
{
	struct annotation_copy copy = {
	        .code = &edit->code,
	        .cursor = cursor_over(attribute->body, attribute->length),
	        .copied = attribute->body,
	        .out = out,
	};

	for (uint32_t left = cursor_u2(&copy.cursor); left; left--) {
		if (!copy_type_annotation(&copy)) {
			code_edit_fail(edit, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
			return;
		}
	}
	if (copy.cursor.overrun || cursor_left(&copy.cursor)) {
		code_edit_fail(edit, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
		return;
	}
	write_up_to(&copy, 0);
}
