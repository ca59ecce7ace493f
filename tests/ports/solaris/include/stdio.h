/*
 * stdio.h: streams, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_STDIO_H
#define TESTS_SOLARIS_STDIO_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct __FILE {
	long pad[16];
} FILE;
extern FILE __iob[];
#define stdin (&__iob[0])
#define stdout (&__iob[1])
#define stderr (&__iob[2])
#define EOF (-1)
#define BUFSIZ 1024
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

FILE *fopen(const char *restrict, const char *restrict);
FILE *fdopen(int, const char *);
int fclose(FILE *);
int fflush(FILE *);
int fileno(FILE *);
size_t fread(void *restrict, size_t, size_t, FILE *restrict);
size_t fwrite(const void *restrict, size_t, size_t, FILE *restrict);
char *fgets(char *restrict, int, FILE *restrict);
int fputs(const char *restrict, FILE *restrict);
int fputc(int, FILE *);
int puts(const char *);
int putchar(int);
int ferror(FILE *);
int feof(FILE *);
void perror(const char *);
int remove(const char *);
int rename(const char *, const char *);
int printf(const char *restrict, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *restrict, const char *restrict, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *restrict, size_t, const char *restrict, ...)
        __attribute__((format(printf, 3, 4)));
int vfprintf(FILE *restrict, const char *restrict, va_list) __attribute__((format(printf, 2, 0)));
int vsnprintf(char *restrict, size_t, const char *restrict, va_list)
        __attribute__((format(printf, 3, 0)));
int sscanf(const char *restrict, const char *restrict, ...) __attribute__((format(scanf, 2, 3)));

#endif
