/*
 * pprof.c: writes the format of profile.proto. A file is a message; messages one after the other
 * are one message with all their fields. So each sample, place, method and name is written as a
 * message of its own, and memory does not grow with the file.
 */
#include "export/pprof.h"

#include "export/gzip_output.h"
#include "export/numbering.h"
#include "export/pprof_types.h"
#include "export/profile.pb-c.h"
#include "export/profile_time.h"
#include "export/utf8_text.h"
#include "os/time_units.h"
#include "report/frame_place.h"

#include <inttypes.h>
#include <stdlib.h>

const bool pprof_is_available = true;

typedef Perftools__Profiles__Profile profile_message;
static const profile_message empty = PERFTOOLS__PROFILES__PROFILE__INIT;

struct pprof {
	const struct stack_profile *stacks;
	struct byte_buffer *errors;
	struct gzip_output gzip;
	struct byte_buffer packed; /* scratch */
	struct byte_buffer text;   /* scratch */
	struct numbering names;    /* by id of the string */
	struct numbering methods;  /* by name and file */
	struct numbering places;   /* by method and place */
	uint64_t *stack;           /* scratch */
	size_t stack_capacity;
	const struct pprof_type *types[PPROF_TYPES_MAX];
	size_t type_count;
	size_t first_type;
};

static bool is_good(const struct pprof *pprof)
{
	return output_is_good(pprof->gzip.output);
}

static uint32_t fail(struct pprof *pprof)
{
	byte_buffer_fail(pprof->errors, BYTES_NO_MEMORY);
	return 0;
}

static void add_message(struct pprof *pprof, const profile_message *message)
{
	size_t size = perftools__profiles__profile__get_packed_size(message);

	byte_buffer_truncate(&pprof->packed, 0);
	uint8_t *room = byte_buffer_extend(&pprof->packed, size);
	if (room == NULL) {
		(void)fail(pprof);
		return;
	}
	(void)perftools__profiles__profile__pack(message, room);
	gzip_output_add(&pprof->gzip, room, size);
}

/* ---- names -------------------------------------------------------------------------- */

static void add_name(struct pprof *pprof, const char *text, size_t length)
{
	profile_message message = empty;

	byte_buffer_truncate(&pprof->text, 0);
	utf8_add_text(&pprof->text, text, length);
	byte_buffer_add_u1(&pprof->text, 0);
	if (pprof->text.error != 0) {
		(void)fail(pprof);
		return;
	}
	char *name = (char *)pprof->text.bytes;
	message.n_string_table = 1;
	message.string_table = &name;
	add_message(pprof, &message);
}

static int64_t name_number(struct pprof *pprof, const struct string *name)
{
	uint32_t number;
	bool is_new;

	if (!numbering_find(&pprof->names, name->id, &number, &is_new))
		return fail(pprof);
	if (is_new)
		add_name(pprof, name->text, name->length);
	return number;
}

/* The number of words of this program, or of text from the profile. */
static int64_t text_number(struct pprof *pprof, const char *text, size_t length)
{
	const struct string *name =
	        string_table_intern(pprof->stacks->profile->strings, text, length);
	return name == NULL ? fail(pprof) : name_number(pprof, name);
}

static int64_t words_number(struct pprof *pprof, const char *words)
{
	return text_number(pprof, words, strlen(words));
}

/* ---- frames ------------------------------------------------------------------------- */

static uint32_t method_number(struct pprof *pprof, const struct string *method,
                              const struct string *file)
{
	Perftools__Profiles__Function function = PERFTOOLS__PROFILES__FUNCTION__INIT;
	Perftools__Profiles__Function *functions = &function;
	profile_message message = empty;
	uint32_t number;
	bool is_new;

	if (!numbering_find(&pprof->methods, numbering_key(method, file), &number, &is_new))
		return fail(pprof);
	if (!is_new)
		return number;
	function.id = number;
	/* Without a system_name: pprof takes a name that equals it for one that may be of C++,
	 * and removes what is between angle brackets. */
	function.name = name_number(pprof, method);
	if (file != NULL)
		function.filename = name_number(pprof, file);
	message.n_function = 1;
	message.function = &functions;
	add_message(pprof, &message);
	return number;
}

