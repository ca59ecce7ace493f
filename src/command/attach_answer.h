/*
 * attach_answer.h: what a JVM answers to the request to load an agent. Pure.
 */
#ifndef HPROF_COMMAND_ATTACH_ANSWER_H
#define HPROF_COMMAND_ATTACH_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum attach_verdict {
	ATTACH_LOADED,
	ATTACH_AGENT_REFUSED, /* it was loaded, and returned another code than 0 */
	ATTACH_JVM_REFUSED
};

/* Judges an answer of the JVM itself, or one that jcmd has printed. text is the first line that
 * says why the JVM refused; empty when none does, and for other verdicts. */
enum attach_verdict attach_answer_judge(const char *answer, uint64_t pid, char *text, size_t size);

#endif
