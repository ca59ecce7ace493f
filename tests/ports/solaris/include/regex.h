/*
 * regex.h: regular expressions, as Solaris and illumos have them. Written for these tests from
 * the manual pages; what the command may use.
 */
#ifndef TESTS_SOLARIS_REGEX_H
#define TESTS_SOLARIS_REGEX_H

#include <sys/types.h>

/* Solaris has the same sizes under other names. */
typedef struct {
	size_t re_nsub;
	struct re_guts *re_g;
	int re_magic;
	const char *re_endp;
	size_t re_len;
	struct _regex_ext_t *re_sc;
} regex_t;

typedef struct {
	const char *rm_sp;
	const char *rm_ep;
	ssize_t rm_so;
	ssize_t rm_eo;
	int rm_ss;
	int rm_es;
} regmatch_t;

#define REG_EXTENDED 0x0001
#define REG_NOSUB 0x0002
#define REG_ESPACE 11

int regcomp(regex_t *restrict, const char *restrict, int);
int regexec(const regex_t *restrict, const char *restrict, size_t, regmatch_t *restrict, int);
size_t regerror(int, const regex_t *restrict, char *restrict, size_t);
void regfree(regex_t *);

#endif
