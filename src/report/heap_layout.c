/*
 * heap_layout.c: see heap_layout.h. HotSpot's rules are those of FieldLayoutBuilder, and before
 * JDK 15 those of ClassFileParser::layout_fields.
 */
#include "report/heap_layout.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum {
	SUPERS_MAX = 1024,    /* a longer chain of superclasses is a cycle */
	GAPS_MAX = 8,         /* smaller than 8 bytes each, so that more are rare */
	WIDTHS = 4,           /* of primitive fields: 8, 4, 2 and 1 byte */
	CONTENDED_PAD = 128,  /* -XX:ContendedPaddingWidth */
	OBJECTS_FOR_IDS = 64, /* fewer ids do not show the alignment */
	PARTS_ALIGNED = 20    /* at most 1 id in 20 is not aligned */
};

struct gap {
	uint64_t from;
	uint64_t to;
};

/* A class; fields are counted by widths[] of primitives, and references. */
struct laid_out_class {
	uint64_t super_id;
	uint32_t fields[WIDTHS];
	uint32_t references;
	uint32_t contended; /* bytes of fields between two pads */
	bool laid_out;
	bool in_order;       /* one of in_order_classes */
	uint8_t conditional; /* index + 1 of an addition that depends on the VM's version; or 0 */
	uint8_t gap_count;
	uint64_t end; /* of the last field */
	struct gap gaps[GAPS_MAX];
};

static const uint8_t widths[WIDTHS] = {8, 4, 2, 1};

enum version { ANY, FROM_15, FROM_19 };

/* What HotSpot adds to the fields that Java code declares. */
static const struct {
	const char *class;
	const char *field; /* only if it has that field, if not NULL */
	bool absent;       /* only if it does not have it */
	int8_t fields[WIDTHS];
	uint8_t references;
	uint8_t contended;
	enum version version;
} additions[] = {
        {"java.lang.String", NULL, false, {0, 0, 0, 1}, 0, 0, ANY},
        {"java.lang.ClassLoader", NULL, false, {1, 0, 0, 0}, 0, 0, ANY},
        {"java.lang.Module", NULL, false, {1, 0, 0, 0}, 0, 0, ANY},
        {"java.lang.InternalError", NULL, false, {0, 0, 0, 1}, 0, 0, FROM_15},
        {"java.lang.Class", "signers", false, {2, 2, 0, 0}, 2, 0, ANY},
        {"java.lang.Class", "signers", true, {2, 2, 0, 0}, 3, 0, ANY},
        {"java.lang.Class", "signers", true, {0, 0, 0, 0}, 1, 0, FROM_19},
        {"java.lang.Thread", "holder", false, {1, 1, 1, 1}, 0, 0, ANY},
        /* Three fields of java.lang.Thread are @Contended until JDK 18. */
        {"java.lang.Thread", "holder", true, {-1, -2, 0, 0}, 0, 16, ANY},
        {"java.lang.invoke.MemberName", NULL, false, {1, 0, 0, 0}, 0, 0, ANY},
        {"java.lang.invoke.ResolvedMethodName", "vmholder", false, {1, 0, 0, 0}, 0, 0, ANY},
        {"java.lang.invoke.ResolvedMethodName", "vmholder", true, {1, 0, 0, 0}, 1, 0, ANY},
        {"java.lang.invoke.MethodHandleNatives$CallSiteContext",
         NULL,
         false,
         {2, 0, 0, 0},
         0,
         0,
         ANY},
};

/* Until JDK 14: fields in the order of their width, references first, and nothing in gaps. */
static const char *const in_order_classes[] = {
        "java.lang.AssertionStatusDirectives",
        "java.lang.Boolean",
        "java.lang.Byte",
        "java.lang.Character",
        "java.lang.Class",
        "java.lang.ClassLoader",
        "java.lang.Double",
        "java.lang.Float",
        "java.lang.Integer",
        "java.lang.Long",
        "java.lang.Short",
        "java.lang.StackTraceElement",
        "java.lang.String",
        "java.lang.Throwable",
        "java.lang.ref.Reference",
        "java.lang.ref.SoftReference",
};

