/*
 * facts.c: see facts.h.
 */
#include "report/facts.h"

#include "os/time_units.h"

#include <string.h>

enum {
	INTERVAL_DEFAULT_MS = 10,
	INTERVAL_MAX_MS = 3600000,
	DEPTH_DEFAULT = 4,
	DEPTH_MAX = 65535,
	FRACTION_DIGITS = 9
};

static const struct {
	const char *beginning;
	size_t offset; /* of a string in struct report_facts; SIZE_MAX: the duration */
} notes[] = {
        {"NOTE: program: ", offsetof(struct report_facts, program)},
        {"NOTE: JVM: ", offsetof(struct report_facts, jvm)},
        {"NOTE: options: ", offsetof(struct report_facts, options)},
        {"NOTE: profiled for ", SIZE_MAX},
};
enum { NOTES = sizeof(notes) / sizeof(notes[0]) };

/* The index in notes; NOTES if there is none. */
static size_t find_note(const char *line, size_t length)
{
	size_t i = 0;
	while (i < NOTES && (length < strlen(notes[i].beginning) ||
	                     memcmp(line, notes[i].beginning, strlen(notes[i].beginning)) != 0))
		i++;
	return i;
}

bool facts_has_note(const char *line, size_t length)
{
	return find_note(line, length) < NOTES;
}

static bool is_digit(const char *at, const char *end)
{
	return at < end && *at >= '0' && *at <= '9';
}

/* "62.104 s" in nanoseconds; 0 if it is something else. */
static uint64_t duration_of(const char *at, const char *end)
{
	uint64_t seconds = 0;
	uint64_t fraction = 0;
	int digits = 0;

	for (; is_digit(at, end); at++) {
		if (seconds > INT32_MAX)
			return 0;
		seconds = seconds * 10 + (uint64_t)(*at - '0');
	}
	if (at < end && *at == '.')
		at++;
	for (; is_digit(at, end) && digits < FRACTION_DIGITS; at++, digits++)
		fraction = fraction * 10 + (uint64_t)(*at - '0');
	for (; digits < FRACTION_DIGITS; digits++)
		fraction *= 10;
	return end - at == 2 && memcmp(at, " s", 2) == 0 ? seconds * NS_PER_SECOND + fraction : 0;
}

/* The value of the last such option; fallback if there is none, 0 if it is more than most. */
static uint32_t number_of(const struct string *options, const char *name, uint32_t fallback,
                          uint32_t most)
{
	uint32_t value = fallback;
	const char *end = options->text + options->length;

	for (const char *at = options->text; at < end; at++) {
		if ((at != options->text && at[-1] != ',') || (size_t)(end - at) < strlen(name) ||
		    memcmp(at, name, strlen(name)) != 0)
			continue;
		uint32_t number = 0;
		const char *digit = at + strlen(name);
		for (; is_digit(digit, end) && number <= most; digit++)
			number = number * 10 + (uint32_t)(*digit - '0');
		value = number <= most ? number : 0;
	}
	return value;
}

bool facts_add_note(struct report_profile *profile, const char *line, size_t length)
{
	struct report_facts *facts = &profile->facts;
	size_t note = find_note(line, length);

	if (note == NOTES)
		return true;
	const char *value = line + strlen(notes[note].beginning);
	if (notes[note].offset == SIZE_MAX) {
		facts->duration_ns = duration_of(value, line + length);
		return true;
	}
	const struct string *text =
	        string_table_intern(profile->strings, value, (size_t)(line + length - value));
	if (text == NULL)
		return false;
	memcpy((char *)facts + notes[note].offset, &text, sizeof(text));
	if (text == facts->options) {
		facts->interval_ms =
		        number_of(text, "interval=", INTERVAL_DEFAULT_MS, INTERVAL_MAX_MS);
		facts->depth = number_of(text, "depth=", DEPTH_DEFAULT, DEPTH_MAX);
	}
	return true;
}
