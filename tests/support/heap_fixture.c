/* heap_fixture.c: see heap_fixture.h. */
#include "heap_fixture.h"

void add_header(struct byte_buffer *file, const char *version, uint32_t id_size)
{
	byte_buffer_add(file, version, strlen(version) + 1);
	byte_buffer_add_u4(file, id_size);
	byte_buffer_add_u8(file, 0);
}

size_t begin_record(struct byte_buffer *file, uint8_t tag)
{
	byte_buffer_add_u1(file, tag);
	byte_buffer_add_u4(file, 0);
	byte_buffer_add_u4(file, 0);
	return file->length;
}

void put_u4(struct byte_buffer *file, size_t at, uint32_t value)
{
	for (int i = 3; i >= 0; i--, value >>= 8)
		file->bytes[at + (size_t)i] = (uint8_t)value;
}

void end_record(struct byte_buffer *file, size_t start)
{
	put_u4(file, start - 4, (uint32_t)(file->length - start));
}

void add_string(struct byte_buffer *file, uint64_t id, const char *text)
{
	size_t start = begin_record(file, HPROF_RECORD_STRING);
	byte_buffer_add_u8(file, id);
	byte_buffer_add_text(file, text);
	end_record(file, start);
}

void add_load_class(struct byte_buffer *file, uint32_t serial, uint64_t id, uint64_t name)
{
	size_t start = begin_record(file, HPROF_RECORD_LOAD_CLASS);
	byte_buffer_add_u4(file, serial);
	byte_buffer_add_u8(file, id);
	byte_buffer_add_u4(file, 0);
	byte_buffer_add_u8(file, name);
	end_record(file, start);
}

void add_class_head(struct byte_buffer *file, uint64_t id, uint64_t super, uint32_t size)
{
	byte_buffer_add_u1(file, HPROF_SUB_CLASS_DUMP);
	byte_buffer_add_u8(file, id);
	byte_buffer_add_u4(file, 0);
	byte_buffer_add_u8(file, super);
	for (uint64_t i = 0; i < 3; i++)
		byte_buffer_add_u8(file, 0);
	for (uint64_t i = 0; i < 2; i++)
		byte_buffer_add_u8(file, 0xffff);
	byte_buffer_add_u4(file, size);
}

void add_instance_head(struct byte_buffer *file, uint64_t id, uint64_t class, uint32_t length)
{
	byte_buffer_add_u1(file, HPROF_SUB_INSTANCE_DUMP);
	byte_buffer_add_u8(file, id);
	byte_buffer_add_u4(file, 0);
	byte_buffer_add_u8(file, class);
	byte_buffer_add_u4(file, length);
}

void add_object_array_head(struct byte_buffer *file, uint64_t id, uint64_t class, uint32_t length)
{
	byte_buffer_add_u1(file, HPROF_SUB_OBJECT_ARRAY_DUMP);
	byte_buffer_add_u8(file, id);
	byte_buffer_add_u4(file, 0);
	byte_buffer_add_u4(file, length);
	byte_buffer_add_u8(file, class);
}

void add_primitive_array_head(struct byte_buffer *file, uint64_t id, uint8_t type, uint32_t length)
{
	byte_buffer_add_u1(file, HPROF_SUB_PRIMITIVE_ARRAY_DUMP);
	byte_buffer_add_u8(file, id);
	byte_buffer_add_u4(file, 0);
	byte_buffer_add_u4(file, length);
	byte_buffer_add_u1(file, type);
}

void change_input(struct os_file *file, const uint8_t *bytes, size_t length)
{
	ck_assert_int_eq(os_file_truncate(file, 0), 0);
	ck_assert_int_eq(os_file_write(file, bytes, length), 0);
	ck_assert_int_eq(os_file_rewind(file), 0);
}
