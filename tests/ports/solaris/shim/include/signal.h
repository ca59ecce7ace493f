/*
 * signal.h: what Linux lacks of it.
 */
#include_next <signal.h>

#ifndef SI_NOINFO
#define SI_NOINFO 32767
#endif