static void add_place(struct pprof *pprof, uint32_t number, const struct stack_frame *frame)
{
	Perftools__Profiles__Line line = PERFTOOLS__PROFILES__LINE__INIT;
	Perftools__Profiles__Line *lines = &line;
	Perftools__Profiles__Location location = PERFTOOLS__PROFILES__LOCATION__INIT;
	Perftools__Profiles__Location *locations = &location;
	profile_message message = empty;
	struct frame_place place = {.file_length = 0};
	const struct string *file = NULL;

	if (frame->place != NULL)
		place = frame_place_of(frame->place);
	if (place.file_length > 0) {
		file = string_table_intern(pprof->stacks->profile->strings, place.file,
		                           place.file_length);
		if (file == NULL)
			(void)fail(pprof);
	}
	line.function_id = method_number(pprof, frame->name, file);
	line.line = place.line;
	location.id = number;
	location.n_line = 1;
	location.line = &lines;
	message.n_location = 1;
	message.location = &locations;
	add_message(pprof, &message);
}

static uint32_t place_number(struct pprof *pprof, const struct stack_frame *frame)
{
	uint32_t number;
	bool is_new;

	if (!numbering_find(&pprof->places, numbering_key(frame->name, frame->place), &number,
	                    &is_new))
		return fail(pprof);
	if (is_new)
		add_place(pprof, number, frame);
	return number;
}

/* ---- samples ------------------------------------------------------------------------ */

/* Fills the scratch stack, innermost first. False after an error. */
static bool fill_stack(struct pprof *pprof, const struct stack_frames *frames)
{
	if (frames->depth > pprof->stack_capacity) {
		size_t capacity = (size_t)frames->depth * 2;
		uint64_t *larger = realloc(pprof->stack, capacity * sizeof(*larger));
		if (larger == NULL)
			return fail(pprof) != 0;
		pprof->stack = larger;
		pprof->stack_capacity = capacity;
	}
	for (uint32_t i = 0; i < frames->depth && is_good(pprof); i++) {
		const struct stack_frame frame = stack_frame_at(frames, i);
		pprof->stack[i] = place_number(pprof, &frame);
	}
	return is_good(pprof);
}

static int64_t thread_number(struct pprof *pprof, uint32_t thread)
{
	enum { TEXT_BYTES = 32 };
	const struct string *name = report_find_thread(pprof->stacks->profile, thread);
	char text[TEXT_BYTES];

	if (name != NULL)
		return name_number(pprof, name);
	(void)snprintf(text, sizeof(text), "thread %" PRIu32, thread);
	return words_number(pprof, text);
}

/* Whether any value is not 0. */
static bool values_of(const struct pprof *pprof, const struct stack_series *series, size_t row,
                      int64_t *values)
{
	bool any = false;

	for (size_t i = 0; i < pprof->type_count; i++) {
		const struct pprof_type *type = pprof->types[i];
		values[i] = type->kind != series->section.kind
		                    ? 0
		                    : type->value(&series->section.rows[row],
		                                  pprof->stacks->profile->facts.interval_ms);
		any = any || values[i] != 0;
	}
	return any;
}

static void add_sample(struct pprof *pprof, const struct stack_series *series, size_t row)
{
	const struct stack_frames frames = stack_frames_of(pprof->stacks, series, row);
	Perftools__Profiles__Label label = PERFTOOLS__PROFILES__LABEL__INIT;
	Perftools__Profiles__Label *labels = &label;
	Perftools__Profiles__Sample sample = PERFTOOLS__PROFILES__SAMPLE__INIT;
	Perftools__Profiles__Sample *samples = &sample;
	profile_message message = empty;
	int64_t values[PPROF_TYPES_MAX];

	if (!values_of(pprof, series, row, values) || !fill_stack(pprof, &frames))
		return;
	sample.n_location_id = frames.depth;
	sample.location_id = pprof->stack;
	sample.n_value = pprof->type_count;
	sample.value = values;
	if (frames.thread != 0) {
		label.key = words_number(pprof, "thread");
		label.str = thread_number(pprof, frames.thread);
		sample.n_label = 1;
		sample.label = &labels;
	}
	message.n_sample = 1;
	message.sample = &samples;
	add_message(pprof, &message);
}

