/*
 * options.c: parses the option string by the option table. The string is untrusted: lengths
 * are checked, numbers parsed by whole_number.h.
 */
#include "options/options.h"

#include "base/printable.h"
#include "base/whole_number.h"
#include "options/option_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* SHOWN_MAX is how much of the untrusted text a message shows, with its NUL. */
enum { OPTIONS_MAX = 64, SHOWN_MAX = 96 };

struct parser {
	struct settings *settings;
	bool given[OPTIONS_MAX]; /* by place in the table */
	char *error;
	size_t error_size;
};

/* One option=value of the text; neither part is terminated. */
struct part {
	const char *name;
	size_t name_length;
	const char *value; /* NULL without '=' */
	size_t value_length;
};

static bool refuse_value(struct parser *parser, const struct option *option,
                         const struct part *part)
{
	char legal[256];
	option_legal_values(option, legal, sizeof(legal));
	if (part->value == NULL) {
		(void)snprintf(parser->error, parser->error_size,
		               "option %s has no value; write %s", option->name, legal);
		return false;
	}
	char shown[SHOWN_MAX];
	printable_text(part->value, part->value_length, shown, sizeof(shown));
	(void)snprintf(parser->error, parser->error_size, "option %s=%s is invalid; write %s",
	               option->name, shown, legal);
	return false;
}

static bool refuse_name(struct parser *parser, const struct part *part)
{
	char shown[SHOWN_MAX];
	printable_text(part->name, part->name_length, shown, sizeof(shown));
	int at = snprintf(parser->error, parser->error_size,
	                  "option '%s' does not exist; the options are", shown);
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option->section == SECTION_NONE || at < 0 || (size_t)at >= parser->error_size)
			continue;
		at += snprintf(parser->error + at, parser->error_size - (size_t)at, " %s",
		               option->name);
	}
	return false;
}

static bool is_value(const struct part *part, const char *word)
{
	return strlen(word) == part->value_length &&
	       strncmp(part->value, word, part->value_length) == 0;
}

/* Copies the value, terminated; false when it is empty or does not fit. */
static bool copy_value(const struct part *part, char *text, size_t size)
{
	if (part->value_length == 0 || part->value_length >= size)
		return false;
	memcpy(text, part->value, part->value_length);
	text[part->value_length] = '\0';
	return true;
}

static bool parse_word(const struct option *option, const struct part *part, void *to)
{
	for (const struct option_choice *choice = option->choices; choice->word != NULL; choice++) {
		if (is_value(part, choice->word)) {
			*(int *)to = choice->value;
			return true;
		}
	}
	return false;
}

static bool parse_flag(const struct part *part, void *to)
{
	bool yes = is_value(part, "y");
	if (!yes && !is_value(part, "n"))
		return false;
	*(bool *)to = yes;
	return true;
}

static bool parse_number(const struct option *option, const struct part *part, void *to)
{
	char text[32];
	long long number;
	if (!copy_value(part, text, sizeof(text)) ||
	    !whole_number_parse(text, option->minimum, option->maximum, &number))
		return false;
	*(uint32_t *)to = (uint32_t)number;
	return true;
}

/* In the notations of strtol() with base 0, as in the older agent. */
static bool parse_mask(const struct part *part, void *to)
{
	char text[32];
	char *end;
	if (!copy_value(part, text, sizeof(text)) || !isdigit((unsigned char)text[0]))
		return false;
	unsigned long long number = strtoull(text, &end, 0);
	if (*end != '\0' || number > UINT32_MAX)
		return false;
	*(uint32_t *)to = (uint32_t)number;
	return true;
}

static bool parse_bytes(const struct option *option, const struct part *part, void *to)
{
	static const char units[] = "kmg";
	char text[32];
	long long number;
	long long unit = 1;
	if (!copy_value(part, text, sizeof(text)))
		return false;
	size_t last = strlen(text) - 1;
	const char *its_unit = strchr(units, tolower((unsigned char)text[last]));
	if (its_unit != NULL && text[last] != '\0') {
		unit = 1LL << 10 * (its_unit - units + 1);
		text[last] = '\0';
	}
	if (!whole_number_parse(text, 0, option->maximum / unit, &number) ||
	    number * unit < option->minimum)
		return false;
	*(uint32_t *)to = (uint32_t)(number * unit);
	return true;
}

/* Digits with at most one point among them. strtod() would read the decimal
 * point of the locale that the program runs in. */
static bool parse_decimal(const char *text, double *number)
{
	double digits = 0.0;
	double scale = 1.0;
	bool point = false;
	bool any = false;

	for (; *text != '\0'; text++) {
		if (*text == '.' && !point) {
			point = true;
		} else if (isdigit((unsigned char)*text)) {
			digits = digits * 10.0 + (*text - '0');
			scale *= point ? 10.0 : 1.0;
			any = true;
		} else {
			return false;
		}
	}
	*number = digits / scale;
	return any;
}

