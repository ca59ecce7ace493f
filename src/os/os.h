/*
 * os.h: the platform interface: errors, clocks, threads, timers, memory, files, sockets. Two more
 * headers have what one user alone asks for: os_machine.h (hotspot) and os_programs.h (the hprof
 * command). The other rooms see an operating system only through these; each platform directory
 * beside them implements all functions, and the Makefile picks the directory.
 *
 * Conventions
 * - A function that can fail returns 0 or a positive code of the platform (errno,
 *   GetLastError); os_error_text() turns the code into words.
 * - A value that the platform does not provide is reported as unknown, never as 0.
 * - Times are nanoseconds (suffix _ns) unless the name says otherwise.
 * - "Signal-safe" marks functions that may be called from the CPU-timer callback.
 */
#ifndef HPROF_OS_H
#define HPROF_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a handle was opened for. The agent shares descriptors with the program, which may close
 * them all, and then opens files that get their numbers. So each function that uses a file or a
 * socket checks first that it is still the same; if it is not, the function does nothing and
 * returns OS_DESCRIPTOR_LOST. Not used on Windows, where programs don't close handles that they
 * have not opened. */
struct os_identity {
	uint64_t device;
	uint64_t node;    /* of the file on its device */
	uint64_t born_ns; /* since file systems use a node again; 0: unknown */
};

/* os_mutex, os_event, os_thread_handle, os_cpu_clock, os_run_queue, os_cpu_timer */
#include "os_types.h"

/* What the compiler calls the formats that snprintf() takes. */
#ifndef OS_PRINTF_ARCHETYPE
#define OS_PRINTF_ARCHETYPE printf
#endif

/* ---- errors ---------------------------------------------------------- */

/* Room that holds any text of os_error_text(). */
#define OS_ERROR_TEXT_MAX 160

/* Codes that no system call gives, with their texts. OS_TIMED_OUT: the function's deadline passed.
 * OS_DESCRIPTOR_LOST: a file of the program may have its number now. */
#define OS_ERRORS(_)                                                                  \
	_(OS_TIMED_OUT, -1, "timed out")                                              \
	_(OS_UNSUPPORTED, -2, "not supported on this system")                         \
	_(OS_CLOSED, -3, "connection closed by the peer")                             \
	_(OS_NOT_OURS, -4, "belongs to another user, or is reached by a link of one") \
	_(OS_NO_SUCH_HOST, -5, "host name does not resolve")                          \
	_(OS_NO_MEMORY, -6, "out of memory")                                          \
	_(OS_TOO_LARGE, -7, "a value is too large for its field")                     \
	_(OS_HARD_LINK, -8, "the file has another name (a hard link)")                \
	_(OS_DESCRIPTOR_LOST, -9, "the program has closed its descriptor")

#define OS_ERROR_CODE(name, code, text) name = (code),
enum os_error { OS_ERRORS(OS_ERROR_CODE) };
#undef OS_ERROR_CODE

/* Writes the reason for code into text (cut to size, always terminated). Any thread; not
 * signal-safe. */
void os_error_text(int code, char *text, size_t size);

/* ---- clocks ---------------------------------------------------------- */

/* Milliseconds since 1970-01-01 UTC. Precision 1 ms. Never fails. */
int64_t os_wall_ms(void);

/* Monotonic nanoseconds from an arbitrary origin. Signal-safe. Never fails. */
uint64_t os_monotonic_ns(void);

/* The cheapest monotonic counter: same rate and, in effect, same value on all CPUs. Signal-safe.
 * Falls back to os_monotonic_ns(). Not ordered with the instructions around it. */
uint64_t os_ticks(void);

/* Rate of os_ticks(), read or measured once at the first call (which may take 20 ms). Any thread;
 * not signal-safe. */
uint64_t os_ticks_per_second(void);

/* CPU time, user plus system, that the calling thread has used. Signal-safe. Costs a system call on
 * most platforms. Never fails. */
uint64_t os_self_cpu_ns(void);

/* How a cheap CPU clock is read, for messages and tests. */
enum os_cpu_clock_kind {
	OS_CPU_CLOCK_ANY,   /* the cheapest that the system permits */
	OS_CPU_CLOCK_SYSTEM /* os_self_cpu_ns() at each reading */
};

