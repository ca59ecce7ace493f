/*
 * class_layouts.c: see class_layouts.h, and "jvmtiHeapReferenceInfoField" of the JVM TI
 * specification for how fields are counted. On the thread that dumps; the callbacks of the walk
 * run while it waits.
 */
#include "heapdump/class_layouts.h"

#include "base/array.h"
#include "vm/class_registry.h"

#include <stdlib.h>
#include <string.h>

enum { MODIFIER_STATIC = 0x0008, SUPERS_MAX = 65536 };

/* What is known of a class while layouts are built. */
struct draft {
	uint32_t *interfaces; /* serials of the interfaces it names itself */
	jint interface_count;
	struct layout_slot *own; /* its own fields, in the order of the VM */
	jint own_count;
	bool is_interface;
	uint32_t counted_for; /* serial of the class that last counted this interface */
};

struct class_layouts {
	struct profile *profile;
	struct class_layout *list; /* index: serial minus CLASS_SERIAL_BASE */
	struct draft *drafts;      /* same index; NULL once the layouts are built */
	size_t count;
};

struct class_layout *class_layouts_find(const struct class_layouts *layouts, uint32_t serial)
{
	size_t index = serial - CLASS_SERIAL_BASE;
	if (index >= layouts->count || layouts->list[index].record == NULL)
		return NULL;
	return &layouts->list[index];
}

struct class_layout *class_layouts_find_by_tag(const struct class_layouts *layouts, jlong tag)
{
	const struct class_record *class = class_registry_by_tag(tag);
	return class == NULL ? NULL : class_layouts_find(layouts, class->serial);
}

struct class_layout *class_layouts_next(const struct class_layouts *layouts, uint32_t *serial)
{
	size_t index = *serial == 0 ? 0 : *serial - CLASS_SERIAL_BASE + 1;
	for (; index < layouts->count; index++) {
		if (layouts->list[index].record != NULL) {
			*serial = CLASS_SERIAL_BASE + (uint32_t)index;
			return &layouts->list[index];
		}
	}
	return NULL;
}

uint32_t class_layouts_longest_values(const struct class_layouts *layouts)
{
	uint32_t longest = 0;
	for (size_t i = 0; i < layouts->count; i++) {
		if (layouts->list[i].values_length > longest)
			longest = layouts->list[i].values_length;
	}
	return longest;
}

const struct layout_slot *class_layout_slot(const struct class_layout *layout, jint index)
{
	if (index < 0 || (size_t)index < layout->first_index ||
	    (size_t)index - layout->first_index >= layout->slot_count)
		return NULL;
	return &layout->slots[(size_t)index - layout->first_index];
}

void class_layout_set_static(struct class_layout *layout, jint index, uint64_t value)
{
	const struct layout_slot *slot = class_layout_slot(layout, index);
	if (slot != NULL && slot->is_static && slot->at < layout->static_count)
		layout->statics[slot->at].value = value;
}

bool class_layout_add_constant(struct class_layout *layout, jint index, uint64_t id)
{
	if (index < 0 || index > (jint)UINT16_MAX || layout->constant_count >= UINT16_MAX)
		return true;
	if (!array_grow(&layout->constants, &layout->constant_capacity, layout->constant_count,
	                sizeof(*layout->constants)))
		return false;
	layout->constants[layout->constant_count++] = (struct heap_constant){
	        .index = (uint16_t)index, .type = HPROF_TYPE_OBJECT, .value = id};
	return true;
}

/* Adds the i-th field of the class to its layout. */
static bool add_field(struct class_layouts *layouts, struct class_layout *layout,
                      struct draft *draft, jclass class, jfieldID field, jint i)
{
	struct profile *profile = layouts->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	char *name = NULL;
	char *signature = NULL;
	jint modifiers = 0;

	if ((*jvmti)->GetFieldName(jvmti, class, field, &name, &signature, NULL) !=
	            JVMTI_ERROR_NONE ||
	    (*jvmti)->GetFieldModifiers(jvmti, class, field, &modifiers) != JVMTI_ERROR_NONE)
		return false;
	struct layout_slot *slot = &draft->own[i];
	const struct string *interned = string_table_intern_jvm(profile->model.strings, name);
	slot->is_static = (modifiers & MODIFIER_STATIC) != 0;
	slot->type = heap_type_of(signature[0]);
	profile_deallocate(profile, name);
	profile_deallocate(profile, signature);
	if (slot->is_static) {
		slot->at = layout->static_count;
		layout->statics[layout->static_count].name = interned;
		layout->statics[layout->static_count++].type = slot->type;
	} else {
		layout->fields[layout->field_count].name = interned;
		layout->fields[layout->field_count++].type = slot->type;
	}
	return interned != NULL;
}

