/*
 * jvm_hold.c: a JVM of this user, and files that it writes to a directory of ours. For the hprof
 * command: one thread, no lock.
 */
#include "attach/jvm.h"

#include "attach/by_jcmd/jvm_handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

struct jvm {
	struct jvm_handle handle;
	char directory[PATH_BYTES];
	char exchange_path[PATH_BYTES + 16];
};

static struct jvm *create(const struct jvm_handle *handle, int *error)
{
	struct jvm *jvm = calloc(1, sizeof(*jvm));

	*error = jvm == NULL ? OS_NO_MEMORY
	                     : os_private_directory(NULL, jvm->directory, sizeof(jvm->directory));
	if (*error != 0) {
		free(jvm);
		return NULL;
	}
	jvm->handle = *handle;
	(void)snprintf(jvm->exchange_path, sizeof(jvm->exchange_path), "%s%cprofile",
	               jvm->directory, jvm_path_separator);
	return jvm;
}

void jvm_hold(uint64_t pid, struct jvm **held, struct attach_result *result)
{
	struct jvm_handle handle;

	memset(result, 0, sizeof(*result));
	*held = NULL;
	result->outcome = jvm_handle_open(pid, &handle, &result->error);
	if (result->outcome != ATTACH_ANSWERED)
		return;
	*held = create(&handle, &result->error);
	if (*held == NULL) {
		result->outcome = ATTACH_FAILED;
		jvm_handle_close(&handle);
	}
}

void jvm_release(struct jvm *jvm)
{
	jvm_handle_close(&jvm->handle);
	(void)os_directory_remove(jvm->directory);
	free(jvm);
}

bool jvm_is_running(const struct jvm *jvm)
{
	return jvm_handle_is_running(&jvm->handle);
}

bool jvm_is_here(const struct jvm *jvm)
{
	(void)jvm;
	return true;
}

const char *jvm_exchange_path(const struct jvm *jvm)
{
	return jvm->exchange_path;
}

static bool file_path(const struct jvm *jvm, const char *suffix, char *path, size_t size)
{
	return (size_t)snprintf(path, size, "%s%s", jvm->exchange_path, suffix) < size;
}

int jvm_file_open(const struct jvm *jvm, const char *suffix, struct os_file *file)
{
	char path[PATH_BYTES + 64];
	return file_path(jvm, suffix, path, sizeof(path)) ? os_file_open(path, file) : OS_TOO_LARGE;
}

int jvm_file_remove(const struct jvm *jvm, const char *suffix)
{
	char path[PATH_BYTES + 64];
	return file_path(jvm, suffix, path, sizeof(path)) ? os_file_remove(path) : OS_TOO_LARGE;
}
