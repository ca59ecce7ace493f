/*
 * stdlib.h: the general library, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_STDLIB_H
#define TESTS_SOLARIS_STDLIB_H

#include <stddef.h>
#include <sys/types.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

void *malloc(size_t) __attribute__((malloc));
void *calloc(size_t, size_t) __attribute__((malloc));
void *realloc(void *, size_t);
void free(void *);
void abort(void) __attribute__((noreturn));
void exit(int) __attribute__((noreturn));
int atexit(void (*)(void));
char *getenv(const char *);
int setenv(const char *, const char *, int);
int atoi(const char *);
long atol(const char *);
long strtol(const char *restrict, char **restrict, int);
long long strtoll(const char *restrict, char **restrict, int);
unsigned long strtoul(const char *restrict, char **restrict, int);
unsigned long long strtoull(const char *restrict, char **restrict, int);
double strtod(const char *restrict, char **restrict);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
char *realpath(const char *restrict, char *restrict);
int abs(int);
long labs(long);
int mkostemp(char *, int);
int mkstemp(char *);
char *mkdtemp(char *);
int posix_memalign(void **, size_t, size_t);
/* Of illumos. */
long long strtonum(const char *, long long, long long, const char **);

#endif
