/* dump_merge_fixture.c: see dump_merge_fixture.h. */
#include "dump_merge_fixture.h"

struct byte_buffer bytes;
struct os_file file;
struct model model;
struct memory_sink *memory;
struct record_writer *writer;
size_t header;
uint64_t reported_read;
uint64_t reported_written;
uint64_t reported_total;

/* ---- the file ---------------------------------------------------------- */

void add_list(struct byte_buffer *to, unsigned count)
{
	byte_buffer_add_u2(to, (uint16_t)count);
}

void add_field(struct byte_buffer *to, uint64_t name, uint8_t type)
{
	byte_buffer_add_u8(to, name);
	byte_buffer_add_u1(to, type);
}

void add_names(void)
{
	static const char *const names[] = {[OBJECT] = "java/lang/Object",
	                                    [NODE] = "Node",
	                                    [NEXT] = "next",
	                                    [COUNT] = "count",
	                                    [THREAD] = "java/lang/Thread",
	                                    [TID] = "tid",
	                                    [ARRAY] = "[Ljava/lang/Object;",
	                                    [STATIC] = "first",
	                                    [RUN] = "run",
	                                    [SIGNATURE] = "()V",
	                                    [SOURCE] = "Node.java"};
	for (uint64_t i = 1; i < sizeof(names) / sizeof(names[0]); i++)
		add_string(&bytes, i, names[i]);
	add_load_class(&bytes, 1, C_OBJECT, OBJECT);
	add_load_class(&bytes, 2, C_NODE, NODE);
	add_load_class(&bytes, 3, C_THREAD, THREAD);
	add_load_class(&bytes, 4, C_ARRAY, ARRAY);
}

static void add_trace(void)
{
	size_t start = begin_record(&bytes, HPROF_RECORD_STACK_FRAME);
	byte_buffer_add_u8(&bytes, 77);
	byte_buffer_add_u8(&bytes, RUN);
	byte_buffer_add_u8(&bytes, SIGNATURE);
	byte_buffer_add_u8(&bytes, SOURCE);
	byte_buffer_add_u4(&bytes, 2);
	byte_buffer_add_u4(&bytes, 12);
	end_record(&bytes, start);
	start = begin_record(&bytes, HPROF_RECORD_STACK_TRACE);
	byte_buffer_add_u4(&bytes, 5);
	byte_buffer_add_u4(&bytes, 9);
	byte_buffer_add_u4(&bytes, 1);
	byte_buffer_add_u8(&bytes, 77);
	end_record(&bytes, start);
}

void add_classes(void)
{
	add_class_head(&bytes, C_OBJECT, 0, 0);
	for (int i = 0; i < 3; i++)
		add_list(&bytes, 0);
	add_class_head(&bytes, C_NODE, C_OBJECT, 12);
	add_list(&bytes, 0);
	add_list(&bytes, 1);
	add_field(&bytes, STATIC, HPROF_TYPE_OBJECT);
	byte_buffer_add_u8(&bytes, O_FIRST);
	add_list(&bytes, 2);
	add_field(&bytes, NEXT, HPROF_TYPE_OBJECT);
	add_field(&bytes, COUNT, HPROF_TYPE_INT);
	add_class_head(&bytes, C_THREAD, C_NODE, 20);
	add_list(&bytes, 0);
	add_list(&bytes, 0);
	add_list(&bytes, 1);
	add_field(&bytes, TID, HPROF_TYPE_LONG);
	add_class_head(&bytes, C_ARRAY, C_OBJECT, 0);
	for (int i = 0; i < 3; i++)
		add_list(&bytes, 0);
}

void add_node(uint64_t id, uint64_t next, uint32_t count)
{
	add_instance_head(&bytes, id, C_NODE, 12);
	byte_buffer_add_u8(&bytes, next);
	byte_buffer_add_u4(&bytes, count);
}

static void add_objects(void)
{
	add_node(O_FIRST, O_SECOND, 0x11223344);
	add_node(O_SECOND, 0, 2);
	add_instance_head(&bytes, O_THREAD, C_THREAD, 20);
	byte_buffer_add_u8(&bytes, 42);
	byte_buffer_add_u8(&bytes, O_FIRST);
	byte_buffer_add_u4(&bytes, 3);
	add_object_array_head(&bytes, O_ARRAY, C_ARRAY, 3);
	byte_buffer_add_u8(&bytes, 0);
	byte_buffer_add_u8(&bytes, O_THREAD);
	byte_buffer_add_u8(&bytes, C_NODE);
	add_primitive_array_head(&bytes, O_BYTES, HPROF_TYPE_BYTE, 5);
	byte_buffer_add(&bytes, "hello", 5);
}