/* A CPU clock of the calling thread that is cheap to read often: most readings cost as much as
 * os_monotonic_ns(), the first one after the thread left its CPU a system call. The clock is the
 * caller's memory and belongs to the thread that started it; nobody else may read it, not even a
 * signal handler on that thread. The first start in the process may take 1 ms. Needs no clean-up
 * when the thread ends. Never fails: without a cheap way each reading is a system call. */
void os_cpu_clock_start(struct os_cpu_clock *clock, enum os_cpu_clock_kind kind);

/* CPU time, user plus system, that the thread has used: as os_self_cpu_ns(), except the time of
 * interrupts in the last millisecond. Never decreases. *wall_ns is os_monotonic_ns() at the same
 * time. Between two readings during which the thread stays on its CPU, both advance by exactly the
 * same amount. */
uint64_t os_cpu_clock_read(struct os_cpu_clock *clock, uint64_t *wall_ns);

/* For code that can't call os_cpu_clock_read(), such as instrumented Java code: read
 * os_monotonic_ns(), then *word. If *word is os_run_mark_value() and the time is before until_ns,
 * the CPU time since the last reading equals the wall time since then. On a system that does not
 * support this, *word never has that value. */
struct os_run_mark {
	const volatile uint64_t *word; /* the same for the life of the clock */
	uint64_t until_ns;             /* changes with a reading */
};

struct os_run_mark os_cpu_clock_mark(const struct os_cpu_clock *clock);

/* Whether words keep the mark at all on this system. May take 1 ms. */
bool os_run_marks_work(void);

/* The mark of all words. Not 0. */
uint64_t os_run_mark_value(void);

/* One phrase for verbose messages: how a clock of kind ANY is read. May take 1 ms. */
const char *os_cpu_clock_name(void);

/* The calendar time of wall_ms in the local zone as asctime(3) writes it, less its newline:
 * "Sat Nov 21 02:55:43 2026". text holds at least 32 bytes. */
void os_local_time_text(int64_t wall_ms, char *text, size_t size);

/* The same time as YYYYMMDD-HHMMSS, for file names. */
void os_local_time_stamp(int64_t wall_ms, char *text, size_t size);

/* One phrase for verbose messages: which clocks the functions above read. */
const char *os_clock_names(void);

/* ---- threads --------------------------------------------------------- */

/* The system's name for a thread of this process (Linux: TID, Solaris: LWP id, Windows: thread id).
 * Valid until the thread ends; 0 is never a thread. */
typedef uint64_t os_thread;

/* The calling thread. Signal-safe. */
os_thread os_self_thread(void);

/* CPU time of another thread of this process. Fails (ESRCH on Unix) when it has ended or is not of
 * this process. One system call; precision as os_self_cpu_ns(). */
int os_thread_cpu_ns(os_thread thread, uint64_t *cpu_ns);

enum os_answer { OS_NO, OS_YES, OS_UNKNOWN };

/* Whether the thread is on a CPU now; a thread that sleeps, or waits for a CPU, is not. OS_UNKNOWN
 * when the system has no answer, for example for a thread that has ended. Some system calls. */
enum os_answer os_thread_running(os_thread thread);

/* Whether the thread runs or waits for a CPU; one that sleeps, or waits for anything else, does
 * not. OS_UNKNOWN as above. Some system calls. */
enum os_answer os_thread_runnable(os_thread thread);

/* Starts a thread that runs run(arg); it must be joined. The thread blocks all signals except those
 * of its own faults, so it never receives the program's; os_call_guarded() works on it, a
 * CPU-interval timer does not. */
int os_thread_start(struct os_thread_handle *handle, void (*run)(void *), void *arg);
void os_thread_join(struct os_thread_handle *handle);

/* Asks the system for os_fence_threads(), once. Waits some milliseconds, in which all CPUs have
 * changed threads: not on the program's threads. Any thread. */
void os_prepare_thread_fence(void);

/* Whether os_fence_threads() can be used: not before os_prepare_thread_fence(), and always once it
 * can. A sequentially consistent load. Any thread. */
bool os_can_fence_threads(void);

/* Every thread of the process executes a full memory fence at some moment of the call: what it has
 * stored before is visible to the caller afterwards, and what it loads after that moment is no
 * older than what the caller had stored. So the threads themselves can do with a compiler's fence
 * (atomic_signal_fence) between a store and a load. Takes some microseconds. False if the system
 * refuses. */
