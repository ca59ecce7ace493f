/*
 * libFuzzer harness of `hprof check --baseline` and `hprof diff`: the input is a budget file, the
 * old and the new profile, text or binary, with a line "%%" between them. What the verdict counts
 * must agree, a profile compared with itself must pass and have no change, and JUnit XML must be
 * UTF-8. `make fuzz` builds and runs it.
 */
#include "reading.h"

#include "gate/comparable.h"
#include "gate/default_rules.h"
#include "gate/difference_rows.h"
#include "gate/difference_table.h"
#include "gate/verdict.h"

/* ---- the parts of the input ----------------------------------------------------------- */

struct part {
	const uint8_t *bytes;
	size_t size;
};

/* Takes the bytes before the next separator, or all, from the rest. */
static struct part take_part(struct part *rest)
{
	static const char separator[] = "\n%%\n";
	const size_t length = sizeof(separator) - 1;
	struct part part = *rest;
	const uint8_t *end = memmem(rest->bytes, rest->size, separator, length);

	if (end == NULL) {
		rest->bytes += rest->size;
		rest->size = 0;
		return part;
	}
	part.size = (size_t)(end - part.bytes) + 1;
	rest->bytes = end + length;
	rest->size -= part.size - 1 + length;
	return part;
}

static void read_rules(struct rules *rules, struct part budget)
{
	char error[RULE_ERROR_MAX] = "";

	rules_init(rules);
	/* The rules before a wrong line are used here, unlike in the command. */
	if (!rules_parse(rules, (const char *)budget.bytes, budget.size, error))
		require(strncmp(error, "line ", strlen("line ")) == 0);
	require(rules_parse(rules, (const char *)gate_patterns, gate_patterns_length, error));
}

/* ---- what must hold -------------------------------------------------------------------- */

static void check_sums(const struct contexts *contexts, enum measure measure)
{
	const struct measured *measured = &contexts->measured[measure];
	uint64_t sum = measured->compared[SIDE_NEW];

	for (int side = 0; side < SIDES; side++)
		require(measured->compared[side] <= measured->all[side]);
	for (size_t i = 0; i < contexts->rules->count; i++)
		sum = report_sum(sum, measured->excluded[i]);
	require(sum == measured->all[SIDE_NEW]);
}

static void check_growths(const struct verdict *verdict, enum measure measure)
{
	const struct judged *judged = &verdict->of[measure];

	require(judged->grew + judged->shrank + judged->allowed <= judged->contexts);
	for (size_t i = 0; i < judged->grew; i++) {
		const struct growth *growth = &judged->growths[i];
		require(growth->pair.of[SIDE_NEW] > growth->pair.of[SIDE_OLD]);
		require(contexts_compares(verdict->contexts, growth->node));
		require(i == 0 || pair_change(growth->pair) <= pair_change(growth[-1].pair));
	}
}

/* No control characters other than those of lines. */
static void check_lines(const struct byte_buffer *text)
{
	require(text->error == 0 && text->length > 0);
	for (size_t i = 0; i < text->length; i++) {
		uint8_t byte = text->bytes[i];
		require((byte >= ' ' && byte != 0x7f) || byte == '\n' || byte == '\t');
	}
}

static void check_utf8(const struct byte_buffer *text)
{
	unsigned following = 0;

	for (size_t i = 0; i < text->length; i++) {
		uint8_t byte = text->bytes[i];
		require((byte & 0xc0) == 0x80 ? following > 0 : following == 0);
		if ((byte & 0xc0) == 0x80)
			following--;
		else if (byte >= 0x80)
			following = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
	}
	require(following == 0);
}

static void check_verdict(const struct verdict *verdict)
{
	struct byte_buffer text;

	for (int i = 0; i < MEASURES; i++) {
		check_sums(verdict->contexts, (enum measure)i);
		check_growths(verdict, (enum measure)i);
	}
	byte_buffer_init(&text);
	verdict_write_junit(verdict, &text);
	check_lines(&text);
	check_utf8(&text);
	byte_buffer_truncate(&text, 0);
	verdict_describe(verdict, 0, &text);
	byte_buffer_add_text(&text, "end\n");
	check_lines(&text);
	byte_buffer_free(&text);
}

/* ---- a comparison ---------------------------------------------------------------------- */

