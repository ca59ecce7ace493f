/*
 * heap_layout.h: the sizes of objects in the VM that wrote a heap dump. The file has neither
 * headers nor padding, but the class jdk.internal.misc.Unsafe (or sun.misc.Unsafe) has constants
 * with the offset of the first element of each kind of array and the size of a reference, and
 * ids that are addresses show the alignment. Fields are then laid out as HotSpot does it.
 *
 * Fields that HotSpot adds to a few classes are known here by the names of these classes;
 * padding by @Contended is not in the file, and known of java.lang.Thread alone.
 * One thread; no lock.
 */
#ifndef HPROF_REPORT_HEAP_LAYOUT_H
#define HPROF_REPORT_HEAP_LAYOUT_H

#include "base/address_map.h"
#include "hprof/heap_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	HEAP_LAYOUT_TYPES = 12,     /* values of enum hprof_type are below */
	HEAP_LAYOUT_ID_CLASSES = 7, /* ids by zero bits at their end, the last: or more */
	HEAP_ALIGNMENT_MAX = 32     /* larger ones are unknown layouts */
};

struct laid_out_class;

struct heap_layout {
	/* What the dump states; bases are 0 until then. */
	uint64_t bases[HEAP_LAYOUT_TYPES]; /* offset of the first element of an array */
	uint64_t reference;                /* bytes */
	bool fills_gaps;                   /* of superclasses, as the VM does from JDK 15 on */
	bool has_holders;                  /* of threads, as from JDK 19 on */
	uint64_t ids[HEAP_LAYOUT_ID_CLASSES];

	/* Set by heap_layout_settle(). */
	uint64_t header; /* of an instance */
	uint64_t alignment;

	struct address_map places; /* id of a class to its index in classes */
	struct laid_out_class *classes;
	size_t count;
	size_t capacity;
};

void heap_layout_init(struct heap_layout *layout);
void heap_layout_free(struct heap_layout *layout);

/* The string with that id of the file, terminated; of names of fields. */
typedef const char *heap_layout_name(void *context, uint64_t name_id);

/* Notes a CLASS DUMP. False when out of memory. */
bool heap_layout_add_class(struct heap_layout *layout, uint64_t class_id, const char *class_name,
                           const struct hprof_class *class, heap_layout_name *name_of,
                           void *context);

/* Notes the id of an instance or array. */
static inline void heap_layout_note_id(struct heap_layout *layout, uint64_t id)
{
	unsigned zeros = id == 0 ? 0 : (unsigned)__builtin_ctzll(id);
	layout->ids[zeros < HEAP_LAYOUT_ID_CLASSES ? zeros : HEAP_LAYOUT_ID_CLASSES - 1]++;
}

/* Decides on the layout after the last object. False when it is unknown: nothing below may be
 * called. */
bool heap_layout_settle(struct heap_layout *layout);

/* The size of an instance. value_bytes: of its INSTANCE DUMP, for a class that has no
 * CLASS DUMP. */
uint64_t heap_layout_instance(struct heap_layout *layout, uint64_t class_id, uint64_t value_bytes);

/* The offset of the first element, and the size of an element of that type in an array. */
uint64_t heap_layout_base(const struct heap_layout *layout, uint8_t type);
uint64_t heap_layout_element(const struct heap_layout *layout, uint8_t type);

/* The size rounded up to the alignment. */
static inline uint64_t heap_layout_align(const struct heap_layout *layout, uint64_t size)
{
	return (size + layout->alignment - 1) & ~(layout->alignment - 1);
}

#endif
