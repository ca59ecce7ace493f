/*
 * page_numbers.c: see page_numbers.h.
 */
#include "page/page_numbers.h"

#include "os/time_units.h"

#include <inttypes.h>
#include <stdio.h>

enum { SHARES = 10000, DIGITS_MAX = 24, GROUP = 3 };

void page_add_number(struct byte_buffer *out, uint64_t number)
{
	char digits[DIGITS_MAX];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, number);

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % GROUP == 0)
			byte_buffer_add_u1(out, ',');
		byte_buffer_add_u1(out, (uint8_t)digits[i]);
	}
}

void page_add_share(struct byte_buffer *out, uint64_t part, uint64_t total)
{
	unsigned share = total == 0 ? 0 : SHARES;

	if (part < total)
		share = (unsigned)((double)part / (double)total * SHARES + 0.5);
	byte_buffer_printf(out, "%u.%02u%%", share / 100, share % 100);
}

/* With one decimal digit. */
static void add_tenths(struct byte_buffer *out, uint64_t number, uint64_t unit)
{
	page_add_number(out, number / unit);
	byte_buffer_printf(out, ".%u", (unsigned)(number % unit * 10 / unit));
}

static void add_bytes(struct byte_buffer *out, uint64_t bytes)
{
	static const char *const names[] = {" kB", " MB", " GB", " TB"};
	uint64_t unit = 1000;
	size_t name = 0;

	if (bytes < unit) {
		page_add_number(out, bytes);
		byte_buffer_add_text(out, " B");
		return;
	}
	while (bytes / unit >= 1000 && name + 1 < sizeof(names) / sizeof(names[0])) {
		unit *= 1000;
		name++;
	}
	add_tenths(out, bytes, unit);
	byte_buffer_add_text(out, names[name]);
}

void page_add_cost(struct byte_buffer *out, enum page_set_kind kind, uint64_t cost)
{
	switch (kind) {
	case PAGE_SAMPLES:
		page_add_number(out, cost);
		byte_buffer_add_text(out, cost == 1 ? " sample" : " samples");
		break;
	case PAGE_SITES:
		add_bytes(out, cost);
		break;
	default:
		add_tenths(out, cost, NS_PER_MS);
		byte_buffer_add_text(out, " ms");
	}
}
