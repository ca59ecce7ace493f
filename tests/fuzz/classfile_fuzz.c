/*
 * libFuzzer harness of the class-file reader and rewriter: any input is parsed,
 * and what parses is rewritten by one of the test plans, which the input's length
 * decides. Besides what the sanitizers
 * see, it stops when a rewritten class does not parse, or when its code does not
 * come apart again where the original's did. `make fuzz` builds and runs it.
 */
#include "classfile/short_method.h"
#include "test_plans.h"

#include <stdlib.h>

/* An allocator that fails from a certain request on. */
struct limited_memory {
	uint32_t left;
};

static void *limited_resize(void *context, void *block, size_t bytes)
{
	struct limited_memory *limit = context;

	if (!bytes) {
		free(block);
		return NULL;
	}
	if (!limit->left)
		return NULL;
	limit->left--;
	return realloc(block, bytes);
}

static bool any_call(void *context, const struct classfile_member *called)
{
	(void)context;
	return called->name.length % 2 == 0;
}

static void touch_readers(const struct classfile *classfile)
{
	struct classfile_line lines[8];
	struct classfile_member member;
	struct classfile_name name;

	for (uint32_t i = 0; i < classfile_method_count(classfile); i++) {
		classfile_method_lines(classfile, i, lines, 8);
		(void)classfile_method_kind(classfile, i, any_call, NULL);
	}
	for (uint32_t i = 0; i < 300; i++) {
		classfile_class_at(classfile, (uint16_t)i, &name);
		classfile_member_at(classfile, (uint16_t)i, &member);
	}
}

static uint32_t unclear(const struct rewrite_result *result)
{
	return result->skipped[REWRITE_SKIP_MALFORMED_ATTRIBUTE] +
	       result->skipped[REWRITE_SKIP_CONSTRUCTOR];
}

/*
 * The new class must be as good as the old one: its code can be rewritten again.
 * In code long enough to have wide branches, types are looked at that nobody
 * looked at before, so no more is said of it.
 */
static void check_result(const struct rewrite_result *result, const struct rewrite_plan *plan)
{
	struct classfile *classfile = classfile_parse(result->bytes, result->length, NULL, NULL);
	struct rewrite_result again;

	if (!classfile)
		abort();
	if (rewrite_class(classfile, plan, &again) == REWRITE_NO_MEMORY)
		abort();
	if (again.skipped[REWRITE_SKIP_MALFORMED_CODE] >
	    result->skipped[REWRITE_SKIP_MALFORMED_CODE])
		abort();
	if (again.length <= INT16_MAX && unclear(&again) > unclear(result))
		abort();
	rewrite_result_free(classfile, &again);
	classfile_free(classfile);
}

static const struct rewrite_plan *plan_for(size_t length)
{
	size_t count = 0;

	while (test_plan_at(count, NULL))
		count++;
	return test_plan_at(length % count, NULL);
}

static void rewrite(const uint8_t *bytes, size_t length, const struct classfile_memory *memory)
{
	struct classfile *classfile = classfile_parse(bytes, length, memory, NULL);
	const struct rewrite_plan *plan = plan_for(length);
	struct rewrite_result result;

	if (!classfile)
		return;
	touch_readers(classfile);
	if (rewrite_class(classfile, plan, &result) == REWRITE_CHANGED)
		check_result(&result, plan);
	rewrite_result_free(classfile, &result);
	classfile_free(classfile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rewrite(data, size, NULL);
	if (size && data[size - 1] % 16 == 1) {
		struct limited_memory limit = {data[size / 2]};
		struct classfile_memory memory = {limited_resize, &limit};

		rewrite(data, size, &memory);
	}
	return 0;
}
