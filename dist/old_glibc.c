/*
 * Functions that glibc 2.17 lacks, for the binaries of `make dist`: in terms of what it has. They
 * are linked into them, and so are not looked for in the C library.
 *
 * Sources: stat(2), statx(2), explicit_bzero(3), getentropy(3), random(4) of the Linux manual. What
 * stat() was before glibc 2.33: its <sys/stat.h> called __xstat() with the version of the
 * structure.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the version of struct stat is known for x86-64 alone"
#endif
enum { STAT_VERSION = 1, ENTROPY_MOST = 256 };

void __explicit_bzero_chk(void *buffer, size_t length, size_t size);
int __xstat(int version, const char *path, struct stat *status);
int __lxstat(int version, const char *path, struct stat *status);
int __fxstat(int version, int fd, struct stat *status);
int __fxstatat(int version, int directory, const char *path, struct stat *status, int flags);

int stat(const char *path, struct stat *status)
{
	return __xstat(STAT_VERSION, path, status);
}

int lstat(const char *path, struct stat *status)
{
	return __lxstat(STAT_VERSION, path, status);
}

int fstat(int fd, struct stat *status)
{
	return __fxstat(STAT_VERSION, fd, status);
}

int fstatat(int directory, const char *path, struct stat *status, int flags)
{
	return __fxstatat(STAT_VERSION, directory, path, status, flags);
}

/* Without the emulation that newer versions of glibc have for kernels before 4.11: callers expect
 * ENOSYS. */
int statx(int directory, const char *path, int flags, unsigned mask, struct statx *status)
{
	return (int)syscall(SYS_statx, directory, path, flags, mask, status);
}

static int read_device(unsigned char *bytes, size_t length)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	size_t got = 0;
	while (got < length) {
		ssize_t count = read(fd, bytes + got, length - got);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			break;
		got += (size_t)count;
	}
	close(fd);
	if (got == length)
		return 0;
	errno = EIO;
	return -1;
}

/* What libbsd calls instead of explicit_bzero() where the sizes of objects are checked. */
void __explicit_bzero_chk(void *buffer, size_t length, size_t size)
{
	if (length > size)
		abort();
	memset(buffer, 0, length);
	__asm__ volatile("" : : "r"(buffer) : "memory");
}

/* For libbsd's arc4random_buf(). Kernels before 3.17 lack the system call. */
int getentropy(void *buffer, size_t length)
{
	if (length > ENTROPY_MOST) {
		errno = EIO;
		return -1;
	}
	long got;
	do
		got = syscall(SYS_getrandom, buffer, length, 0);
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno == ENOSYS)
		return read_device(buffer, length);
	if (got == (long)length)
		return 0;
	errno = EIO;
	return -1;
}
