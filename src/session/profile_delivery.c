/*
 * profile_delivery.c: see profile_delivery.h.
 */
#include "session/profile_delivery.h"

#include "console/input.h"
#include "console/messages.h"
#include "console/output.h"
#include "views/profile_input.h"
#include "views/text_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 1000, COPY_BYTES = 256 * 1024, SUMMARY_ROWS = 10 };

/* ---- the output before there is a profile --------------------------------------------------- */

/* The name of a profile that is kept; attempt counts from 1. */
static void kept_name(struct profile_delivery *delivery, int attempt)
{
	char again[16] = "";

	if (attempt > 1)
		(void)snprintf(again, sizeof(again), ".%d", attempt);
	(void)snprintf(delivery->path, sizeof(delivery->path), "java-%llu%s.hprof%s%s",
	               (unsigned long long)delivery->number, again,
	               delivery->plan->is_binary ? "" : ".txt",
	               delivery->plan->is_compressed ? ".gz" : "");
}

/* Creates the file of a name that does not exist yet. */
static int create_kept(struct profile_delivery *delivery, struct os_file *file)
{
	int error = 0;

	for (int attempt = 1; attempt <= NAMES_MAX; attempt++) {
		kept_name(delivery, attempt);
		error = os_file_create(delivery->path, OS_FILE_EXCLUSIVE, file);
		if (!os_file_exists_error(error))
			break;
	}
	return error;
}

static bool report_output(const char *path, int error)
{
	if (os_file_exists_error(error))
		(void)console_failed("%s exists already; write -o with another name, or remove it",
		                     console_shown(path).text);
	else if (error != 0)
		(void)console_failed("can't write %s: %s; write -o with a name that can be written",
		                     console_shown(path).text, console_reason(error).text);
	return error == 0;
}

bool delivery_begin(struct profile_delivery *delivery)
{
	const struct profile_plan *plan = delivery->plan;
	struct os_file file;
	int error;

	if (plan->output == NULL)
		error = create_kept(delivery, &file);
	else if (strlcpy(delivery->path, plan->output, sizeof(delivery->path)) >=
	         sizeof(delivery->path))
		error = OS_TOO_LARGE;
	else
		error = os_file_create(plan->output, OS_FILE_EXCLUSIVE, &file);
	if (!report_output(delivery->path, error))
		return false;
	bool seekable = os_file_seekable(&file);
	(void)os_file_close(&file);
	/* A converted profile has its file created again when it is written. */
	if (!profile_plan_is_agents_file(plan) && seekable)
		(void)os_file_remove(delivery->path);
	return true;
}

void delivery_cancel(const struct profile_delivery *delivery)
{
	if (profile_plan_is_agents_file(delivery->plan))
		(void)os_file_remove(delivery->path);
}

/* ---- the profile ------------------------------------------------------------------------------
 */

/* A heap dump has no methods to summarize, so its classes are printed. */
static enum profile_view view_of(const struct profile_plan *plan)
{
	return strstr(plan->options, "heap=dump") != NULL ? VIEW_ALL : VIEW_SUMMARY;
}

static bool print_summary(struct input *input, const struct profile_delivery *delivery)
{
	const struct view_request request = {
	        .input = input,
	        .input_name = delivery->path,
	        .selection = {.view = view_of(delivery->plan), .top = SUMMARY_ROWS}};
	struct output output;

	if (!(delivery->on_error_stream ? output_open_error_stream(&output)
	                                : output_open(&output, NULL)))
		return false;
	bool printed = profile_input_is_profile(input, delivery->path) &&
	               text_view_write(&request, &output);
	/* What was printed before an error is valid. */
	return output_close(&output, true) && printed;
}

static bool finish_in_place(const struct profile_delivery *delivery)
{
	struct os_file file;
	struct input *input;
	bool printed = true;

	if (delivery->plan->output == NULL) {
		int error = os_file_open(delivery->path, &file);
		if (error == 0)
			error = input_open_file(&file, &input);
		if (error != 0) {
			(void)console_failed("can't read %s: %s",
			                     console_shown(delivery->path).text,
			                     console_reason(error).text);
			return false;
		}
		printed = print_summary(input, delivery);
		input_close(input);
	}
	profile_format_print_written(delivery->path);
	return printed;
}

static int copy_all(struct os_file *from, struct os_file *to)
{
	size_t got = 1;
	int error = 0;
	uint8_t *bytes = malloc(COPY_BYTES);

	if (bytes == NULL)
		return OS_NO_MEMORY;
	while (error == 0 && got > 0) {
		error = os_file_read(from, bytes, COPY_BYTES, &got);
		if (error == 0 && got > 0)
			error = os_file_write(to, bytes, got);
	}
	free(bytes);
	return error;
}

/* Copies the profile to the path, where an empty file is. */
static int copy(const struct profile_delivery *delivery, const struct profile_source *source)
{
	struct os_file profile;
	struct os_file output;
	int error = source->open(source->user, &profile);

	if (error != 0)
		return error;
	error = os_file_create(delivery->path, OS_FILE_OVERWRITE, &output);
	if (error == 0) {
		error = copy_all(&profile, &output);
		int closed = os_file_close(&output);
		error = error != 0 ? error : closed;
	}
	(void)os_file_close(&profile);
	return error;
}

/* Keeps what can't be converted, or prints an error. */
static void keep(struct profile_delivery *delivery, const struct profile_source *source)
{
	struct os_file file;
	int error = create_kept(delivery, &file);

	if (error == 0) {
		(void)os_file_close(&file);
		error = copy(delivery, source);
	}
	delivery->is_lost = error != 0;
	if (error != 0)
		(void)console_failed("can't keep the profile in %s: %s",
		                     console_shown(delivery->path).text,
		                     console_reason(error).text);
	else
		profile_format_print_written(delivery->path);
}

/* False after printing an error. */
static bool convert(const struct profile_delivery *delivery, const struct profile_source *source)
{
	static const char name[] = "the profile";
	struct view_request request = {.input_name = name};
	struct os_file profile;
	int error = source->open(source->user, &profile);

	if (error == 0)
		error = input_open_file(&profile, &request.input);
	if (error != 0) {
		(void)console_failed("can't read %s: %s", name, console_reason(error).text);
		return false;
	}
	bool written = profile_input_is_profile(request.input, name) &&
	               profile_format_write_file(delivery->plan->format, &request, delivery->path);
	input_close(request.input);
	return written;
}

bool delivery_finish(struct profile_delivery *delivery, const struct profile_source *source)
{
	if (source == NULL)
		return finish_in_place(delivery);
	if (!profile_plan_is_agents_file(delivery->plan)) {
		if (!convert(delivery, source)) {
			keep(delivery, source);
			return false;
		}
		profile_format_print_written(delivery->path);
		return true;
	}
	int error = copy(delivery, source);
	if (error == 0)
		return finish_in_place(delivery);
	delivery->is_lost = true;
	delivery_cancel(delivery);
	(void)console_failed("can't copy the profile to %s: %s", console_shown(delivery->path).text,
	                     console_reason(error).text);
	return false;
}