static bool read_fields(struct class_layouts *layouts, struct class_layout *layout,
                        struct draft *draft, jclass class)
{
	jvmtiEnv *jvmti = layouts->profile->jvmti;
	jint count = 0;
	jfieldID *fields = NULL;

	/* Arrays, and classes that are not prepared, have none. */
	if ((*jvmti)->GetClassFields(jvmti, class, &count, &fields) != JVMTI_ERROR_NONE)
		return true;
	size_t room = (size_t)count + 1;
	draft->own = calloc(room, sizeof(*draft->own));
	layout->fields = calloc(room, sizeof(*layout->fields));
	layout->statics = calloc(room, sizeof(*layout->statics));
	bool added = draft->own != NULL && layout->fields != NULL && layout->statics != NULL;
	for (jint i = 0; added && i < count; i++)
		added = add_field(layouts, layout, draft, class, fields[i], i);
	draft->own_count = count;
	profile_deallocate(layouts->profile, fields);
	return added;
}

static bool read_interfaces(struct class_layouts *layouts, JNIEnv *jni, struct draft *draft,
                            jclass class)
{
	struct profile *profile = layouts->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jclass *interfaces = NULL;

	if ((*jvmti)->GetImplementedInterfaces(jvmti, class, &count, &interfaces) !=
	    JVMTI_ERROR_NONE)
		return true;
	draft->interfaces = calloc((size_t)count + 1, sizeof(*draft->interfaces));
	for (jint i = 0; i < count; i++) {
		const struct class_record *record =
		        class_registry_find(profile->classes, interfaces[i]);
		if (draft->interfaces != NULL && record != NULL)
			draft->interfaces[draft->interface_count++] = record->serial;
		(*jni)->DeleteLocalRef(jni, interfaces[i]);
	}
	profile_deallocate(profile, interfaces);
	return draft->interfaces != NULL;
}

/* The type of an array's elements by the source form of its name; 0 for other classes. */
static uint8_t element_of(const struct string *name)
{
	static const struct {
		const char *name;
		uint8_t type;
	} primitives[] = {
	        {"boolean[]", HPROF_TYPE_BOOLEAN}, {"char[]", HPROF_TYPE_CHAR},
	        {"float[]", HPROF_TYPE_FLOAT},     {"double[]", HPROF_TYPE_DOUBLE},
	        {"byte[]", HPROF_TYPE_BYTE},       {"short[]", HPROF_TYPE_SHORT},
	        {"int[]", HPROF_TYPE_INT},         {"long[]", HPROF_TYPE_LONG},
	};
	if (name->length < 2 || strcmp(name->text + name->length - 2, "[]") != 0)
		return 0;
	for (size_t i = 0; i < sizeof(primitives) / sizeof(primitives[0]); i++) {
		if (strcmp(name->text, primitives[i].name) == 0)
			return primitives[i].type;
	}
	return HPROF_TYPE_OBJECT;
}

static bool read_class(struct class_layouts *layouts, JNIEnv *jni, jclass class,
                       const struct class_record *record)
{
	struct profile *profile = layouts->profile;
	jboolean is_interface = JNI_FALSE;
	size_t index = record->serial - CLASS_SERIAL_BASE;

	if (index >= layouts->count)
		return true;
	struct class_layout *layout = &layouts->list[index];
	struct draft *draft = &layouts->drafts[index];
	layout->record = record;
	layout->element = element_of(record->name);
	(void)(*profile->jvmti)->IsInterface(profile->jvmti, class, &is_interface);
	draft->is_interface = is_interface;
	jclass super = is_interface ? NULL : (*jni)->GetSuperclass(jni, class);
	if (super != NULL) {
		const struct class_record *found = class_registry_find(profile->classes, super);
		layout->super = found == NULL ? 0 : found->serial;
		(*jni)->DeleteLocalRef(jni, super);
	}
	return read_fields(layouts, layout, draft, class) &&
	       read_interfaces(layouts, jni, draft, class);
}

static struct draft *draft_of(const struct class_layouts *layouts, uint32_t serial)
{
	return &layouts->drafts[serial - CLASS_SERIAL_BASE];
}

