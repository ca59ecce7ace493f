/*
 * flame.c: writes a stack tree as a flame graph, an SVG file that refers to no other. The width
 * of a frame is its cost; callers are below what they call. Frames too narrow to be seen and
 * stacks above LEVELS_MAX are omitted. flame_script.c uses the same measures.
 */
#include "export/flame.h"

#include "export/flame_script.h"
#include "export/xml_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In pixels, except LEVELS_MAX and the longest title, which is in characters. */
enum {
	LEFT = 10,
	WIDTH = 1180,
	LEVEL_HEIGHT = 17,
	TOP = 44,
	BOTTOM = 10,
	LETTER = 7,
	LEVELS_MAX = 2048,
	TITLE_MOST = 110,
	NAME_MOST = 1000
};

struct flame {
	const struct stack_tree *tree;
	struct byte_buffer *out;
	const char *unit;
	const uint64_t *old_totals; /* by node; NULL: no comparison */
	uint32_t *order;
	uint32_t count;
	uint64_t *next;  /* by node: where its next child begins, in costs */
	uint32_t levels; /* visible */
};

/* Converts a cost to hundredths of a pixel. */
static uint64_t hundredths(const struct flame *flame, uint64_t cost)
{
	uint64_t total = flame->tree->nodes[0].total;
	if (cost >= total)
		return (uint64_t)WIDTH * 100;
	return (uint64_t)((double)cost / (double)total * WIDTH * 100.0);
}

static bool is_seen(const struct flame *flame, uint32_t node)
{
	enum { NARROWEST = 10 };
	const struct stack_node *found = &flame->tree->nodes[node];
	return found->depth < LEVELS_MAX && hundredths(flame, found->total) >= NARROWEST;
}

static void count_levels(struct flame *flame)
{
	for (uint32_t i = 0; i < flame->count; i++) {
		uint32_t depth = flame->tree->nodes[flame->order[i]].depth;
		if (depth + 1 > flame->levels && is_seen(flame, flame->order[i]))
			flame->levels = depth + 1;
	}
}

static void add_hundredths(struct byte_buffer *out, uint64_t number)
{
	byte_buffer_printf(out, "%" PRIu64 ".%02u", number / 100, (unsigned)(number % 100));
}

/* Equal for equal names in every picture: FNV-1a. */
static uint32_t hash_of(const struct string *name)
{
	uint32_t hash = 2166136261U;
	for (uint32_t i = 0; i < name->length; i++)
		hash = (hash ^ (unsigned char)name->text[i]) * 16777619U;
	return hash;
}

static void add_colour(struct byte_buffer *out, const struct string *name)
{
	uint32_t hash = name == NULL ? 0 : hash_of(name);
	byte_buffer_printf(out, "rgb(%u,%u,%u)", 215 + hash % 40, 100 + (hash >> 8) % 110,
	                   60 + (hash >> 16) % 40);
}

/* Red for what grew, blue for what shrank, the stronger the more. */
static void add_change_colour(struct byte_buffer *out, uint64_t old_total, uint64_t new_total)
{
	enum { UNCHANGED = 238, STRONGEST = 190 };
	bool grew = new_total > old_total;
	uint64_t more = grew ? new_total : old_total;
	uint64_t change = grew ? new_total - old_total : old_total - new_total;
	unsigned less = more == 0 ? 0 : (unsigned)((double)change / (double)more * STRONGEST + 0.5);
	unsigned faded = UNCHANGED - less;

	if (grew)
		byte_buffer_printf(out, "rgb(%d,%u,%u)", UNCHANGED, faded, faded);
	else
		byte_buffer_printf(out, "rgb(%u,%u,%d)", faded, faded, UNCHANGED);
}

static void add_tooltip(const struct flame *flame, const struct stack_node *node, const char *name,
                        size_t length)
{
	enum { SHARES = 10000 };
	uint64_t total = flame->tree->nodes[0].total;
	unsigned share = node->total >= total
	                         ? SHARES
	                         : (unsigned)((double)node->total / (double)total * SHARES + 0.5);

	byte_buffer_add_text(flame->out, "<title>");
	xml_add_text(flame->out, name, length, NAME_MOST);
	byte_buffer_printf(flame->out, " (%" PRIu64 " ", node->total);
	xml_add_text(flame->out, flame->unit, strlen(flame->unit), SIZE_MAX);
	byte_buffer_printf(flame->out, ", %u.%02u%%", share / 100, share % 100);
	if (flame->old_totals != NULL)
		byte_buffer_printf(flame->out, "; before: %" PRIu64,
		                   flame->old_totals[node - flame->tree->nodes]);
	byte_buffer_add_text(flame->out, ")</title>");
}

/* Offset of the simple class name in "package.Class.method". */
static size_t package_length(const char *name, size_t length)
{
	unsigned dots = 0;
	while (length > 0) {
		if (name[length - 1] == '.' && ++dots == 2)
			return length;
		length--;
	}
	return 0;
}

/* Adds as much of the name as fits; the package is dropped first. */
static void add_label(struct byte_buffer *out, const char *name, size_t length, size_t letters)
{
	size_t package = length > letters ? package_length(name, length) : 0;
	if (letters >= 3)
		xml_add_text(out, name + package, length - package, letters);
}

