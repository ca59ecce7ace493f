/*
 * run_notes.c: see run_notes.h. The texts come from the command line of the program, in any
 * encoding: bytes that are not printable are escaped.
 */
#include "agent/run_notes.h"

#include "base/printable.h"
#include "os/time_units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much of the program's command line a note shows; some have thousands of files in it. */
enum { PROPERTY_MAX = 1024 };

bool run_notes_keep_options(const char *text, char **options)
{
	static const char escaped[] = "\\xNN";
	const char *given = text == NULL ? "" : text;
	size_t length = strlen(given);

	if (length >= SIZE_MAX / sizeof(escaped))
		return false;
	size_t size = (length + 1) * sizeof(escaped);
	*options = malloc(size);
	if (*options == NULL)
		return false;
	printable_text(given, length, *options, size);
	return true;
}

/* Reads a system property into text, cut off if it does not fit; false if it is not set. */
static bool get_property(struct profile *profile, const char *name, char text[PROPERTY_MAX])
{
	char *value = NULL;

	if ((*profile->jvmti)->GetSystemProperty(profile->jvmti, name, &value) != JVMTI_ERROR_NONE)
		return false;
	printable_text(value, strlen(value), text, PROPERTY_MAX);
	profile_deallocate(profile, value);
	return text[0] != '\0';
}

/* Writes a note of any length. */
static void write_note(struct profile *profile, const char *what, const char *text)
{
	size_t size = strlen(what) + strlen(text) + sizeof(": ");
	char *note = malloc(size);

	if (note == NULL) {
		profile_out_of_memory(profile);
		return;
	}
	(void)snprintf(note, size, "%s: %s", what, text);
	writer_note(profile->writer, note);
	free(note);
}

void run_notes_write_start(struct profile *profile, const char *options)
{
	char program[PROPERTY_MAX];
	char version[PROPERTY_MAX];
	char name[PROPERTY_MAX];

	/* Unknown if the JVM was not started by the java command. */
	if (get_property(profile, "sun.java.command", program))
		write_note(profile, "program", program);
	if (get_property(profile, "java.vm.version", version) &&
	    get_property(profile, "java.vm.name", name)) {
		char jvm[2 * PROPERTY_MAX];
		(void)snprintf(jvm, sizeof(jvm), "%s %s", version, name);
		write_note(profile, "JVM", jvm);
	}
	write_note(profile, "options", options);
}

void run_notes_write_end(struct profile *profile, uint64_t length_ns)
{
	uint64_t ms = length_ns / NS_PER_MS;
	profile_note(profile, "profiled for %llu.%03u s", (unsigned long long)(ms / MS_PER_SECOND),
	             (unsigned)(ms % MS_PER_SECOND));
}
