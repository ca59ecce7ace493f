/*
 * rules.c: see rules.h.
 */
#include "gate/rules.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 3, WORD_SHOWN = 60, PERCENT = 100 };

struct word {
	const char *text;
	size_t length;
};

void rules_init(struct rules *rules)
{
	*rules = (struct rules){.rules = NULL};
}

void rules_free(struct rules *rules)
{
	free(rules->rules);
	rules_init(rules);
}

static struct rule *add_rule(struct rules *rules)
{
	if (!array_grow(&rules->rules, &rules->capacity, rules->count, sizeof(*rules->rules)))
		return NULL;
	struct rule *rule = &rules->rules[rules->count++];
	*rule = (struct rule){.kind = RULE_BUDGET, .calls = true, .bytes = true};
	return rule;
}

static bool set_pattern(struct rule *rule, const struct word *word)
{
	if (!filter_is_pattern(word->text, word->length))
		return false;
	memcpy(rule->pattern, word->text, word->length);
	rule->pattern[word->length] = '\0';
	return true;
}

bool rules_add(struct rules *rules, enum rule_kind kind, const char *pattern)
{
	const struct word word = {pattern, strlen(pattern)};
	struct rule *rule = add_rule(rules);
	if (rule == NULL)
		return false;
	rule->kind = kind;
	if (set_pattern(rule, &word))
		return true;
	rules->count--;
	return false;
}

/* ---- a line ------------------------------------------------------------------ */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The words before a comment; one more than WORDS_MAX if there are more. */
static size_t split(const char *line, size_t length, struct word words[WORDS_MAX])
{
	size_t count = 0;
	size_t at = 0;

	for (;;) {
		while (at < length && is_blank(line[at]))
			at++;
		if (at == length || line[at] == '#')
			return count;
		if (count == WORDS_MAX)
			return WORDS_MAX + 1;
		size_t start = at;
		while (at < length && !is_blank(line[at]))
			at++;
		words[count++] = (struct word){line + start, at - start};
	}
}

static bool word_is(const struct word *word, const char *text)
{
	return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

/* "+N" or "+N%". */
static bool take_amount(const struct word *word, struct rule *rule)
{
	size_t end = word->length;

	if (end < 2 || word->text[0] != '+')
		return false;
	rule->percent = word->text[end - 1] == '%';
	if (rule->percent)
		end--;
	rule->amount = 0;
	for (size_t i = 1; i < end; i++) {
		unsigned digit = (unsigned)(word->text[i] - '0');
		if (digit > 9 || rule->amount > (UINT64_MAX - digit) / 10)
			return false;
		rule->amount = rule->amount * 10 + digit;
	}
	return end > 1 && (!rule->percent || rule->amount <= BUDGET_PERCENT_MAX);
}

static const char *parse_budget(const struct word *words, size_t count, struct rule *rule)
{
	static const struct word all = {"*", 1};
	const struct word *unit = NULL;

	if (word_is(&words[count - 1], "calls") || word_is(&words[count - 1], "bytes"))
		unit = &words[--count];
	if (count == 0 || count > 2 || !take_amount(&words[count - 1], rule))
		return "write PATTERN +N% or PATTERN +N";
	rule->kind = RULE_BUDGET;
	rule->calls = unit == NULL || word_is(unit, "calls");
	rule->bytes = unit == NULL || word_is(unit, "bytes");
	if (!set_pattern(rule, count == 2 ? &words[0] : &all))
		return "that is no pattern of classes or methods";
	return NULL;
}

/* The rule of a line that has words; an error is returned. */
static const char *parse_words(const struct word *words, size_t count, struct rule *rule)
{
	static const char *const kinds[] = {[RULE_LIBRARY] = "library",
	                                    [RULE_GENERATED] = "generated",
	                                    [RULE_OWN] = "own",
	                                    [RULE_RUNTIME] = "runtime",
	                                    [RULE_ROOT] = "root",
	                                    [RULE_EXCLUDE] = "exclude",
	                                    [RULE_EXCLUDE_CALLERS] = "exclude-callers",
	                                    [RULE_THROUGH] = "through",
	                                    [RULE_EXCLUDE_OBJECTS] = "exclude-objects"};

	if (count > WORDS_MAX)
		return "too many words; write PATTERN +N% or PATTERN +N";
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		if (!word_is(&words[0], kinds[kind]))
			continue;
		rule->kind = (enum rule_kind)kind;
		if (count != 2)
			return "one pattern is required after the first word";
		return set_pattern(rule, &words[1]) ? NULL
		                                    : "that is no pattern of classes or methods";
	}
	return parse_budget(words, count, rule);
}

bool rules_parse(struct rules *rules, const char *text, size_t length, char error[RULE_ERROR_MAX])
{
	const char *end = text + length;
	size_t number = 1;

	for (const char *line = text; line < end; number++) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t line_length = (size_t)((stop == NULL ? end : stop) - line);
		struct word words[WORDS_MAX];
		size_t count = split(line, line_length, words);
		line += line_length + 1;
		if (count == 0)
			continue;
		struct rule *rule = add_rule(rules);
		if (rule == NULL) {
			(void)snprintf(error, RULE_ERROR_MAX, "out of memory");
			return false;
		}
		const char *wrong = parse_words(words, count, rule);
		if (wrong != NULL) {
			rules->count--;
			(void)snprintf(error, RULE_ERROR_MAX, "line %zu: %s", number, wrong);
			return false;
		}
	}
	return true;
}

/* ---- matching ---------------------------------------------------------------- */

bool rule_matches(const struct rule *rule, const char *name)
{
	const char *dot = strrchr(name, '.');
	return filter_pattern_matches(rule->pattern, name,
	                              dot == NULL ? strlen(name) : (size_t)(dot - name));
}

size_t rules_find(const struct rules *rules, enum rule_kind kind, const char *name)
{
	for (size_t i = 0; i < rules->count; i++) {
		if (rules->rules[i].kind == kind && rule_matches(&rules->rules[i], name))
			return i;
	}
	return SIZE_MAX;
}

bool rules_have(const struct rules *rules, enum rule_kind kind)
{
	for (size_t i = 0; i < rules->count; i++) {
		if (rules->rules[i].kind == kind)
			return true;
	}
	return false;
}

bool rule_allows(const struct rule *rule, uint64_t old_count, uint64_t new_count)
{
	if (new_count <= old_count)
		return true;
	uint64_t growth = new_count - old_count;
	if (!rule->percent)
		return growth <= rule->amount;
	/* growth * 100 <= old * amount, without overflow: whole hundreds, and the rest. */
	uint64_t hundreds = old_count / PERCENT;
	uint64_t rest = old_count % PERCENT * rule->amount / PERCENT;
	if (rule->amount != 0 && hundreds > (UINT64_MAX - rest) / rule->amount)
		return true;
	return growth <= hundreds * rule->amount + rest;
}
