/*
 * profile_output.c: see profile_output.h.
 */
#include "command/profile_output.h"

#include "command/profile_input.h"
#include "command/report_view.h"
#include "command/stack_exports.h"
#include "console/messages.h"
#include "export/collapsed.h"
#include "export/flame.h"
#include "page/page.h"
#include "report/section_names.h"
#include "report/stack_tree.h"

#include <string.h>

/* ---- stacks --------------------------------------------------------------------- */

/* Writes the tree that the visitor has filled. */
typedef bool write_tree(const struct tree_visitor *visitor, struct output *output);

static bool read_tree(const struct profile_job *job, struct report_profile *profile,
                      struct tree_visitor *visitor)
{
	bool good = profile_job_read(job, profile, &visitor->base);

	good = good && tree_visitor_finish(visitor, profile);
	if (visitor->out_of_memory)
		(void)console_failed("out of memory");
	if (good && visitor->sections == 0) {
		(void)console_failed("%s has no section of that kind with stacks; hprof report %s "
		                     "lists what it has",
		                     console_shown(job->input_name).text,
		                     console_shown(job->input_name).text);
		return false;
	}
	return good;
}

/* Writes stacks of the whole file only: part of it would be mistaken for the whole. */
static bool write_stacks(const struct profile_job *job, write_tree *write, struct output *output)
{
	struct report_profile profile;
	struct stack_tree tree;
	struct tree_visitor visitor;
	bool good = report_profile_init(&profile);

	good = stack_tree_init(&tree) && good;
	if (!good)
		(void)console_failed("out of memory");
	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = !job->selection.kind_given;
	visitor.kind = job->selection.kind;
	visitor.last = job->selection.last;
	visitor.threads = job->selection.threads;
	good = good && read_tree(job, &profile, &visitor);
	output_limit(output, profile.facts.bytes);
	good = good && write(&visitor, output);
	tree_visitor_free(&visitor);
	stack_tree_free(&tree);
	report_profile_free(&profile);
	return good;
}

static bool write_collapsed_tree(const struct tree_visitor *visitor, struct output *output)
{
	return stack_tree_write_collapsed(visitor->tree, output);
}

static bool write_flame_tree(const struct tree_visitor *visitor, struct output *output)
{
	const struct section_name *name = section_name_of_kind(visitor->kind);
	const char *title = visitor->sections == 1 ? visitor->title : name->title;

	return stack_tree_write_flame(visitor->tree, NULL, title, name->unit, output);
}

static bool write_collapsed(const struct profile_job *job, struct output *output)
{
	return write_stacks(job, write_collapsed_tree, output);
}

static bool write_flame(const struct profile_job *job, struct output *output)
{
	return write_stacks(job, write_flame_tree, output);
}

/* ---- page ----------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

static bool read_page(const struct profile_job *job, struct report_profile *profile,
                      struct page_visitor *visitor)
{
	bool good = profile_job_read(job, profile, &visitor->base);

	if (visitor->out_of_memory)
		(void)console_failed("out of memory");
	if (good && !page_has_data(visitor)) {
		(void)console_failed("%s has no section that a page can show",
		                     console_shown(job->input_name).text);
		return false;
	}
	return good;
}

static bool write_page(const struct profile_job *job, struct output *output)
{
	struct report_profile profile;
	struct page_visitor visitor;
	const struct page_selection selection = {.kind_given = job->selection.kind_given,
	                                         .kind = job->selection.kind,
	                                         .last = job->selection.last,
	                                         .threads = job->selection.threads};
	bool good = report_profile_init(&profile);

	good = page_visitor_init(&visitor, &profile, &selection) && good;
	if (!good)
		(void)console_failed("out of memory");
	good = good && read_page(job, &profile, &visitor);
	output_limit(output, profile.facts.bytes);
	if (good && !page_write(&visitor, &profile, base_name(job->input_name), output)) {
		good = false;
		if (output->error == 0)
			(void)console_failed("out of memory");
	}
	page_visitor_free(&visitor);
	report_profile_free(&profile);
	return good;
}

/* ---- formats -------------------------------------------------------------------- */

const struct profile_format profile_format_tables = {".txt", .agent_format = 'a', .is_tables = true,
                                                     .write = report_view_write};
const struct profile_format profile_format_collapsed = {".collapsed", .write = write_collapsed};
const struct profile_format profile_format_flame = {".svg", .write = write_flame};
static const struct profile_format page = {".html", .write = write_page};
static const struct profile_format binary = {".hprof", .agent_format = 'b'};

/* Of two suffixes that match, the longer one comes first. */
static const struct profile_format *const formats[] = {
        &page,
        &profile_format_flame,
        &profile_format_collapsed,
        &profile_format_pprof,
        &profile_format_firefox,
        &profile_format_speedscope,
        &profile_format_tables,
        &binary,
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static bool ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name);
	return length >= strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0;
}

static bool is_built(const struct profile_format *format)
{
	return format->is_built == NULL || *format->is_built;
}

static const struct profile_format *find_format(const char *name)
{
	size_t i = 0;
	while (i < FORMATS && !ends_with(name, formats[i]->suffix))
		i++;
	return i < FORMATS ? formats[i] : NULL;
}

/* Prints why the name's format, NULL for none, is unavailable, and the suffixes to choose from:
 * those that this command writes, or also those that the agent writes. */
static void refuse(const char *name, const struct profile_format *format, bool command_writes)
{
	char suffixes[256] = "";

	for (size_t i = 0; i < FORMATS; i++) {
		if (!is_built(formats[i]) || (command_writes && formats[i]->write == NULL))
			continue;
		(void)strlcat(suffixes, suffixes[0] == '\0' ? "" : " ", sizeof(suffixes));
		(void)strlcat(suffixes, formats[i]->suffix, sizeof(suffixes));
	}
	if (format == NULL)
		(void)console_usage(
		        "-o %s: the suffix of the name chooses the format; write one of: "
		        "%s",
		        console_shown(name).text, suffixes);
	else if (!is_built(format))
		(void)console_usage(
		        "-o %s: this hprof was built without %s, which %s files require; "
		        "write one of: %s",
		        console_shown(name).text, format->library, format->suffix, suffixes);
	else
		(void)console_usage("-o %s: only the agent writes %s files; write one of: %s",
		                    console_shown(name).text, format->suffix, suffixes);
}

const struct profile_format *profile_format_of_name(const char *name)
{
	const struct profile_format *format = find_format(name);

	if (format != NULL && is_built(format))
		return format;
	refuse(name, format, false);
	return NULL;
}

const struct profile_format *profile_format_to_write(const char *name)
{
	const struct profile_format *format = find_format(name);

	if (format != NULL && is_built(format) && format->write != NULL)
		return format;
	refuse(name, format, true);
	return NULL;
}

bool profile_output_write(const struct profile_format *format, const struct profile_job *job,
                          const char *name)
{
	struct output output;

	if (!output_open(&output, name))
		return false;
	bool good = format->write(job, &output);
	/* Tables before an error are valid. */
	bool written = output_close(&output, good || format->is_tables);
	return good && written;
}
