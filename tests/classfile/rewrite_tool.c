/*
 * Rewrites class files by a test plan, to look at the results or to measure the
 * rewriter's speed.
 *
 *   rewrite_tool PLAN [-n ROUNDS] [-o DIRECTORY] PATH...
 *
 * Each PATH is a class file or a directory that is searched for them. With -o the
 * new class files are written below DIRECTORY under their own class names. Prints
 * counts and the rate at which all files, in memory, were parsed and rewritten.
 * Single-threaded.
 */
#include "test_plans.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct file {
	uint8_t *bytes;
	size_t length;
};

static struct file *files;
static size_t file_count;
static size_t file_capacity;
static unsigned long bytes_in, bytes_out, rewritten, refused, methods, skipped[REWRITE_SKIP_COUNT];

static int add_file(const char *path, const struct stat *status, int type, struct FTW *position)
{
	size_t length = strlen(path);
	struct file file;
	FILE *stream;

	(void)position;
	if (type != FTW_F || length < 6 || strcmp(path + length - 6, ".class") != 0)
		return 0;
	file.length = (size_t)status->st_size;
	file.bytes = malloc(file.length + 1);
	stream = fopen(path, "rb");
	if (!stream || !file.bytes || fread(file.bytes, 1, file.length, stream) != file.length) {
		perror(path);
		exit(2);
	}
	fclose(stream);
	if (file_count == file_capacity) {
		file_capacity = file_capacity * 2 + 1024;
		files = realloc(files, file_capacity * sizeof(files[0]));
		if (!files)
			exit(2);
	}
	files[file_count++] = file;
	return 0;
}

static void write_file(const char *directory, struct classfile_name name, const uint8_t *bytes,
                       size_t length)
{
	char path[4096];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%.*s.class", directory, name.length,
	         (const char *)name.bytes);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			perror(path);
		*slash = '/';
	}
	stream = fopen(path, "wb");
	if (!stream || fwrite(bytes, 1, length, stream) != length || fclose(stream)) {
		perror(path);
		exit(2);
	}
}

static void rewrite_one(const struct file *file, const struct rewrite_plan *plan,
                        const char *directory)
{
	struct classfile_error error;
	struct classfile *classfile = classfile_parse(file->bytes, file->length, NULL, &error);
	struct rewrite_result result;

	bytes_in += file->length;
	if (!classfile) {
		refused++;
		printf("refused: %s at %zu\n", error.reason, error.offset);
		return;
	}
	if (rewrite_class(classfile, plan, &result) == REWRITE_CHANGED) {
		rewritten++;
		bytes_out += result.length;
		if (directory)
			write_file(directory, classfile_class_name(classfile), result.bytes,
			           result.length);
	}
	methods += result.methods_rewritten;
	for (int i = 0; i < REWRITE_SKIP_COUNT; i++)
		skipped[i] += result.skipped[i];
	rewrite_result_free(classfile, &result);
	classfile_free(classfile);
}

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void print_counts(double spent)
{
	printf("%lu rewritten, %lu refused, %lu methods, %lu bytes in, %lu out, %.1f MB/s\n",
	       rewritten, refused, methods, bytes_in, bytes_out, (double)bytes_in / 1e6 / spent);
	for (int i = 1; i < REWRITE_SKIP_COUNT; i++) {
		if (skipped[i])
			printf("%lu methods skipped: %s\n", skipped[i],
			       rewrite_skip_text((enum rewrite_skip)i));
	}
}

int main(int argc, char **argv)
{
	const struct rewrite_plan *plan = argc > 1 ? test_plan_find(argv[1]) : NULL;
	const char *directory = NULL;
	long rounds = 1;
	int next = 2;
	double start;

	for (; next + 1 < argc && argv[next][0] == '-'; next += 2) {
		if (!strcmp(argv[next], "-n"))
			rounds = strtol(argv[next + 1], NULL, 10);
		else
			directory = argv[next + 1];
	}
	if (!plan || next >= argc) {
		fprintf(stderr, "rewrite_tool PLAN [-n ROUNDS] [-o DIRECTORY] PATH...\n");
		return 2;
	}
	for (; next < argc; next++) {
		if (nftw(argv[next], add_file, 16, FTW_PHYS)) {
			perror(argv[next]);
			return 2;
		}
	}
	start = seconds();
	for (; rounds > 0; rounds--) {
		for (size_t i = 0; i < file_count; i++)
			rewrite_one(&files[i], plan, directory);
	}
	print_counts(seconds() - start);
	for (size_t i = 0; i < file_count; i++)
		free(files[i].bytes);
	free(files);
	return 0;
}
