/*
 * fcntl.h: files, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_FCNTL_H
#define TESTS_SOLARIS_FCNTL_H

#include <sys/types.h>

#define O_RDONLY 0x0
#define O_WRONLY 0x1
#define O_RDWR 0x2
#define O_APPEND 0x8
#define O_SYNC 0x10
#define O_NONBLOCK 0x80
#define O_CREAT 0x100
#define O_TRUNC 0x200
#define O_EXCL 0x400
#define O_NOCTTY 0x800
#define O_NOFOLLOW 0x20000
#define O_CLOEXEC 0x800000
#define O_DIRECTORY 0x1000000
#define O_SEARCH 0x200000
#define O_ACCMODE 0x600003

#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_SETLK 6
#define F_DUPFD_CLOEXEC 37
#define FD_CLOEXEC 1

#define F_RDLCK 1
#define F_WRLCK 2
#define F_UNLCK 3

struct flock {
	short l_type;
	short l_whence;
	off_t l_start;
	off_t l_len;
	int l_sysid;
	pid_t l_pid;
	long l_pad[4];
};

#define AT_REMOVEDIR 0x1
#define AT_SYMLINK_NOFOLLOW 0x1000

int open(const char *, int, ...);
int openat(int, const char *, int, ...);
int fcntl(int, int, ...);

#endif