bool os_fence_threads(void);

/* Sleeps until os_monotonic_ns() has reached when_ns. */
void os_sleep_until(uint64_t when_ns);

/* Mutual exclusion, not recursive. Not signal-safe. */
int os_mutex_init(struct os_mutex *mutex);
void os_mutex_destroy(struct os_mutex *mutex);
void os_mutex_lock(struct os_mutex *mutex);
void os_mutex_unlock(struct os_mutex *mutex);

/* An event that wakes one waiter; signals without a waiter are remembered, as one or several (a
 * waiter checks what there is to do). os_event_signal() is signal-safe, and cheap without a
 * waiter. */
int os_event_init(struct os_event *event);
void os_event_destroy(struct os_event *event);
void os_event_signal(struct os_event *event);
/* Waits at most timeout_ms. True if the event was signalled. */
bool os_event_wait(struct os_event *event, uint32_t timeout_ms);

/* ---- microstates ----------------------------------------------------- */

/* The states of a thread's life, as prstat -m names them. */
enum os_microstate {
	OS_USR, /* user mode */
	OS_SYS, /* system calls */
	OS_TRP, /* other traps */
	OS_TFL, /* text page faults */
	OS_DFL, /* data page faults */
	OS_LCK, /* user locks */
	OS_SLP, /* sleeping */
	OS_LAT, /* waiting for a CPU */
	OS_MICROSTATES
};

struct os_microstates {
	uint64_t life_ns;            /* from the thread's creation to now; Linux: +-5 ms */
	uint64_t ns[OS_MICROSTATES]; /* valid where the bit of known is set */
	uint32_t known;              /* bit 1u << enum os_microstate */
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	bool switches_known;
};

/* Turns microstate accounting on for the process where that is needed (Solaris). 0 where nothing
 * needs to be done. */
int os_microstates_enable(void);

/* Reads a thread's microstates. The known states sum to life_ns; a state that the platform does not
 * separate from another is not in known. */
int os_thread_microstates(os_thread thread, struct os_microstates *states);

/* ---- breaks ---------------------------------------------------------- */

/* An account of how long a thread of this process, which can't end during the call, has waited for
 * a CPU: opened, read and closed on any thread, closed once nobody reads it. On Linux it costs a
 * descriptor, and EMFILE means that this one would be in the upper half of those the process may
 * open. OS_UNSUPPORTED where the system keeps no such account. After a failure it may be closed,
 * but not read. */
int os_run_queue_open(struct os_run_queue *queue, os_thread thread);
void os_run_queue_close(struct os_run_queue *queue);

/* Nanoseconds since the thread was created, without a wait that has not ended: exact for the thread
 * itself, which has its CPU. A system call or a few. False when the thread has ended, or the
 * program has closed the descriptor. */
bool os_run_queue_waited(const struct os_run_queue *queue, uint64_t *ns);

/* What the system counts of the calling thread's waits, since it was created. */
struct os_self_waits {
	uint64_t voluntary_switches; /* how often it gave up its CPU to wait for something */
	bool faults_known;           /* Solaris; otherwise the following are 0 */
	uint64_t text_fault_ns;      /* waiting for pages of code, */
	uint64_t data_fault_ns;      /* and of data */
};

/* A system call or a few. False when the system counts none of that. */
bool os_self_waits(struct os_self_waits *waits);

/* ---- CPU-interval timers --------------------------------------------- */

/* Called on the thread whose timer expired, in a signal handler: only signal-safe code. user is the
 * timer's own, context the machine context (ucontext_t on Unix) at the interrupted instruction. */
typedef void os_cpu_timer_callback(void *user, void *context);

/* How timers are driven, for messages and tests. */
enum os_cpu_timer_kind {
	OS_CPU_TIMER_ANY,  /* the best that the system permits */
	OS_CPU_TIMER_PERF, /* Linux: perf software clock; finer than the tick */
	OS_CPU_TIMER_POSIX /* timer_create() on the thread's CPU clock; Solaris: ITIMER_PROF */
};

/* Installs the process-wide machinery, for good; callback serves every timer. Chooses a signal that
 * the program does not handle, if there is one; otherwise the program's handler still receives the
 * signals that are not ours. Also installs the handlers of os_call_guarded(): call it after the
 * program (a JVM) has installed its own. OS_UNSUPPORTED where the platform has no such timer or
 * does not permit it (the clock engine is used then). kind other than ANY forces one. A later call
 * replaces the callback and resumes; EBUSY while an earlier timer is neither stopped nor ended. */
