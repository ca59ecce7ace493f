/*
 * classfile_plan.h: a rewriting plan for tests, made of a list of insertions.
 * What is inserted is as many nops as asked for, or a push and pop of a mark.
 */
#ifndef HPROF_TESTS_CLASSFILE_PLAN_H
#define HPROF_TESTS_CLASSFILE_PLAN_H

#include "class_builder.h"

enum wanted_place { LIST_END, AT_ENTRY, BEFORE, AFTER, IN_HANDLER };

struct wanted {
	enum wanted_place place;
	uint32_t offset;
	uint32_t nops; /* 0 for a mark */
	int32_t mark;  /* iconst and pop, from 0 to 5 */
};

void edit_by_list(void *context, const struct classfile *classfile,
                  const struct classfile_method *method, struct method_edit *edit);

/* Rewrites with the insertions given as { place, offset, nops, mark }. */
#define REWRITE(builder, ...)                                                                   \
	({                                                                                      \
		struct wanted wanted_list[] = {__VA_ARGS__, {LIST_END, 0, 0, 0}};               \
		struct rewrite_plan list_plan = {.context = wanted_list, .edit = edit_by_list}; \
		rewrite_built(builder, &list_plan);                                             \
	})

#define ASSERT_SKIPPED(rewritten, reason)                                           \
	do {                                                                        \
		ck_assert_int_eq((int)(rewritten)->status, (int)REWRITE_UNCHANGED); \
		ck_assert_uint_eq((rewritten)->result.skipped[reason], 1);          \
	} while (0)

#endif
