/*
 * layouts.c: what the kernel and the C library of illumos exchange with a 64-bit program, in
 * numbers that were worked out from the headers of illumos and not from include/. A change
 * there that moves a member or alters a code does not compile.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <procfs.h>
#include <pthread.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <synch.h>
#include <sys/lwp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <ucontext.h>

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "the size of " #type)
#define AT(type, member, bytes) \
	_Static_assert(offsetof(type, member) == (bytes), "the place of " #member " in " #type)
#define IS(constant, value) _Static_assert((constant) == (value), "the value of " #constant)

/* ---- types ------------------------------------------------------------------------------- */

SIZE(off_t, 8);
SIZE(time_t, 8);
SIZE(clock_t, 8);
SIZE(suseconds_t, 8);
SIZE(clockid_t, 4);
SIZE(pid_t, 4);
SIZE(id_t, 4);
SIZE(uid_t, 4);
SIZE(mode_t, 4);
SIZE(nlink_t, 4);
SIZE(dev_t, 8);
SIZE(ino_t, 8);
SIZE(blksize_t, 4);
SIZE(blkcnt_t, 8);
SIZE(lwpid_t, 4);
SIZE(pthread_t, 4);
SIZE(pthread_key_t, 4);
SIZE(socklen_t, 4);
SIZE(nfds_t, 8);
SIZE(hrtime_t, 8);

/* ---- /proc ------------------------------------------------------------------------------- */

SIZE(timestruc_t, 16);

SIZE(prusage_t, 504);
AT(prusage_t, pr_lwpid, 0);
AT(prusage_t, pr_count, 4);
AT(prusage_t, pr_tstamp, 8);
AT(prusage_t, pr_create, 24);
AT(prusage_t, pr_term, 40);
AT(prusage_t, pr_rtime, 56);
AT(prusage_t, pr_utime, 72);
AT(prusage_t, pr_stime, 88);
AT(prusage_t, pr_ttime, 104);
AT(prusage_t, pr_tftime, 120);
AT(prusage_t, pr_dftime, 136);
AT(prusage_t, pr_kftime, 152);
AT(prusage_t, pr_ltime, 168);
AT(prusage_t, pr_slptime, 184);
AT(prusage_t, pr_wtime, 200);
AT(prusage_t, pr_stoptime, 216);
AT(prusage_t, pr_minf, 328);
AT(prusage_t, pr_majf, 336);
AT(prusage_t, pr_nswap, 344);
AT(prusage_t, pr_inblk, 352);
AT(prusage_t, pr_oublk, 360);
AT(prusage_t, pr_msnd, 368);
AT(prusage_t, pr_mrcv, 376);
AT(prusage_t, pr_sigs, 384);
AT(prusage_t, pr_vctx, 392);
AT(prusage_t, pr_ictx, 400);
AT(prusage_t, pr_sysc, 408);
AT(prusage_t, pr_ioch, 416);

SIZE(lwpsinfo_t, 128);
AT(lwpsinfo_t, pr_lwpid, 4);
AT(lwpsinfo_t, pr_addr, 8);
AT(lwpsinfo_t, pr_wchan, 16);
AT(lwpsinfo_t, pr_stype, 24);
AT(lwpsinfo_t, pr_state, 25);
AT(lwpsinfo_t, pr_sname, 26);
AT(lwpsinfo_t, pr_nice, 27);
AT(lwpsinfo_t, pr_syscall, 28);
AT(lwpsinfo_t, pr_oldpri, 30);
AT(lwpsinfo_t, pr_cpu, 31);
AT(lwpsinfo_t, pr_pri, 32);
AT(lwpsinfo_t, pr_pctcpu, 36);
AT(lwpsinfo_t, pr_start, 40);
AT(lwpsinfo_t, pr_time, 56);
AT(lwpsinfo_t, pr_clname, 72);
AT(lwpsinfo_t, pr_name, 80);
AT(lwpsinfo_t, pr_onpro, 96);
AT(lwpsinfo_t, pr_bindpro, 100);
AT(lwpsinfo_t, pr_bindpset, 104);
AT(lwpsinfo_t, pr_lgrp, 108);

IS(PCSET, 16);
IS(PCUNSET, 17);
IS(PR_MSACCT, 0x01000000);

/* ---- signals ----------------------------------------------------------------------------- */

SIZE(sigset_t, 16);
SIZE(struct sigaction, 32);
AT(struct sigaction, sa_flags, 0);
AT(struct sigaction, sa_handler, 8);
AT(struct sigaction, sa_sigaction, 8);
AT(struct sigaction, sa_mask, 16);
SIZE(stack_t, 24);
SIZE(union sigval, 8);
SIZE(siginfo_t, 256);
AT(siginfo_t, si_signo, 0);
AT(siginfo_t, si_code, 4);
AT(siginfo_t, si_errno, 8);
AT(siginfo_t, si_pid, 16);
AT(siginfo_t, si_uid, 24);
AT(siginfo_t, si_value, 32);
AT(siginfo_t, si_addr, 16);
AT(siginfo_t, si_fd, 16);
IS(SI_NOINFO, 32767);
IS(SI_USER, 0);
IS(SI_LWP, -1);
IS(SI_QUEUE, -2);
IS(SI_TIMER, -3);
IS(SIGBUS, 10);
IS(SIGSEGV, 11);
IS(SIGPROF, 29);
IS(SA_SIGINFO, 8);

