/*
 * vm_structs.c: see vm_structs.h. The tables are constant data of the VM's library;
 * any thread may read them.
 */
#include "hotspot/vm_structs.h"

#include "hotspot/vm_memory.h"
#include "os/os_machine.h"

#include <string.h>

enum {
	ENTRIES_MAX = 100000,   /* far more than there are */
	STRIDE_MAX = 1024,      /* far more than an entry has */
	BYTES_MAX = 1 << 20,    /* of a structure */
	JNI_OFFSET_MAX = 65536, /* how far in the VM's thread its JNIEnv may be */
	LOCAL_REFERENCES = 4
};

/* The 8 bytes that the VM exports by that name; 0 when it does not. */
static uint64_t exported(jvmtiEnv *jvmti, const char *name)
{
	const void *in_vm = (const void *)(*jvmti)->GetEnvironmentLocalStorage;
	const void *symbol = os_symbol_beside(in_vm, name);
	uint64_t value = 0;

	return vm_memory_read(symbol, &value, sizeof(value)) ? value : 0;
}

/* Finds a table of which two or more columns are asked for; columns are the names and
 * places of their offsets. */
struct column {
	const char *name;
	uint64_t *offset;
};

static bool find_table(jvmtiEnv *jvmti, struct vm_table *table, const char *name,
                       const char *stride, const struct column *columns, size_t count)
{
	table->entries = (const char *)(uintptr_t)exported(jvmti, name);
	table->stride = exported(jvmti, stride);
	if (table->entries == NULL || table->stride < 2 * sizeof(uint64_t) ||
	    table->stride > STRIDE_MAX)
		return false;
	for (size_t i = 0; i < count; i++) {
		*columns[i].offset = exported(jvmti, columns[i].name);
		if (*columns[i].offset > table->stride - sizeof(uint64_t))
			return false;
		/* A name that is not exported gives 0, where only one column is. */
		for (size_t j = 0; j < i; j++) {
			if (*columns[i].offset == *columns[j].offset)
				return false;
		}
	}
	return true;
}

bool vm_structs_find(struct vm_structs *structs, jvmtiEnv *jvmti)
{
	const struct column fields[] = {
	        {"gHotSpotVMStructEntryTypeNameOffset", &structs->field_type},
	        {"gHotSpotVMStructEntryFieldNameOffset", &structs->field_name},
	        {"gHotSpotVMStructEntryOffsetOffset", &structs->field_offset},
	        {"gHotSpotVMStructEntryAddressOffset", &structs->field_address},
	};
	const struct column constants[] = {
	        {"gHotSpotVMIntConstantEntryNameOffset", &structs->constant_name},
	        {"gHotSpotVMIntConstantEntryValueOffset", &structs->constant_value},
	};
	const struct column types[] = {
	        {"gHotSpotVMTypeEntryTypeNameOffset", &structs->type_name},
	        {"gHotSpotVMTypeEntrySizeOffset", &structs->type_size},
	};

	memset(structs, 0, sizeof(*structs));
	return find_table(jvmti, &structs->fields, "gHotSpotVMStructs",
	                  "gHotSpotVMStructEntryArrayStride", fields,
	                  sizeof(fields) / sizeof(fields[0])) &&
	       find_table(jvmti, &structs->constants, "gHotSpotVMIntConstants",
	                  "gHotSpotVMIntConstantEntryArrayStride", constants,
	                  sizeof(constants) / sizeof(constants[0])) &&
	       find_table(jvmti, &structs->types, "gHotSpotVMTypes",
	                  "gHotSpotVMTypeEntryArrayStride", types,
	                  sizeof(types) / sizeof(types[0]));
}

static const char *text_at(const char *place)
{
	const char *text;
	memcpy(&text, place, sizeof(text));
	return text;
}

/* A search for the entry with that name and, unless it is NULL, that second name. */
struct search {
	const struct vm_table *table;
	uint64_t name_at;
	const char *name;
	uint64_t second_at;
	const char *second;
	const char *found;
};

static void search_table(void *argument)
{
	struct search *search = argument;
	const char *entry = search->table->entries;

	for (int i = 0; i < ENTRIES_MAX; i++, entry += search->table->stride) {
		const char *name = text_at(entry + search->name_at);
		if (name == NULL)
			return;
		if (strcmp(name, search->name) != 0)
			continue;
		const char *second = NULL;
		if (search->second != NULL)
			second = text_at(entry + search->second_at);
		if (search->second == NULL ||
		    (second != NULL && strcmp(second, search->second) == 0)) {
			search->found = entry;
			return;
		}
	}
}