int os_cpu_timers_install(enum os_cpu_timer_kind kind, os_cpu_timer_callback *callback);

/* Which timer os_cpu_timer_start() tries first for an interval, in words; "none" before the
 * installation. */
const char *os_cpu_timers_name(uint64_t interval_ns);

/* Starts the calling thread's timer (one at most per thread): the callback runs about every
 * interval_ns of the thread's CPU time, first after first_ns (0 means interval_ns). Expirations may
 * merge; the callback reads os_self_cpu_ns() to know how much time passed. timer and user stay
 * where they are until stopped. perf time passes also while the host of a virtual machine uses the
 * CPU, so a timer may expire early by the CPU clock. A thread gets a POSIX timer if its perf timer
 * can't be created, or would use a descriptor from the upper half of those the process may open. So
 * do all threads when the interval is short for what an expiration costs; a shorter first_ns is
 * lengthened. Costs some system calls. After os_cpu_timers_end() it does nothing and returns 0. */
int os_cpu_timer_start(struct os_cpu_timer *timer, uint64_t first_ns, uint64_t interval_ns,
                       void *user);

/* Starts the timer of another thread, whose callbacks run on that thread. As os_cpu_timer_start()
 * otherwise, except that it returns EBUSY only if the thread's timer was started by this function.
 * ESRCH when the thread has ended; if it ends later, another thread must stop its timer.
 * OS_UNSUPPORTED also where the platform has no timers of other threads. EAGAIN when too many
 * threads have such timers. */
int os_cpu_timer_start_on(struct os_cpu_timer *timer, os_thread thread, uint64_t first_ns,
                          uint64_t interval_ns, void *user);

/* Whether the platform has timers of other threads. */
bool os_cpu_timers_of_others(void);

/* Whether the timer has been started and neither stopped nor ended, and the system still has it.
 * Any thread, while the timer exists. */
bool os_cpu_timer_runs(const struct os_cpu_timer *timer);

/* Stops the timer. False if it was not running: it was stopped before, or all timers have ended. A
 * thread must stop its own timer before it ends; after that return the callback never runs on it
 * again. Another thread may stop the timer only while the timer's thread can't end (under a lock
 * that this thread takes for its own stop); it waits up to 10 ms for a running callback, and user
 * and timer must outlive that callback (os_cpu_timers_end()). */
bool os_cpu_timer_stop(struct os_cpu_timer *timer);

/* After this no callback starts, on any thread, until resumed. Timers continue to expire without a
 * callback. Signal-safe. */
void os_cpu_timers_pause(void);
void os_cpu_timers_resume(void);

/* Ends all timers, also those of threads that never run again; none can start until
 * os_cpu_timers_install(). No callback starts after this call, which waits up to timeout_ms for
 * running ones. False if one is still running: the timers are disabled, but their system resources
 * are kept until another call. (Solaris: timers of other threads continue, without callbacks.) */
bool os_cpu_timers_end(uint32_t timeout_ms);

/* What os_cpu_timers_watch() has found and done. */
struct os_cpu_timers_findings {
	/* Timers whose period was doubled, since their expirations took more than a
	 * quarter of their thread's CPU time, and the longest of the new periods. */
	unsigned slowed;
	uint64_t longest_period_ns;

	/* Timers that stopped and that the system refuses to replace, and its last error. */
	unsigned lost;
	int lost_error;

	/* The program has taken the signal of that name: timers use the next one from now on, or
	 * have all ended, if it is NULL. */
	bool taken;
	const char *signal;
	const char *next_signal;
};

/* Checks the timers from outside their handlers. Call it about ten times a second while timers run,
 * from one thread at a time, which has no timer. The first call uses the CPU for a millisecond or
 * two, to measure what an expiration costs: make it soon, since first periods are not shorter than
 * a millisecond until then. */
void os_cpu_timers_watch(struct os_cpu_timers_findings *findings);

/* Whether the program has taken the timers' signal since the last check, and the signal's name: for
 * a last check before os_cpu_timers_end(). Never at the same time as os_cpu_timers_watch(). */
bool os_cpu_timers_taken(const char **signal);

