/*
 * text_heap.c: counts the objects in the HEAP DUMP of a text profile by class.
 */
#include "hprof/text_titles.h"
#include "report/heap_histogram.h"
#include "report/text_reader.h"

#include <string.h>

/* "OBJ 5000065b (sz=368, trace=300000, class=java.lang.Thread@50000096)" and
 * "ARR 500001e7 (sz=16, trace=300022, nelems=0, elem type=byte[])" */
static bool count_object(struct text_reader *reader, struct heap_histogram *histogram,
                         const char *class_mark)
{
	static const char size_mark[] = "(sz=";
	const char *size = text_find(reader, size_mark);
	const char *name = text_find(reader, class_mark);
	const char *line_end = reader->line + reader->length;

	if (size == NULL || name == NULL || line_end[-1] != ')')
		return text_refuse(reader, "malformed object");
	struct text_cursor cursor = {.at = size + strlen(size_mark), .end = line_end};
	uint64_t bytes = cursor_number(&cursor);
	name += strlen(class_mark);
	const char *end = text_find_last(reader, name, "@");
	if (end == NULL)
		end = line_end - 1;
	if (cursor.bad || end < name)
		return text_refuse(reader, "malformed object");
	const struct string *class_name = text_intern_name(reader, name, end);
	if (class_name == NULL)
		return false;
	return heap_histogram_add(histogram, class_name, 1, bytes) || text_out_of_memory(reader);
}

static bool read_heap_line(struct text_reader *reader, struct heap_histogram *histogram)
{
	if (text_begins_with(reader, "OBJ "))
		return count_object(reader, histogram, ", class=");
	if (text_begins_with(reader, "ARR "))
		return count_object(reader, histogram, ", elem type=");
	return true;
}

bool text_read_heap(struct text_reader *reader)
{
	struct heap_histogram histogram;
	struct report_section title;
	bool good = true;
	bool ended = false;

	text_begin_section(reader, &title, SECTION_HEAP);
	heap_histogram_begin(&histogram, title.title, strlen(title.title));
	while (good && !ended && text_next_line(reader)) {
		ended = text_line_is(reader, TEXT_END(TEXT_HEAP_DUMP));
		good = ended || read_heap_line(reader, &histogram);
	}
	bool visited = reader->visitor->section(reader->visitor, reader->profile,
	                                        heap_histogram_section(&histogram));
	heap_histogram_free(&histogram);
	if (good && !ended)
		return text_ends_early(reader);
	return good && visited;
}
