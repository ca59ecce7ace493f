/*
 * Writes the attributes of Code. Called by the rewriter from the rewriting
 * thread; takes no lock.
 */
#include "classfile/code_attributes.h"

/* Begins an attribute; returns where its length goes. */
static size_t begin_attribute(struct code_buffer *out, uint16_t name)
{
	code_buffer_put_u2(out, name);
	code_buffer_put_u4(out, 0);
	return out->length;
}

static void end_attribute(struct code_buffer *out, size_t body)
{
	if (!out->failed)
		code_buffer_patch_u4(out, body - 4, (uint32_t)(out->length - body));
}

/* The place of the first instruction at or after an offset; the code inserted at entry
 * belongs to what is at offset 0. False if there is none. */
static bool line_place(const struct method_code *code, uint32_t offset, uint32_t *place)
{
	while (offset < code->length && code->index_at[offset] == NO_INSTRUCTION)
		offset++;
	if (offset >= code->length)
		return false;
	*place = offset ? code->instructions[code->index_at[offset]].start : 0;
	return true;
}

static bool write_lines(struct method_edit *edit, const struct attribute *attribute,
                        struct code_buffer *out)
{
	struct cursor cursor = cursor_over(attribute->body, attribute->length);
	uint32_t left = cursor_u2(&cursor);
	size_t count_at = out->length;
	uint32_t count = 0;
	uint32_t place;

	code_buffer_put_u2(out, 0);
	for (; left; left--) {
		uint16_t offset = cursor_u2(&cursor);
		uint16_t line = cursor_u2(&cursor);

		if (cursor.overrun)
			return false;
		if (!line_place(&edit->code, offset, &place))
			continue;
		code_buffer_put_u2(out, place);
		code_buffer_put_u2(out, line);
		count++;
	}
	code_buffer_patch_u2(out, count_at, count);
	return !cursor_left(&cursor);
}

static bool write_variables(struct method_edit *edit, const struct attribute *attribute,
                            struct code_buffer *out)
{
	const struct method_code *code = &edit->code;
	struct cursor cursor = cursor_over(attribute->body, attribute->length);
	uint32_t left = cursor_u2(&cursor);
	size_t count_at = out->length;
	uint32_t count = 0;

	code_buffer_put_u2(out, 0);
	for (; left; left--) {
		const uint8_t *entry = cursor_take(&cursor, 10);
		uint32_t first;
		uint32_t last;
		uint32_t place;

		if (!entry)
			return false;
		first = method_code_index(code, bytes_u2(entry));
		last = method_code_index(code, (uint32_t)bytes_u2(entry) + bytes_u2(entry + 2));
		if (first == NO_INSTRUCTION || last == NO_INSTRUCTION)
			continue;
		place = first ? code->instructions[first].start : 0;
		code_buffer_put_u2(out, place);
		code_buffer_put_u2(out, code->instructions[last].start - place);
		code_buffer_put_bytes(out, entry + 4, 6);
		count++;
	}
	code_buffer_patch_u2(out, count_at, count);
	return !cursor_left(&cursor);
}

/* Writes a StackMapTable if the method needs one; returns whether it did. */
static bool write_stack_map(struct method_edit *edit, struct frame_arrays *arrays, uint16_t name,
                            struct code_buffer *out)
{
	size_t begin = out->length;
	size_t body = begin_attribute(out, name);

	stack_map_write(edit, arrays, out);
	if (out->failed || !code_edit_is_good(edit))
		return false;
	if (out->length == body) {
		out->length = begin;
		return false;
	}
	end_attribute(out, body);
	return true;
}

/* Writes one attribute that is no stack map; returns whether it was kept. */
static bool write_attribute(struct method_edit *edit, const struct attribute *attribute,
                            struct code_buffer *out)
{
	size_t body;
	bool good = true;

	if (attribute->kind == ATTRIBUTE_OTHER || attribute->kind == ATTRIBUTE_CODE) {
		if (!edit->plan->drop_unknown_code_attributes)
			code_edit_fail(edit, REWRITE_SKIP_UNKNOWN_ATTRIBUTE);
		return false;
	}
	body = begin_attribute(out, attribute->name);
	if (attribute->kind == ATTRIBUTE_LINES)
		good = write_lines(edit, attribute, out);
	else if (attribute->kind == ATTRIBUTE_TYPE_ANNOTATIONS)
		type_annotations_write(edit, attribute, out);
	else
		good = write_variables(edit, attribute, out);
	if (!good)
		code_edit_fail(edit, REWRITE_SKIP_MALFORMED_ATTRIBUTE);
	end_attribute(out, body);
	return true;
}

void code_attributes_write(struct method_edit *edit, struct frame_arrays *arrays,
                           struct code_buffer *out)
{
	const struct classfile *classfile = edit->code.classfile;
	bool needs_map = stack_map_is_used(classfile);
	struct attribute_walk walk;
	struct attribute attribute;
	size_t count_at = out->length;
	uint32_t count = 0;
	uint16_t name;

	code_buffer_put_u2(out, 0);
	attribute_walk_begin(&walk, edit->code.record);
	while (code_edit_is_good(edit) &&
	       attribute_walk_next(&walk, &classfile->pool, &attribute)) {
		switch (attribute.kind) {
		case ATTRIBUTE_STACK_MAP:
			if (needs_map)
				count += write_stack_map(edit, arrays, attribute.name, out);
			needs_map = false;
			break;
		case ATTRIBUTE_CLDC_STACK_MAP:
			break;
		default:
			count += write_attribute(edit, &attribute, out);
		}
	}
	if (needs_map && edit->has_handler && code_edit_is_good(edit)) {
		name = pool_builder_text(edit->pool, "StackMapTable");
		if (name)
			count += write_stack_map(edit, arrays, name, out);
		else
			code_edit_pool_failed(edit);
	}
	if (count > UINT16_MAX)
		code_edit_fail(edit, REWRITE_SKIP_TABLE_FULL);
	else
		code_buffer_patch_u2(out, count_at, count);
}
