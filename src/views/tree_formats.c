/*
 * tree_formats.c: stacks of one kind as a tree of calls: collapsed stacks and the flame graph.
 */
#include "views/format.h"

#include "console/messages.h"
#include "export/collapsed.h"
#include "export/flame.h"
#include "report/section_names.h"
#include "report/stack_tree.h"

/* Writes the tree that the visitor has filled. */
typedef bool write_tree(const struct tree_visitor *visitor, struct output *output);

static bool read_tree(const struct view_request *request, struct report_profile *profile,
                      struct tree_visitor *visitor)
{
	bool good = view_request_read(request, profile, &visitor->base);

	good = good && tree_visitor_finish(visitor, profile);
	if (visitor->out_of_memory)
		(void)console_failed("out of memory");
	if (good && visitor->sections == 0) {
		(void)console_failed("%s has no section of that kind with stacks; hprof report %s "
		                     "lists what it has",
		                     console_shown(request->input_name).text,
		                     console_shown(request->input_name).text);
		return false;
	}
	return good;
}

/* Writes stacks of the whole file only: part of it would be mistaken for the whole. */
static bool write_stacks(const struct view_request *request, write_tree *write,
                         struct output *output)
{
	struct report_profile profile;
	struct stack_tree tree;
	struct tree_visitor visitor;
	bool good = report_profile_init(&profile);

	good = stack_tree_init(&tree) && good;
	if (!good)
		(void)console_failed("out of memory");
	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = !request->selection.kind_given;
	visitor.kind = request->selection.kind;
	visitor.last = request->selection.last;
	visitor.threads = request->selection.threads;
	good = good && read_tree(request, &profile, &visitor);
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

static bool write_collapsed(const struct view_request *request, struct output *output)
{
	return write_stacks(request, write_collapsed_tree, output);
}

static bool write_flame(const struct view_request *request, struct output *output)
{
	return write_stacks(request, write_flame_tree, output);
}

const struct profile_format profile_format_collapsed = {
        ".collapsed", .write = write_collapsed,
        .next_step = "it is input for tools that draw flame graphs"};
const struct profile_format profile_format_flame = {".svg", .write = write_flame,
                                                    .next_step = "open it in a browser"};