static bool parse_ratio(const struct part *part, void *to)
{
	char text[64];
	double number;
	if (!copy_value(part, text, sizeof(text)) || !parse_decimal(text, &number) || number > 1.0)
		return false;
	*(double *)to = number;
	return true;
}

/* name is the text after "unix:": a path, or @ and a name. */
static bool parse_local(struct settings *settings, const char *name)
{
	settings->net_local = true;
	settings->net_port = 0;
	return name[1] != '\0' && strlcpy(settings->net_host, name, sizeof(settings->net_host)) <
	                                  sizeof(settings->net_host);
}

/* unix:/path, unix:@name, or host:port, the host an IPv6 address in brackets or anything
 * without a colon. */
static bool parse_address(struct settings *settings, const struct part *part)
{
	static const char local[] = "unix:";
	char text[SETTING_HOST_MAX + 16];
	if (!copy_value(part, text, sizeof(text)))
		return false;
	const char *name = text + sizeof(local) - 1;
	if (strncmp(text, local, sizeof(local) - 1) == 0 && (name[0] == '/' || name[0] == '@'))
		return parse_local(settings, name);
	char *colon = strrchr(text, ':');
	if (colon == NULL)
		return false;
	*colon = '\0';

	long long port;
	if (!whole_number_parse(colon + 1, 1, UINT16_MAX, &port))
		return false;

	const char *host = text;
	size_t length = strlen(text);
	if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
		text[length - 1] = '\0';
		host = text + 1;
	} else if (strchr(text, ':') != NULL) {
		return false;
	}
	if (host[0] == '\0' || strpbrk(host, "[]") != NULL ||
	    strlcpy(settings->net_host, host, sizeof(settings->net_host)) >=
	            sizeof(settings->net_host))
		return false;
	settings->net_port = (uint16_t)port;
	return true;
}

static bool parse_value(struct parser *parser, const struct option *option, const struct part *part)
{
	uint32_t ignored; /* aligned for whatever an option without effect takes */
	void *to = option->no_effect ? (void *)&ignored : (char *)parser->settings + option->offset;

	if (option->kind == OPTION_LONE) {
		*(bool *)to = true;
		return part->value == NULL;
	}
	if (part->value == NULL)
		return false;
	switch (option->kind) {
	case OPTION_WORD:
		return parse_word(option, part, to);
	case OPTION_FLAG:
		return parse_flag(part, to);
	case OPTION_NUMBER:
		return parse_number(option, part, to);
	case OPTION_MASK:
		return parse_mask(part, to);
	case OPTION_BYTES:
		return parse_bytes(option, part, to);
	case OPTION_RATIO:
		return parse_ratio(part, to);
	case OPTION_FILE:
		return copy_value(part, to, SETTING_FILE_MAX);
	case OPTION_ADDRESS:
		return parse_address(parser->settings, part);
	case OPTION_PATTERN:
		return filter_add(to, part->value, part->value_length);
	case OPTION_LONE:
		break;
	}
	return false;
}

static bool is_named(const struct part *part, const char *name)
{
	return strlen(name) == part->name_length &&
	       strncmp(name, part->name, part->name_length) == 0;
}

static bool parse_part(struct parser *parser, const struct part *part)
{
	for (size_t i = 0; option_table[i].name != NULL; i++) {
		const struct option *option = &option_table[i];
		if (!is_named(part, option->name))
			continue;
		if (parser->given[i] && option->kind != OPTION_PATTERN) {
			(void)snprintf(parser->error, parser->error_size,
			               "option %s is given twice; write it once", option->name);
			return false;
		}
		parser->given[i] = true;
		return parse_value(parser, option, part) || refuse_value(parser, option, part);
	}
	return refuse_name(parser, part);
}

/* After an invalid option only the destination of its message is parsed. */
static bool parse_parts(struct parser *parser, const char *text)
{
	bool valid = true;
	while (true) {
		size_t length = strcspn(text, ",");
		const char *equals = memchr(text, '=', length);
		struct part part = {.name = text, .name_length = length};
		if (equals != NULL) {
			part.name_length = (size_t)(equals - text);
			part.value = equals + 1;
			part.value_length = length - part.name_length - 1;
		}
		if (valid)
			valid = parse_part(parser, &part);
		else if (is_named(&part, "messages") && part.value != NULL &&
		         parser->settings->messages[0] == '\0')
			(void)copy_value(&part, parser->settings->messages, SETTING_FILE_MAX);
		if (text[length] == '\0')
			return valid;
		text += length + 1;
	}
}

