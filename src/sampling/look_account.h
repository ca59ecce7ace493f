/*
 * look_account.h: the time of a thread that the sampler of states has measured, but has not seen
 * where it belongs. How long the thread was off its CPU is known exactly from its clocks; where, a
 * look shows only if the thread waits at that time. So the time collects here: that in waits until
 * a look shows where the thread waits, the other until a CPU sample, or a look, shows where it
 * runs. Pure; no lock.
 */
#ifndef HPROF_SAMPLING_LOOK_ACCOUNT_H
#define HPROF_SAMPLING_LOOK_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

/* Times to be charged. Negative while one clock lags another. */
struct look_account {
	int64_t waited_ns;  /* in waits */
	int64_t queued_ns;  /* waiting for a CPU */
	int64_t stopped_ns; /* stopped by the VM */
};

/* What has passed since the last look. */
struct look_times {
	uint64_t wall_ns;
	uint64_t cpu_ns;
	uint64_t queued_ns; /* 0 if not known */
	uint64_t paused_ns; /* the VM stopped the program */
};

/* Adds what has passed since a look at a thread that does not wait now. */
void look_account_run(struct look_account *account, const struct look_times *times);

/* The same for one that waits: returns how much of the time it waited for a CPU. It is taken to
 * have waited during pauses of the VM too: the probability that a pause stops a thread is that of a
 * look to see it running. */
uint64_t look_account_wait(struct look_account *account, const struct look_times *times);

/* After the thread's last look: a wait for a CPU is read after the clocks, and may be longer than
 * they leave. The next look would find the time that waits owe for it; here it is taken back. */
void look_account_end(struct look_account *account);

/* Takes what has collected in a member. */
uint64_t look_account_take(int64_t *ns);

#endif
