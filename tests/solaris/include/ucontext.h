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
#define REG_R13 2
#define REG_RBP 10
#define REG_RBX 11
#define REG_RAX 14
#define REG_RIP 17
#define REG_RSP 20

typedef greg_t gregset_t[_NGREG];
typedef struct {
	unsigned int fp_state[130];
} __attribute__((aligned(16))) fpregset_t;
typedef struct {
	gregset_t gregs;
	fpregset_t fpregs;
} mcontext_t;
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
#define _UC_FILLER 4

#endif

typedef struct ucontext ucontext_t;
struct ucontext {
	unsigned long uc_flags;
	ucontext_t *uc_link;
	sigset_t uc_sigmask;
	stack_t uc_stack;
	mcontext_t uc_mcontext;
	long uc_filler[_UC_FILLER];
};

#endif