static void read_side(struct contexts *contexts, enum side side, struct part part)
{
	struct report_profile profile;
	struct contexts_visitor visitor;

	contexts_visitor_init(&visitor, contexts, side);
	(void)read_all(reader_of(part.bytes, part.size), part.bytes, part.size, &profile,
	               &visitor.base);
	require(contexts_visitor_finish(&visitor, &profile));
	require(!visitor.out_of_memory);
	contexts_visitor_free(&visitor);
	report_profile_free(&profile);
}

static void compare(const struct rules *rules, struct part old, struct part new)
{
	struct contexts contexts;
	struct verdict verdict;
	bool same = old.bytes == new.bytes;

	require(contexts_init(&contexts, rules));
	read_side(&contexts, SIDE_OLD, old);
	read_side(&contexts, SIDE_NEW, new);
	require(contexts_finish(&contexts) && verdict_init(&verdict, &contexts));
	check_verdict(&verdict);
	for (int i = 0; same && i < MEASURES; i++)
		require(verdict.of[i].grew == 0 && verdict.of[i].shrank == 0);
	require(!same || verdict_passes(&verdict));
	verdict_free(&verdict);
	contexts_free(&contexts);
}

/* ---- a difference ---------------------------------------------------------------------- */

static void read_difference(struct difference *difference, enum side side, struct part part)
{
	struct report_profile profile;
	struct difference_reader reader;

	require(difference_reader_init(&reader, part.size % 2 == 0, part.size % 3 == 0));
	(void)read_all(reader_of(part.bytes, part.size), part.bytes, part.size, &profile,
	               &reader.states.base);
	require(!reader.out_of_memory && !reader.states.out_of_memory);
	require(difference_add(difference, side, &reader, &profile));
	difference_reader_free(&reader);
	report_profile_free(&profile);
}

/* Each row has a value, and the change of one is at least that of the next. */
static void check_rows(const struct difference_part *part, bool same)
{
	struct difference_rows rows;

	require(difference_rows_by_stack(&rows, part));
	for (size_t i = 0; i < rows.count; i++) {
		struct pair pair = rows.rows[i].pair;
		require(pair.of[SIDE_OLD] > 0 || pair.of[SIDE_NEW] > 0);
		require(!same || pair_change(pair) == 0);
		require(i == 0 || pair_change(pair) <= pair_change(rows.rows[i - 1].pair));
	}
	difference_rows_free(&rows);
}

static void differ(struct part old, struct part new)
{
	struct difference difference;
	struct output output;
	bool same = old.bytes == new.bytes;

	require(difference_init(&difference));
	read_difference(&difference, SIDE_OLD, old);
	read_difference(&difference, SIDE_NEW, new);
	open_nowhere(&output);
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		const struct difference_part *part = &difference.parts[i];
		require(!same || part->total[SIDE_OLD] == part->total[SIDE_NEW]);
		check_rows(part, same);
		(void)difference_write_part(part, &difference_names[i], 10, &output);
	}
	(void)output_close(&output, true);
	difference_free(&difference);
}

/* Whatever the options of a profile are, there is a reason or none. */
static void check_options(struct part options)
{
	struct rules rules = {.rules = NULL};
	struct contexts contexts;
	struct side_facts facts[SIDES];
	char refusal[REFUSAL_MAX] = "";
	char *text = strndup((const char *)options.bytes, options.size);

	require(text != NULL && contexts_init(&contexts, &rules));
	facts[SIDE_OLD] = (struct side_facts){.name = "old", .options = GATE_OPTIONS};
	facts[SIDE_NEW] = (struct side_facts){.name = "new", .options = text};
	for (int side = 0; side < SIDES; side++) {
		contexts.measured[MEASURE_CALLS].has[side] = true;
		contexts.measured[MEASURE_CALLS].all[side] = 1;
	}
	require(profiles_comparable(&contexts, facts, refusal) == (refusal[0] == '\0'));
	contexts_free(&contexts);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct part rest = {data, size};
	struct part budget = take_part(&rest);
	struct part old = take_part(&rest);
	struct part new = take_part(&rest);
	struct rules rules;

	check_options(budget);
	read_rules(&rules, budget);
	compare(&rules, old, new);
	compare(&rules, new, new);
	rules_free(&rules);
	differ(old, new);
	differ(new, new);
	return 0;
}