static void add_frame(const struct flame *flame, uint32_t number, uint64_t start)
{
	static const char all[] = "all";
	const struct stack_node *node = &flame->tree->nodes[number];
	const char *name = node->name == NULL ? all : node->name->text;
	size_t length = node->name == NULL ? strlen(all) : node->name->length;
	uint64_t x = (uint64_t)LEFT * 100 + hundredths(flame, start);
	uint64_t width = hundredths(flame, node->total);
	uint32_t y = TOP + (flame->levels - 1 - node->depth) * LEVEL_HEIGHT;
	uint64_t letters = width / 100 > 6 ? (width / 100 - 6) / LETTER : 0;
	struct byte_buffer *out = flame->out;

	byte_buffer_printf(out, "<g class=\"f\" data-s=\"%" PRIu64 "\" data-t=\"%" PRIu64 "\">",
	                   start, node->total);
	add_tooltip(flame, node, name, length);
	byte_buffer_add_text(out, "<rect x=\"");
	add_hundredths(out, x);
	byte_buffer_printf(out, "\" y=\"%" PRIu32 "\" width=\"", y);
	add_hundredths(out, width);
	byte_buffer_printf(out, "\" height=\"%d\" fill=\"", LEVEL_HEIGHT - 1);
	if (flame->old_totals == NULL)
		add_colour(out, node->name);
	else
		add_change_colour(out, flame->old_totals[number], node->total);
	byte_buffer_add_text(out, "\"/><text x=\"");
	add_hundredths(out, x + 300);
	byte_buffer_printf(out, "\" y=\"%" PRIu32 "\">", y + 12);
	add_label(out, name, length, (size_t)letters);
	byte_buffer_add_text(out, "</text></g>\n");
}

static bool add_frames(const struct flame *flame, struct output *output)
{
	for (uint32_t i = 0; i < flame->count; i++) {
		uint32_t number = flame->order[i];
		const struct stack_node *node = &flame->tree->nodes[number];
		uint64_t start = number == 0 ? 0 : flame->next[node->parent];
		flame->next[number] = start;
		if (number != 0)
			flame->next[node->parent] = report_sum(start, node->total);
		if (is_seen(flame, number))
			add_frame(flame, number, start);
		if (!output_continue(output))
			return false;
	}
	return true;
}

static void add_head(const struct flame *flame, const char *title)
{
	uint32_t height = TOP + flame->levels * LEVEL_HEIGHT + BOTTOM;
	struct byte_buffer *out = flame->out;

	byte_buffer_printf(out,
	                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                   "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
	                   "height=\"%" PRIu32 "\" viewBox=\"0 0 %d %" PRIu32 "\" "
	                   "data-total=\"%" PRIu64 "\">\n",
	                   WIDTH + 2 * LEFT, height, WIDTH + 2 * LEFT, height,
	                   flame->tree->nodes[0].total);
	byte_buffer_add_text(out,
	                     "<style>\n"
	                     "text { font: 12px monospace; fill: #000; pointer-events: none; }\n"
	                     ".title { font-size: 15px; text-anchor: middle; }\n"
	                     ".button { pointer-events: all; cursor: pointer; fill: #555; }\n"
	                     ".f { cursor: pointer; }\n"
	                     ".f:hover rect { stroke: #000; stroke-width: 0.7; }\n"
	                     ".hit rect { fill: #e040fb; }\n"
	                     "</style>\n"
	                     "<rect width=\"100%\" height=\"100%\" fill=\"#fcfcfa\"/>\n");
	byte_buffer_printf(out, "<text class=\"title\" x=\"%d\" y=\"18\">", LEFT + WIDTH / 2);
	xml_add_text(out, title, strlen(title), TITLE_MOST);
	byte_buffer_printf(out,
	                   "</text>\n"
	                   "<text id=\"reset\" class=\"button\" x=\"%d\" y=\"36\" "
	                   "style=\"display:none\">reset zoom</text>\n"
	                   "<text id=\"search\" class=\"button\" x=\"%d\" y=\"36\">search</text>\n"
	                   "<text id=\"matched\" x=\"%d\" y=\"36\"></text>\n",
	                   LEFT, LEFT + WIDTH - 45, LEFT + WIDTH - 260);
}

bool stack_tree_write_flame(const struct stack_tree *tree, const uint64_t *old_totals,
                            const char *title, const char *unit, struct output *output)
{
	struct flame flame = {.tree = tree,
	                      .out = &output->text,
	                      .unit = unit,
	                      .old_totals = old_totals,
	                      .levels = 1};

	flame.next = calloc(tree->count, sizeof(*flame.next));
	bool good = flame.next != NULL && stack_tree_order(tree, &flame.order, &flame.count);
	if (!good)
		byte_buffer_fail(flame.out, BYTES_NO_MEMORY);
	if (good) {
		count_levels(&flame);
		add_head(&flame, title);
		good = add_frames(&flame, output);
	}
	if (good) {
		byte_buffer_add_text(flame.out, "<script><![CDATA[\n");
		byte_buffer_add_text(flame.out, flame_script);
		byte_buffer_add_text(flame.out, "]]></script>\n</svg>\n");
		good = output_continue(output);
	}
	free(flame.order);
	free(flame.next);
	return good;
}
