/*
 * messages.c: see messages.h. The open files are a list, the latest first; a thread that prints
 * is counted while it may use a file of the list.
 */
#include "base/messages.h"

#include "os/time_units.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between two looks at the threads that print. */
#define PRINTING_POLL_NS NS_PER_MS

struct message_file {
	struct os_file file;
	_Atomic(struct message_file *) previous; /* opened before; NULL: stderr */
};

static _Atomic(struct message_file *) latest;
static _Atomic unsigned printing; /* threads that may use a file of the list */

/* False when the line could not be written. */
static bool write_to_file(const char *line, size_t length)
{
	atomic_fetch_add(&printing, 1);
	struct message_file *file = atomic_load(&latest);
	bool written = file != NULL && os_file_write(&file->file, line, length) == 0;
	atomic_fetch_sub(&printing, 1);
	return written;
}

void message_print(const char *format, ...)
{
	static const char start[] = "hprof: ";
	char line[2048 + sizeof(start)];
	va_list arguments;

	memcpy(line, start, sizeof(start));
	va_start(arguments, format);
	(void)vsnprintf(line + sizeof(start) - 1, sizeof(line) - sizeof(start), format, arguments);
	va_end(arguments);
	size_t length = strlen(line);
	line[length++] = '\n';
	if (write_to_file(line, length))
		return;
	(void)fprintf(stderr, "%.*s", (int)length, line);
	(void)fflush(stderr);
}

int message_file_open(const char *path, struct message_file **opened)
{
	struct message_file *file = calloc(1, sizeof(*file));

	*opened = NULL;
	if (file == NULL)
		return OS_NO_MEMORY;
	int error = os_file_create(path, OS_FILE_APPEND, &file->file);
	if (error != 0) {
		free(file);
		return error;
	}
	atomic_store(&file->previous, atomic_load(&latest));
	atomic_store(&latest, file);
	*opened = file;
	return 0;
}

void message_file_close(struct message_file *file)
{
	_Atomic(struct message_file *) *link = &latest;

	if (file == NULL)
		return;
	while (atomic_load(link) != file)
		link = &atomic_load(link)->previous;
	atomic_store(link, atomic_load(&file->previous));
	while (atomic_load(&printing) > 0)
		os_sleep_until(os_monotonic_ns() + PRINTING_POLL_NS);
	(void)os_file_close(&file->file);
	free(file);
}

bool messages_are_on_terminal(void)
{
	return atomic_load(&latest) == NULL && os_is_terminal(OS_STANDARD_ERROR);
}
