/*
 * json_difference.c: see json_reports.h.
 */
#include "views/json_reports.h"

#include "gate/difference_rows.h"
#include "views/json_frames.h"

static const char *status_of(struct pair pair)
{
	if (pair.of[SIDE_OLD] == pair.of[SIDE_NEW])
		return "same";
	if (pair.of[SIDE_OLD] == 0)
		return "appeared";
	return pair.of[SIDE_NEW] == 0 ? "vanished" : "changed";
}

static json_int_t change_of(struct pair pair)
{
	uint64_t change = pair_change(pair);
	json_int_t most = change > INT64_MAX ? INT64_MAX : (json_int_t)change;

	return pair.of[SIDE_NEW] < pair.of[SIDE_OLD] ? -most : most;
}

static void add_pair(struct json_stream *json, struct pair pair)
{
	json_stream_add_number(json, "old", pair.of[SIDE_OLD]);
	json_stream_add_number(json, "new", pair.of[SIDE_NEW]);
	json_stream_add(json, "change", json_integer(change_of(pair)));
}

static void add_row(struct json_stream *json, const struct difference_part *part,
                    const struct difference_row *row)
{
	json_stream_open_object(json, NULL);
	json_stream_add_string(json, "name", row->name);
	add_pair(json, row->pair);
	json_stream_add_words(json, "status", status_of(row->pair));
	if (row->node != 0)
		json_add_stack(json, &part->tree, row->node);
	json_stream_close(json);
}

static void add_rows(struct json_stream *json, const char *key, const struct difference_part *part,
                     const struct difference_rows *rows, size_t top)
{
	size_t count = top == 0 || rows->count < top ? rows->count : top;

	json_stream_open_object(json, key);
	json_stream_open_array(json, "rows");
	for (size_t i = 0; i < count && json_stream_is_good(json); i++)
		add_row(json, part, &rows->rows[i]);
	json_stream_close(json);
	json_stream_add_number(json, "rows_left_out", rows->count - count);
	json_stream_close(json);
}

/* Collects rows and adds them. */
static void add_table(struct json_stream *json, const char *key, const struct difference_part *part,
                      bool (*collect)(struct difference_rows *rows,
                                      const struct difference_part *part),
                      size_t top)
{
	struct difference_rows rows;

	if (collect(&rows, part))
		add_rows(json, key, part, &rows, top);
	else
		byte_buffer_fail(&json->output->text, BYTES_NO_MEMORY);
	difference_rows_free(&rows);
}

static void add_part(struct json_stream *json, const struct difference_part *part,
                     const struct difference_name *name, size_t top)
{
	const struct pair total = {{part->total[SIDE_OLD], part->total[SIDE_NEW]}};

	json_stream_open_object(json, NULL);
	json_stream_add_words(json, "of", name->word);
	json_stream_add_words(json, "title", name->title);
	json_stream_add_words(json, "unit", name->unit);
	json_stream_open_object(json, "total");
	add_pair(json, total);
	json_stream_close(json);
	json_stream_add_words(json, "by", name->top);
	add_table(json, "names", part, difference_rows_by_name, top);
	if (name->has_stacks)
		add_table(json, "stacks", part, difference_rows_by_stack, top);
	json_stream_close(json);
}

/* Kinds of sections that only one profile has. */
static void add_missing(struct json_stream *json, const struct difference *difference)
{
	json_stream_open_array(json, "only_one_has");
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		const bool *has = difference->parts[i].has;
		if (!difference_lacks(difference, (enum difference_kind)i))
			continue;
		json_stream_open_object(json, NULL);
		json_stream_add_words(json, "of", difference_names[i].word);
		json_stream_add_words(json, "side", has[SIDE_NEW] ? "new" : "old");
		json_stream_close(json);
	}
	json_stream_close(json);
}

bool json_difference_write(const struct difference *difference, const struct json_difference *how,
                           struct output *output)
{
	struct json_stream json;

	json_stream_begin(&json, output);
	json_stream_add_words(&json, "format", "hprof-diff");
	json_stream_add_number(&json, "version", JSON_REPORTS_VERSION);
	json_add_file(&json, "old", how->names[SIDE_OLD]);
	json_add_file(&json, "new", how->names[SIDE_NEW]);
	json_stream_add(&json, "is_normalized", json_boolean(how->is_normalized));
	add_missing(&json, difference);
	json_stream_open_array(&json, "parts");
	for (int i = 0; i < DIFFERENCE_KINDS && json_stream_is_good(&json); i++) {
		if (difference_shows(difference, how->kind, (enum difference_kind)i))
			add_part(&json, &difference->parts[i], &difference_names[i], how->top);
	}
	json_stream_close(&json);
	return json_stream_end(&json);
}
