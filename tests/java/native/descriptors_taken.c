/*
 * descriptors_taken.c: the native methods of DescriptorsTaken.java: a program that closes all
 * descriptors except the standard ones, as daemons and launchers do, and opens files of its own.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 256, CONTENTS = 20000 };

static struct {
	int fd;
	struct stat opened;
} files[FILES_MAX];

static int count;

/* Without its image of classes a JVM ends, with an agent or without. */
static int is_image(int fd)
{
	char link[64];
	char name[4096];
	static const char image[] = "/lib/modules";

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, name, sizeof(name));
	return length >= (ssize_t)sizeof(image) &&
	       memcmp(name + length - (sizeof(image) - 1), image, sizeof(image) - 1) == 0;
}

static void close_all(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		abort();
	/* The numbers that are in use are the lowest ones. */
	for (int fd = 3; fd < 4096 && (rlim_t)fd < limit.rlim_cur; fd++) {
		if (!is_image(fd))
			(void)close(fd);
	}
}

static void open_one(const char *directory)
{
	static char contents[CONTENTS];
	char path[4096];
	memset(contents, 'D', sizeof(contents));
	(void)snprintf(path, sizeof(path), "%s/file%d", directory, count);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, contents, sizeof(contents)) != CONTENTS ||
	    fstat(fd, &files[count].opened) != 0)
		abort();
	files[count++].fd = fd;
}

JNIEXPORT void JNICALL Java_DescriptorsTaken_take(JNIEnv *jni, jclass self, jstring where,
                                                  jint number)
{
	const char *directory = (*jni)->GetStringUTFChars(jni, where, NULL);
	(void)self;
	if (directory == NULL || number > FILES_MAX)
		abort();
	close_all();
	while (count < number)
		open_one(directory);
	(*jni)->ReleaseStringUTFChars(jni, where, directory);
}

static int is_whole(int fd)
{
	char contents[CONTENTS + 1];
	if (lseek(fd, 0, SEEK_CUR) != CONTENTS ||
	    pread(fd, contents, sizeof(contents), 0) != CONTENTS)
		return 0;
	for (int i = 0; i < CONTENTS; i++) {
		if (contents[i] != 'D')
			return 0;
	}
	return 1;
}

/* How many of the files are closed, or another file now, or changed. */
JNIEXPORT jint JNICALL Java_DescriptorsTaken_harmed(JNIEnv *jni, jclass self)
{
	int harmed = 0;
	(void)jni;
	(void)self;
	for (int i = 0; i < count; i++) {
		struct stat now;
		if (fstat(files[i].fd, &now) != 0 || now.st_ino != files[i].opened.st_ino ||
		    !is_whole(files[i].fd))
			harmed++;
	}
	return harmed;
}
