/*
 * thread_times.c: see thread_times.h. Any thread; the first reading in the process
 * decides, under the system's own lock, whether cycles are used.
 *
 * GetThreadTimes() counts in ticks of the clock interrupt, 15.6 ms mostly: it
 * charges a tick to the thread that runs when it occurs. QueryThreadCycleTime() counts the
 * CPU's time-stamp counter while the thread runs, to the cycle. Where that
 * counter keeps one rate, the cycles are the better CPU clock; the ticks then only
 * split it into user and kernel time. Where it does not, or the system does not
 * count cycles, ticks are all there is.
 */
#include "system.h"

#include "clocks.h"
#include "counter_rate.h"
#include "thread_times.h"

#define NS_PER_UNIT UINT64_C(100)

/* Cycles of a second of CPU time; 0 when cycles are not used. Written once, under
 * once. */
static uint64_t cycle_rate;
static INIT_ONCE once = INIT_ONCE_STATIC_INIT;

static uint64_t units_of(const FILETIME *time)
{
	return (uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime;
}

/* ---- cycles -------------------------------------------------------------- */

static uint64_t read_counter(void)
{
	return __builtin_ia32_rdtsc();
}

static BOOL CALLBACK decide(INIT_ONCE *init, void *argument, void **context)
{
	ULONG64 cycles = 0;
	(void)init;
	(void)argument;
	(void)context;
	if (tsc_keeps_rate() && QueryThreadCycleTime(GetCurrentThread(), &cycles) && cycles > 0)
		cycle_rate = counter_rate_measure(read_counter);
	return TRUE;
}

bool thread_times_refined(void)
{
	(void)InitOnceExecuteOnce(&once, decide, NULL, NULL);
	return cycle_rate != 0;
}

/* ---- readings ------------------------------------------------------------ */

static int read_handle(HANDLE thread, struct thread_times *times)
{
	FILETIME created;
	FILETIME exited;
	FILETIME kernel;
	FILETIME user;
	ULONG64 cycles;

	if (!GetThreadTimes(thread, &created, &exited, &kernel, &user))
		return system_error();
	times->created_units = units_of(&created);
	times->kernel_ns = units_of(&kernel) * NS_PER_UNIT;
	times->user_ns = units_of(&user) * NS_PER_UNIT;
	times->cpu_ns = times->kernel_ns + times->user_ns;
	if (thread_times_refined() && QueryThreadCycleTime(thread, &cycles))
		times->cpu_ns = clocks_scale(cycles, cycle_rate);
	return 0;
}

/* A thread that has ended exists as long as a handle to it is open. */
static bool is_live_here(HANDLE thread)
{
	return GetProcessIdOfThread(thread) == GetCurrentProcessId() &&
	       WaitForSingleObject(thread, 0) == WAIT_TIMEOUT;
}

int thread_times_read(os_thread thread, struct thread_times *times)
{
	if (thread == 0 || thread > UINT32_MAX)
		return ERROR_INVALID_THREAD_ID;
	if (thread == GetCurrentThreadId())
		return read_handle(GetCurrentThread(), times);
	HANDLE handle =
	        OpenThread(THREAD_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, (DWORD)thread);
	if (handle == NULL)
		return ERROR_INVALID_THREAD_ID;
	int error = is_live_here(handle) ? read_handle(handle, times) : ERROR_INVALID_THREAD_ID;
	(void)CloseHandle(handle);
	return error;
}

os_thread os_self_thread(void)
{
	return GetCurrentThreadId();
}

int os_thread_cpu_ns(os_thread thread, uint64_t *cpu_ns)
{
	struct thread_times times;
	int error = thread_times_read(thread, &times);
	if (error == 0)
		*cpu_ns = times.cpu_ns;
	return error;
}

uint64_t os_self_cpu_ns(void)
{
	struct thread_times times;
	return thread_times_read(os_self_thread(), &times) == 0 ? times.cpu_ns : 0;
}

const char *os_clock_names(void)
{
	return thread_times_refined()
	               ? "ticks and time: performance counter; CPU: thread cycle time"
	               : "ticks and time: performance counter; CPU: GetThreadTimes";
}
