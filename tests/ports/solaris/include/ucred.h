/*
 * ucred.h: the user of another process, as Solaris and illumos have it.
 * Written for these tests from the manual pages; what the agent may use.
 */
#ifndef TESTS_SOLARIS_UCRED_H
#define TESTS_SOLARIS_UCRED_H

#include <sys/types.h>

typedef struct ucred_s ucred_t;

int getpeerucred(int, ucred_t **);
uid_t ucred_geteuid(const ucred_t *);
void ucred_free(ucred_t *);

#endif
