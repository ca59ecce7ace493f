/* sink_fixture.c: see sink_fixture.h. */
#include "sink_fixture.h"

static char directory[256];
char path[300];
struct sink *sink;

struct sink *open_sink(const char *name)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(name, OS_FILE_OVERWRITE, &file), 0);
	struct sink *created = sink_file_create(&file);
	ck_assert_ptr_nonnull(created);
	return created;
}

void make_file(void)
{
	const char *parent = getenv("TMPDIR");
	snprintf(directory, sizeof(directory), "%s/hprof-sink-XXXXXX", parent ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/profile", directory);
	sink = open_sink(path);
}

void remove_file(void)
{
	unlink(path);
	rmdir(directory);
}

int append(const char *text)
{
	return sink->ops->write(sink, text, strlen(text));
}

int set_tail(const char *text)
{
	return sink->ops->set_tail(sink, text, strlen(text));
}

void begin_group(void)
{
	sink->ops->begin_group(sink);
}

void end_group(bool keep)
{
	sink->ops->end_group(sink, keep);
}

void expect_file(const char *text)
{
	char bytes[4096];
	FILE *file = fopen(path, "rb");
	ck_assert_ptr_nonnull(file);
	size_t length = fread(bytes, 1, sizeof(bytes) - 1, file);
	fclose(file);
	bytes[length] = '\0';
	ck_assert_str_eq(bytes, text);
}
