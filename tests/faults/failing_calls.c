/*
 * failing_calls.c: a library for LD_PRELOAD that counts the calls of the system that the
 * agent makes, and fails a chosen one, or all from that one on. Calls of the program and of
 * the JVM pass through.
 *
 * A call is the agent's when it returns into the agent's library, or into a library that
 * works on the agent's behalf (libz, libbsd, libc), whose own caller is the agent.
 *
 * Environment
 *     FAULTS_LIBRARY  part of the agent's file name (default: libhprof.so)
 *     FAULTS_REPORT   an existing file of REPORT_BYTES bytes: the counts, while they change
 *     FAULTS_CALL     the group of calls that fails (see groups); none: count only
 *     FAULTS_AT       the number of the call, from 1
 *     FAULTS_ONWARD   1: later calls of the group fail, too
 *     FAULTS_DENIED   a group whose calls fail always, so that the agent does without
 *
 * What the wrappers do is safe in signal handlers, where the agent calls ioctl(): atomic
 * counters alone. Linux with glibc.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

enum group {
	MALLOC,
	WRITE,
	OPEN,
	MMAP,
	FTRUNCATE,
	IOCTL,
	PTHREAD_CREATE,
	PERF_EVENT_OPEN,
	TIMER_CREATE,
	SEND,
	READ,
	GROUPS
};

/* The order is that of the report's counters; driver.py has the same. */
static const struct {
	const char *name;
	int error;
} groups[GROUPS] = {
        [MALLOC] = {"malloc", ENOMEM},
        [WRITE] = {"write", ENOSPC},
        [OPEN] = {"open", EMFILE},
        [MMAP] = {"mmap", ENOMEM},
        [FTRUNCATE] = {"ftruncate", EIO},
        [IOCTL] = {"ioctl", EIO},
        [PTHREAD_CREATE] = {"pthread_create", EAGAIN},
        [PERF_EVENT_OPEN] = {"perf_event_open", EMFILE},
        [TIMER_CREATE] = {"timer_create", EAGAIN},
        [SEND] = {"send", ECONNRESET},
        [READ] = {"read", EIO},
};

/* A place that allocates: driver.py has each fail at its first and at later calls. */
struct site {
	_Atomic uint64_t place; /* return address in the library; 0: the entry is free */
	_Atomic uint64_t first; /* number of its first call */
	_Atomic uint64_t last;
};

enum { REPORT_BYTES = 65536, SITES_MAX = 1024, UNWIND_MAX = 8 };

/* In the report's file. */
struct report {
	_Atomic uint64_t counts[GROUPS];
	_Atomic uint64_t fired;       /* how many calls were failed */
	_Atomic uint64_t place;       /* of the first of them: its return address in the library */
	struct site sites[SITES_MAX]; /* of MALLOC */
};

_Static_assert(sizeof(struct report) <= REPORT_BYTES, "the report does not fit its file");

struct range {
	uintptr_t start;
	uintptr_t end;
};

static struct report own_report;
static struct report *report = &own_report;
static enum group failing_group = GROUPS;
static enum group denied_group = GROUPS;
static uint64_t failing_at;
static bool failing_onward;

/* The agent's code; unknown until the JVM has loaded it. Set once, end last. */
static _Atomic uintptr_t agent_start;
static _Atomic uintptr_t agent_end;
static uintptr_t agent_base;

/* Libraries that work on the agent's behalf. Set before agent_end. */
enum { HELPERS_MAX = 4 };
static struct range helpers[HELPERS_MAX];
static size_t helper_count;

/* ---- whose call it is -------------------------------------------------------- */

static struct range code_of(const struct dl_phdr_info *info)
{
	struct range code = {UINTPTR_MAX, 0};

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		if (start < code.start)
			code.start = start;
		if (start + segment->p_memsz > code.end)
			code.end = start + segment->p_memsz;
	}
	return code;
}

