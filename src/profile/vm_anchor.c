/*
 * vm_anchor.c: see vm_anchor.h. The VM's tables are read once. A thread's note
 * is changed only by itself, in its signal handler, while it runs code of the
 * VM: nobody else looks at it then, and the VM itself completes it the same way
 * before somebody may.
 */
#include "profile/vm_anchor.h"

#include <string.h>

enum {
	FIELDS_MAX = 100000,    /* far more than there are */
	JNI_OFFSET_MAX = 65536, /* how far in the VM's thread its JNIEnv may be */
	LOCAL_REFERENCES = 4
};

/* The table of the VM's fields: entries of stride bytes, with these offsets of
 * what is in them, up to one without a type. */
struct vm_fields {
	const char *entries;
	uint64_t stride;
	uint64_t type_name;
	uint64_t field_name;
	uint64_t offset;
};

/* The 8 bytes that the VM exports by that name; 0 when it does not. */
static uint64_t exported(struct profile *profile, const char *name)
{
	const void *in_vm = (const void *)(*profile->jvmti)->GetEnvironmentLocalStorage;
	const void *symbol = os_symbol_beside(in_vm, name);
	uint64_t value = 0;

	if (symbol != NULL)
		memcpy(&value, symbol, sizeof(value));
	return value;
}

static bool find_fields(struct profile *profile, struct vm_fields *fields)
{
	fields->entries = (const char *)(uintptr_t)exported(profile, "gHotSpotVMStructs");
	fields->stride = exported(profile, "gHotSpotVMStructEntryArrayStride");
	fields->type_name = exported(profile, "gHotSpotVMStructEntryTypeNameOffset");
	fields->field_name = exported(profile, "gHotSpotVMStructEntryFieldNameOffset");
	fields->offset = exported(profile, "gHotSpotVMStructEntryOffsetOffset");
	uint64_t last = fields->stride - sizeof(uint64_t);
	return fields->entries != NULL && fields->stride >= 3 * sizeof(uint64_t) &&
	       fields->type_name <= last && fields->field_name <= last && fields->offset <= last &&
	       fields->type_name != fields->field_name;
}

static const char *text_at(const char *place)
{
	const char *text;
	memcpy(&text, place, sizeof(text));
	return text;
}

/* Where in the VM's structures of that type the field is. */
static bool find_offset(const struct vm_fields *fields, const char *type, const char *field,
                        uint64_t *offset)
{
	const char *entry = fields->entries;

	for (int i = 0; i < FIELDS_MAX; i++, entry += fields->stride) {
		const char *its_type = text_at(entry + fields->type_name);
		const char *its_field = text_at(entry + fields->field_name);
		if (its_type == NULL)
			return false;
		if (its_field == NULL || strcmp(its_type, type) != 0 ||
		    strcmp(its_field, field) != 0)
			continue;
		memcpy(offset, entry + fields->offset, sizeof(*offset));
		return true;
	}
	return false;
}

/* How far the JNIEnv of a thread is behind the beginning of the VM's thread; 0
 * when that is not known. */
static intptr_t jni_offset(struct profile *profile, JNIEnv *jni)
{
	jthread thread = NULL;

	if ((*profile->jvmti)->GetCurrentThread(profile->jvmti, &thread) != JVMTI_ERROR_NONE)
		return 0;
	jfieldID field = (*jni)->GetFieldID(jni, (*jni)->GetObjectClass(jni, thread), "eetop", "J");
	if (field == NULL) {
		(*jni)->ExceptionClear(jni);
		return 0;
	}
	intptr_t offset = (intptr_t)jni - (intptr_t)(*jni)->GetLongField(jni, thread, field);
	return offset > 0 && offset < JNI_OFFSET_MAX ? offset : 0;
}

void vm_anchor_find(struct vm_anchor *anchor, struct profile *profile, JNIEnv *jni)
{
	struct vm_fields fields;
	uint64_t note;
	uint64_t stack_pointer;
	uint64_t return_address;

	anchor->known = false;
	if (!find_fields(profile, &fields) ||
	    !find_offset(&fields, "JavaThread", "_anchor", &note) ||
	    !find_offset(&fields, "JavaFrameAnchor", "_last_Java_sp", &stack_pointer) ||
	    !find_offset(&fields, "JavaFrameAnchor", "_last_Java_pc", &return_address) ||
	    (*jni)->PushLocalFrame(jni, LOCAL_REFERENCES) != JNI_OK)
		return;
	intptr_t offset = jni_offset(profile, jni);
	(void)(*jni)->PopLocalFrame(jni, NULL);
	anchor->stack_pointer = (intptr_t)(note + stack_pointer) - offset;
	anchor->return_address = (intptr_t)(note + return_address) - offset;
	anchor->known = offset != 0;
}

/* A word of the VM's thread, which the thread may have been about to change. */
static void *volatile *word_at(JNIEnv *jni, intptr_t offset)
{
	return (void *volatile *)((intptr_t)jni + offset);
}

bool vm_anchor_complete(const struct vm_anchor *anchor, JNIEnv *jni)
{
	if (!anchor->known)
		return false;
	void *stack_pointer = *word_at(jni, anchor->stack_pointer);
	void *volatile *return_address = word_at(jni, anchor->return_address);
	void *address = NULL;
	if (stack_pointer == NULL || *return_address != NULL ||
	    !os_call_return_address(stack_pointer, &address))
		return false;
	*return_address = address;
	return true;
}

void vm_anchor_restore(const struct vm_anchor *anchor, JNIEnv *jni)
{
	*word_at(jni, anchor->return_address) = NULL;
}
