/*
 * vm_structs.c: see vm_structs.h. The tables are constant data of the VM's library;
 * any thread may read them.
 */
#include "hotspot/vm_structs.h"

#include "os/os.h"

#include <string.h>

enum {
	ENTRIES_MAX = 100000,   /* far more than there are */
	JNI_OFFSET_MAX = 65536, /* how far in the VM's thread its JNIEnv may be */
	LOCAL_REFERENCES = 4
};

/* The 8 bytes that the VM exports by that name; 0 when it does not. */
static uint64_t exported(jvmtiEnv *jvmti, const char *name)
{
	const void *in_vm = (const void *)(*jvmti)->GetEnvironmentLocalStorage;
	const void *symbol = os_symbol_beside(in_vm, name);
	uint64_t value = 0;

	if (symbol != NULL)
		memcpy(&value, symbol, sizeof(value));
	return value;
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
	if (table->entries == NULL || table->stride < 2 * sizeof(uint64_t))
		return false;
	for (size_t i = 0; i < count; i++) {
		*columns[i].offset = exported(jvmti, columns[i].name);
		if (*columns[i].offset > table->stride - sizeof(uint32_t))
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

/* The entry with that name and, unless NULL, that second name; or NULL. */
static const char *find_entry(const struct vm_table *table, uint64_t name_at, const char *name,
                              uint64_t second_at, const char *second)
{
	const char *entry = table->entries;

	for (int i = 0; i < ENTRIES_MAX; i++, entry += table->stride) {
		const char *its_name = text_at(entry + name_at);
		if (its_name == NULL)
			return NULL;
		if (strcmp(its_name, name) != 0)
			continue;
		const char *its_second = second == NULL ? NULL : text_at(entry + second_at);
		if (second == NULL || (its_second != NULL && strcmp(its_second, second) == 0))
			return entry;
	}
	return NULL;
}

bool vm_structs_offset(const struct vm_structs *structs, const char *type, const char *field,
                       uint64_t *offset)
{
	const char *entry =
	        find_entry(&structs->fields, structs->field_type, type, structs->field_name, field);
	if (entry == NULL)
		return false;
	memcpy(offset, entry + structs->field_offset, sizeof(*offset));
	return true;
}

bool vm_structs_static(const struct vm_structs *structs, const char *type, const char *field,
                       const void **address)
{
	const char *entry =
	        find_entry(&structs->fields, structs->field_type, type, structs->field_name, field);
	if (entry == NULL)
		return false;
	memcpy(address, entry + structs->field_address, sizeof(*address));
	return *address != NULL;
}

bool vm_structs_constant(const struct vm_structs *structs, const char *name, int32_t *value)
{
	const char *entry = find_entry(&structs->constants, structs->constant_name, name, 0, NULL);
	if (entry == NULL)
		return false;
	memcpy(value, entry + structs->constant_value, sizeof(*value));
	return true;
}

bool vm_structs_size(const struct vm_structs *structs, const char *type, uint64_t *size)
{
	const char *entry = find_entry(&structs->types, structs->type_name, type, 0, NULL);
	if (entry == NULL)
		return false;
	memcpy(size, entry + structs->type_size, sizeof(*size));
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