/* ---- memory ---------------------------------------------------------- */

/* Zeroed pages, taken from the system only as they are touched. NULL without memory. size is
 * rounded up to whole pages by both. */
void *os_pages_alloc(size_t size);
void os_pages_free(void *pages, size_t size);

/* Addresses without memory, which costs nothing until os_pages_commit() gives a part of it some.
 * NULL if there are none. To be freed by os_pages_free(). */
void *os_pages_reserve(size_t size);

/* Zeroed memory for size bytes from there on, within pages that are reserved, rounded to whole
 * pages; taken from the system only as they are touched. What has memory already keeps it. False
 * without memory. */
bool os_pages_commit(void *from, size_t size);

/* Returns the memory of pages to the system but keeps their addresses: from now on a read there
 * gives 0 and a write does no harm. Of os_pages_alloc() or os_pages_commit(). */
void os_pages_discard(void *pages, size_t size);

/* ---- files ----------------------------------------------------------- */

struct os_file {
	intptr_t handle;
	struct os_identity identity;
	bool shared; /* with the process's standard output or error */
};

/* What happens to a regular file that exists already. */
enum os_file_create {
	OS_FILE_OVERWRITE, /* it is emptied, its mode made 0600 */
	OS_FILE_KEEP,      /* its mode is made 0600, what is in it stays */
	OS_FILE_APPEND,    /* the same, and each write goes to its end */
	OS_FILE_EXCLUSIVE  /* it is an error (os_file_exists_error()) */
};

/* Opens path (UTF-8 on Windows, else the system's bytes) for writing, created with mode 0600 (on
 * Windows, rights for its owner alone), not inherited by child processes. Refused are a regular
 * file of another user, and a FIFO or a link of another user except root, also a link in the path
 * (OS_NOT_OURS), and a regular file that has another name (OS_HARD_LINK). The checks are made on
 * what is opened. Devices and FIFOs are opened as they are, a FIFO only while it has a reader. The
 * file that the process's standard output or error goes to (/dev/stdout, or the file's own name) is
 * shared: it is not emptied, and each write goes where theirs would go. */
int os_file_create(const char *path, enum os_file_create how, struct os_file *file);

/* Whether code, from os_file_create(EXCLUSIVE), means that the file exists. */
bool os_file_exists_error(int code);

/* Whether the file can be rewritten in place (a regular file of our own). */
bool os_file_seekable(const struct os_file *file);

/* Writes all of it at the file's position, or fails. */
int os_file_write(struct os_file *file, const void *bytes, size_t length);

/* Cuts the file to length bytes and moves the position there. */
int os_file_truncate(struct os_file *file, uint64_t length);

int os_file_close(struct os_file *file);

/* ---- temporary files ------------------------------------------------- */

/* Creates a directory with mode 0700 in the directory of the file beside, or where the system keeps
 * temporary files if beside is NULL; its name goes to path. */
int os_private_directory(const char *beside, char *path, size_t size);

/* Marks the directory of os_private_directory() as in use, until the release or the end of this
 * process, so that os_directories_remove_left() does not remove it. The mark is a locked file in
 * the directory, which the release removes. Call the release after a failure, too. */
int os_directory_hold(const char *path, struct os_file *hold);
void os_directory_release(const char *path, struct os_file *hold);

/* Removes, with their contents, the directories beside that of path that were held by processes of
 * this user that ended without a release. Call it while this process holds none: its own locks
 * don't stop it. Not on Windows. */
void os_directories_remove_left(const char *path);

/* Removes an empty directory, a file. */
int os_directory_remove(const char *path);
int os_file_remove(const char *path);

/* Creates a file for reading and writing, in the same directory as os_private_directory() would,
 * without a name (Windows: with one that nobody can open it by): mode 0600 and not inherited. It is
 * deleted when it is closed or the process ends. */
int os_file_temporary(const char *beside, struct os_file *file);

/* Reads length existing bytes from offset, or fails. The position for writing stays. Only for a
 * file of os_file_temporary(). */
int os_file_read_at(struct os_file *file, uint64_t offset, void *bytes, size_t length);

/* Opens a file of our own to read it from its beginning; a link is refused. */
int os_file_open(const char *path, struct os_file *file);

/* Opens a file of any owner to read it from its beginning. A directory is an error. */
int os_file_open_any(const char *path, struct os_file *file);

