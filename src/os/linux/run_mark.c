/*
 * run_mark.c: see run_mark.h. Any thread, each for itself; no lock.
 *
 * The C library registers an area of each thread with the kernel for restartable
 * sequences (rseq(2)). The mark is the address of a sequence that the thread is
 * never in, put into the area's member rseq_cs. When the thread was switched out
 * or moved and goes on in user mode, the kernel finds it outside that sequence and
 * clears the member. Other users of such sequences in the program put addresses of
 * their own there, which is as good as cleared, and set theirs anew each time.
 */
#include "run_mark.h"

#include "os.h"
#include "time_units.h"

#if defined(__x86_64__) && __has_include(<linux/rseq.h>)

#include <dlfcn.h>
#include <linux/rseq.h>
#include <stddef.h>

/* How often, and how long, the kernel is tried. */
enum { PROBES = 3 };
#define PROBE_NS (200 * NS_PER_US)

/* A sequence of one byte that is never executed. The kernel requires the signature
 * that the C library registers before the abort handler, which never
 * runs; with the bytes around it, it forms undefined instructions. */
__asm__(".pushsection .text, \"ax\", @progbits\n"
        "hprof_rseq_start:\n"
        "	.byte 0x0f, 0xb9, 0x3d\n"
        "	.long 0x53053053\n"
        "hprof_rseq_abort:\n"
        "	ud2\n"
        ".popsection\n"
        ".pushsection .data.rel.ro, \"aw\", @progbits\n"
        ".balign 32\n"
        ".globl hprof_rseq_sequence\n"
        ".hidden hprof_rseq_sequence\n"
        "hprof_rseq_sequence:\n"
        "	.long 0, 0\n"
        "	.quad hprof_rseq_start, 1, hprof_rseq_abort\n"
        ".popsection\n");

extern const struct rseq_cs hprof_rseq_sequence __attribute__((visibility("hidden")));

static char *thread_pointer(void)
{
	char *pointer;
	__asm__("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

volatile uint64_t *run_mark_word(void)
{
	/* The C library exports the area's place since version 2.35; looked up at run time, so
	 * that older versions work too. A size of 0 means it has registered none. */
	const ptrdiff_t *offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
	const unsigned *size = dlsym(RTLD_DEFAULT, "__rseq_size");

	if (offset == NULL || size == NULL || *size == 0)
		return NULL;
	char *area = thread_pointer() + *offset;
	/* Negative when this thread could not be registered. */
	int32_t cpu = *(volatile int32_t *)(area + offsetof(struct rseq, cpu_id));
	return cpu >= 0 ? (volatile uint64_t *)(area + offsetof(struct rseq, rseq_cs)) : NULL;
}

uint64_t os_run_mark_value(void)
{
	return (uint64_t)(uintptr_t)&hprof_rseq_sequence;
}

bool run_mark_works(volatile uint64_t *word)
{
	/* Some kernels clear it only on preemption, not when the thread blocks in a
	 * system call. */
	for (int i = 0; i < PROBES; i++) {
		*word = os_run_mark_value();
		os_sleep_until(os_monotonic_ns() + PROBE_NS);
		if (*word != 0) {
			*word = 0;
			return false;
		}
	}
	return true;
}

#else

volatile uint64_t *run_mark_word(void)
{
	return NULL;
}

uint64_t os_run_mark_value(void)
{
	return 1;
}

bool run_mark_works(volatile uint64_t *word)
{
	(void)word;
	return false;
}

#endif
