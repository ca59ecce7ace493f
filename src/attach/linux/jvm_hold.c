/*
 * jvm_hold.c: a JVM that is held by its directory of /proc, and files that it writes to its own
 * /tmp for this process. For the hprof command: one thread, no lock.
 *
 * The JVM may be another user's, and its /tmp in another file system. So the files are used
 * relative to a descriptor of that directory, which stays valid when the JVM ends, and what is
 * checked is what is read.
 */
#include "attach/jvm.h"
#include "attach/linux/jvm_process.h"
#include "os/posix/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 128 };

static const char directory_path[] = "/tmp/";

struct jvm {
	struct jvm_process process;
	int directory; /* of the exchanged files, or -1 */
	bool is_here;
	char exchange_path[NAME_BYTES];
};

static struct jvm *create(void)
{
	struct jvm *jvm = calloc(1, sizeof(*jvm));
	if (jvm != NULL)
		jvm->directory = -1;
	return jvm;
}

static void look_around(struct jvm *jvm, struct attach_result *result)
{
	const struct jvm_process *process = &jvm->process;
	uint64_t random[2];

	arc4random_buf(random, sizeof(random));
	(void)snprintf(jvm->exchange_path, sizeof(jvm->exchange_path),
	               "%shprof-%016" PRIx64 "%016" PRIx64, directory_path, random[0], random[1]);
	jvm->is_here = process->uid == geteuid() && jvm_process_sees_our_files(process);
	int error = jvm_process_open_path(process, directory_path, O_PATH | O_DIRECTORY,
	                                  &jvm->directory);
	if (error == 0)
		return;
	jvm_attach_failed(result, error, "open", directory_path);
	result->outcome = ATTACH_FAILED;
}

void jvm_hold(uint64_t pid, struct jvm **held, struct attach_result *result)
{
	struct jvm *jvm = create();

	*held = NULL;
	if (jvm == NULL) {
		memset(result, 0, sizeof(*result));
		result->outcome = ATTACH_FAILED;
		result->error = OS_NO_MEMORY;
		return;
	}
	jvm_process_open(pid, &jvm->process, result);
	if (result->outcome == ATTACH_ANSWERED)
		look_around(jvm, result);
	if (result->outcome == ATTACH_ANSWERED)
		*held = jvm;
	else
		jvm_release(jvm);
}

void jvm_release(struct jvm *jvm)
{
	if (jvm->directory >= 0)
		(void)close(jvm->directory);
	jvm_process_close(&jvm->process);
	free(jvm);
}

bool jvm_is_running(const struct jvm *jvm)
{
	return jvm_process_is_running(&jvm->process);
}

bool jvm_is_here(const struct jvm *jvm)
{
	return jvm->is_here;
}

const char *jvm_exchange_path(const struct jvm *jvm)
{
	return jvm->exchange_path;
}

/* The name in the directory. False when it does not fit. */
static bool file_name(const struct jvm *jvm, const char *suffix, char *name, size_t size)
{
	int length =
	        snprintf(name, size, "%s%s", jvm->exchange_path + strlen(directory_path), suffix);
	return length > 0 && (size_t)length < size;
}

int jvm_file_open(const struct jvm *jvm, const char *suffix, struct os_file *file)
{
	char name[NAME_BYTES];
	struct stat status;

	file->handle = -1;
	file->shared = false;
	if (!file_name(jvm, suffix, name, sizeof(name)))
		return ENAMETOOLONG;
	int fd = descriptor_above_standard(openat(
	        jvm->directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
	if (fd < 0)
		return errno;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1 ||
	    status.st_uid != jvm->process.uid) {
		(void)close(fd);
		return OS_NOT_OURS;
	}
	return descriptor_to_file(fd, file);
}

int jvm_file_remove(const struct jvm *jvm, const char *suffix)
{
	char name[NAME_BYTES];

	if (!file_name(jvm, suffix, name, sizeof(name)))
		return ENAMETOOLONG;
	return unlinkat(jvm->directory, name, 0) == 0 ? 0 : errno;
}
