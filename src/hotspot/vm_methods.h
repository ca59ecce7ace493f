/*
 * vm_methods.h: the method id and bytecode indexes of a method of HotSpot's own
 * structures (vm_structs.h). Ids are read, not made: those that JVM TI has given out.
 *
 * For VMs in which a method id is the address of a cell with the method's address, as
 * up to JDK 25: only there an id can be proved to be that of a method.
 */
#ifndef HPROF_HOTSPOT_VM_METHODS_H
#define HPROF_HOTSPOT_VM_METHODS_H

#include "hotspot/vm_structs.h"

/* Offsets; constant after the start. */
struct vm_methods {
	uint64_t const_method;
	uint64_t const_method_bytes;
	uint64_t constants;
	uint64_t code_size;
	uint64_t id_number;
	uint64_t pool_holder;
	uint64_t ids;
};

/* Finds the offsets and tries them on a method. False where they are not known or give
 * another id than JVM TI. Live phase. */
bool vm_methods_find(struct vm_methods *methods, const struct vm_structs *structs, JNIEnv *jni);

/* The two below are signal-safe and read what method points at, whatever that is: for
 * use within os_call_guarded(). */

/* The method's id; NULL when it has none, or the address is not that of a method. */
void *vm_methods_id(const struct vm_methods *methods, uintptr_t method);

/* The index of the bytecode at that address; false when it is not one of the method. */
bool vm_methods_bytecode(const struct vm_methods *methods, uintptr_t method, uintptr_t bytecode,
                         int32_t *index);

#endif
