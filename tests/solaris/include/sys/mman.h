/*
 * mman.h: memory, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_MMAN_H
#define TESTS_SOLARIS_SYS_MMAN_H

#include <sys/types.h>

#define PROT_NONE 0x0
#define PROT_READ 0x1
#define PROT_WRITE 0x2
#define PROT_EXEC 0x4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_NORESERVE 0x40
#define MAP_ANON 0x100
#define MAP_ANONYMOUS MAP_ANON
#define MAP_FAILED ((void *)-1)

void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int mprotect(void *, size_t, int);

#endif
