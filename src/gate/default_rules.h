/*
 * default_rules.h: the text of patterns.txt, which the Makefile embeds.
 */
#ifndef HPROF_GATE_DEFAULT_RULES_H
#define HPROF_GATE_DEFAULT_RULES_H

#include <stddef.h>

extern const unsigned char gate_patterns[];
extern const size_t gate_patterns_length;

#endif
