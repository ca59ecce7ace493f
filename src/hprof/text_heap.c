/*
 * text_heap.c: heap dumps as text: HEAP DUMP BEGIN, ROOT, CLS, OBJ, ARR, HEAP DUMP END.
 * Only fields and elements that refer to an object are written, no values of primitive types.
 * Called by heap_writer on the dumping thread.
 */
#include "hprof/heap_format.h"

#include "hprof/text_kinds.h"
#include "hprof/text_parts.h"
#include "hprof/text_titles.h"
#include "os/os.h"

#include <inttypes.h>

const struct text_kind text_kind_heap_dump = {
        TEXT_HEAP_DUMP " (number of objects, bytes of them)",
        "      All objects that were live at that time. ROOT is a reference that keeps an\n"
        "      object alive, with its kind in kind=: a variable of a frame (Java stack,\n"
        "      with the thread and the index of the frame in that thread's trace, 0 being\n"
        "      the innermost), a reference held by native code (JNI global ref, JNI local\n"
        "      ref), a system class, a thread with its trace, and so on. CLS is a class\n"
        "      with its super class, loader, signers and protection domain, and those of\n"
        "      its static fields and constant pool entries that refer to an object. OBJ is\n"
        "      an object: sz= is its size in the heap in bytes, trace= the trace that\n"
        "      allocated it, class= its class and the object of that class. Its lines are\n"
        "      the fields that refer to an object. ARR is an array with nelems= elements;\n"
        "      its lines are the elements that refer to an object, with their index. Values\n"
        "      of primitive types are in binary dumps only.\n"};

/* From this length on, one tab separates the name from its value instead of two. */
enum { SHORT_NAME = 8 };

static void heap_begin(struct byte_buffer *out, const struct heap_begin *begin)
{
	char when[32];
	os_local_time_text(begin->wall_ms, when, sizeof(when));
	byte_buffer_printf(
	        out, TEXT_BEGIN(TEXT_HEAP_DUMP) " (%" PRIu64 " objects, %" PRIu64 " bytes) %s\n",
	        begin->object_count, begin->object_bytes, when);
}

static void heap_end(struct byte_buffer *out)
{
	byte_buffer_add_text(out, TEXT_END(TEXT_HEAP_DUMP) "\n");
}

/* Appends id in hexadecimal, without leading zeros. */
static void add_id(struct byte_buffer *out, uint64_t id)
{
	static const char digits[] = "0123456789abcdef";
	char text[16];
	size_t at = sizeof(text);
	do {
		text[--at] = digits[id & 0xf];
		id >>= 4;
	} while (id != 0);
	byte_buffer_add(out, text + at, sizeof(text) - at);
}

