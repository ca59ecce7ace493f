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
/* For memcntl(), under names that are nobody's. */
#define PROC_TEXT (PROT_EXEC | PROT_READ)
#define PROC_DATA (PROT_READ | PROT_WRITE | PROT_EXEC)
#define SHARED 0x10
#define PRIVATE 0x20
#define MAP_FAILED ((void *)-1)

/* With void * only where a standard is asked for by its macro. */
caddr_t mmap(caddr_t, size_t, int, int, int, off_t);
int munmap(caddr_t, size_t);
int mprotect(caddr_t, size_t, int);

#endif