static bool was_given(const struct parser *parser, const char *name)
{
	for (size_t i = 0; option_table[i].name != NULL; i++) {
		if (strcmp(option_table[i].name, name) == 0)
			return parser->given[i];
	}
	return false;
}

static size_t given_count(const struct parser *parser)
{
	size_t count = 0;
	for (size_t i = 0; i < OPTIONS_MAX; i++)
		count += parser->given[i];
	return count;
}

/* Options that are legal alone but not together. */
static bool check_together(struct parser *parser)
{
	const struct settings *settings = parser->settings;
	size_t allowed_with_stop = was_given(parser, "messages") ? 1 : 0;
	const char *problem = NULL;

	if (settings->stop && given_count(parser) > 1 + allowed_with_stop)
		problem = "option stop excludes all others except messages; remove them";
	else if (settings->format == FORMAT_BINARY && settings->monitor)
		problem =
		        "option format=b has no records for monitor=y; write format=a or monitor=n";
	else if (settings->format == FORMAT_BINARY && settings->cpu == CPU_TIMES)
		problem = "option format=b has no records for cpu=times; write format=a or "
		          "cpu=samples";
	else if (settings->format == FORMAT_BINARY && settings->cpu == CPU_OLD)
		problem = "option format=b has no records for cpu=old; write format=a or "
		          "cpu=samples";
	else if (settings->format == FORMAT_BINARY && settings->timeline)
		problem = "option format=b has no records for timeline=y; write format=a or "
		          "timeline=n";
	else if (settings->format == FORMAT_BINARY && (settings->costs || settings->notes))
		problem = "option format=b has no records for costs=y and notes=y; write format=a "
		          "or remove them";
	else if (settings->timeline && settings->cpu != CPU_SAMPLES)
		problem = "option timeline requires cpu=samples; add it or remove timeline";
	else if (settings->costs && settings->cpu != CPU_TIMES && !settings->monitor)
		problem = "option costs requires cpu=times or monitor=y; add one of them or remove "
		          "costs";
	else if (was_given(parser, "file") && was_given(parser, "net"))
		problem = "options file and net exclude each other; write one of file=NAME, "
		          "net=HOST:PORT, net=unix:/PATH";
	else if (settings->engine != ENGINE_BEST && settings->cpu != CPU_SAMPLES &&
	         settings->cpu != CPU_TIMES)
		problem = "option engine requires cpu=samples or cpu=times; add one of them or "
		          "remove engine";
	else if (settings->heap == HEAP_OFF && was_given(parser, "heapinterval"))
		problem =
		        "option heapinterval requires heap=; add heap=sites or remove heapinterval";
	else if (settings->heap == HEAP_OFF && was_given(parser, "live"))
		problem = "option live requires heap=; add heap=sites or remove live";
	else if (settings->heap == HEAP_OFF && settings->cpu != CPU_SAMPLES &&
	         settings->cpu != CPU_OLD && settings->stacks != STACKS_WALK)
		problem =
		        "option stacks requires heap=, cpu=samples or cpu=old; add one of them or "
		        "remove stacks";
	else if (settings->dumper != DUMPER_BEST && !settings_dump_heap(settings))
		problem = "option dumper requires heap=dump or heap=all; add one of them or remove "
		          "dumper";
	if (problem == NULL)
		return true;
	(void)strlcpy(parser->error, problem, parser->error_size);
	return false;
}

static void list_ignored(const struct parser *parser)
{
	size_t count = 0;
	for (size_t i = 0; option_table[i].name != NULL; i++) {
		if (option_table[i].no_effect && parser->given[i] && count < SETTING_IGNORED_MAX)
			parser->settings->ignored[count++] = option_table[i].name;
	}
}

static void set_defaults(struct settings *settings)
{
	memset(settings, 0, sizeof(*settings));
	settings->depth = 4;
	settings->interval_ms = 10;
	settings->cutoff = 0.0001;
	settings->live = true;
	settings->lineno = true;
	settings->doe = true;
	settings->force = true;
	settings->replace = true;
	settings->verbose = true;
}

bool options_parse(const char *text, struct settings *settings, char *error, size_t error_size)
{
	struct parser parser = {.settings = settings, .error = error, .error_size = error_size};

	set_defaults(settings);
	if (text != NULL && text[0] != '\0' && !parse_parts(&parser, text))
		return false;
	list_ignored(&parser);
	settings->notes |= settings->timeline || settings->costs;
	if (settings->heap == HEAP_OFF && settings->cpu == CPU_OFF && !settings->monitor)
		settings->heap = HEAP_ALL;
	return check_together(&parser);
}
