/*
 * vm_methods.c: see vm_methods.h. A method leads to the table of ids of its class:
 * Method -> ConstMethod -> ConstantPool -> InstanceKlass -> ids. The table's first
 * entry is its length.
 */
#include "hotspot/vm_methods.h"

#include "hotspot/any_memory.h"
#include "os/os_machine.h"

void *vm_methods_id(const struct vm_methods *methods, uintptr_t method)
{
	if (method == 0 || method % sizeof(void *) != 0)
		return NULL;
	uintptr_t const_method = any_word_at(method + methods->const_method);
	uintptr_t pool = any_word_at(const_method + methods->constants);
	uintptr_t class = any_word_at(pool + methods->pool_holder);
	uintptr_t ids = any_word_at(class + methods->ids);
	if (ids == 0)
		return NULL;
	uint16_t number = any_short_at(const_method + methods->id_number);
	if (number >= any_word_at(ids))
		return NULL;
	uintptr_t id = any_word_at(ids + (1 + (uintptr_t)number) * sizeof(uintptr_t));
	return id != 0 && any_word_at(id) == method ? (void *)id : NULL;
}

bool vm_methods_bytecode(const struct vm_methods *methods, uintptr_t method, uintptr_t bytecode,
                         int32_t *index)
{
	uintptr_t const_method = any_word_at(method + methods->const_method);
	uintptr_t first = const_method + methods->const_method_bytes;
	if (bytecode < first || bytecode - first >= any_short_at(const_method + methods->code_size))
		return false;
	*index = (int32_t)(bytecode - first);
	return true;
}

/* A method whose id is known. */
struct trial {
	const struct vm_methods *methods;
	jmethodID id;
	bool passed;
};

static void try_method(void *argument)
{
	struct trial *trial = argument;
	uintptr_t method = any_word_at((uintptr_t)trial->id);
	trial->passed = vm_methods_id(trial->methods, method) == (void *)trial->id;
}

static bool give_known_ids(const struct vm_methods *methods, JNIEnv *jni)
{
	struct trial trial = {.methods = methods};
	jclass class = (*jni)->FindClass(jni, "java/lang/Object");
	if (class != NULL)
		trial.id = (*jni)->GetMethodID(jni, class, "toString", "()Ljava/lang/String;");
	if (trial.id == NULL) {
		(*jni)->ExceptionClear(jni);
		return false;
	}
	(*jni)->DeleteLocalRef(jni, class);
	return os_call_guarded(try_method, &trial) && trial.passed;
}

bool vm_methods_find(struct vm_methods *methods, const struct vm_structs *structs, JNIEnv *jni)
{
	const struct {
		const char *type;
		const char *field;
		uint64_t *offset;
	} members[] = {
	        {"Method", "_constMethod", &methods->const_method},
	        {"ConstMethod", "_constants", &methods->constants},
	        {"ConstMethod", "_code_size", &methods->code_size},
	        {"ConstMethod", "_method_idnum", &methods->id_number},
	        {"ConstantPool", "_pool_holder", &methods->pool_holder},
	        {"InstanceKlass", "_methods_jmethod_ids", &methods->ids},
	};
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (!vm_structs_offset(structs, members[i].type, members[i].field,
		                       members[i].offset))
			return false;
	}
	return vm_structs_size(structs, "ConstMethod", &methods->const_method_bytes) &&
	       give_known_ids(methods, jni);
}