static void add_u4(struct byte_buffer *out, uint32_t number)
{
	char text[10];
	size_t at = sizeof(text);
	do {
		text[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	byte_buffer_add(out, text + at, sizeof(text) - at);
}

static void add_frame(struct byte_buffer *out, uint32_t frame)
{
	if (frame == HEAP_FRAME_NONE)
		byte_buffer_add_text(out, ", frame=-1");
	else
		byte_buffer_printf(out, ", frame=%" PRIu32, frame);
}

static void heap_root(struct byte_buffer *out, unsigned id_size, const struct heap_root *root)
{
	(void)id_size;
	byte_buffer_add_text(out, "ROOT ");
	add_id(out, root->object_id);
	switch (root->kind) {
	case HPROF_SUB_ROOT_JNI_GLOBAL:
		byte_buffer_printf(out, " (kind=<JNI global ref>, id=%" PRIx64 ", trace=%" PRIu32,
		                   root->jni_id, root->trace_serial);
		break;
	case HPROF_SUB_ROOT_JNI_LOCAL:
		byte_buffer_printf(out, " (kind=<JNI local ref>, thread=%" PRIu32,
		                   root->thread_serial);
		add_frame(out, root->frame);
		break;
	case HPROF_SUB_ROOT_JAVA_FRAME:
		byte_buffer_printf(out, " (kind=<Java stack>, thread=%" PRIu32,
		                   root->thread_serial);
		add_frame(out, root->frame);
		break;
	case HPROF_SUB_ROOT_NATIVE_STACK:
		byte_buffer_printf(out, " (kind=<native stack>, thread=%" PRIu32,
		                   root->thread_serial);
		break;
	case HPROF_SUB_ROOT_STICKY_CLASS:
		byte_buffer_add_text(out, " (kind=<system class>, name=");
		if (root->class != NULL)
			text_add_name(out, root->class->name);
		else
			byte_buffer_add_text(out, "<unknown>");
		break;
	case HPROF_SUB_ROOT_THREAD_BLOCK:
		byte_buffer_printf(out, " (kind=<thread block>, thread=%" PRIu32,
		                   root->thread_serial);
		break;
	case HPROF_SUB_ROOT_MONITOR_USED:
		byte_buffer_add_text(out, " (kind=<busy monitor>");
		break;
	case HPROF_SUB_ROOT_THREAD_OBJECT:
		byte_buffer_printf(out, " (kind=<thread>, id=%" PRIu32 ", trace=%" PRIu32,
		                   root->thread_serial, root->trace_serial);
		break;
	default:
		byte_buffer_add_text(out, " (kind=<unknown>");
		break;
	}
	byte_buffer_add_text(out, ")\n");
}

/* Appends a line for an object that a class refers to; nothing for id 0. */
static void add_part(struct byte_buffer *out, const char *part, uint64_t id)
{
	if (id == 0)
		return;
	byte_buffer_add_text(out, part);
	add_id(out, id);
	byte_buffer_add_u1(out, '\n');
}

static void heap_class(struct byte_buffer *out, unsigned id_size, const struct heap_class *class)
{
	(void)id_size;
	byte_buffer_add_text(out, "CLS ");
	add_id(out, class->class->object_id);
	byte_buffer_add_text(out, " (name=");
	text_add_name(out, class->class->name);
	byte_buffer_printf(out, ", trace=%" PRIu32 ")\n", class->trace_serial);
	add_part(out, "\tsuper\t\t", class->super_id);
	add_part(out, "\tloader\t\t", class->loader_id);
	add_part(out, "\tsigners\t\t", class->signers_id);
	add_part(out, "\tdomain\t\t", class->domain_id);
	for (uint16_t i = 0; i < class->static_count; i++) {
		const struct heap_static *field = &class->statics[i];
		if (field->type != HPROF_TYPE_OBJECT || field->value == 0)
			continue;
		byte_buffer_add_text(out, "\tstatic ");
		text_add_name(out, field->name);
		add_part(out, "\t", field->value);
	}
	for (uint16_t i = 0; i < class->constant_count; i++) {
		const struct heap_constant *constant = &class->constants[i];
		if (constant->type != HPROF_TYPE_OBJECT || constant->value == 0)
			continue;
		byte_buffer_printf(out, "\tconstant[%u]", (unsigned)constant->index);
		add_part(out, "\t", constant->value);
	}
}

/* Appends the part that the lines of objects and arrays share. */
static void add_head(struct byte_buffer *out, const char *kind, uint64_t id, uint64_t size,
                     uint32_t trace_serial)
{
	byte_buffer_add_text(out, kind);
	add_id(out, id);
	byte_buffer_add_text(out, " (sz=");
	if (size <= UINT32_MAX)
		add_u4(out, (uint32_t)size);
	else
		byte_buffer_printf(out, "%" PRIu64, size);
	byte_buffer_add_text(out, ", trace=");
	add_u4(out, trace_serial);
}

static uint64_t read_id(const uint8_t *bytes, unsigned id_size)
{
	uint64_t id = 0;
	for (unsigned i = 0; i < id_size; i++)
		id = id << 8 | bytes[i];
	return id;
}

static void add_field(struct byte_buffer *out, const struct string *name, uint64_t id)
{
	byte_buffer_add_u1(out, '\t');
	text_add_name(out, name);
	add_part(out, name->length < SHORT_NAME ? "\t\t" : "\t", id);
}

static void heap_instance(struct byte_buffer *out, unsigned id_size,
                          const struct heap_instance *instance)
{
	add_head(out, "OBJ ", instance->object_id, instance->size, instance->trace_serial);
	byte_buffer_add_text(out, ", class=");
	text_add_name(out, instance->class->name);
	byte_buffer_add_u1(out, '@');
	add_id(out, instance->class->object_id);
	byte_buffer_add_text(out, ")\n");

	uint32_t at = 0;
	for (size_t i = 0; i < instance->field_count; i++) {
		const struct heap_field *field = &instance->fields[i];
		unsigned size = heap_type_size(field->type, id_size);
		if (size > instance->values_length - at)
			return;
		uint64_t id = field->type == HPROF_TYPE_OBJECT
		                      ? read_id(instance->values + at, id_size)
		                      : 0;
		at += size;
		if (id != 0)
			add_field(out, field->name, id);
	}
}

static void heap_object_array(struct byte_buffer *out, unsigned id_size,
                              const struct heap_array *array)
{
	(void)id_size;
	add_head(out, "ARR ", array->object_id, array->size, array->trace_serial);
	byte_buffer_add_text(out, ", nelems=");
	add_u4(out, array->length);
	byte_buffer_add_text(out, ", elem type=");
	text_add_name(out, array->class->name);
	byte_buffer_add_u1(out, '@');
	add_id(out, array->class->object_id);
	byte_buffer_add_text(out, ")\n");
}

static void heap_elements(struct byte_buffer *out, unsigned id_size, uint32_t first,
                          const uint64_t *ids, size_t count)
{
	(void)id_size;
	for (size_t i = 0; i < count; i++) {
		if (ids[i] == 0)
			continue;
		byte_buffer_add_text(out, "\t[");
		add_u4(out, first + (uint32_t)i);
		add_part(out, "]\t\t", ids[i]);
	}
}

static const char *type_name(uint8_t type)
{
	static const char *const names[] = {HPROF_PRIMITIVE_TYPES(HPROF_TEXT_ENTRY)};
	size_t count = sizeof(names) / sizeof(names[0]);
	return type < count && names[type] != NULL ? names[type] : "<unknown>";
}

static void heap_primitive_array(struct byte_buffer *out, unsigned id_size,
                                 const struct heap_array *array)
{
	(void)id_size;
	add_head(out, "ARR ", array->object_id, array->size, array->trace_serial);
	byte_buffer_add_text(out, ", nelems=");
	add_u4(out, array->length);
	byte_buffer_add_text(out, ", elem type=");
	byte_buffer_add_text(out, type_name(array->type));
	byte_buffer_add_text(out, "[])\n");
}

static void heap_bytes(struct byte_buffer *out, const uint8_t *bytes, size_t length)
{
	(void)out;
	(void)bytes;
	(void)length;
}

const struct heap_format heap_format_text = {
        .begin = heap_begin,
        .end = heap_end,
        .root = heap_root,
        .class_dump = heap_class,
        .instance = heap_instance,
        .object_array = heap_object_array,
        .elements = heap_elements,
        .primitive_array = heap_primitive_array,
        .bytes = heap_bytes,
};
