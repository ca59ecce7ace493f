/*
 * procfs.h: the structured process file system, as proc(5) of Solaris and illumos
 * describes it; what the agent uses. Written for these tests.
 */
#ifndef TESTS_SOLARIS_PROCFS_H
#define TESTS_SOLARIS_PROCFS_H

#include <sys/types.h>
#include <time.h>

/* Messages to ctl files: a long, and its operand. */
#define PCSET 16L
#define PCUNSET 17L

/* A mode to set: microstate accounting. */
#define PR_MSACCT 0x01000000

/* /proc/PID/lwp/LWP/lwpusage */
typedef struct prusage {
	id_t pr_lwpid;
	int pr_count; /* of LWPs that are in it */
	timestruc_t pr_tstamp;
	timestruc_t pr_create;
	timestruc_t pr_term;
	timestruc_t pr_rtime;
	timestruc_t pr_utime;
	timestruc_t pr_stime;
	timestruc_t pr_ttime;
	timestruc_t pr_tftime;
	timestruc_t pr_dftime;
	timestruc_t pr_kftime;
	timestruc_t pr_ltime;
	timestruc_t pr_slptime;
	timestruc_t pr_wtime;
	timestruc_t pr_stoptime;
	timestruc_t filltime[6];
	unsigned long pr_minf;
	unsigned long pr_majf;
	unsigned long pr_nswap;
	unsigned long pr_inblk;
	unsigned long pr_oublk;
	unsigned long pr_msnd;
	unsigned long pr_mrcv;
	unsigned long pr_sigs;
	unsigned long pr_vctx;
	unsigned long pr_ictx;
	unsigned long pr_sysc;
	unsigned long pr_ioch;
	unsigned long filler[10];
} prusage_t;

/* /proc/PID/lwp/LWP/lwpsinfo */
#define PRCLSZ 8
#define PRFNSZ 16
typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname; /* O on a CPU, R runnable, S asleep, T stopped, Z */
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	unsigned short pr_pctcpu;
	unsigned short pr_pad;
	timestruc_t pr_start;
	timestruc_t pr_time;
	char pr_clname[PRCLSZ];
	char pr_name[PRFNSZ];
	int pr_onpro;
	int pr_bindpro;
	int pr_bindpset;
	int pr_lgrp;
	int pr_filler[4];
} lwpsinfo_t;

#endif
