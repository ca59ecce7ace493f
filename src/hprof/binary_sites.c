/*
 * binary_sites.c: see binary_sites.h. The record writer has written the classes of the
 * rows, so that this record can be part of a provisional tail.
 */
#include "hprof/binary_sites.h"

#include "hprof/binary_records.h"

#include <string.h>

enum { HEAD_BYTES = 2 + 4 + 4 + 4 + 8 + 8 + 4 };

#define ARRAY_TYPE(value, name, text) {text "[]", value},

/* The basic type of an array's elements; 0 for a class that is not an array. */
static uint8_t element_type(const struct string *name)
{
	static const struct {
		const char *name;
		uint8_t type;
	} primitives[] = {HPROF_PRIMITIVE_TYPES(ARRAY_TYPE)};

	if (name->length < 2 || strcmp(name->text + name->length - 2, "[]") != 0)
		return 0;
	for (size_t i = 0; i < sizeof(primitives) / sizeof(primitives[0]); i++) {
		if (strcmp(name->text, primitives[i].name) == 0)
			return primitives[i].type;
	}
	return HPROF_TYPE_OBJECT;
}

static uint16_t flags_of(const struct sites_record *record)
{
	return (uint16_t)((record->incremental ? HPROF_SITES_INCREMENTAL : 0) |
	                  (record->by_allocation ? HPROF_SITES_BY_ALLOCATION : 0) |
	                  (record->forced_gc ? HPROF_SITES_FORCED_GC : 0));
}

static void add_sums(struct byte_buffer *out, const struct site_row *sums)
{
	byte_buffer_add_u4(out, saturate_u4(sums->live_bytes));
	byte_buffer_add_u4(out, saturate_u4(sums->live_objects));
	byte_buffer_add_u8(out, sums->allocated_bytes);
	byte_buffer_add_u8(out, sums->allocated_objects);
}

void binary_sites(void *state, struct byte_buffer *out, const struct sites_record *record)
{
	float cutoff = (float)record->cutoff;
	uint32_t cutoff_bits;

	memcpy(&cutoff_bits, &cutoff, sizeof(cutoff_bits));
	binary_record_begin(state, out, HPROF_RECORD_ALLOC_SITES,
	                    HEAD_BYTES + (uint64_t)HPROF_SITE_BYTES * record->row_count);
	byte_buffer_add_u2(out, flags_of(record));
	byte_buffer_add_u4(out, cutoff_bits);
	add_sums(out, &record->sums);
	byte_buffer_add_u4(out, (uint32_t)record->row_count);
	for (size_t i = 0; i < record->row_count; i++) {
		const struct site_row *row = &record->rows[i];
		byte_buffer_add_u1(out, element_type(row->class->name));
		byte_buffer_add_u4(out, row->class->serial);
		byte_buffer_add_u4(out, row->trace->serial);
		byte_buffer_add_u4(out, saturate_u4(row->live_bytes));
		byte_buffer_add_u4(out, saturate_u4(row->live_objects));
		byte_buffer_add_u4(out, saturate_u4(row->allocated_bytes));
		byte_buffer_add_u4(out, saturate_u4(row->allocated_objects));
	}
}