/* The constants of Unsafe, which end with _BASE_OFFSET; their types. */
static const struct {
	const char *name;
	uint8_t type;
} base_names[] = {
        {"ARRAY_OBJECT_BASE_OFFSET", HPROF_TYPE_OBJECT},
        {"ARRAY_BOOLEAN_BASE_OFFSET", HPROF_TYPE_BOOLEAN},
        {"ARRAY_CHAR_BASE_OFFSET", HPROF_TYPE_CHAR},
        {"ARRAY_FLOAT_BASE_OFFSET", HPROF_TYPE_FLOAT},
        {"ARRAY_DOUBLE_BASE_OFFSET", HPROF_TYPE_DOUBLE},
        {"ARRAY_BYTE_BASE_OFFSET", HPROF_TYPE_BYTE},
        {"ARRAY_SHORT_BASE_OFFSET", HPROF_TYPE_SHORT},
        {"ARRAY_INT_BASE_OFFSET", HPROF_TYPE_INT},
        {"ARRAY_LONG_BASE_OFFSET", HPROF_TYPE_LONG},
};

void heap_layout_init(struct heap_layout *layout)
{
	*layout = (struct heap_layout){.reference = 0};
	address_map_init(&layout->places);
}

void heap_layout_free(struct heap_layout *layout)
{
	address_map_free(&layout->places);
	free(layout->classes);
	layout->classes = NULL;
}

/* ---- what the dump states --------------------------------------------------- */

static struct laid_out_class *find(const struct heap_layout *layout, uint64_t class_id)
{
	const uint64_t *place = address_map_find(&layout->places, class_id);
	return place == NULL ? NULL : &layout->classes[*place];
}

static struct laid_out_class *add(struct heap_layout *layout, uint64_t class_id)
{
	struct laid_out_class *class = find(layout, class_id);
	if (class != NULL)
		return class;
	if (!array_grow(&layout->classes, &layout->capacity, layout->count,
	                sizeof(*layout->classes)))
		return NULL;
	if (!address_map_set(&layout->places, class_id, layout->count))
		return NULL;
	return &layout->classes[layout->count++];
}

static bool has_field(const struct hprof_class *class, const char *field, heap_layout_name *name_of,
                      void *context)
{
	for (uint16_t i = 0; i < class->field_count; i++) {
		if (strcmp(name_of(context, class->fields[i].name_id), field) == 0)
			return true;
	}
	return false;
}

static void add_fields(struct laid_out_class *to, const struct hprof_class *class)
{
	for (uint16_t i = 0; i < class->field_count; i++) {
		unsigned size = heap_type_size(class->fields[i].type, 0);
		if (class->fields[i].type == HPROF_TYPE_OBJECT)
			to->references++;
		for (unsigned j = 0; j < WIDTHS; j++)
			to->fields[j] += widths[j] == size ? 1 : 0;
	}
}

/* Adds nothing to a class that does not have what is to be subtracted. */
static void add_hidden_fields(struct laid_out_class *to, size_t addition)
{
	int64_t fields[WIDTHS];

	for (unsigned j = 0; j < WIDTHS; j++) {
		fields[j] = (int64_t)to->fields[j] + additions[addition].fields[j];
		if (fields[j] < 0)
			return;
	}
	for (unsigned j = 0; j < WIDTHS; j++)
		to->fields[j] = (uint32_t)fields[j];
	to->references += additions[addition].references;
	to->contended += additions[addition].contended;
}

static void note_hidden_fields(struct laid_out_class *to, const char *class_name,
                               const struct hprof_class *class, heap_layout_name *name_of,
                               void *context)
{
	for (size_t i = 0; i < sizeof(additions) / sizeof(additions[0]); i++) {
		const char *field = additions[i].field;
		if (strcmp(additions[i].class, class_name) != 0 ||
		    (field != NULL &&
		     has_field(class, field, name_of, context) == additions[i].absent))
			continue;
		if (additions[i].version == ANY)
			add_hidden_fields(to, i);
		else
			to->conditional = (uint8_t)(i + 1);
	}
}

static void note_constants(struct heap_layout *layout, const struct hprof_class *class,
                           heap_layout_name *name_of, void *context)
{
	for (uint16_t i = 0; i < class->static_count; i++) {
		const struct hprof_field *constant = &class->statics[i];
		if (constant->type != HPROF_TYPE_INT && constant->type != HPROF_TYPE_LONG)
			continue;
		const char *name = name_of(context, constant->name_id);
		if (strcmp(name, "ARRAY_OBJECT_INDEX_SCALE") == 0)
			layout->reference = constant->value;
		for (size_t j = 0; j < sizeof(base_names) / sizeof(base_names[0]); j++) {
			if (strcmp(name, base_names[j].name) == 0)
				layout->bases[base_names[j].type] = constant->value;
		}
	}
}

