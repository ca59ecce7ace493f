/*
 * attach_answer.h: interprets the answer of a JVM to the request to load an agent. Pure.
 */
#ifndef HPROF_ATTACH_ATTACH_ANSWER_H
#define HPROF_ATTACH_ATTACH_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum attach_verdict {
	ATTACH_LOADED,
	ATTACH_AGENT_REFUSED, /* loaded, but it returned a code other than 0 */
	ATTACH_JVM_REFUSED
};

/* Judges an answer, of the JVM itself or as jcmd prints it. If the JVM refused, text is its
 * reason, empty if it gave none; otherwise text is empty. */
enum attach_verdict attach_answer_judge(const char *answer, uint64_t pid, char *text, size_t size);

#endif
