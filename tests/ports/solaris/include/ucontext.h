/*
 * ucontext.h: machine contexts, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_UCONTEXT_H
#define TESTS_SOLARIS_UCONTEXT_H

#include <signal.h>
#include <sys/types.h>

typedef long greg_t;

#if defined(__x86_64__)

#define _NGREG 28
#define REG_R15 0
#define REG_R14 1
#define REG_R13 2
#define REG_R12 3
#define REG_R11 4
#define REG_R10 5
#define REG_R9 6
#define REG_R8 7
#define REG_RDI 8
#define REG_RSI 9
#define REG_RBP 10
#define REG_RBX 11
#define REG_RDX 12
#define REG_RCX 13
#define REG_RAX 14
#define REG_TRAPNO 15
#define REG_ERR 16
#define REG_RIP 17
#define REG_CS 18
#define REG_RFL 19
#define REG_RSP 20
#define REG_SS 21
#define REG_FS 22
#define REG_GS 23
#define REG_ES 24
#define REG_DS 25
#define REG_FSBASE 26
#define REG_GSBASE 27

#define REG_PC REG_RIP
#define REG_FP REG_RBP
#define REG_SP REG_RSP
#define REG_PS REG_RFL
#define REG_R0 REG_RAX
#define REG_R1 REG_RDX

/* Those of 32 bits, which are defined here too: no name of ours may be one of them. */
#define GS 0
#define FS 1
#define ES 2
#define DS 3
#define EDI 4
#define ESI 5
#define EBP 6
#define ESP 7
#define EBX 8
#define EDX 9
#define ECX 10
#define EAX 11
#define TRAPNO 12
#define ERR 13
#define EIP 14
#define CS 15
#define EFL 16
#define UESP 17
#define SS 18

typedef greg_t gregset_t[_NGREG];
typedef struct {
	unsigned int fp_state[130];
} __attribute__((aligned(16))) fpregset_t;
typedef struct {
	gregset_t gregs;
	fpregset_t fpregs;
} mcontext_t;
typedef unsigned long tests_solaris_uc_flags;
#define _UC_FILLER 5

#elif defined(__sparcv9)

#define _NGREG 21
#define REG_CCR 0
#define REG_PC 1
#define REG_nPC 2
#define REG_Y 3
#define REG_G1 4
#define REG_O0 11
#define REG_O6 17
#define REG_O7 18
#define REG_ASI 19
#define REG_FPRS 20
#define REG_SP REG_O6

typedef greg_t gregset_t[_NGREG];
struct fpu {
	union {
		uint32_t singles[32];
		double doubles[32];
		long double quads[16];
	} fpu_fr;
	void *fpu_q;
	uint64_t fpu_fsr;
	uint8_t fpu_qcnt;
	uint8_t fpu_q_entrysize;
	uint8_t fpu_en;
};
typedef struct {
	gregset_t gregs;
	void *gwins; /* register windows that are not on the stack */
	struct fpu fpregs;
	struct {
		unsigned int xrs_id;
		caddr_t xrs_ptr;
	} xrs;
	int64_t asrs[16];
	long filler[4];
} mcontext_t;
typedef unsigned int tests_solaris_uc_flags;
#define _UC_FILLER 4

#endif

typedef struct ucontext ucontext_t;
struct ucontext {
	tests_solaris_uc_flags uc_flags;
	ucontext_t *uc_link;
	sigset_t uc_sigmask;
	stack_t uc_stack;
	mcontext_t uc_mcontext;
	long uc_filler[_UC_FILLER];
};

#endif