bool heap_layout_add_class(struct heap_layout *layout, uint64_t class_id, const char *class_name,
                           const struct hprof_class *class, heap_layout_name *name_of,
                           void *context)
{
	if (class_id == 0)
		return true; /* nothing refers to it */
	struct laid_out_class *added = add(layout, class_id);
	if (added == NULL)
		return false;
	*added = (struct laid_out_class){.super_id = class->super_id};
	add_fields(added, class);
	note_hidden_fields(added, class_name, class, name_of, context);
	for (size_t i = 0; i < sizeof(in_order_classes) / sizeof(in_order_classes[0]); i++)
		added->in_order = added->in_order || strcmp(class_name, in_order_classes[i]) == 0;
	if (strcmp(class_name, "jdk.internal.misc.Unsafe") == 0 ||
	    strcmp(class_name, "sun.misc.Unsafe") == 0)
		note_constants(layout, class, name_of, context);
	/* This field is as old as the layout that fills gaps. */
	if (strcmp(class_name, "java.lang.Class") == 0)
		layout->fills_gaps = has_field(class, "classData", name_of, context);
	if (strcmp(class_name, "java.lang.Thread") == 0)
		layout->has_holders = has_field(class, "holder", name_of, context);
	return true;
}

/* ---- the layout --------------------------------------------------------------- */

/* The alignment by the ids: nearly all are multiples of it. Ids are addresses, or addresses
 * divided by 8 (this project's dumps), or numbers; these are taken for an alignment of 8. */
static uint64_t alignment_of(const struct heap_layout *layout)
{
	enum { ADDRESS_ZEROS = 3 };
	uint64_t all = 0;
	uint64_t fewer = 0; /* ids with fewer zeros */
	unsigned zeros = 0;

	for (unsigned i = 0; i < HEAP_LAYOUT_ID_CLASSES; i++)
		all += layout->ids[i];
	if (all < OBJECTS_FOR_IDS)
		return 1 << ADDRESS_ZEROS;
	while (zeros + 1 < HEAP_LAYOUT_ID_CLASSES &&
	       fewer + layout->ids[zeros] <= all / PARTS_ALIGNED)
		fewer += layout->ids[zeros++];
	return UINT64_C(1) << (zeros < ADDRESS_ZEROS ? zeros + ADDRESS_ZEROS : zeros);
}

/* The header of an instance, by the offset of bytes in an array: before these is the length in
 * 4 bytes, and padding to 8 bytes in VMs before JDK 23. 0: unknown. */
static uint64_t header_of(uint64_t byte_base)
{
	switch (byte_base) {
	case 12:
		return 8;
	case 16:
		return 12;
	case 20:
	case 24:
		return 16;
	default:
		return 0;
	}
}

bool heap_layout_settle(struct heap_layout *layout)
{
	enum { BASE_MAX = 32 };

	layout->header = header_of(layout->bases[HPROF_TYPE_BYTE]);
	layout->alignment = alignment_of(layout);
	for (size_t i = 0; i < sizeof(base_names) / sizeof(base_names[0]); i++) {
		uint64_t base = layout->bases[base_names[i].type];
		if (base < layout->header || base > BASE_MAX)
			return false;
	}
	return layout->header != 0 && (layout->reference == 4 || layout->reference == 8) &&
	       layout->alignment <= HEAP_ALIGNMENT_MAX;
}

static uint64_t round_up(uint64_t number, uint64_t unit)
{
	return (number + unit - 1) & ~(unit - 1);
}

static void add_gap(struct laid_out_class *class, uint64_t from, uint64_t to)
{
	if (from < to && class->gap_count < GAPS_MAX)
		class->gaps[class->gap_count++] = (struct gap){from, to};
}

/* The smallest gap that the field fits in, of equal ones that with the largest offset; NULL if
 * there is none. */
static struct gap *best_gap(struct laid_out_class *class, uint64_t size)
{
	struct gap *best = NULL;

	for (unsigned i = 0; i < class->gap_count; i++) {
		struct gap *gap = &class->gaps[i];
		uint64_t bytes = gap->to - gap->from;
		if (round_up(gap->from, size) + size > gap->to)
			continue;
		if (best == NULL || bytes < best->to - best->from ||
		    (bytes == best->to - best->from && gap->from > best->from))
			best = gap;
	}
	return best;
}

static void place(struct laid_out_class *class, uint64_t size)
{
	struct gap *gap = best_gap(class, size);
	if (gap == NULL) {
		uint64_t at = round_up(class->end, size);
		add_gap(class, class->end, at);
		class->end = at + size;
		return;
	}
	struct gap filled = *gap;
	uint64_t at = round_up(filled.from, size);
	*gap = class->gaps[--class->gap_count];
	add_gap(class, filled.from, at);
	add_gap(class, at + size, filled.to);
}

