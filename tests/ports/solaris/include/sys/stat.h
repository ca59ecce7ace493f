/*
 * stat.h: states of files, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_STAT_H
#define TESTS_SOLARIS_SYS_STAT_H

#include <sys/types.h>
#include <time.h>

struct stat {
	dev_t st_dev;
	ino_t st_ino;
	mode_t st_mode;
	nlink_t st_nlink;
	uid_t st_uid;
	gid_t st_gid;
	dev_t st_rdev;
	off_t st_size;
	timestruc_t st_atim;
	timestruc_t st_mtim;
	timestruc_t st_ctim;
	blksize_t st_blksize;
	blkcnt_t st_blocks;
	char st_fstype[16];
};

#define S_IFMT 0xF000
#define S_IFDIR 0x4000
#define S_IFREG 0x8000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IWOTH 0002
#define S_ISFIFO(mode) (((mode)&S_IFMT) == 0x1000)
#define S_ISCHR(mode) (((mode)&S_IFMT) == 0x2000)
#define S_ISDIR(mode) (((mode)&S_IFMT) == 0x4000)
#define S_ISREG(mode) (((mode)&S_IFMT) == 0x8000)
#define S_ISLNK(mode) (((mode)&S_IFMT) == 0xA000)
#define S_ISSOCK(mode) (((mode)&S_IFMT) == 0xC000)

int stat(const char *restrict, struct stat *restrict);
int lstat(const char *restrict, struct stat *restrict);
int fstat(int, struct stat *);
int fstatat(int, const char *, struct stat *, int);
int fchmod(int, mode_t);
int chmod(const char *, mode_t);
int mkdir(const char *, mode_t);
mode_t umask(mode_t);

#endif