enum os_standard { OS_STANDARD_INPUT, OS_STANDARD_OUTPUT, OS_STANDARD_ERROR };

/* The process's own standard stream, as bytes. Don't write to it through stdio as well. */
int os_file_standard(enum os_standard which, struct os_file *file);

/* The length of path up to and with its last separator; 0 if path has none. */
size_t os_path_directory_length(const char *path);

/* Goes back to the beginning of the file. */
int os_file_rewind(struct os_file *file);

/* Reads up to size bytes; *got is 0 only at the end. */
int os_file_read(struct os_file *file, void *bytes, size_t size, size_t *got);

/* The length of the file of that name, 0 when there is none. Signal-safe. */
uint64_t os_file_length(const char *path);

/* ---- sockets --------------------------------------------------------- */

struct os_socket {
	intptr_t handle;
	struct os_identity identity;
};

/* Connects to host (a name, an IPv4 or IPv6 address) trying all its addresses until deadline_ms
 * have passed in total; the error is that of the last one. Looking a name up counts towards the
 * deadline but is not cut short by it. A write to a closed peer is an error, never a signal. */
int os_socket_connect(const char *host, uint16_t port, uint32_t deadline_ms,
                      struct os_socket *socket);

/* Sockets within this system: name is a path or, on Linux, @ and a name that is in no file system.
 * OS_UNSUPPORTED where the platform has no such thing. */
int os_socket_connect_local(const char *name, uint32_t deadline_ms, struct os_socket *socket);

/* Listens at name, in the file system with mode 0600. Replaces an existing socket of this user if
 * nobody listens at it, and nothing else. The caller removes the name in the end
 * (os_file_remove()). For a process with one thread. */
int os_socket_listen_local(const char *name, struct os_socket *listener);

/* For a local connection: 0 if the process at the other end belongs to this user or to root; else
 * OS_NOT_OURS. The system reports it, so it can't be forged. */
int os_socket_check_peer(const struct os_socket *socket);

/* Listens on all local addresses; port 0 lets the system choose. *bound_port is the port it got. */
int os_socket_listen(uint16_t port, struct os_socket *listener, uint16_t *bound_port);
/* Listens on the first of the local addresses that host (a name, an IPv4 or IPv6 address) stands
 * for. */
int os_socket_listen_on(const char *host, uint16_t port, struct os_socket *listener,
                        uint16_t *bound_port);
int os_socket_accept(struct os_socket *listener, uint32_t deadline_ms, struct os_socket *socket);

/* Reads 1 to size bytes; *got is their number. OS_CLOSED at the peer's end, OS_TIMED_OUT when
 * nothing came within deadline_ms. */
int os_socket_read(struct os_socket *socket, void *bytes, size_t size, uint32_t deadline_ms,
                   size_t *got);

/* Writes all of it; OS_TIMED_OUT when the peer took nothing for deadline_ms. */
int os_socket_write(struct os_socket *socket, const void *bytes, size_t length,
                    uint32_t deadline_ms);

/* Writes 1 to length bytes; *sent is their number. OS_TIMED_OUT when the peer took none for
 * deadline_ms. */
int os_socket_write_some(struct os_socket *socket, const void *bytes, size_t length,
                         uint32_t deadline_ms, size_t *sent);

/* Ends writing: the peer sees the end of the stream after what was written. */
void os_socket_end_writing(struct os_socket *socket);

/* Ends both directions, so that a reader (or, of a listener, an acceptor) on another thread
 * returns. */
void os_socket_shutdown(struct os_socket *socket);
void os_socket_close(struct os_socket *socket);

/* ---- process --------------------------------------------------------- */

/* This process's id. */
uint64_t os_pid(void);

/* Whether standard output or error goes to a terminal that obeys ANSI escape sequences (a console
 * of Windows does if the program has enabled them). */
bool os_is_terminal(enum os_standard stream);

/* The columns of that terminal; 0: it is none, or does not report them. */
uint32_t os_terminal_columns(enum os_standard stream);

/* The full path of the file that this code was loaded from, in ASCII if the system has such a name
 * for it. */
int os_library_path(char *path, size_t size);

/* What the agent's library is called here. */
const char *os_library_name(void);

/* The absolute path of a file that need not exist; links are not resolved. */
int os_path_absolute(const char *path, char *absolute, size_t size);

#endif