/* From JDK 15 on: each field goes into the gap that fits best, or to the end. */
static void fill_gaps(const struct heap_layout *layout, struct laid_out_class *class)
{
	for (unsigned i = 0; i < WIDTHS; i++) {
		for (uint32_t j = 0; j < class->fields[i]; j++)
			place(class, widths[i]);
	}
	for (uint32_t j = 0; j < class->references; j++)
		place(class, layout->reference);
}

/* Takes fields of that size, as many as the space holds and are left. */
static uint64_t take(uint32_t *fields, uint64_t size, uint64_t space)
{
	uint64_t count = space / size < *fields ? space / size : *fields;
	*fields -= (uint32_t)count;
	return count * size;
}

/* Until JDK 14: by size, with smaller fields before the first of 8 bytes if it leaves space. */
static void append_fields(const struct heap_layout *layout, struct laid_out_class *class)
{
	uint32_t left[WIDTHS];
	uint32_t references = class->references;
	uint64_t end = class->end;

	memcpy(left, class->fields, sizeof(left));
	if (left[0] > 0) {
		uint64_t space = round_up(end, widths[0]) - end;
		end += space;
		for (unsigned i = 1; i < WIDTHS; i++)
			space -= take(&left[i], widths[i], space);
		(void)take(&references, layout->reference, space);
	}
	for (unsigned i = 0; i < WIDTHS; i++)
		end += (uint64_t)left[i] * widths[i];
	if (references > 0)
		end = round_up(end, layout->reference) + references * layout->reference;
	class->end = round_up(end, layout->reference);
}

static void append_in_order(const struct heap_layout *layout, struct laid_out_class *class)
{
	uint64_t end = round_up(class->end, layout->reference);

	end += class->references * layout->reference;
	for (unsigned i = 0; i < WIDTHS; i++) {
		if (class->fields[i] > 0)
			end = round_up(end, widths[i]) + (uint64_t) class->fields[i] * widths[i];
	}
	class->end = round_up(end, layout->reference);
}

static void add_conditional_fields(const struct heap_layout *layout, struct laid_out_class *class)
{
	if (class->conditional == 0)
		return;
	size_t addition = class->conditional - 1u;
	bool holds =
	        additions[addition].version == FROM_15 ? layout->fills_gaps : layout->has_holders;
	if (holds)
		add_hidden_fields(class, addition);
}

static void lay_out(const struct heap_layout *layout, struct laid_out_class *class,
                    const struct laid_out_class *super)
{
	class->laid_out = true;
	add_conditional_fields(layout, class);
	class->end = layout->header;
	if (super != NULL) {
		class->end = super->end;
		class->gap_count = super->gap_count;
		memcpy(class->gaps, super->gaps, sizeof(class->gaps));
	}
	if (layout->fills_gaps)
		fill_gaps(layout, class);
	else if (class->in_order)
		append_in_order(layout, class);
	else
		append_fields(layout, class);
	if (class->contended > 0) {
		class->end = round_up(class->end + CONTENDED_PAD, widths[0]) + class->contended +
		             CONTENDED_PAD;
		class->gap_count = 0; /* subclasses do not fill them */
	}
}

/* The class with its superclasses, laid out; NULL if it is unknown, a superclass is, or they
 * are a cycle. */
static const struct laid_out_class *laid_out(struct heap_layout *layout, uint64_t class_id)
{
	struct laid_out_class *chain[SUPERS_MAX];
	size_t depth = 0;
	struct laid_out_class *at = find(layout, class_id);
	struct laid_out_class *super = NULL;

	while (at != NULL && !at->laid_out) {
		if (depth == SUPERS_MAX)
			return NULL;
		chain[depth++] = at;
		if (at->super_id == 0)
			break;
		at = find(layout, at->super_id);
	}
	if (at == NULL)
		return NULL;
	super = at->laid_out ? at : NULL;
	while (depth > 0) {
		lay_out(layout, chain[--depth], super);
		super = chain[depth];
	}
	return super;
}

uint64_t heap_layout_instance(struct heap_layout *layout, uint64_t class_id, uint64_t value_bytes)
{
	const struct laid_out_class *class = laid_out(layout, class_id);
	return heap_layout_align(layout, class == NULL ? layout->header + value_bytes : class->end);
}

uint64_t heap_layout_base(const struct heap_layout *layout, uint8_t type)
{
	return type < HEAP_LAYOUT_TYPES ? layout->bases[type] : 0;
}

uint64_t heap_layout_element(const struct heap_layout *layout, uint8_t type)
{
	return heap_type_size(type, (unsigned)layout->reference);
}
