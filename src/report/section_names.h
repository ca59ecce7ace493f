/*
 * section_names.h: the kinds of sections with stacks: their words on the command line, and what
 * pictures call them. Constant.
 */
#ifndef HPROF_REPORT_SECTION_NAMES_H
#define HPROF_REPORT_SECTION_NAMES_H

#include "report/section.h"

struct section_name {
	enum section_kind kind;
	const char *word;  /* of --of */
	const char *title; /* of several sections of that kind */
	const char *unit;  /* of costs */
};

/* NULL if there is no such word. */
const struct section_name *section_name_of_word(const char *word);

/* kind is one with stacks. */
const struct section_name *section_name_of_kind(enum section_kind kind);

#endif
