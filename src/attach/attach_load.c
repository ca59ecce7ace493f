/*
 * attach_load.c: see attach_load.h.
 */
#include "attach/attach_load.h"

#include "attach/attach_explain.h"
#include "attach/jcmd.h"
#include "console/messages.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 512, MESSAGES_MAX = 16 * 1024 };

bool attach_load(uint64_t pid, const char *library, const char *options,
                 enum attach_interrupts interrupts, enum attach_verdict *verdict)
{
	static struct attach_result result;
	char text[TEXT_BYTES];

	if (jvm_load(pid, library, options, interrupts, &result) == OS_UNSUPPORTED) {
		if (!jcmd_load(pid, library, options, result.answer, sizeof(result.answer)))
			return false;
	} else if (result.outcome != ATTACH_ANSWERED) {
		(void)attach_explain(pid, library, &result);
		return false;
	}
	*verdict = attach_answer_judge(result.answer, pid, text, sizeof(text));
	if (*verdict != ATTACH_JVM_REFUSED)
		return true;
	(void)console_failed("process %llu can't load the agent: %s", (unsigned long long)pid,
	                     text[0] == '\0' ? "it gave no reason" : console_shown(text).text);
	return false;
}

static size_t read_messages(const struct jvm *jvm, char *text, size_t size)
{
	struct os_file file;
	size_t used = 0;
	size_t got = 1;

	if (jvm_file_open(jvm, ATTACH_MESSAGES_SUFFIX, &file) != 0)
		return 0;
	while (got > 0 && used < size && os_file_read(&file, text + used, size - used, &got) == 0)
		used += got;
	(void)os_file_close(&file);
	return used;
}

int attach_print_messages(const struct jvm *jvm, const char *prefix)
{
	static const char agents_prefix[] = "hprof: ";
	static char text[MESSAGES_MAX];
	int lines = 0;

	text[read_messages(jvm, text, sizeof(text) - 1)] = '\0';
	for (char *line = text; *line != '\0';) {
		size_t length = strcspn(line, "\n");
		char *next = line + length + (line[length] == '\n' ? 1 : 0);
		line[length] = '\0';
		if (strncmp(line, agents_prefix, sizeof(agents_prefix) - 1) == 0)
			line += sizeof(agents_prefix) - 1;
		if (*line != '\0') {
			console_print("%s%s", prefix, console_shown(line).text);
			lines++;
		}
		line = next;
	}
	return lines;
}

int attach_print_refusal(uint64_t pid, const struct jvm *jvm)
{
	const unsigned long long number = pid;
	char prefix[64];

	(void)snprintf(prefix, sizeof(prefix), "the agent in process %llu refused: ", number);
	if (jvm != NULL && attach_print_messages(jvm, prefix) > 0)
		return EXIT_FAILED;
	return console_failed(
	        "the agent refused; the standard error of process %llu has the reason", number);
}
