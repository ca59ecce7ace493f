/*
 * vm_fields.h: where HotSpot keeps things. It publishes the fields of its own
 * structures, and constants, in tables that debuggers read; libjvm exports them.
 * A VM that does not, or not this field, is no error: the caller does without.
 */
#ifndef HPROF_PROFILE_VM_FIELDS_H
#define HPROF_PROFILE_VM_FIELDS_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* The table of fields: entries of stride bytes, with these offsets of what is in
 * them, up to one without a type. Constant once found. */
struct vm_fields {
	const void *in_vm; /* an address in libjvm */
	const char *entries;
	uint64_t stride;
	uint64_t type_name;
	uint64_t field_name;
	uint64_t offset;
	uint64_t address;
};

/* Finds the table of the VM that jvmti is of. False when there is none. Any
 * thread, any phase. */
bool vm_fields_find(struct vm_fields *fields, jvmtiEnv *jvmti);

/* Where in the VM's structures of that type the field is, in bytes. */
bool vm_fields_offset(const struct vm_fields *fields, const char *type, const char *field,
                      uint64_t *offset);

/* The value, a word, that the static field has at this moment. */
bool vm_fields_static(const struct vm_fields *fields, const char *type, const char *field,
                      uintptr_t *value);

/* The constant of that name. */
bool vm_fields_constant(const struct vm_fields *fields, const char *name, int32_t *value);

#endif
