/*
 * profile_modes.c: see profile_modes.h.
 *
 * Whole stacks, and every row: what a report leaves out is decided when it is printed. The exact
 * costs, the times of samples and the states of threads are sections that only text files have.
 *
 * Counted calls have as many stacks as the program has paths: javac of 200 files 571,596 of 8
 * frames (412 MB of text), 4.1 million of 16 (5.4 GB), and of 32 more than the agent can number.
 */
#include "session/profile_modes.h"

#include <string.h>

/* heap=sites alone means live objects, as for the agent: so that mode is before the other. */
const struct profile_mode profile_modes[] = {
        {.word = "cpu",
         .options = "cpu=samples,depth=1024,cutoff=0,thread=y,timeline=y,lineno=y,msa=y"},
        {.word = "calls", .options = "cpu=times,costs=y,depth=8,cutoff=0", .is_large = true},
        {.word = "offcpu", .options = "cpu=times,msa=y,costs=y,depth=8,cutoff=0", .is_large = true},
        {.word = "live",
         .options = "heap=sites,live=y,depth=1024,cutoff=0,notes=y",
         .is_large = true},
        {.word = "alloc",
         .options = "heap=sites,live=n,depth=1024,cutoff=0,notes=y",
         .is_large = true},
        {.word = "monitors", .options = "monitor=y,costs=y,depth=1024,cutoff=0"},
        {.word = "dump", .options = "heap=dump,depth=0", .is_binary = true, .is_momentary = true},
        {.word = NULL},
};

static const char *const text_only[] = {"timeline", "costs", "notes", "msa"};

/* ---- one option of a list --------------------------------------------------------------- */

struct item {
	const char *text;
	size_t length;
	size_t name_length;
};

/* Takes the next option from *at; false at the end. */
static bool next_item(const char **at, struct item *item)
{
	if (**at == '\0')
		return false;
	item->text = *at;
	item->length = strcspn(*at, ",");
	item->name_length = strcspn(*at, ",=");
	*at += item->length;
	*at += **at == ',' ? 1 : 0;
	return true;
}

static bool has_name(const struct item *item, const char *name, size_t length)
{
	return item->name_length == length && strncmp(item->text, name, length) == 0;
}

static bool find(const char *options, const char *name, size_t length, struct item *found)
{
	while (next_item(&options, found)) {
		if (has_name(found, name, length))
			return true;
	}
	return false;
}

static bool is_same(const struct item *one, const struct item *other)
{
	return one->length == other->length && strncmp(one->text, other->text, one->length) == 0;
}

/* ---- modes ---------------------------------------------------------------------------------- */

const struct profile_mode *profile_mode_named(const char *word)
{
	for (const struct profile_mode *mode = profile_modes; mode->word != NULL; mode++) {
		if (strcmp(mode->word, word) == 0)
			return mode;
	}
	return NULL;
}

static struct item selector(const struct profile_mode *mode)
{
	struct item item;
	const char *at = mode->options;
	(void)next_item(&at, &item);
	return item;
}

const struct profile_mode *profile_mode_of_options(const char *options)
{
	for (const struct profile_mode *mode = profile_modes; mode->word != NULL; mode++) {
		const struct item wanted = selector(mode);
		struct item found;
		if (find(options, wanted.text, wanted.name_length, &found) &&
		    is_same(&wanted, &found))
			return mode;
	}
	return NULL;
}

bool agent_option_given(const char *options, const char *name)
{
	struct item found;
	return find(options, name, strlen(name), &found);
}

bool profile_mode_excludes(const struct profile_mode *mode, const char *options)
{
	const struct item wanted = selector(mode);
	struct item found;
	return find(options, wanted.text, wanted.name_length, &found) && !is_same(&wanted, &found);
}

static bool is_text_only(const struct item *item)
{
	for (size_t i = 0; i < sizeof(text_only) / sizeof(text_only[0]); i++) {
		if (has_name(item, text_only[i], strlen(text_only[i])))
			return true;
	}
	return false;
}

static bool append(char *text, size_t size, const char *piece, size_t length)
{
	size_t used = strlen(text);
	size_t comma = used > 0 ? 1 : 0;

	if (length + comma >= size - used)
		return false;
	memcpy(text + used, ",", comma);
	memcpy(text + used + comma, piece, length);
	text[used + comma + length] = '\0';
	return true;
}

bool profile_mode_compose(const struct profile_mode *mode, const char *given, bool binary,
                          char *text, size_t size)
{
	const char *at = mode == NULL ? "" : mode->options;
	struct item item;
	struct item replaced;

	text[0] = '\0';
	while (next_item(&at, &item)) {
		if (find(given, item.text, item.name_length, &replaced) ||
		    (binary && is_text_only(&item)))
			continue;
		if (!append(text, size, item.text, item.length))
			return false;
	}
	return given[0] == '\0' || append(text, size, given, strlen(given));
}