static const char *agent_name(void)
{
	const char *name = getenv("FAULTS_LIBRARY");

	return name ? name : "libhprof.so";
}

static int note_library(struct dl_phdr_info *info, size_t size, void *found)
{
	static const char *const names[HELPERS_MAX] = {"/libz.so", "/libbsd.so", "/libc.so", NULL};
	struct range code = code_of(info);

	(void)size;
	if (strstr(info->dlpi_name, agent_name())) {
		agent_base = info->dlpi_addr;
		*(struct range *)found = code;
		return 0;
	}
	for (size_t i = 0; i < HELPERS_MAX && names[i]; i++) {
		if (strstr(info->dlpi_name, names[i]) && helper_count < HELPERS_MAX)
			helpers[helper_count++] = code;
	}
	return 0;
}

/* After each dlopen() until the agent is found. */
static void look_for_agent(void)
{
	struct range agent = {0, 0};

	if (agent_end)
		return;
	helper_count = 0;
	dl_iterate_phdr(note_library, &agent);
	if (agent.end) {
		agent_start = agent.start;
		agent_end = agent.end;
	}
}

static bool in_agent(uintptr_t address)
{
	return address < agent_end && address >= agent_start;
}

static bool in_helper(uintptr_t address)
{
	for (size_t i = 0; i < helper_count; i++) {
		if (address >= helpers[i].start && address < helpers[i].end)
			return true;
	}
	return false;
}

struct search {
	unsigned frames;
	bool found;
};

