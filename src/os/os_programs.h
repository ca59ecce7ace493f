/*
 * os_programs.h: the platform interface of the hprof command alone: running other programs,
 * requests to end, regular expressions. The conventions are those of os.h.
 */
#ifndef HPROF_OS_PROGRAMS_H
#define HPROF_OS_PROGRAMS_H

#include "os.h"

/* ---- programs -------------------------------------------------------- */

/* Arguments are the program's name or path, its arguments, and NULL. A name without a separator is
 * looked for in the directories of PATH. No shell is involved. */

/* Takes those of main(), and replaces them by the same in UTF-8 where the system has them in
 * another encoding; they last as long as the process. When memory is short they stay as they are.
 */
void os_program_arguments(int *count, char ***arguments);

/* Whether the agent reads a path as it is when it is among its options on the command line of a
 * JVM: not where the system passes that on in an encoding without some of the letters. */
bool os_program_passes_path(const char *path);

/* Replaces this process by the program, with the same standard streams. Where the system has no
 * such call, this process waits for the program, leaves Ctrl-C to it, and ends with its exit code.
 * Returns only if the program did not start, with the reason. For a process with one thread. */
int os_program_become(const char *const *arguments);

/* Runs the program to its end, with the same standard streams. *exit_code as for
 * os_program_run(). Ctrl-C is left to the program, which the terminal sends it to as well; a
 * request to end (POSIX: SIGTERM, SIGHUP, also SIGUSR1 and SIGUSR2) that another process sends to
 * this one is passed on. Returns after an os_interrupts_catch(), so that none is lost in between.
 * For a process with one thread. */
int os_program_attend(const char *const *arguments, int *exit_code);

/* Runs the program to its end, with empty standard input. Its standard output and error go to
 * output, terminated and cut to size. *exit_code is its own, or 128 and the signal that ended it.
 * For a process with one thread. */
int os_program_run(const char *const *arguments, char *output, size_t size, int *exit_code);

/* ---- interrupts ------------------------------------------------------ */

/* From os_interrupts_catch() on, Ctrl-C (POSIX: also SIGTERM, and SIGHUP unless that is ignored)
 * does not end this process: os_interrupted() is true after it. Nor does writing to a closed pipe,
 * which is an error. For a process with one thread. */
void os_interrupts_catch(void);
bool os_interrupted(void);

/* ---- regular expressions --------------------------------------------- */

struct os_regex;

/* Compiles an extended regular expression as POSIX defines it. OS_UNSUPPORTED where the platform
 * has none; OS_NO_MEMORY; or another code, with the reason in error, if it is malformed. The
 * caller frees it with os_regex_free(), which takes NULL, too. */
int os_regex_compile(const char *pattern, struct os_regex **regex, char *error, size_t size);
void os_regex_free(struct os_regex *regex);

/* Whether a part of the text matches. */
bool os_regex_matches(const struct os_regex *regex, const char *text);

#endif
