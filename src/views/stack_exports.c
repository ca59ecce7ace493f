/*
 * stack_exports.c: the formats of other programs that keep each stack with its lines. A profile is
 * written when all of it has been read.
 */
#include "views/format.h"

#include "console/messages.h"
#include "export/firefox.h"
#include "export/pprof.h"
#include "export/speedscope.h"

/* False when out of memory or the output failed, which output_close() prints. */
typedef bool write_profile(const struct view_request *request, const struct stack_profile *stacks,
                           struct output *output);

static bool read_stacks(const struct view_request *request, struct report_profile *profile,
                        struct stack_profile *stacks)
{
	struct view_request of_all = *request;
	of_all.selection.states = true;
	bool good = view_request_read(&of_all, profile, &stacks->base);

	stacks->out_of_memory = stacks->out_of_memory || (good && !stack_profile_merge(stacks));
	good = good && !stacks->out_of_memory;
	if (stacks->out_of_memory)
		(void)console_failed("out of memory");
	if (good && stacks->series_count == 0) {
		(void)console_failed("%s has no section %swith stacks; hprof report %s lists what "
		                     "it has",
		                     console_shown(request->input_name).text,
		                     stacks->kind_given ? "of that kind " : "",
		                     console_shown(request->input_name).text);
		return false;
	}
	return good;
}

static bool write_stacks(const struct view_request *request, write_profile *write,
                         struct output *output)
{
	struct report_profile profile;
	struct stack_profile stacks = {.series_count = 0};
	bool good = report_profile_init(&profile) && stack_profile_init(&stacks, &profile);

	if (!good)
		(void)console_failed("out of memory");
	stacks.kind_given = request->selection.kind_given;
	stacks.kind = request->selection.kind;
	stacks.last = request->selection.last;
	stacks.threads = request->selection.threads;
	good = good && read_stacks(request, &profile, &stacks);
	output_limit(output, profile.facts.bytes);
	good = good && write(request, &stacks, output);
	stack_profile_free(&stacks);
	report_profile_free(&profile);
	return good;
}

static bool write_pprof_file(const struct view_request *request, const struct stack_profile *stacks,
                             struct output *output)
{
	(void)request;
	return stack_profile_write_pprof(stacks, output);
}

static bool write_speedscope_file(const struct view_request *request,
                                  const struct stack_profile *stacks, struct output *output)
{
	return stack_profile_write_speedscope(stacks, request->input_name, output);
}

static bool write_firefox_file(const struct view_request *request,
                               const struct stack_profile *stacks, struct output *output)
{
	(void)request;
	return stack_profile_write_firefox(stacks, output);
}

static bool write_pprof(const struct view_request *request, struct output *output)
{
	return write_stacks(request, write_pprof_file, output);
}

static bool write_speedscope(const struct view_request *request, struct output *output)
{
	return write_stacks(request, write_speedscope_file, output);
}

static bool write_firefox(const struct view_request *request, struct output *output)
{
	return write_stacks(request, write_firefox_file, output);
}

const struct profile_format profile_format_pprof = {
        ".pb.gz", .write = write_pprof, .next_step = "open it with: go tool pprof -http=: FILE",
        .library = "libprotobuf-c", .is_built = &pprof_is_available};
const struct profile_format profile_format_speedscope = {
        ".json", .write = write_speedscope, .next_step = "open it at https://www.speedscope.app",
        .library = "jansson", .is_built = &json_is_available};
const struct profile_format profile_format_firefox = {
        ".firefox.json", .write = write_firefox,
        .next_step = "open it at https://profiler.firefox.com", .library = "jansson",
        .is_built = &json_is_available};