/* The first frame outside of the helpers decides; this library's own come first. */
static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *argument)
{
	struct search *search = argument;
	uintptr_t address = _Unwind_GetIP(context);

	search->frames++;
	search->found = in_agent(address);
	if (search->found || search->frames > UNWIND_MAX)
		return _URC_END_OF_STACK;
	return search->frames <= 3 || in_helper(address) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static bool from_agent(uintptr_t caller)
{
	struct search search = {0, false};

	if (!agent_end)
		return false;
	if (in_agent(caller))
		return true;
	if (!in_helper(caller))
		return false;
	_Unwind_Backtrace(look_at_frame, &search);
	return search.found;
}

/* ---- counting and failing ------------------------------------------------------ */

/* A full table leaves places out. */
static void note_site(uint64_t place, uint64_t count)
{
	for (size_t i = 0; i < SITES_MAX; i++) {
		struct site *site = &report->sites[(place + i) % SITES_MAX];
		uint64_t found = 0;

		if (atomic_compare_exchange_strong(&site->place, &found, place)) {
			site->first = count;
			found = place;
		}
		if (found == place) {
			site->last = count;
			return;
		}
	}
}

/* Whether this call shall fail, with errno set. */
static bool fails(enum group group, uintptr_t caller)
{
	uint64_t count;
	uint64_t none = 0;

	if (!from_agent(caller))
		return false;
	count = atomic_fetch_add(&report->counts[group], 1) + 1;
	if (group == MALLOC)
		note_site(caller - agent_base, count);
	if (group == denied_group) {
		errno = groups[group].error;
		return true;
	}
	if (group != failing_group || count < failing_at || (count > failing_at && !failing_onward))
		return false;
	atomic_fetch_add(&report->fired, 1);
	atomic_compare_exchange_strong(&report->place, &none, caller - agent_base);
	errno = groups[group].error;
	return true;
}

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* GROUPS when there is none of that name. */
static enum group group_named(const char *name)
{
	size_t at = 0;

	while (name && at < GROUPS && strcmp(name, groups[at].name) != 0)
		at++;
	return name ? (enum group)at : GROUPS;
}

/* Functions that signal handlers call, where dlsym() may not be. */
static __typeof__(&ioctl) next_ioctl;
static __typeof__(&syscall) next_syscall;

static void find_next(void)
{
	if (!next_ioctl)
		next_ioctl = (__typeof__(&ioctl))dlsym(RTLD_NEXT, "ioctl");
	if (!next_syscall)
		next_syscall = (__typeof__(&syscall))dlsym(RTLD_NEXT, "syscall");
}

/* The next definition of the function after this library's; found at the first call,
 * since others may call before this library's constructor runs. */
#define NEXT(function)                                                             \
	({                                                                         \
		static __typeof__(&function) next;                                 \
		if (!next)                                                         \
			next = (__typeof__(&function))dlsym(RTLD_NEXT, #function); \
		next;                                                              \
	})

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAULTS_REPORT");
	const char *at = getenv("FAULTS_AT");
	const char *onward = getenv("FAULTS_ONWARD");
	int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;

	if (fd >= 0) {
		void *shared =
		        NEXT(mmap)(NULL, REPORT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (shared != MAP_FAILED)
			report = shared;
		close(fd);
	}
	failing_group = group_named(getenv("FAULTS_CALL"));
	denied_group = group_named(getenv("FAULTS_DENIED"));
	failing_at = at ? strtoull(at, NULL, 10) : 0;
	failing_onward = onward && strcmp(onward, "1") == 0;
}

void *dlopen(const char *name, int flags)
{
	void *library = NEXT(dlopen)(name, flags);

	look_for_agent();
	return library;
}

/* ---- memory: glibc's own names, as dlsym() itself may allocate ------------------- */

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *block, size_t bytes);

void *malloc(size_t bytes)
{
	return fails(MALLOC, CALLER) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	return fails(MALLOC, CALLER) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
	/* A block may be freed that way, which does not fail. */
	return bytes != 0 && fails(MALLOC, CALLER) ? NULL : __libc_realloc(block, bytes);
}

/* ---- files ------------------------------------------------------------------------ */

ssize_t write(int fd, const void *bytes, size_t size)
{
	return fails(WRITE, CALLER) ? -1 : NEXT(write)(fd, bytes, size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
	return fails(READ, CALLER) ? -1 : NEXT(read)(fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	return fails(READ, CALLER) ? -1 : NEXT(pread)(fd, bytes, size, offset);
}

ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
	return fails(READ, CALLER) ? -1 : NEXT(recv)(fd, bytes, size, flags);
}

ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	return fails(SEND, CALLER) ? -1 : NEXT(send)(fd, bytes, size, flags);
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return fails(OPEN, CALLER) ? -1 : NEXT(open)(path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return fails(OPEN, CALLER) ? -1 : NEXT(openat)(directory, path, flags, mode);
}

int mkostemp(char *template, int flags)
{
	return fails(OPEN, CALLER) ? -1 : NEXT(mkostemp)(template, flags);
}

char *mkdtemp(char *template)
{
	return fails(OPEN, CALLER) ? NULL : NEXT(mkdtemp)(template);
}

int ftruncate(int fd, off_t length)
{
	return fails(FTRUNCATE, CALLER) ? -1 : NEXT(ftruncate)(fd, length);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	if (fails(MMAP, CALLER))
		return MAP_FAILED;
	return NEXT(mmap)(address, length, protection, flags, fd, offset);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	find_next();
	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return fails(IOCTL, CALLER) ? -1 : next_ioctl(fd, request, argument);
}

/* ---- threads, timers ---------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
	return fails(PTHREAD_CREATE, CALLER)
	               ? EAGAIN
	               : NEXT(pthread_create)(thread, attributes, run, argument);
}

int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
	return fails(TIMER_CREATE, CALLER) ? -1 : NEXT(timer_create)(clock, event, timer);
}

long syscall(long number, ...)
{
	va_list arguments;
	long values[6];

	find_next();
	va_start(arguments, number);
	for (size_t i = 0; i < 6; i++)
		values[i] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_perf_event_open && fails(PERF_EVENT_OPEN, CALLER))
		return -1;
	return next_syscall(number, values[0], values[1], values[2], values[3], values[4],
	                    values[5]);
}
