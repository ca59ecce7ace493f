/*
 * thread_breaks.c: see thread_breaks.h.
 */
#include "calls/thread_breaks.h"

#include "base/passed.h"
#include "os/time_units.h"

/* The time of interrupts, and what the two clocks are read apart: no thread leaves its CPU and
 * is back within it. Looking for a cause would take longer. */
#define SHORTEST_NS NS_PER_US

void thread_breaks_start(struct thread_breaks *breaks, const struct vm_pauses *pauses)
{
	breaks->pauses = pauses;
	breaks->queue_error = os_run_queue_open(&breaks->queue, os_self_thread());
	breaks->has_queue = breaks->queue_error == 0;
	thread_breaks_skip(breaks);
}

void thread_breaks_end(struct thread_breaks *breaks)
{
	if (breaks->has_queue)
		os_run_queue_close(&breaks->queue);
	breaks->has_queue = false;
}

static bool read_queued(const struct thread_breaks *breaks, uint64_t *ns)
{
	return breaks->has_queue && os_run_queue_waited(&breaks->queue, ns);
}

void thread_breaks_skip(struct thread_breaks *breaks)
{
	breaks->queue_missed = !read_queued(breaks, &breaks->queued_ns);
	if (breaks->queue_missed)
		breaks->queued_ns = 0;
	if (!os_self_waits(&breaks->waits))
		breaks->waits = (struct os_self_waits){.voluntary_switches = 0};
	breaks->paused = vm_pauses_read(breaks->pauses);
}

/* The program can have closed the descriptor, and opened another file with its number. After a
 * reading that failed, the next one has the waits of two breaks: they explain neither. */
static void find_queued(struct thread_breaks *breaks, struct break_facts *facts)
{
	uint64_t queued_ns;
	bool is_read = read_queued(breaks, &queued_ns) && queued_ns >= breaks->queued_ns;

	facts->queue_known = is_read && !breaks->queue_missed;
	breaks->queue_missed = !is_read;
	if (!is_read)
		return;
	uint64_t passed_ns = passed_since(&breaks->queued_ns, queued_ns);
	if (facts->queue_known)
		facts->queued_ns = passed_ns;
}

static void find_waits(struct thread_breaks *breaks, struct break_facts *facts)
{
	struct os_self_waits waits;

	facts->switches_known = os_self_waits(&waits);
	if (!facts->switches_known)
		return;
	facts->switches = passed_since(&breaks->waits.voluntary_switches, waits.voluntary_switches);
	facts->text_fault_ns = passed_since(&breaks->waits.text_fault_ns, waits.text_fault_ns);
	facts->data_fault_ns = passed_since(&breaks->waits.data_fault_ns, waits.data_fault_ns);
}

static void find_facts(struct thread_breaks *breaks, struct break_facts *facts)
{
	struct vm_pauses_reading paused = vm_pauses_read(breaks->pauses);

	find_queued(breaks, facts);
	find_waits(breaks, facts);
	facts->pauses = passed_since(&breaks->paused.count, paused.count);
	facts->safepoint_ns = passed_since(&breaks->paused.safepoint_ns, paused.safepoint_ns);
	facts->collected_ns = passed_since(&breaks->paused.collected_ns, paused.collected_ns);
}

static void store(_Atomic uint64_t *wait, uint32_t node, enum wait_cause cause)
{
	atomic_store_explicit(wait, (uint64_t)node << 32 | (uint32_t)cause, memory_order_relaxed);
}

/* WAIT_NONE for another node. */
static enum wait_cause load(const _Atomic uint64_t *wait, uint32_t node)
{
	uint64_t word = atomic_load_explicit(wait, memory_order_relaxed);
	return word >> 32 == node ? (enum wait_cause)(uint32_t)word : WAIT_NONE;
}

void thread_breaks_announce(struct thread_breaks *breaks, uint32_t node, enum wait_cause cause)
{
	store(&breaks->announced, node, cause);
}

void thread_breaks_calls(struct thread_breaks *breaks, uint32_t node, enum wait_cause cause)
{
	store(&breaks->called, node, cause);
}

void thread_breaks_returned(struct thread_breaks *breaks, uint32_t node)
{
	if (load(&breaks->called, node) != WAIT_NONE)
		store(&breaks->called, node, WAIT_NONE);
}

struct thread_waits thread_breaks_leave(struct thread_breaks *breaks)
{
	return (struct thread_waits){.announced = atomic_exchange(&breaks->announced, 0),
	                             .called = atomic_exchange(&breaks->called, 0)};
}

void thread_breaks_resume(struct thread_breaks *breaks, const struct thread_waits *waits)
{
	atomic_store(&breaks->announced, waits->announced);
	atomic_store(&breaks->called, waits->called);
}

enum wait_cause thread_breaks_called(const struct thread_breaks *breaks, uint32_t *node)
{
	uint64_t word = atomic_load_explicit(&breaks->called, memory_order_relaxed);
	*node = (uint32_t)(word >> 32);
	return (enum wait_cause)(uint32_t)word;
}

enum wait_cause thread_breaks_cause(const struct thread_breaks *breaks, uint32_t node)
{
	enum wait_cause announced = load(&breaks->announced, node);
	return announced != WAIT_NONE ? announced : load(&breaks->called, node);
}

static void leave_for_next(struct thread_breaks *breaks, const struct break_facts *facts)
{
	breaks->queued_ns -= facts->queued_ns;
	breaks->waits.text_fault_ns -= facts->text_fault_ns;
	breaks->waits.data_fault_ns -= facts->data_fault_ns;
}

void thread_breaks_explain(void *argument, uint64_t ns, uint64_t states_ns[OFF_CPU_STATES])
{
	const struct break_charge *charge = argument;
	struct thread_breaks *breaks = charge->breaks;
	struct break_facts facts = {.ns = ns, .cause = thread_breaks_cause(breaks, charge->node)};

	if (ns < SHORTEST_NS) {
		states_ns[breaks->has_queue ? OFF_LAT : OFF_SLP] = ns;
		return;
	}
	find_facts(breaks, &facts);
	break_explain(&facts, states_ns);
	leave_for_next(breaks, &facts);
	if (load(&breaks->announced, charge->node) != WAIT_NONE)
		store(&breaks->announced, charge->node, WAIT_NONE);
}
