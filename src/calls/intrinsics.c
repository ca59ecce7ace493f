/*
 * intrinsics.c: see intrinsics.h. Each bucket is a list that grows at its head. Two threads
 * that add the same method at the same time may add it twice, without effect.
 */
#include "calls/intrinsics.h"

#include "base/hash.h"
#include "classfile/annotations.h"
#include "classfile/opcodes.h"

#include <stdlib.h>
#include <string.h>

/* The annotation, and its name before JDK 16, which has the same end. */
#define ANNOTATION "Ljdk/internal/vm/annotation/IntrinsicCandidate;"
#define ANNOTATION_BEFORE_16 "Ljdk/internal/HotSpotIntrinsicCandidate;"
#define ANNOTATIONS_END "IntrinsicCandidate;"

struct intrinsic {
	struct intrinsic *next;
	call_method number;
	bool is_final;
	struct classfile_member names; /* refer to bytes */
	uint8_t bytes[];
};

static uint32_t bucket_of(const struct classfile_member *method)
{
	uint32_t parts[] = {hash_bytes(method->class_name.bytes, method->class_name.length),
	                    hash_bytes(method->name.bytes, method->name.length),
	                    hash_bytes(method->descriptor.bytes, method->descriptor.length)};
	return hash_bytes(parts, sizeof(parts)) % INTRINSICS_BUCKETS;
}

static bool are_equal(struct classfile_name a, struct classfile_name b)
{
	return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

static const struct intrinsic *find(const struct intrinsics *methods, uint32_t bucket,
                                    const struct classfile_member *method)
{
	const struct intrinsic *entry =
	        atomic_load_explicit(&methods->buckets[bucket], memory_order_acquire);

	while (entry != NULL && !(are_equal(entry->names.name, method->name) &&
	                          are_equal(entry->names.class_name, method->class_name) &&
	                          are_equal(entry->names.descriptor, method->descriptor)))
		entry = entry->next;
	return entry;
}

static uint8_t *copy_name(struct classfile_name *to, struct classfile_name from, uint8_t *at)
{
	memcpy(at, from.bytes, from.length);
	*to = (struct classfile_name){.bytes = at, .length = from.length};
	return at + from.length;
}

static struct intrinsic *new_entry(const struct classfile_member *method)
{
	size_t length =
	        (size_t)method->class_name.length + method->name.length + method->descriptor.length;
	struct intrinsic *entry = calloc(1, sizeof(*entry) + length);

	if (entry == NULL)
		return NULL;
	uint8_t *at = copy_name(&entry->names.class_name, method->class_name, entry->bytes);
	at = copy_name(&entry->names.name, method->name, at);
	(void)copy_name(&entry->names.descriptor, method->descriptor, at);
	return entry;
}

bool intrinsics_add(struct intrinsics *methods, const struct classfile_member *method,
                    bool is_final, call_method number)
{
	uint32_t bucket = bucket_of(method);
	if (find(methods, bucket, method) != NULL)
		return true;
	struct intrinsic *entry = new_entry(method);
	if (entry == NULL)
		return false;
	entry->number = number;
	entry->is_final = is_final;
	entry->next = atomic_load(&methods->buckets[bucket]);
	while (!atomic_compare_exchange_weak(&methods->buckets[bucket], &entry->next, entry))
		;
	atomic_store(&methods->any, true);
	return true;
}

bool intrinsics_find(const struct intrinsics *methods, uint8_t opcode,
                     const struct classfile_member *called, call_method *number)
{
	const struct intrinsic *entry = find(methods, bucket_of(called), called);

	if (entry == NULL || (opcode != OP_INVOKESTATIC && opcode != OP_INVOKESPECIAL &&
	                      !(opcode == OP_INVOKEVIRTUAL && entry->is_final)))
		return false;
	*number = entry->number;
	return true;
}

void intrinsics_clear(struct intrinsics *methods)
{
	for (size_t i = 0; i < INTRINSICS_BUCKETS && atomic_load(&methods->any); i++) {
		struct intrinsic *entry = atomic_load(&methods->buckets[i]);
		while (entry != NULL) {
			struct intrinsic *next = entry->next;
			free(entry);
			entry = next;
		}
		atomic_store(&methods->buckets[i], NULL);
	}
	atomic_store(&methods->any, false);
}

/* Methods with the annotation whose calls are not counted as intrinsics: the constructor of
 * Object, which has it because of finalizers, but whose bytecode runs; bridge methods, to
 * which javac copies it, and which call the intrinsic; and native methods, whose calls are
 * never counted. */
bool intrinsics_is_marked(const struct classfile *classfile, uint32_t index)
{
	const struct classfile_method *method = classfile_method(classfile, index);

	if ((method->access_flags & (CLASSFILE_NATIVE | CLASSFILE_ABSTRACT | CLASSFILE_BRIDGE)) !=
	            0 ||
	    (classfile_name_is(method->name, "<init>") &&
	     classfile_super_name(classfile).length == 0))
		return false;
	return classfile_method_has_annotation(classfile, index, ANNOTATION) ||
	       classfile_method_has_annotation(classfile, index, ANNOTATION_BEFORE_16);
}

bool intrinsics_may_be_marked(const uint8_t *bytes, size_t length)
{
	const size_t end_length = sizeof(ANNOTATIONS_END) - 1;
	const uint8_t *end = bytes + length;

	while ((size_t)(end - bytes) >= end_length) {
		const uint8_t *at = memchr(bytes, ANNOTATIONS_END[0], (size_t)(end - bytes));
		if (at == NULL || (size_t)(end - at) < end_length)
			return false;
		if (memcmp(at, ANNOTATIONS_END, end_length) == 0)
			return true;
		bytes = at + 1;
	}
	return false;
}
