/*
 * types.h: basic types, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_TYPES_H
#define TESTS_SOLARIS_SYS_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef long off_t;
typedef long time_t;
typedef long clock_t;
typedef long suseconds_t;
typedef int clockid_t;
typedef int timer_t;
typedef int pid_t;
typedef int id_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned int nlink_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef int blksize_t;
typedef long blkcnt_t;
typedef unsigned int pthread_t;
typedef unsigned int pthread_key_t;
typedef unsigned int uint_t;
typedef unsigned long ulong_t;
typedef char *caddr_t;
typedef uint64_t upad64_t;

typedef struct {
	struct {
		uint16_t flag1;
		uint8_t flag2;
		uint8_t ceiling;
		uint16_t type;
		uint16_t magic;
	} flags;
	union {
		struct {
			uint8_t bytes[8];
		} as_bytes;
		struct {
			uint32_t owner;
			uint32_t word;
		} as_words;
		upad64_t whole;
	} lock;
	upad64_t data;
} pthread_mutex_t;

typedef struct {
	struct {
		uint8_t flag[4];
		uint16_t type;
		uint16_t magic;
	} flags;
	upad64_t data;
} pthread_cond_t;

/* Three types. */
typedef struct {
	void *attributes;
} pthread_attr_t;

typedef struct {
	void *attributes;
} pthread_mutexattr_t;

typedef struct {
	void *attributes;
} pthread_condattr_t;

typedef struct {
	upad64_t pad[4];
} pthread_once_t;

#endif
