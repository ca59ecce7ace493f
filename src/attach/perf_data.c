/*
 * perf_data.c: see perf_data.h.
 *
 * A file begins with a header of 32 bytes: the magic number, the byte order of the numbers after
 * it, the version, then the offset of the first entry (24) and the number of entries (28). An entry
 * begins with its length, the offset of its name, the number of elements of its value, the type
 * of these, and the offset of the value (16). Offsets of an entry count from its beginning.
 */
#include "attach/perf_data.h"

#include <string.h>

enum {
	HEADER_BYTES = 32,
	ENTRY_BYTES = 20,
	AT_BYTE_ORDER = 4,
	AT_MAJOR_VERSION = 5,
	AT_FIRST_ENTRY = 24,
	AT_ENTRY_COUNT = 28,
	ENTRY_NAME = 4,
	ENTRY_ELEMENTS = 8,
	ENTRY_TYPE = 12,
	ENTRY_VALUE = 16,
	VERSION = 2,
	BYTE = 'B'
};

static const uint8_t magic[] = {0xca, 0xfe, 0xc0, 0xc0};

/* A part of the file in which all offsets are checked. */
struct part {
	const uint8_t *bytes;
	size_t length;
	bool is_little_endian;
};

static uint32_t number_at(const struct part *part, size_t at)
{
	const uint8_t *bytes = part->bytes + at;
	uint32_t number = 0;
	for (unsigned i = 0; i < 4; i++)
		number = number << 8 | bytes[part->is_little_endian ? 3 - i : i];
	return number;
}

/* Whether the name at that offset of the entry, terminated, is name. */
static bool has_name(const struct part *entry, const char *name)
{
	size_t length = strlen(name) + 1;
	uint32_t at = number_at(entry, ENTRY_NAME);
	return at <= entry->length && entry->length - at >= length &&
	       memcmp(entry->bytes + at, name, length) == 0;
}

static bool copy_value(const struct part *entry, char *value, size_t size)
{
	uint32_t count = number_at(entry, ENTRY_ELEMENTS);
	uint32_t at = number_at(entry, ENTRY_VALUE);

	if (entry->bytes[ENTRY_TYPE] != BYTE || at > entry->length || count > entry->length - at)
		return false;
	size_t length = count < size ? count : size - 1;
	memcpy(value, entry->bytes + at, length);
	value[length] = '\0';
	return true;
}

bool perf_data_text(const uint8_t *bytes, size_t length, const char *name, char *value, size_t size)
{
	if (length < HEADER_BYTES || memcmp(bytes, magic, sizeof(magic)) != 0 ||
	    bytes[AT_BYTE_ORDER] > 1 || bytes[AT_MAJOR_VERSION] != VERSION)
		return false;
	const struct part file = {
	        .bytes = bytes, .length = length, .is_little_endian = bytes[AT_BYTE_ORDER] == 1};
	size_t at = number_at(&file, AT_FIRST_ENTRY);
	uint32_t count = number_at(&file, AT_ENTRY_COUNT);

	/* Each entry takes some bytes, so a wrong count does no harm. */
	for (; count > 0 && at <= length && length - at >= ENTRY_BYTES; count--) {
		struct part entry = file;
		uint32_t entry_length = number_at(&file, at);
		if (entry_length < ENTRY_BYTES || entry_length > length - at)
			return false;
		entry.bytes = bytes + at;
		entry.length = entry_length;
		if (has_name(&entry, name))
			return copy_value(&entry, value, size);
		at += entry_length;
	}
	return false;
}
