/*
 * dlfcn.h: the dynamic linker, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_DLFCN_H
#define TESTS_SOLARIS_DLFCN_H

#include <sys/types.h>

typedef struct dl_info {
	const char *dli_fname;
	void *dli_fbase;
	const char *dli_sname;
	void *dli_saddr;
} Dl_info;

#define RTLD_LAZY 0x00001
#define RTLD_NOW 0x00002
#define RTLD_NOLOAD 0x00004
#define RTLD_DEFAULT ((void *)-2)
#define RTLD_SELF ((void *)-3)
#define RTLD_DL_LINKMAP 2
#define RTLD_DI_LINKMAP 2
#define RTLD_DI_ORIGIN 6

void *dlopen(const char *, int);
void *dlsym(void *restrict, const char *restrict);
int dlclose(void *);
char *dlerror(void);
/* Without const for the address, as older headers declare them. */
int dladdr(void *, Dl_info *);
int dladdr1(void *, Dl_info *, void **, int);
int dlinfo(void *, int, void *);

#endif
