/*
 * dump_links.c: see dump_links.h.
 */
#include "check/dump_links.h"

#include "base/array.h"
#include "hprof/heap_records.h"

#include <stdlib.h>
#include <string.h>

/* 16 MiB for each table at most, in pages, so that a small dump takes little. */
enum { HASH_BITS = 27, WORD_BITS = 64, PAGE_BITS = (1 << HASH_BITS) / LINK_PAGES };
enum { PAGE_WORDS = PAGE_BITS / WORD_BITS };

void dump_links_init(struct dump_links *links)
{
	*links = (struct dump_links){0};
}

static void forget_classes(struct dump_links *links)
{
	for (size_t i = 0; i < links->class_count; i++)
		free(links->classes[i].types);
	free(links->classes);
	links->classes = NULL;
	links->class_count = 0;
	links->class_capacity = 0;
	address_map_free(&links->class_by_id);
	address_map_free(&links->class_roots);
}

void dump_links_free(struct dump_links *links)
{
	forget_classes(links);
	for (size_t i = 0; i < LINK_PAGES; i++) {
		free(links->defined[i]);
		free(links->named[i]);
	}
	dump_links_init(links);
}

static bool set_bit(uint64_t *table[LINK_PAGES], uint64_t id)
{
	uint64_t bit = address_hash(id) >> (64 - HASH_BITS);
	uint64_t **page = &table[bit / PAGE_BITS];

	if (id == 0)
		return true;
	if (*page == NULL)
		*page = calloc(PAGE_WORDS, sizeof(**page));
	if (*page == NULL)
		return false;
	(*page)[bit % PAGE_BITS / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
	return true;
}

bool dump_links_define(struct dump_links *links, uint64_t id)
{
	return set_bit(links->defined, id);
}

bool dump_links_name(struct dump_links *links, uint64_t id)
{
	return set_bit(links->named, id);
}

bool dump_links_class_root(struct dump_links *links, uint64_t id)
{
	return id == 0 || address_map_set(&links->class_roots, id, id);
}

static struct link_class *add_class(struct dump_links *links, uint64_t id)
{
	if (!array_grow(&links->classes, &links->class_capacity, links->class_count,
	                sizeof(*links->classes)) ||
	    !address_map_set(&links->class_by_id, id, links->class_count))
		return NULL;
	struct link_class *class = &links->classes[links->class_count++];
	*class = (struct link_class){0};
	return class;
}

static bool name_values(struct dump_links *links, const struct hprof_class *class)
{
	bool good = dump_links_name(links, class->super_id) &&
	            dump_links_name(links, class->loader_id) &&
	            dump_links_name(links, class->signers_id) &&
	            dump_links_name(links, class->domain_id);

	for (uint16_t i = 0; i < class->static_count && good; i++) {
		if (class->statics[i].type == HPROF_TYPE_OBJECT)
			good = dump_links_name(links, class->statics[i].value);
	}
	for (uint16_t i = 0; i < class->constant_count && good; i++) {
		if (class->constants[i].type == HPROF_TYPE_OBJECT)
			good = dump_links_name(links, class->constants[i].value);
	}
	return good;
}

bool dump_links_class(struct dump_links *links, uint64_t id, const struct hprof_class *class)
{
	if (!name_values(links, class))
		return false;
	/* A class that is dumped again, or has no id, is reported elsewhere. */
	if (id == 0 || address_map_find(&links->class_by_id, id) != NULL)
		return true;
	struct link_class *added = add_class(links, id);
	if (added == NULL)
		return false;
	added->super_id = class->super_id;
	if (class->field_count == 0)
		return true;
	added->types = malloc(class->field_count);
	if (added->types == NULL)
		return false;
	added->field_count = class->field_count;
	for (uint16_t i = 0; i < class->field_count; i++)
		added->types[i] = class->fields[i].type;
	return true;
}

static struct link_class *find_class(const struct dump_links *links, uint64_t id)
{
	const uint64_t *index = address_map_find(&links->class_by_id, id);
	return index == NULL ? NULL : &links->classes[*index];
}

/* The class, or its nearest superclass, that has fields; NULL: none that is known. The classes
 * passed get it as their superclass, so that no chain is followed twice. */
static struct link_class *with_fields(const struct dump_links *links, uint64_t id)
{
	struct link_class *found = find_class(links, id);
	uint64_t last = id; /* the id of found, or of a class that is not known */
	size_t passed = 0;

	while (found != NULL && found->field_count == 0 && passed++ <= links->class_count) {
		last = found->super_id;
		found = find_class(links, last);
	}
	if (passed > links->class_count)
		last = 0; /* a circle */
	for (struct link_class *at = find_class(links, id); at != NULL && passed-- > 0;) {
		struct link_class *super = find_class(links, at->super_id);
		at->super_id = last;
		at = super;
	}
	return last == 0 ? NULL : found;
}

static uint64_t id_at(const uint8_t *bytes, unsigned id_size)
{
	uint64_t id = 0;
	for (unsigned i = 0; i < id_size; i++)
		id = id << 8 | bytes[i];
	return id;
}

bool dump_links_instance(struct dump_links *links, uint64_t class_id, const uint8_t *values,
                         uint32_t length, unsigned id_size)
{
	const struct link_class *class = with_fields(links, class_id);
	uint64_t at = 0;

	/* Each class with fields takes at least a byte of the values. */
	while (class != NULL) {
		for (uint16_t i = 0; i < class->field_count; i++) {
			unsigned size = heap_type_size(class->types[i], id_size);
			if (size > length - at)
				return true;
			if (class->types[i] == HPROF_TYPE_OBJECT &&
			    !dump_links_name(links, id_at(values + at, id_size)))
				return false;
			at += size;
		}
		class = with_fields(links, class->super_id);
	}
	return true;
}

static uint64_t missing_in(const uint64_t *named, const uint64_t *defined)
{
	uint64_t missing = 0;

	for (size_t i = 0; named != NULL && i < PAGE_WORDS; i++) {
		uint64_t bits = named[i] & ~(defined == NULL ? 0 : defined[i]);
		for (; bits != 0; bits &= bits - 1)
			missing++;
	}
	return missing;
}

static uint64_t missing_class_roots(const struct dump_links *links)
{
	const struct address_map *roots = &links->class_roots;
	uint64_t missing = 0;

	for (size_t i = 0; i < roots->capacity; i++) {
		uint64_t id = roots->entries[i].key;
		if (id != 0 && find_class(links, id) == NULL)
			missing++;
	}
	return missing;
}

void dump_links_end(struct dump_links *links, struct missing_links *missing)
{
	for (size_t i = 0; i < LINK_PAGES; i++)
		missing->objects += missing_in(links->named[i], links->defined[i]);
	missing->classes += missing_class_roots(links);
	dump_links_free(links);
}