/* Copies size bytes of the entry, from that column; false if there is no such entry. */
static bool read_entry(struct search *search, uint64_t column, void *to, size_t size)
{
	return os_call_guarded(search_table, search) && search->found != NULL &&
	       vm_memory_read(search->found + column, to, size);
}

static bool read_field(const struct vm_structs *structs, const char *type, const char *field,
                       uint64_t column, void *to)
{
	struct search search = {
	        .table = &structs->fields,
	        .name_at = structs->field_type,
	        .name = type,
	        .second_at = structs->field_name,
	        .second = field,
	};
	return read_entry(&search, column, to, sizeof(uint64_t));
}

/* The VM does not export the sizes of all types. */
bool vm_structs_offset(const struct vm_structs *structs, const char *type, const char *field,
                       uint64_t *offset)
{
	uint64_t size = BYTES_MAX;

	(void)vm_structs_size(structs, type, &size);
	return read_field(structs, type, field, structs->field_offset, offset) && *offset < size;
}

bool vm_structs_static(const struct vm_structs *structs, const char *type, const char *field,
                       const void **address)
{
	int32_t value;
	return read_field(structs, type, field, structs->field_address, address) &&
	       vm_memory_read(*address, &value, sizeof(value));
}

bool vm_structs_word(const struct vm_structs *structs, const char *type, const char *field,
                     uintptr_t *value)
{
	const void *address;

	return vm_structs_static(structs, type, field, &address) &&
	       vm_memory_read(address, value, sizeof(*value));
}

bool vm_structs_pointer(const struct vm_structs *structs, const char *type, const char *field,
                        const void **value)
{
	uintptr_t word;
	uintptr_t behind;

	if (!vm_structs_word(structs, type, field, &word) ||
	    !vm_memory_read((const void *)word, &behind, sizeof(behind)))
		return false;
	*value = (const void *)word;
	return true;
}

bool vm_structs_constant(const struct vm_structs *structs, const char *name, int32_t *value)
{
	struct search search = {
	        .table = &structs->constants,
	        .name_at = structs->constant_name,
	        .name = name,
	};
	return read_entry(&search, structs->constant_value, value, sizeof(*value));
}

bool vm_structs_size(const struct vm_structs *structs, const char *type, uint64_t *size)
{
	struct search search = {
	        .table = &structs->types,
	        .name_at = structs->type_name,
	        .name = type,
	};
	uint64_t bytes;

	if (!read_entry(&search, structs->type_size, &bytes, sizeof(bytes)) || bytes == 0 ||
	    bytes > BYTES_MAX)
		return false;
	*size = bytes;
	return true;
}

intptr_t vm_structs_jni_offset(jvmtiEnv *jvmti, JNIEnv *jni)
{
	jthread thread = NULL;
	intptr_t offset = 0;

	if ((*jni)->PushLocalFrame(jni, LOCAL_REFERENCES) != JNI_OK)
		return 0;
	if ((*jvmti)->GetCurrentThread(jvmti, &thread) == JVMTI_ERROR_NONE) {
		jfieldID field =
		        (*jni)->GetFieldID(jni, (*jni)->GetObjectClass(jni, thread), "eetop", "J");
		if (field != NULL)
			offset = (intptr_t)jni - (intptr_t)(*jni)->GetLongField(jni, thread, field);
		else
			(*jni)->ExceptionClear(jni);
	}
	(void)(*jni)->PopLocalFrame(jni, NULL);
	return offset > 0 && offset < JNI_OFFSET_MAX ? offset : 0;
}

bool vm_structs_thread_state(const struct vm_structs *structs, jvmtiEnv *jvmti, JNIEnv *jni,
                             intptr_t *offset)
{
	intptr_t jni_offset = vm_structs_jni_offset(jvmti, jni);
	uint64_t from_thread;
	int32_t in_native;
	int32_t state;

	if (jni_offset == 0 ||
	    !vm_structs_offset(structs, "JavaThread", "_thread_state", &from_thread) ||
	    !vm_structs_constant(structs, "_thread_in_native", &in_native))
		return false;
	*offset = (intptr_t)from_thread - jni_offset;
	return vm_memory_read((const char *)jni + *offset, &state, sizeof(state)) &&
	       state == in_native;
}
