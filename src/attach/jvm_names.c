/*
 * jvm_names.c: see jvm_names.h. One thread; no lock.
 *
 * The names are those of the performance data files. A JVM without one (-XX:-UsePerfData) is found
 * by its process ID only.
 */
#include "attach/jvm_names.h"

#include "attach/jvm.h"
#include "attach/perf_file.h"
#include "base/whole_number.h"
#include "console/messages.h"

#include <stdlib.h>
#include <string.h>

enum { COMMAND_BYTES = 512, LISTED_MAX = 100 };

static const char jar_suffix[] = ".jar";

struct listed_jvm {
	uint64_t pid;
	char command[COMMAND_BYTES];
};

struct listing {
	struct listed_jvm *jvms;
	size_t count;
};

/* ---- names ------------------------------------------------------------------------------- */

static size_t after_last(const char *text, size_t length, const char *separators)
{
	while (length > 0 && strchr(separators, text[length - 1]) == NULL)
		length--;
	return length;
}

static bool is_text(const char *text, size_t length, const char *name)
{
	return strlen(name) == length && strncmp(text, name, length) == 0;
}

/* Whether it is the main class or jar of length bytes, or its last part. */
static bool main_matches(const char *text, size_t length, const char *name)
{
	const size_t suffix = sizeof(jar_suffix) - 1;
	bool is_jar = length > suffix && strncmp(text + length - suffix, jar_suffix, suffix) == 0;
	size_t file = after_last(text, length, "/\\");

	if (is_text(text, length, name) || is_text(text + file, length - file, name))
		return length > 0;
	if (is_jar)
		return false;
	size_t simple = after_last(text, length, "/.");
	return simple < length && is_text(text + simple, length - simple, name);
}

bool jvm_name_matches(const char *command, const char *name)
{
	size_t first = strcspn(command, " ");

	if (main_matches(command, first, name))
		return true;
	/* The path of a jar may contain blanks. */
	for (const char *at = strstr(command, jar_suffix); at != NULL;
	     at = strstr(at + 1, jar_suffix)) {
		const char *end = at + sizeof(jar_suffix) - 1;
		if (*end == '\0' || *end == ' ')
			return (command[0] == '/' || command[1] == ':') &&
			       main_matches(command, (size_t)(end - command), name);
	}
	return false;
}

/* ---- the running JVMs --------------------------------------------------------------------- */

static void add(void *user, uint64_t pid, struct os_file *data)
{
	struct listing *listing = user;

	if (listing->count == LISTED_MAX)
		return;
	struct listed_jvm *jvm = &listing->jvms[listing->count];
	if (!perf_file_text(data, PERF_COMMAND, jvm->command, sizeof(jvm->command)))
		return;
	jvm->pid = pid;
	listing->count++;
}

/* False after printing an error. To be freed in any case. */
static bool list(struct listing *listing)
{
	*listing = (struct listing){.jvms = calloc(LISTED_MAX, sizeof(struct listed_jvm))};
	int error = listing->jvms == NULL ? OS_NO_MEMORY : jvm_each(add, listing);
	if (error != 0)
		console_print("can't list the running JVMs: %s; write a process ID",
		              console_reason(error).text);
	return error == 0;
}

static void print_jvm(const struct listed_jvm *jvm)
{
	console_print("  %llu %s", (unsigned long long)jvm->pid, console_shown(jvm->command).text);
}

/* Moves the JVMs of that name to the front. Returns their number. */
static size_t select_named(struct listing *listing, const char *name)
{
	size_t selected = 0;
	for (size_t i = 0; i < listing->count; i++) {
		if (!jvm_name_matches(listing->jvms[i].command, name))
			continue;
		struct listed_jvm found = listing->jvms[i];
		listing->jvms[i] = listing->jvms[selected];
		listing->jvms[selected++] = found;
	}
	return selected;
}

static bool find_named(struct listing *listing, const char *name, uint64_t *pid)
{
	size_t selected = select_named(listing, name);

	if (selected == 1) {
		*pid = listing->jvms[0].pid;
		return true;
	}
	if (selected > 1)
		console_print("%zu JVMs run %s; write the process ID of one of them:", selected,
		              console_shown(name).text);
	else if (listing->count == 0)
		console_print("no JVM runs %s: this user has none that has a name; write a process "
		              "ID, or run hprof as the user of the JVM or as root",
		              console_shown(name).text);
	else
		console_print("no JVM runs %s; write the process ID, main class or jar of one of:",
		              console_shown(name).text);
	for (size_t i = 0; i < (selected > 0 ? selected : listing->count); i++)
		print_jvm(&listing->jvms[i]);
	return false;
}

bool jvm_find(const char *number_or_name, uint64_t *pid)
{
	struct listing listing;
	long long number;

	if (whole_number_parse(number_or_name, 1, INT64_MAX, &number)) {
		*pid = (uint64_t)number;
		return true;
	}
	bool found = list(&listing) && find_named(&listing, number_or_name, pid);
	free(listing.jvms);
	return found;
}

static bool has_inner_number(uint64_t pid, uint64_t inner)
{
	static struct attach_result result;
	struct jvm *jvm;

	jvm_hold(pid, &jvm, &result);
	if (jvm == NULL)
		return false;
	jvm_release(jvm);
	return result.inner_pid == inner && pid != inner;
}

bool jvm_find_inner(uint64_t inner, uint64_t *pid)
{
	struct listing listing;
	size_t found = 0;

	if (list(&listing)) {
		for (size_t i = 0; i < listing.count; i++) {
			if (!has_inner_number(listing.jvms[i].pid, inner))
				continue;
			*pid = listing.jvms[i].pid;
			found++;
		}
	}
	free(listing.jvms);
	return found == 1;
}

void jvm_command_of(uint64_t pid, char *command, size_t size)
{
	struct listing listing;

	command[0] = '\0';
	if (list(&listing)) {
		for (size_t i = 0; i < listing.count; i++) {
			if (listing.jvms[i].pid == pid)
				(void)strlcpy(command, listing.jvms[i].command, size);
		}
	}
	free(listing.jvms);
}