/* ---- the file ----------------------------------------------------------------------- */

static void add_type(struct pprof *pprof, const struct pprof_type *from)
{
	Perftools__Profiles__ValueType type = PERFTOOLS__PROFILES__VALUE_TYPE__INIT;
	Perftools__Profiles__ValueType *types = &type;
	profile_message message = empty;

	type.type = words_number(pprof, from->name);
	type.unit = words_number(pprof, from->unit);
	message.n_sample_type = 1;
	message.sample_type = &types;
	add_message(pprof, &message);
}

static void add_comment(struct pprof *pprof, const char *words, const struct string *fact)
{
	profile_message message = empty;
	int64_t number;

	if (fact == NULL)
		return;
	byte_buffer_truncate(&pprof->text, 0);
	byte_buffer_add_text(&pprof->text, words);
	byte_buffer_add(&pprof->text, fact->text, fact->length);
	if (pprof->text.error != 0) {
		(void)fail(pprof);
		return;
	}
	number = text_number(pprof, (const char *)pprof->text.bytes, pprof->text.length);
	message.n_comment = 1;
	message.comment = &number;
	add_message(pprof, &message);
}

static bool has_interval(const struct pprof *pprof)
{
	for (size_t i = 0; i < pprof->type_count; i++) {
		if (pprof->types[i]->is_interval)
			return true;
	}
	return false;
}

static void add_facts(struct pprof *pprof)
{
	const struct report_facts *facts = &pprof->stacks->profile->facts;
	uint64_t start_ms = profile_start_ms(pprof->stacks);
	Perftools__Profiles__ValueType type = PERFTOOLS__PROFILES__VALUE_TYPE__INIT;
	profile_message message = empty;

	if (start_ms <= INT64_MAX / NS_PER_MS)
		message.time_nanos = (int64_t)(start_ms * NS_PER_MS);
	if (facts->duration_ns <= INT64_MAX)
		message.duration_nanos = (int64_t)facts->duration_ns;
	if (has_interval(pprof)) {
		type.type = words_number(pprof, "cpu");
		type.unit = words_number(pprof, "nanoseconds");
		message.period_type = &type;
		message.period = (int64_t)(facts->interval_ms * NS_PER_MS);
	}
	if (pprof->type_count > 0)
		message.default_sample_type =
		        words_number(pprof, pprof->types[pprof->first_type]->name);
	add_message(pprof, &message);
	add_comment(pprof, "program: ", facts->program);
	add_comment(pprof, "JVM: ", facts->jvm);
	add_comment(pprof, "options: ", facts->options);
}

static void add_all(struct pprof *pprof)
{
	const struct stack_profile *stacks = pprof->stacks;

	add_name(pprof, "", 0);
	for (size_t i = 0; i < pprof->type_count; i++)
		add_type(pprof, pprof->types[i]);
	add_facts(pprof);
	for (size_t i = 0; i < stacks->series_count; i++) {
		const struct stack_series *series = &stacks->series[i];
		for (size_t row = 0; row < series->section.row_count && is_good(pprof); row++)
			add_sample(pprof, series, row);
	}
}

bool stack_profile_write_pprof(const struct stack_profile *stacks, struct output *output)
{
	struct pprof pprof = {.stacks = stacks, .errors = &output->text};

	pprof_types_of(stacks, pprof.types, &pprof.type_count, &pprof.first_type);
	byte_buffer_init(&pprof.packed);
	byte_buffer_init(&pprof.text);
	numbering_init(&pprof.names, 1);
	numbering_init(&pprof.methods, 1);
	numbering_init(&pprof.places, 1);
	gzip_output_begin(&pprof.gzip, output);
	add_all(&pprof);
	bool good = gzip_output_end(&pprof.gzip);
	numbering_free(&pprof.names);
	numbering_free(&pprof.methods);
	numbering_free(&pprof.places);
	byte_buffer_free(&pprof.packed);
	byte_buffer_free(&pprof.text);
	free(pprof.stack);
	return good;
}
