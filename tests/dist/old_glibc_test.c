/*
 * What dist/old_glibc.c defines, against the system calls that it stands for, and on a kernel
 * without them: a filter refuses them with ENOSYS. Linked as the binaries of `make dist` are,
 * without Check, which needs a newer glibc. Prints what differs; the exit code is 1 then.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int failed;

static void expect(int truth, const char *what)
{
	if (truth)
		return;
	printf("old_glibc.c: %s\n", what);
	failed = 1;
}

static int is_same_file(const struct stat *status, const char *path, int flags)
{
	struct stat expected;
	if (syscall(SYS_newfstatat, AT_FDCWD, path, &expected, flags) != 0)
		return 0;
	return status->st_dev == expected.st_dev && status->st_ino == expected.st_ino &&
	       status->st_mode == expected.st_mode && status->st_size == expected.st_size &&
	       status->st_uid == expected.st_uid && status->st_mtime == expected.st_mtime;
}

static void check_stat(void)
{
	static const char file[] = "/proc/self/exe", missing[] = "/proc/self/none";
	struct stat status;
	expect(stat(file, &status) == 0 && is_same_file(&status, file, 0), "stat() differs");
	expect(lstat(file, &status) == 0 && S_ISLNK(status.st_mode), "lstat() follows a link");
	expect(fstatat(AT_FDCWD, file, &status, 0) == 0 && is_same_file(&status, file, 0),
	       "fstatat() differs");
	int fd = open(file, O_RDONLY);
	expect(fd >= 0 && fstat(fd, &status) == 0 && is_same_file(&status, file, 0),
	       "fstat() differs");
	close(fd);
	errno = 0;
	expect(stat(missing, &status) == -1 && errno == ENOENT, "stat() finds what is not there");
}

static void check_entropy(void)
{
	enum { LENGTH = 64 };
	unsigned char bytes[2][LENGTH] = {{0}};
	expect(getentropy(bytes[0], LENGTH) == 0 && getentropy(bytes[1], LENGTH) == 0,
	       "getentropy() fails");
	expect(memcmp(bytes[0], bytes[1], LENGTH) != 0, "getentropy() repeats itself");
	static const unsigned char zeros[LENGTH / 4];
	expect(memcmp(bytes[0] + LENGTH - sizeof(zeros), zeros, sizeof(zeros)) != 0,
	       "getentropy() leaves bytes out");
	unsigned char much[257];
	errno = 0;
	expect(getentropy(much, sizeof(much)) == -1 && errno == EIO,
	       "getentropy() takes more than 256 bytes");
}

/* From here on, the kernel knows neither getrandom() nor statx(). */
static int forget_calls(void)
{
	struct sock_filter filter[] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 1, 0),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_statx, 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(void)
{
	struct statx extended;
	memset(&extended, 0, sizeof(extended));
	check_stat();
	check_entropy();
	expect(statx(AT_FDCWD, "/proc", 0, STATX_INO, &extended) == 0 && extended.stx_ino != 0,
	       "statx() fails");
	expect(forget_calls(), "no filter of system calls");
	check_entropy();
	errno = 0;
	expect(statx(AT_FDCWD, "/proc", 0, STATX_INO, &extended) == -1 && errno == ENOSYS,
	       "statx() is there");
	return failed;
}
