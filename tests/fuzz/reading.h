/*
 * reading.h: what the harnesses of readers share: all that the hprof command does with a
 * file of given bytes.
 */
#ifndef HPROF_TESTS_FUZZ_READING_H
#define HPROF_TESTS_FUZZ_READING_H

#include "command/check.h"
#include "command/input.h"
#include "command/output.h"
#include "command/report_table.h"
#include "command/stack_tree.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

static int nowhere;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	(void)count;
	(void)arguments;
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	return 0;
}

/* Reports go to standard output, which their end closes. */
static inline void open_nowhere(struct output *output)
{
	if (dup2(nowhere, STDOUT_FILENO) < 0 || !output_open(output, NULL))
		abort();
}

typedef bool report_reader(struct byte_source *source, struct report_profile *profile,
                           struct report_visitor *visitor, struct report_error *error);

static inline struct input *input_of(const uint8_t *data, size_t size)
{
	struct input *input = input_of_bytes(data, size);
	if (input == NULL)
		abort();
	return input;
}

/* What is read of the file, which lasts as long as the profile. */
static inline bool read_all(report_reader *reader, const uint8_t *data, size_t size,
                            struct report_profile *profile, struct report_visitor *visitor)
{
	struct input *input = input_of(data, size);
	struct report_error error;

	if (!report_profile_init(profile))
		abort();
	bool whole = reader(input_source(input), profile, visitor, &error);
	input_close(input);
	return whole;
}

static inline void report_tables(report_reader *reader, const uint8_t *data, size_t size)
{
	struct report_profile profile;
	struct output output;
	struct table_visitor visitor;

	open_nowhere(&output);
	table_visitor_init(&visitor, &output, 30);
	(void)read_all(reader, data, size, &profile, &visitor.base);
	report_profile_free(&profile);
	(void)output_close(&output, true);
}

static inline void report_stacks(report_reader *reader, const uint8_t *data, size_t size)
{
	struct report_profile profile;
	struct output output;
	struct stack_tree tree;
	struct tree_visitor visitor;

	open_nowhere(&output);
	if (!stack_tree_init(&tree))
		abort();
	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = true;
	visitor.threads = size % 2 == 0;
	visitor.last = size % 4 < 2;
	if (read_all(reader, data, size, &profile, &visitor.base)) {
		(void)stack_tree_write_collapsed(&tree, &output);
		(void)stack_tree_write_flame(&tree, "title", "unit", &output);
	}
	stack_tree_free(&tree);
	report_profile_free(&profile);
	(void)output_close(&output, true);
}

/* hprof check. What can be read has a description. */
static inline void check_bytes(const uint8_t *data, size_t size)
{
	struct input *input = input_of(data, size);
	struct check_result result;
	struct byte_buffer text;

	memset(&result, 0, sizeof(result));
	check_profile(input_source(input), &result);
	byte_buffer_init(&text);
	check_describe(&text, "name", &result);
	if (text.error != 0 || (text.length == 0 && result.read_error == 0))
		abort();
	byte_buffer_free(&text);
	input_close(input);
}

#endif
