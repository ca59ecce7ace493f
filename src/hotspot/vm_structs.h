/*
 * vm_structs.h: offsets of fields in HotSpot's own structures. HotSpot exports them in
 * tables for debuggers; other VMs don't. Read at the start by the units that read the
 * VM's memory. What a table says is not taken on trust: entries that can't be read, an offset
 * outside its structure, and an address that can't be read count as not exported.
 */
#ifndef HPROF_HOTSPOT_VM_STRUCTS_H
#define HPROF_HOTSPOT_VM_STRUCTS_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* A table of the VM's: entries of stride bytes, up to one whose first name is NULL. */
struct vm_table {
	const char *entries;
	uint64_t stride;
};

struct vm_structs {
	struct vm_table fields;
	uint64_t field_type;
	uint64_t field_name;
	uint64_t field_offset;
	uint64_t field_address;
	struct vm_table constants;
	uint64_t constant_name;
	uint64_t constant_value;
	struct vm_table types;
	uint64_t type_name;
	uint64_t type_size;
};

/* Finds the tables; false in a VM that has none. Any phase. */
bool vm_structs_find(struct vm_structs *structs, jvmtiEnv *jvmti);

/* The offset of the field in structures of that type. False, here and below, if the VM
 * does not export it. */
bool vm_structs_offset(const struct vm_structs *structs, const char *type, const char *field,
                       uint64_t *offset);

/* The address of a static field, of at least an int. */
bool vm_structs_static(const struct vm_structs *structs, const char *type, const char *field,
                       const void **address);

/* The pointer that a static field has now, which is not NULL and leads to at least a word that
 * can be read. */
bool vm_structs_pointer(const struct vm_structs *structs, const char *type, const char *field,
                        const void **value);

/* The word that a static field has now; it may be 0. */
bool vm_structs_word(const struct vm_structs *structs, const char *type, const char *field,
                     uintptr_t *value);

bool vm_structs_constant(const struct vm_structs *structs, const char *name, int32_t *value);

/* The bytes of a structure of that type. */
bool vm_structs_size(const struct vm_structs *structs, const char *type, uint64_t *size);

/* The offset of the JNIEnv of the calling thread from the beginning of the VM's thread;
 * the same for all threads. 0 if it is unknown. On a thread that runs native code. Live phase. */
intptr_t vm_structs_jni_offset(jvmtiEnv *jvmti, JNIEnv *jni);

/* The offset of a thread's state, an int, from its JNIEnv. False also if the calling thread, which
 * runs native code, does not have that state there. Live phase. */
bool vm_structs_thread_state(const struct vm_structs *structs, jvmtiEnv *jvmti, JNIEnv *jni,
                             intptr_t *offset);

#endif
