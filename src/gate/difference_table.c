/*
 * difference_table.c: see difference_table.h.
 */
#include "gate/difference_table.h"

#include "gate/difference_rows.h"
#include "os/time_units.h"
#include "report/shown_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 32, FRAMES_SHOWN = 12 };

/* A number with separators; nanoseconds as milliseconds. */
static const char *shown(char text[NUMBER_MAX], const char *sign, uint64_t number, bool is_time)
{
	char digits[NUMBER_MAX];
	uint64_t whole = number;
	size_t used = strlcpy(text, sign, NUMBER_MAX);

	if (is_time)
		whole = number / NS_PER_US / US_PER_MS;
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, whole);
	for (int i = 0; i < length && used + 2 < NUMBER_MAX; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
	if (is_time)
		(void)snprintf(text + used, NUMBER_MAX - used, ".%03u",
		               (unsigned)(number / NS_PER_US % US_PER_MS));
	return text;
}

/* The change in per cent of the old value. */
static const char *shown_share(char text[NUMBER_MAX], struct pair pair)
{
	double old_value = (double)pair.of[SIDE_OLD];
	double share = ((double)pair.of[SIDE_NEW] - old_value) * 100.0 / old_value;

	if (pair.of[SIDE_OLD] == 0)
		(void)strlcpy(text, pair.of[SIDE_NEW] == 0 ? "" : "new", NUMBER_MAX);
	else if (pair.of[SIDE_NEW] == 0)
		(void)strlcpy(text, "gone", NUMBER_MAX);
	else if (share >= 99999.5)
		(void)strlcpy(text, ">99999%", NUMBER_MAX);
	else {
		/* Without the decimal point of the locale. */
		long tenths = (long)(share * 10.0 + (share < 0 ? -0.5 : 0.5));
		(void)snprintf(text, NUMBER_MAX, "%c%ld.%ld%%", tenths < 0 ? '-' : '+',
		               labs(tenths) / 10, labs(tenths) % 10);
	}
	return text;
}

static void add_numbers(struct byte_buffer *out, struct pair pair, bool is_time)
{
	char old_text[NUMBER_MAX];
	char new_text[NUMBER_MAX];
	char change[NUMBER_MAX];
	char share[NUMBER_MAX];
	const char *sign = pair.of[SIDE_NEW] > pair.of[SIDE_OLD]   ? "+"
	                   : pair.of[SIDE_NEW] < pair.of[SIDE_OLD] ? "-"
	                                                           : "";

	byte_buffer_printf(
	        out, "%15s %15s %15s %9s", shown(old_text, "", pair.of[SIDE_OLD], is_time),
	        shown(new_text, "", pair.of[SIDE_NEW], is_time),
	        shown(change, sign, pair_change(pair), is_time), shown_share(share, pair));
}

static void add_callers(struct output *output, const struct stack_tree *tree, uint32_t node)
{
	struct byte_buffer *out = &output->text;
	uint32_t frames = 0;

	for (uint32_t at = tree->nodes[node].parent; at != 0; at = tree->nodes[at].parent) {
		if (frames++ == FRAMES_SHOWN) {
			byte_buffer_printf(out, "\t\t... and %" PRIu32 " more\n",
			                   tree->nodes[at].depth);
			return;
		}
		byte_buffer_add_text(out, "\t\t");
		shown_name_add(output, tree->nodes[at].name, 0);
		byte_buffer_add_u1(out, '\n');
	}
}

static bool write_rows(const struct difference_part *part, const struct difference_rows *rows,
                       bool is_time, size_t top, struct output *output)
{
	struct byte_buffer *out = &output->text;
	size_t count = top == 0 || rows->count < top ? rows->count : top;

	for (size_t i = 0; i < count; i++) {
		const struct difference_row *row = &rows->rows[i];
		add_numbers(out, row->pair, is_time);
		byte_buffer_add_u1(out, ' ');
		shown_name_add(output, row->name, 0);
		byte_buffer_add_u1(out, '\n');
		if (row->node != 0)
			add_callers(output, &part->tree, row->node);
		if (!output_continue(output))
			return false;
	}
	if (count < rows->count)
		byte_buffer_printf(out, "... and %zu more; --top 0 shows all\n",
		                   rows->count - count);
	return output_continue(output);
}

static void add_heading(struct output *output, const struct difference_name *name, bool is_time,
                        const char *what)
{
	byte_buffer_add_u1(&output->text, '\n');
	output_title(output, name->title);
	byte_buffer_printf(&output->text, ", %s, by %s\n%15s %15s %15s %9s %s\n",
	                   is_time ? "ms" : name->unit, what, "old", "new", "change", "", what);
}

bool difference_write_part(const struct difference_part *part, const struct difference_name *name,
                           size_t top, struct output *output)
{
	bool is_time = strcmp(name->unit, "ns") == 0;
	const struct pair total = {{part->total[SIDE_OLD], part->total[SIDE_NEW]}};
	struct difference_rows rows;
	bool good = difference_rows_by_name(&rows, part);

	if (good) {
		add_heading(output, name, is_time, name->top);
		add_numbers(&output->text, total, is_time);
		byte_buffer_add_text(&output->text, " total\n");
		good = write_rows(part, &rows, is_time, top, output);
	}
	difference_rows_free(&rows);
	if (!good || !name->has_stacks)
		return good;
	good = difference_rows_by_stack(&rows, part);
	if (good) {
		add_heading(output, name, is_time, "stack");
		good = write_rows(part, &rows, is_time, top, output);
	}
	difference_rows_free(&rows);
	return good;
}
