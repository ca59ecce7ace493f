/*
 * output.c: see output.h.
 */
#include "console/output.h"

#include "console/messages.h"

#include <stdlib.h>
#include <string.h>

enum {
	ENOUGH_BYTES = 64 * 1024,
	/* The limit in bytes: this for any profile, */
	LIMIT_FREE = 64 * 1024 * 1024,
	/* and this for each byte of the profile. */
	LIMIT_PER_BYTE = 128,
	TAB_COLUMNS = 8
};

/* https://no-color.org: set, and not empty. */
static bool wants_styles(void)
{
	const char *without = getenv("NO_COLOR");
	const char *kind = getenv("TERM");
	return (without == NULL || without[0] == '\0') &&
	       (kind == NULL || strcmp(kind, "dumb") != 0);
}

static int open_standard(struct output *output, enum os_standard stream)
{
	if (os_is_terminal(stream)) {
		output->has_styles = wants_styles();
		output->columns = os_terminal_columns(stream);
	}
	return os_file_standard(stream, &output->file);
}

bool output_open(struct output *output, const char *name)
{
	*output = (struct output){.name = name};
	byte_buffer_init(&output->text);
	int error = name == NULL ? open_standard(output, OS_STANDARD_OUTPUT)
	                         : os_file_create(name, OS_FILE_EXCLUSIVE, &output->file);
	if (error == 0)
		return true;
	if (os_file_exists_error(error))
		(void)console_failed("%s exists already; write -o with another name, or remove it",
		                     console_shown(name).text);
	else
		(void)console_failed("can't write %s: %s; write -o with a name that can be written",
		                     name == NULL ? "standard output" : console_shown(name).text,
		                     console_reason(error).text);
	return false;
}

bool output_open_error_stream(struct output *output)
{
	*output = (struct output){.stays_open = true};
	byte_buffer_init(&output->text);
	return open_standard(output, OS_STANDARD_ERROR) == 0;
}

void output_style(struct output *output, enum output_style style)
{
	static const char *const sequences[] = {
	        [STYLE_PLAIN] = "\033[0m", [STYLE_TITLE] = "\033[1m", [STYLE_HOT] = "\033[31m"};
	if (output->has_styles)
		byte_buffer_add_text(&output->text, sequences[style]);
}

void output_title(struct output *output, const char *title)
{
	output_style(output, STYLE_TITLE);
	byte_buffer_add_text(&output->text, title);
	output_style(output, STYLE_PLAIN);
}

/* The length of the escape sequence that begins at text, up to its final letter. */
static size_t sequence_length(const uint8_t *text, size_t length)
{
	size_t at = 1;
	while (at < length && text[at] != 'm')
		at++;
	return at < length ? at + 1 : length;
}

uint32_t output_column(const struct output *output)
{
	const uint8_t *text = output->text.bytes;
	size_t length = output->text.length;
	size_t at = length;
	uint32_t column = 0;

	while (at > 0 && text[at - 1] != '\n')
		at--;
	while (at < length) {
		if (text[at] == '\033') {
			at += sequence_length(text + at, length - at);
			continue;
		}
		if (text[at] == '\t')
			column |= TAB_COLUMNS - 1;
		/* Not for the second and further bytes of a character. */
		column += (text[at++] & 0xc0) != 0x80;
	}
	return column;
}

void output_limit(struct output *output, uint64_t profile_bytes)
{
	output->limit = profile_bytes > (UINT64_MAX - LIMIT_FREE) / LIMIT_PER_BYTE
	                        ? UINT64_MAX
	                        : LIMIT_FREE + LIMIT_PER_BYTE * profile_bytes;
}

void output_count(struct output *output, size_t bytes)
{
	output->counted += bytes;
	if (output->limit > 0 && output->counted > output->limit && output->error == 0)
		output->error = OUTPUT_TOO_LARGE;
}

static bool flush(struct output *output)
{
	if (output->error == 0)
		output->error = output->text.error;
	output_count(output, output->text.length);
	if (output->error == 0 && output->text.length > 0)
		output->error =
		        os_file_write(&output->file, output->text.bytes, output->text.length);
	byte_buffer_truncate(&output->text, 0);
	return output->error == 0;
}

bool output_continue(struct output *output)
{
	if (output->text.length < ENOUGH_BYTES && output->text.error == 0)
		return output->error == 0;
	return flush(output);
}

bool output_raw(struct output *output, const void *bytes, size_t length)
{
	bool good = flush(output);
	output_count(output, length);
	if (good && output->error == 0 && length > 0)
		output->error = os_file_write(&output->file, bytes, length);
	return output->error == 0;
}

static void print_error(const struct output *output)
{
	struct shown name = console_shown(output->name == NULL ? "standard output" : output->name);

	if (output->error == OUTPUT_TOO_LARGE)
		(void)console_failed("can't write %s: it would repeat the same stacks too often; "
		                     "write a .html or .svg file, which have each stack once",
		                     name.text);
	else
		(void)console_failed("can't write %s: %s", name.text,
		                     console_reason(output->error).text);
}

bool output_close(struct output *output, bool succeeded)
{
	bool written = flush(output);
	bool created = output->name != NULL && os_file_seekable(&output->file);
	int error = output->stays_open ? 0 : os_file_close(&output->file);

	if (written && error != 0)
		output->error = error;
	byte_buffer_free(&output->text);
	if (output->error != 0)
		print_error(output);
	succeeded = succeeded && output->error == 0;
	if (!succeeded && created)
		(void)os_file_remove(output->name);
	return succeeded;
}
