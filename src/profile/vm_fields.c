/*
 * vm_fields.c: see vm_fields.h. Only reads; the tables are the VM's own and never
 * change.
 */
#include "profile/vm_fields.h"

#include "os/os.h"

#include <string.h>

/* Far more entries than there are in any table. */
enum { ENTRIES_MAX = 100000 };

/* The 8 bytes that the VM exports by that name; 0 when it does not. */
static uint64_t exported(const struct vm_fields *fields, const char *name)
{
	const void *symbol = os_symbol_beside(fields->in_vm, name);
	uint64_t value = 0;

	if (symbol != NULL)
		memcpy(&value, symbol, sizeof(value));
	return value;
}

bool vm_fields_find(struct vm_fields *fields, jvmtiEnv *jvmti)
{
	fields->in_vm = (const void *)(*jvmti)->GetEnvironmentLocalStorage;
	fields->entries = (const char *)(uintptr_t)exported(fields, "gHotSpotVMStructs");
	fields->stride = exported(fields, "gHotSpotVMStructEntryArrayStride");
	fields->type_name = exported(fields, "gHotSpotVMStructEntryTypeNameOffset");
	fields->field_name = exported(fields, "gHotSpotVMStructEntryFieldNameOffset");
	fields->offset = exported(fields, "gHotSpotVMStructEntryOffsetOffset");
	fields->address = exported(fields, "gHotSpotVMStructEntryAddressOffset");
	uint64_t last = fields->stride - sizeof(uint64_t);
	return fields->entries != NULL && fields->stride >= 4 * sizeof(uint64_t) &&
	       fields->type_name <= last && fields->field_name <= last && fields->offset <= last &&
	       fields->address <= last && fields->type_name != fields->field_name;
}

static const char *text_at(const char *place)
{
	const char *text;
	memcpy(&text, place, sizeof(text));
	return text;
}

static const char *find_entry(const struct vm_fields *fields, const char *type, const char *field)
{
	const char *entry = fields->entries;

	for (int i = 0; i < ENTRIES_MAX; i++, entry += fields->stride) {
		const char *its_type = text_at(entry + fields->type_name);
		const char *its_field = text_at(entry + fields->field_name);
		if (its_type == NULL)
			return NULL;
		if (its_field != NULL && strcmp(its_type, type) == 0 &&
		    strcmp(its_field, field) == 0)
			return entry;
	}
	return NULL;
}

bool vm_fields_offset(const struct vm_fields *fields, const char *type, const char *field,
                      uint64_t *offset)
{
	const char *entry = find_entry(fields, type, field);

	if (entry == NULL)
		return false;
	memcpy(offset, entry + fields->offset, sizeof(*offset));
	return true;
}

bool vm_fields_static(const struct vm_fields *fields, const char *type, const char *field,
                      uintptr_t *value)
{
	const char *entry = find_entry(fields, type, field);
	const void *address = NULL;

	if (entry != NULL)
		memcpy(&address, entry + fields->address, sizeof(address));
	if (address == NULL)
		return false;
	memcpy(value, address, sizeof(*value));
	return true;
}

bool vm_fields_constant(const struct vm_fields *fields, const char *name, int32_t *value)
{
	const char *entry = (const char *)(uintptr_t)exported(fields, "gHotSpotVMIntConstants");
	uint64_t stride = exported(fields, "gHotSpotVMIntConstantEntryArrayStride");
	uint64_t name_offset = exported(fields, "gHotSpotVMIntConstantEntryNameOffset");
	uint64_t value_offset = exported(fields, "gHotSpotVMIntConstantEntryValueOffset");

	if (entry == NULL || stride < sizeof(char *) + sizeof(*value) ||
	    name_offset > stride - sizeof(char *) || value_offset > stride - sizeof(*value))
		return false;
	for (int i = 0; i < ENTRIES_MAX; i++, entry += stride) {
		const char *its_name = text_at(entry + name_offset);
		if (its_name == NULL)
			return false;
		if (strcmp(its_name, name) != 0)
			continue;
		memcpy(value, entry + value_offset, sizeof(*value));
		return true;
	}
	return false;
}
