/* report_fixture.c: see report_fixture.h. */
#include "report_fixture.h"

struct report_profile profile;
struct output output;

void fixture_set_up(void)
{
	output = (struct output){.file = {.handle = -1}};
	byte_buffer_init(&output.text);
	ck_assert(report_profile_init(&profile));
}

void fixture_tear_down(void)
{
	report_profile_free(&profile);
	byte_buffer_free(&output.text);
}

bool fixture_read(const char *text, struct report_visitor *visitor)
{
	struct report_error error;
	struct input *input = input_of_bytes(text, strlen(text));
	ck_assert_ptr_nonnull(input);
	bool whole = report_read_text(input_source(input), &profile, visitor, &error);
	input_close(input);
	return whole;
}

const char *fixture_printed(void)
{
	byte_buffer_add_u1(&output.text, 0);
	ck_assert_int_eq(output.text.error, 0);
	return (const char *)output.text.bytes;
}
