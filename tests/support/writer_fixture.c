/* writer_fixture.c: see writer_fixture.h. */
#include "writer_fixture.h"

/* ---- a sink in memory ------------------------------------------------- */

static int memory_put(struct memory_sink *memory, const void *bytes, size_t length)
{
	memory->calls++;
	memory->calls_after_failure += memory->failed;
	if (memory->fail_at != 0 && memory->calls >= memory->fail_at) {
		memory->failed = true;
		return SINK_BROKEN;
	}
	/* No assertions here: they allocate, and a test may make allocations fail. */
	if (length > sizeof(memory->bytes) - memory->appended)
		return SINK_BROKEN;
	if (length > 0)
		memcpy(memory->bytes + memory->appended, bytes, length);
	memory->length = memory->appended + length;
	return 0;
}

int memory_write(struct sink *to, const void *bytes, size_t length)
{
	struct memory_sink *memory = (struct memory_sink *)to;
	int error = memory_put(memory, bytes, length);
	if (error == 0)
		memory->appended = memory->length;
	return error;
}

static int memory_set_tail(struct sink *to, const void *bytes, size_t length)
{
	return memory_put((struct memory_sink *)to, bytes, length);
}

int memory_close(struct sink *to)
{
	struct memory_sink *memory = (struct memory_sink *)to;
	memory->closed++;
	return memory->close_error;
}

const struct sink_ops memory_ops = {
        .write = memory_write,
        .set_tail = memory_set_tail,
        .close = memory_close,
};

struct memory_sink *memory_sink_reset(void)
{
	static struct memory_sink memory;
	memory.sink.ops = &memory_ops;
	memory.appended = 0;
	memory.length = 0;
	memory.calls = 0;
	memory.fail_at = 0;
	memory.failed = false;
	memory.calls_after_failure = 0;
	memory.closed = 0;
	memory.close_error = 0;
	return &memory;
}

/* ---- records ---------------------------------------------------------- */

const struct string name_main = STRING(1, "main");
const struct string name_group = STRING(2, "system");
const struct string name_none = STRING(3, "");
const struct string name_class = STRING(4, "Sample");
const struct string name_work = STRING(5, "work");
const struct string name_locked = STRING(6, "locked");
const struct string name_source = STRING(7, "Sample.java");
const struct string name_signature = STRING(8, "(I)V");
static const struct string name_lambda = STRING(9, "Sample$$Lambda/0x1f");
const struct string name_run = STRING(10, "run");

const struct thread_record thread_main = {.serial = 200001,
                                          .object_id = 0x500001c3,
                                          .name = &name_main,
                                          .group = &name_group,
                                          .parent_group = &name_none};

const struct class_record class_sample = {
        .serial = 100001, .object_id = 0x50000010, .name = &name_class};

const struct class_record class_lambda = {
        .serial = 100002, .object_id = 0x50000011, .name = &name_lambda};

const struct method method_work = {.vm_id = 1,
                                   .class = &class_sample,
                                   .name = &name_work,
                                   .signature = &name_signature,
                                   .source = &name_source};

const struct method method_locked = {.vm_id = 2,
                                     .class = &class_sample,
                                     .name = &name_locked,
                                     .signature = &name_signature,
                                     .source = &name_source};

static const struct method method_run = {.vm_id = 3,
                                         .class = &class_lambda,
                                         .name = &name_run,
                                         .signature = &name_signature,
                                         .source = NULL};

const struct frame frame_work = {.id = 1, .method = &method_work, .line = 6};
const struct frame frame_locked = {.id = 2, .method = &method_locked, .line = LINE_NATIVE};
const struct frame frame_run = {.id = 3, .method = &method_run, .line = LINE_UNKNOWN};
static const struct frame frame_bare = {.id = 4, .method = &method_work, .line = LINE_NONE};

static const struct frame *const frames_work[] = {&frame_work, &frame_locked, &frame_run,
                                                  &frame_bare};

const struct frame *const frames_locked[] = {&frame_locked};
const struct trace trace_empty = {.serial = TRACE_SERIAL_EMPTY};
const struct trace trace_work = {.serial = 300001, .depth = 4, .frames = frames_work};

const struct trace trace_locked = {
        .serial = 300002, .thread_serial = 200001, .depth = 1, .frames = frames_locked};

const struct cost_row sample_rows[] = {{&trace_work, 2}, {&trace_locked, 1}};

const struct cpu_samples_record samples = {
        .wall_ms = CREATED_WALL_MS, .total = 3, .row_count = 2, .rows = sample_rows};

/* ---- comparisons ------------------------------------------------------ */

void expect_bytes(const uint8_t *bytes, size_t length, const char *pattern)
{
	size_t at = 0;
	bool quoted = false;

	for (const char *p = pattern; *p != '\0'; p++) {
		if (*p == '\'') {
			quoted = !quoted;
			continue;
		}
		if (!quoted && *p == ' ')
			continue;
		ck_assert_msg(at < length, "only %zu bytes; missing: %s", length, p);
		unsigned expected = bytes[at];
		if (quoted) {
			expected = (unsigned char)*p;
		} else if (*p == '?') {
			p++;
		} else {
			ck_assert_int_eq(sscanf(p, "%2x", &expected), 1);
			p++;
		}
		ck_assert_msg(bytes[at] == expected, "byte %zu is %02x instead of %02x, before: %s",
		              at, bytes[at], expected, p);
		at++;
	}
	ck_assert_msg(at == length, "%zu bytes, %zu more than expected", length, length - at);
}

void expect_text(const uint8_t *bytes, size_t length, const char *text)
{
	ck_assert_msg(length == strlen(text) && memcmp(bytes, text, length) == 0,
	              "expected:\n%s\nsaw:\n%.*s", text, (int)length, (const char *)bytes);
}
