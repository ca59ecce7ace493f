/*
 * lwp.h: LWPs by their ids.
 */
#ifndef SHIM_SYS_LWP_H
#define SHIM_SYS_LWP_H

typedef unsigned int lwpid_t;

lwpid_t _lwp_self(void);

#endif