SIZE(struct itimerval, 32);
AT(struct itimerval, it_interval, 0);
AT(struct itimerval, it_value, 16);
IS(ITIMER_PROF, 2);
IS(CLOCK_THREAD_CPUTIME_ID, 2);
IS(CLOCK_REALTIME, 3);
IS(CLOCK_MONOTONIC, 4);

/* ---- contexts ---------------------------------------------------------------------------- */

AT(ucontext_t, uc_flags, 0);
AT(ucontext_t, uc_link, 8);
AT(ucontext_t, uc_sigmask, 16);
AT(ucontext_t, uc_stack, 32);
AT(ucontext_t, uc_mcontext, 64);
AT(mcontext_t, gregs, 0);
#if defined(__x86_64__)
SIZE(ucontext_t, 864);
SIZE(mcontext_t, 752);
SIZE(gregset_t, 224);
SIZE(fpregset_t, 528);
AT(mcontext_t, fpregs, 224);
IS(REG_R13, 2);
IS(REG_RBP, 10);
IS(REG_RBX, 11);
IS(REG_RAX, 14);
IS(REG_RIP, 17);
IS(REG_RSP, 20);
SIZE(jmp_buf, 64);
#elif defined(__sparcv9)
SIZE(ucontext_t, 736);
SIZE(mcontext_t, 640);
SIZE(gregset_t, 168);
SIZE(struct fpu, 288);
AT(mcontext_t, gwins, 168);
AT(mcontext_t, fpregs, 176);
AT(mcontext_t, xrs, 464);
AT(mcontext_t, asrs, 480);
IS(REG_PC, 1);
IS(REG_nPC, 2);
IS(REG_O6, 17);
IS(REG_O7, 18);
SIZE(jmp_buf, 96);
#endif

/* ---- threads ----------------------------------------------------------------------------- */

SIZE(pthread_mutex_t, 24);
SIZE(pthread_cond_t, 16);
SIZE(pthread_once_t, 32);
SIZE(pthread_attr_t, 8);
SIZE(sema_t, 48);

/* ---- files ------------------------------------------------------------------------------- */

SIZE(struct stat, 128);
AT(struct stat, st_dev, 0);
AT(struct stat, st_ino, 8);
AT(struct stat, st_mode, 16);
AT(struct stat, st_nlink, 20);
AT(struct stat, st_uid, 24);
AT(struct stat, st_size, 40);
AT(struct stat, st_atim, 48);
AT(struct stat, st_mtim, 64);
AT(struct stat, st_ctim, 80);
AT(struct stat, st_blksize, 96);
AT(struct stat, st_blocks, 104);
SIZE(struct dirent, 24);
AT(struct dirent, d_reclen, 16);
AT(struct dirent, d_name, 18);
SIZE(struct flock, 64);
AT(struct flock, l_whence, 2);
AT(struct flock, l_start, 8);
AT(struct flock, l_len, 16);
AT(struct flock, l_pid, 28);
SIZE(FILE, 128);

/* ---- sockets ----------------------------------------------------------------------------- */

SIZE(struct sockaddr, 16);
SIZE(struct sockaddr_storage, 256);
SIZE(struct sockaddr_in, 16);
AT(struct sockaddr_in, sin_port, 2);
AT(struct sockaddr_in, sin_addr, 4);
SIZE(struct sockaddr_in6, 32);
AT(struct sockaddr_in6, sin6_port, 2);
AT(struct sockaddr_in6, sin6_addr, 8);
AT(struct sockaddr_in6, sin6_scope_id, 24);
SIZE(struct sockaddr_un, 110);
AT(struct sockaddr_un, sun_path, 2);
SIZE(struct pollfd, 8);
SIZE(struct addrinfo, 48);
#if defined(__sparcv9)
AT(struct addrinfo, ai_addrlen, 20);
#else
AT(struct addrinfo, ai_addrlen, 16);
#endif
AT(struct addrinfo, ai_canonname, 24);
AT(struct addrinfo, ai_addr, 32);
AT(struct addrinfo, ai_next, 40);

/* ---- the C library ----------------------------------------------------------------------- */

SIZE(struct tm, 36);
SIZE(Dl_info, 32);
SIZE(struct link_map, 48);
AT(struct link_map, l_name, 8);
AT(struct link_map, l_prev, 32);
SIZE(regex_t, 48);
SIZE(regmatch_t, 40);
AT(regmatch_t, rm_so, 16);
IS(REG_NOSUB, 2);
IS(REG_ESPACE, 11);