static void add_roots(void)
{
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_THREAD_OBJECT);
	byte_buffer_add_u8(&bytes, O_THREAD);
	byte_buffer_add_u4(&bytes, 9);
	byte_buffer_add_u4(&bytes, 5);
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_JAVA_FRAME);
	byte_buffer_add_u8(&bytes, O_ARRAY);
	byte_buffer_add_u4(&bytes, 9);
	byte_buffer_add_u4(&bytes, 0);
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_STICKY_CLASS);
	byte_buffer_add_u8(&bytes, C_NODE);
	byte_buffer_add_u1(&bytes, HPROF_SUB_ROOT_JNI_GLOBAL);
	byte_buffer_add_u8(&bytes, O_BYTES);
	byte_buffer_add_u8(&bytes, 0x7f00);
}

void make_dump(void)
{
	byte_buffer_truncate(&bytes, 0);
	add_header(&bytes, "JAVA PROFILE 1.0.2", 8);
	add_names();
	add_trace();
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_classes();
	add_objects();
	end_record(&bytes, start);
	start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_roots();
	end_record(&bytes, start);
	end_record(&bytes, begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_END));
}

/* ---- the output -------------------------------------------------------- */

static const struct class_record *class_of(void *context, uint64_t id, const char *name,
                                           size_t length)
{
	static struct class_record classes[8];
	uint64_t at = (id - C_OBJECT) / 8 % 8;
	(void)context;

	classes[at] =
	        (struct class_record){.serial = 100001 + (uint32_t)at,
	                              .object_id = 0x50000010 + at,
	                              .name = string_table_intern(model.strings, name, length)};
	return classes[at].name == NULL ? NULL : &classes[at];
}

static struct merge_thread thread_of(void *context, uint64_t object_id, uint64_t tid)
{
	(void)context;
	(void)object_id;
	return tid == 42 ? (struct merge_thread){.serial = 200007, .object_id = 0x50000077}
	                 : (struct merge_thread){.serial = 200099};
}

static uint32_t trace_of(void *context, uint64_t object_id)
{
	(void)context;
	return object_id == O_SECOND ? 300001 : TRACE_SERIAL_EMPTY;
}

static uint64_t instance_size(void *context, const struct class_record *class)
{
	(void)context;
	(void)class;
	return 24;
}

static uint64_t array_size(void *context, uint8_t type, uint32_t length)
{
	(void)context;
	return 16 + (uint64_t)length * heap_type_size(type, 4);
}

static void progress(void *context, uint64_t done, uint64_t total)
{
	(void)context;
	if (total == 0)
		reported_read++;
	else
		reported_written++;
	ck_assert(total == 0 || done <= total);
	reported_total = total;
}

const struct merge_ops ops = {
        .class_of = class_of,
        .thread_of = thread_of,
        .trace_of = trace_of,
        .instance_size = instance_size,
        .array_size = array_size,
        .progress = progress,
};

void (*before_merge)(void);
void (*after_merge)(void);

uint64_t object_count;
int writing_error;
hprof_more *more;

static int merge_file(struct dump_merge *merge)
{
	struct dump_merger *merger = dump_merge_begin(merge);
	if (merger == NULL)
		return OS_NO_MEMORY;
	int error = dump_merge_read(merger, &file, more, NULL);
	if (error == 0)
		error = dump_merge_write(merger, &file, 1);
	dump_merge_end(merger);
	return error;
}

int merge_first(const struct record_format *format, size_t length)
{
	memory = memory_sink_reset();
	change_input(&file, bytes.bytes, length);
	writer = writer_create(format, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(writer);
	header = memory->length;
	struct dump_merge merge = {
	        .ops = &ops,
	        .model = &model,
	        .writer = writer,
	        .addresses = true,
	        .lines = true,
	        .wall_ms = CREATED_WALL_MS,
	};
	if (before_merge != NULL)
		before_merge();
	int error = merge_file(&merge);
	if (after_merge != NULL)
		after_merge();
	object_count = merge.object_count;
	writing_error = writer_close(writer);
	return error;
}

int merge_all(const struct record_format *format)
{
	return merge_first(format, bytes.length);
}

void set_up(void)
{
	setenv("TZ", "UTC", 1);
	byte_buffer_init(&bytes);
	make_dump();
	ck_assert(model_init(&model));
	ck_assert_int_eq(os_file_temporary(NULL, &file), 0);
}

void tear_down(void)
{
	byte_buffer_free(&bytes);
	model_destroy(&model);
	ck_assert_int_eq(os_file_close(&file), 0);
}