/* Counts the fields of all interfaces of the class with serial of, each interface once. */
static size_t count_interface_fields(struct class_layouts *layouts, uint32_t of,
                                     const struct draft *class, unsigned depth)
{
	size_t count = 0;

	for (jint i = 0; i < class->interface_count && depth < SUPERS_MAX; i++) {
		if (class_layouts_find(layouts, class->interfaces[i]) == NULL)
			continue;
		struct draft *interface = draft_of(layouts, class->interfaces[i]);
		if (interface->counted_for == of)
			continue;
		interface->counted_for = of;
		count += (size_t)interface->own_count +
		         count_interface_fields(layouts, of, interface, depth + 1);
	}
	return count;
}

/* Builds the slots of a class: those of its superclasses first, from java.lang.Object down. */
static bool lay_out(struct class_layouts *layouts, struct class_layout *layout)
{
	uint32_t serial = layout->record->serial;
	struct class_layout *chain[256];
	size_t depth = 0;
	size_t count = 0;

	for (struct class_layout *at = layout; at != NULL && depth < 256;
	     at = at->super == 0 ? NULL : class_layouts_find(layouts, at->super)) {
		struct draft *draft = draft_of(layouts, at->record->serial);
		chain[depth++] = at;
		count += (size_t)draft->own_count;
		layout->first_index += count_interface_fields(layouts, serial, draft, 0);
	}
	layout->slots = calloc(count + 1, sizeof(*layout->slots));
	if (layout->slots == NULL)
		return false;

	/* The values of an instance are in the opposite order: its own fields come first. */
	uint32_t start = 0;
	for (size_t i = 0; i < depth; i++) {
		struct draft *draft = draft_of(layouts, chain[i]->record->serial);
		count -= (size_t)draft->own_count;
		for (jint j = 0; j < draft->own_count; j++) {
			struct layout_slot *slot = &layout->slots[count + (size_t)j];
			*slot = draft->own[j];
			if (slot->is_static)
				continue;
			slot->at = start;
			start += heap_type_size(slot->type, sizeof(uint64_t));
		}
		layout->slot_count += (size_t)draft->own_count;
	}
	layout->values_length = start;
	return true;
}

static void free_drafts(struct class_layouts *layouts)
{
	for (size_t i = 0; layouts->drafts != NULL && i < layouts->count; i++) {
		free(layouts->drafts[i].interfaces);
		free(layouts->drafts[i].own);
	}
	free(layouts->drafts);
	layouts->drafts = NULL;
}

static bool build(struct class_layouts *layouts, JNIEnv *jni, const struct loaded_classes *classes)
{
	size_t loaded = loaded_classes_count(classes);

	for (size_t i = 0; i < loaded; i++) {
		const struct class_record *record;
		jclass class = (*jni)->NewLocalRef(jni, loaded_classes_get(classes, i, &record));
		bool asked = class == NULL || read_class(layouts, jni, class, record);
		(*jni)->DeleteLocalRef(jni, class);
		if (!asked)
			return false;
	}
	uint32_t serial = 0;
	for (struct class_layout *layout = class_layouts_next(layouts, &serial); layout != NULL;
	     layout = class_layouts_next(layouts, &serial)) {
		if (!lay_out(layouts, layout))
			return false;
	}
	return true;
}

struct class_layouts *class_layouts_create(struct profile *profile, JNIEnv *jni,
                                           const struct loaded_classes *classes)
{
	struct class_layouts *layouts = calloc(1, sizeof(*layouts));
	if (layouts == NULL)
		return NULL;
	layouts->profile = profile;
	layouts->count = (size_t)class_table_count(profile->model.classes) + 1;
	layouts->list = calloc(layouts->count, sizeof(*layouts->list));
	layouts->drafts = calloc(layouts->count, sizeof(*layouts->drafts));
	if (layouts->list != NULL && layouts->drafts != NULL && build(layouts, jni, classes)) {
		free_drafts(layouts);
		return layouts;
	}
	class_layouts_destroy(layouts);
	return NULL;
}

void class_layouts_destroy(struct class_layouts *layouts)
{
	if (layouts == NULL)
		return;
	free_drafts(layouts);
	for (size_t i = 0; layouts->list != NULL && i < layouts->count; i++) {
		free(layouts->list[i].slots);
		free(layouts->list[i].fields);
		free(layouts->list[i].statics);
		free(layouts->list[i].constants);
	}
	free(layouts->list);
	free(layouts);
}
