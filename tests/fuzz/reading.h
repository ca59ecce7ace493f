/*
 * reading.h: what the harnesses of readers share: all that the hprof command does with a
 * file of given bytes.
 */
#ifndef HPROF_TESTS_FUZZ_READING_H
#define HPROF_TESTS_FUZZ_READING_H

#include "check/check.h"
#include "console/input.h"
#include "console/output.h"
#include "export/collapsed.h"
#include "export/flame.h"
#include "report/content.h"
#include "report/method_table.h"
#include "report/report_table.h"
#include "report/section_filter.h"
#include "report/stack_tree.h"
#include "report/tree_text.h"

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

static inline void require(bool holds)
{
	if (!holds)
		abort();
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

/* By how the bytes begin. */
static inline report_reader *reader_of(const uint8_t *data, size_t size)
{
	static const char binary[] = "JAVA PROFILE 1.0.2";
	bool is_binary = size > strlen(binary) && memcmp(data, binary, strlen(binary)) == 0;
	return is_binary ? report_read_binary : report_read_text;
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
	struct tree_text text = {.least_share = (double)(size % 3) / 10,
	                         .is_inverted = size % 8 < 4};
	static struct os_regex *below;
	char error[OS_ERROR_TEXT_MAX];

	if (below == NULL && os_regex_compile("[.]main$|run", &below, error, sizeof(error)) != 0)
		abort();
	open_nowhere(&output);
	if (!stack_tree_init(&tree))
		abort();
	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = true;
	visitor.threads = size % 2 == 0;
	visitor.last = size % 4 < 2;
	visitor.inverted = text.is_inverted;
	visitor.below.regex = size % 5 == 0 ? below : NULL;
	if (read_all(reader, data, size, &profile, &visitor.base)) {
		if (!tree_visitor_finish(&visitor, &profile))
			abort();
		(void)stack_tree_write_collapsed(&tree, &output);
		(void)stack_tree_write_flame(&tree, NULL, "title", "unit", &output);
		text.kind = visitor.kind;
		(void)stack_tree_write_text(&tree, &text, &output);
	}
	tree_visitor_free(&visitor);
	stack_tree_free(&tree);
	report_profile_free(&profile);
	(void)output_close(&output, true);
}

/* Costs by each group, behind a filter. */
static inline void report_costs(report_reader *reader, const uint8_t *data, size_t size)
{
	struct report_profile profile;
	struct report_content content;
	struct section_filter filter;
	struct output output;
	static struct os_regex *ignore;
	char error[OS_ERROR_TEXT_MAX];

	if (ignore == NULL && os_regex_compile("[.]run$", &ignore, error, sizeof(error)) != 0)
		abort();
	open_nowhere(&output);
	report_content_init(&content, &profile);
	section_filter_init(&filter, &content.base, NULL, size % 2 == 0 ? ignore : NULL);
	(void)read_all(reader, data, size, &profile, &filter.base);
	for (int group = BY_METHOD; group <= BY_THREAD; group++) {
		struct method_costs costs;
		method_costs_init(&costs, (enum method_group)group);
		for (size_t i = 0; i < content.count; i++) {
			const struct report_section *section = &content.items[i].section;
			if (content.items[i].note == NULL && section_has_stacks(section->kind) &&
			    !method_costs_add(&costs, &profile, section))
				abort();
		}
		if (!method_costs_finish(&costs, &profile))
			abort();
		method_costs_write_title(&costs, "title", profile.facts.interval_ms, &output);
		(void)method_costs_write(&costs, profile.facts.interval_ms, 30, &output);
		method_costs_free(&costs);
	}
	facts_write(&profile.facts, &output);
	report_content_free(&content);
	section_filter_free(&filter);
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
