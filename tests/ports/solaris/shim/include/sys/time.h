/*
 * time.h: the clocks of Solaris beside what Linux has.
 */
#ifndef SHIM_SYS_TIME_H
#define SHIM_SYS_TIME_H

#include_next <sys/time.h>

typedef long long hrtime_t;

hrtime_t gethrtime(void);
hrtime_t gethrvtime(void);

#endif
