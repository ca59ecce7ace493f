/*
 * guard_fault.h: functions that touch memory that is not there.
 */
#ifndef HPROF_TESTS_GUARD_FAULT_H
#define HPROF_TESTS_GUARD_FAULT_H

/* In the part of the address space that is never mapped; volatile, so that the
 * compiler does not see it. */
static volatile char *volatile nowhere = (volatile char *)64;

static __attribute__((noinline)) void fault_reading(void *arg)
{
	(void)arg;
	(void)*nowhere;
}

static __attribute__((noinline)) void fault_writing(void *arg)
{
	(void)arg;
	*nowhere = 1;
}

/* With frames of some size in between. */
static __attribute__((noinline)) void fault_at_depth(int depth)
{
	volatile char room[3000];
	room[0] = (char)depth;
	if (depth > 0)
		fault_at_depth(depth - 1);
	else
		*nowhere = room[0];
	room[1] = room[0];
}

static __attribute__((noinline)) void fault_deeply(void *arg)
{
	(void)arg;
	fault_at_depth(20);
}

#endif
