/* marks: posix, not_shimmed, not_emulated */
/*
 * Tests of the attach protocol against a process that plays a JVM: it catches SIGQUIT on a
 * thread with the name of HotSpot's, looks for the file that asks it to, listens, and answers.
 */
#include "judged_times.h"
#include "run_suite.h"

#include "attach/jvm.h"
#include "attach/jvm_load.h"
#include "os/os_programs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME_BYTES = 64, REQUEST_BYTES = 4096, WORDS = 5 };

static const char dispatcher[] = "Signal Dispatch";
static const char library[] = "/dev/null"; /* which everybody can read */
static const char options[] = "cpu=samples,file=a \"b\" 'c'\n";

/* How the process behaves. */
struct manners {
	const char *thread;
	bool catches;
	bool opens;          /* its socket, when it is asked to */
	bool lets_another;   /* process listen there */
	size_t answer_bytes; /* of answer, at a time */
	const char *answer;
};

static struct attach_result result;
static char directory[NAME_BYTES];
static pid_t jvm;
static int requests; /* where the request comes out */

/* ---- the process that plays a JVM ------------------------------------------------------ */

static volatile sig_atomic_t asked;

static void on_quit(int number)
{
	(void)number;
	asked = 1;
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	(void)unlink(path);
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0 || listen(fd, 4) != 0)
		_exit(10);
	return fd;
}

static void answer_one(int listener, int out, const struct manners *manners)
{
	char request[REQUEST_BYTES];
	size_t length = 0;
	int words = 0;
	int fd = accept(listener, NULL, NULL);
	size_t left = strlen(manners->answer);

	while (words < WORDS && read(fd, request + length, 1) == 1)
		words += request[length++] == '\0' ? 1 : 0;
	if (write(out, request, length) != (ssize_t)length)
		_exit(11);
	for (const char *at = manners->answer; left > 0;) {
		size_t piece = left < manners->answer_bytes ? left : manners->answer_bytes;
		if (send(fd, at, piece, MSG_NOSIGNAL) != (ssize_t)piece)
			break;
		at += piece;
		left -= piece;
	}
	(void)close(fd);
}

static void say_ready(int ready)
{
	if (write(ready, "r", 1) != 1)
		_exit(13);
	(void)close(ready);
}

static void serve(int listener, int out, const struct manners *manners)
{
	for (;;)
		answer_one(listener, out, manners);
}

/* A process that listens at the JVM's name. */
static void rob(const char *path, int ready, int out, const struct manners *manners)
{
	(void)alarm(30);
	int listener = listen_at(path);
	say_ready(ready);
	serve(listener, out, manners);
}

static void play_jvm(int ready, int out, const struct manners *manners)
{
	char path[NAME_BYTES];
	char trigger[NAME_BYTES];

	(void)alarm(60);
	if (chdir(directory) != 0 || prctl(PR_SET_NAME, manners->thread) != 0)
		_exit(12);
	(void)signal(SIGQUIT, manners->catches ? on_quit : SIG_DFL);
	(void)snprintf(path, sizeof(path), "/tmp/.java_pid%d", (int)getpid());
	(void)snprintf(trigger, sizeof(trigger), ".attach_pid%d", (int)getpid());
	if (manners->lets_another) {
		if (fork() == 0)
			rob(path, ready, out, manners);
		(void)close(ready);
	} else {
		say_ready(ready);
	}
	while (asked == 0 || !manners->opens || access(trigger, F_OK) != 0)
		(void)usleep(1000);
	serve(listen_at(path), out, manners);
}

static void start(const struct manners *manners)
{
	int ready[2];
	int out[2];
	char byte;

	ck_assert_int_eq(pipe(ready), 0);
	ck_assert_int_eq(pipe(out), 0);
	jvm = fork();
	ck_assert_int_ge(jvm, 0);
	if (jvm == 0) {
		(void)setpgid(0, 0);
		play_jvm(ready[1], out[1], manners);
	}
	(void)close(ready[1]);
	(void)close(out[1]);
	requests = out[0];
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	(void)close(ready[0]);
}

static void set_up(void)
{
	(void)strcpy(directory, "/tmp/hprof-jvm-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	jvm = 0;
}

static void end_jvm(void)
{
	char path[NAME_BYTES];

	if (jvm == 0)
		return;
	(void)kill(-jvm, SIGKILL);
	(void)waitpid(jvm, NULL, 0);
	(void)snprintf(path, sizeof(path), "/tmp/.java_pid%d", (int)jvm);
	(void)unlink(path);
	jvm = 0;
}

static void tear_down(void)
{
	end_jvm();
	(void)rmdir(directory); /* which has nothing left in it */
	ck_assert_int_ne(access(directory, F_OK), 0);
}

static void load(const struct manners *manners, enum attach_outcome expected)
{
	start(manners);
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, expected);
}

static bool lives(void)
{
	return waitpid(jvm, NULL, WNOHANG) == 0;
}

/* ---- tests ------------------------------------------------------------------------------ */

static const struct manners polite = {.thread = dispatcher,
                                      .catches = true,
                                      .opens = true,
                                      .answer_bytes = 100,
                                      .answer = "0\nreturn code: 0\n"};

static void check_request(void)
{
	static const char wanted[] = "1\0load\0/dev/null\0true\0cpu=samples,file=a \"b\" 'c'\n";
	char request[REQUEST_BYTES];
	size_t length = 0;

	while (length < sizeof(wanted)) {
		ssize_t got = read(requests, request + length, sizeof(request) - length);
		ck_assert_int_gt(got, 0);
		length += (size_t)got;
	}
	ck_assert_uint_eq(length, sizeof(wanted));
	ck_assert_mem_eq(request, wanted, sizeof(wanted));
}

START_TEST(the_request_arrives_and_the_answer_comes_back)
{
	load(&polite, ATTACH_ANSWERED);
	ck_assert_str_eq(result.answer, polite.answer);
	ck_assert_uint_eq(result.inner_pid, (uint64_t)jvm);
	ck_assert_uint_eq(result.uid, geteuid());
	check_request();
	/* Again, now that it listens. */
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_ANSWERED);
	check_request();
}
END_TEST

START_TEST(an_answer_in_pieces_is_put_together)
{
	struct manners slow = polite;
	slow.answer_bytes = 1;
	load(&slow, ATTACH_ANSWERED);
	ck_assert_str_eq(result.answer, polite.answer);
}
END_TEST

START_TEST(a_long_answer_is_cut)
{
	static char text[1024 * 1024];
	struct manners talkative = polite;
	memset(text, 'x', sizeof(text) - 1);
	talkative.answer = text;
	talkative.answer_bytes = sizeof(text);
	load(&talkative, ATTACH_ANSWERED);
	ck_assert_uint_eq(strlen(result.answer), sizeof(result.answer) - 1);
}
END_TEST

START_TEST(no_answer_is_an_error)
{
	struct manners silent = polite;
	silent.answer = "";
	load(&silent, ATTACH_NO_ANSWER);
	ck_assert_int_eq(result.error, OS_CLOSED);
}
END_TEST

START_TEST(a_socket_that_is_left_over_is_not_taken_for_the_jvms)
{
	char path[NAME_BYTES];
	start(&polite);
	(void)snprintf(path, sizeof(path), "/tmp/.java_pid%d", (int)jvm);
	(void)close(listen_at(path));
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_ANSWERED);
}
END_TEST

START_TEST(another_process_gets_no_request)
{
	char byte;
	struct manners robbed = polite;
	robbed.lets_another = true;
	load(&robbed, ATTACH_SOCKET_FOREIGN);
	end_jvm();
	ck_assert_int_eq(read(requests, &byte, 1), 0);
}
END_TEST

/* What would be done to a file or a link of that name is done to nothing. */
START_TEST(what_is_no_socket_is_left_alone)
{
	char path[NAME_BYTES];
	struct stat status;
	start(&polite);
	(void)snprintf(path, sizeof(path), "/tmp/.java_pid%d", (int)jvm);
	ck_assert_int_eq(symlink("/dev/null", path), 0);
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_SOCKET_FOREIGN);
	ck_assert_int_eq(lstat(path, &status), 0);
	ck_assert(S_ISLNK(status.st_mode));
}
END_TEST

START_TEST(who_does_not_open_its_socket_is_given_up)
{
	struct manners deaf = polite;
	deaf.opens = false;
	uint64_t before = os_monotonic_ns();
	load(&deaf, ATTACH_NO_SOCKET);
	uint64_t took_ns = os_monotonic_ns() - before;
	CHECK_TIME(took_ns >= UINT64_C(9000000000), "took %.3f s", (double)took_ns / 1e9);
	ck_assert(lives());
}
END_TEST

START_TEST(who_is_no_jvm_gets_no_signal)
{
	struct manners other = polite;
	other.thread = "Signal Dispatcx";
	load(&other, ATTACH_NO_JVM);
	(void)usleep(50000);
	ck_assert(lives());
	end_jvm();
	other.thread = dispatcher;
	other.catches = false;
	load(&other, ATTACH_NO_JVM);
	(void)usleep(50000);
	ck_assert(lives());
}
END_TEST

START_TEST(who_has_ended_is_no_process)
{
	start(&polite);
	(void)kill(jvm, SIGKILL);
	siginfo_t info;
	ck_assert_int_eq(waitid(P_PID, (id_t)jvm, &info, WEXITED | WNOWAIT), 0);
	/* First as a zombie. */
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_NO_PROCESS);
	ck_assert_int_eq(waitpid(jvm, NULL, 0), jvm);
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_NO_PROCESS);
	jvm = 0;
	ck_assert_int_eq(jvm_load(UINT64_MAX, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_NO_PROCESS);
}
END_TEST

START_TEST(a_library_must_be_there)
{
	start(&polite);
	ck_assert_int_eq(
	        jvm_load((uint64_t)jvm, "/no/such/file", options, ATTACH_INTERRUPTS_WAIT, &result),
	        0);
	ck_assert_int_eq(result.outcome, ATTACH_LIBRARY_ELSEWHERE);
	ck_assert_int_eq(result.error, ENOENT);
}
END_TEST

START_TEST(texts_have_a_limit)
{
	char text[ATTACH_TEXT_MAX + 2];
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	start(&polite);
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, text, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_TEXT_TOO_LONG);
	ck_assert_int_eq(
	        jvm_load((uint64_t)jvm, library, text + 1, ATTACH_INTERRUPTS_WAIT, &result), 0);
	ck_assert_int_eq(result.outcome, ATTACH_ANSWERED);
}
END_TEST

/* ---- a request to end while the JVM does not answer ------------------------------------- */

static const int requests_to_end[] = {SIGINT, SIGTERM, SIGHUP};

enum { REQUESTS_TO_END = sizeof(requests_to_end) / sizeof(requests_to_end[0]) };

/* A process that attaches, as the command does; its exit code is the outcome. */
static pid_t start_attach(enum attach_interrupts interrupts)
{
	pid_t attach = fork();
	ck_assert_int_ge(attach, 0);
	if (attach != 0)
		return attach;
	(void)setpgid(0, 0);
	for (int i = 0; i < REQUESTS_TO_END; i++)
		(void)signal(requests_to_end[i], SIG_DFL);
	if (interrupts == ATTACH_INTERRUPTS_CANCEL)
		os_interrupts_catch();
	(void)jvm_load((uint64_t)jvm, library, options, interrupts, &result);
	_exit((int)result.outcome);
}

/* The status of an attach that gets a request to end when the file for the JVM is there. The
 * request is for that process alone, or for its child as well. */
static int interrupt(int number, bool group, enum attach_interrupts interrupts)
{
	char trigger[2 * NAME_BYTES];
	int status = 0;
	struct manners deaf = polite;

	deaf.opens = false;
	start(&deaf);
	pid_t attach = start_attach(interrupts);
	(void)snprintf(trigger, sizeof(trigger), "%s/.attach_pid%d", directory, (int)jvm);
	while (access(trigger, F_OK) != 0)
		ck_assert_int_eq(waitpid(attach, &status, WNOHANG), 0);
	ck_assert_int_eq(kill(group ? -attach : attach, number), 0);
	ck_assert_int_eq(waitpid(attach, &status, 0), attach);
	ck_assert_int_ne(access(trigger, F_OK), 0);
	ck_assert(lives());
	return status;
}

START_TEST(a_request_to_end_leaves_no_file)
{
	int number = requests_to_end[_i / 2];
	int status = interrupt(number, _i % 2 == 0, ATTACH_INTERRUPTS_END);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), number);
}
END_TEST

START_TEST(a_caught_request_to_end_is_an_outcome)
{
	int status = interrupt(requests_to_end[_i / 2], _i % 2 == 0, ATTACH_INTERRUPTS_CANCEL);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), ATTACH_INTERRUPTED);
}
END_TEST

/* As the one that ends a profile does: the request came before, and the JVM is to stop. */
START_TEST(a_request_to_end_that_came_before_does_not_keep_the_jvm_waiting)
{
	start(&polite);
	os_interrupts_catch();
	(void)raise(SIGINT);
	ck_assert_int_eq(
	        jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_CANCEL, &result), 0);
	ck_assert_int_eq(result.outcome, ATTACH_INTERRUPTED);
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_ANSWERED);
	check_request();
}
END_TEST

/* ---- system calls that the filter of a container refuses --------------------------------- */

/* False if the system has no filters. */
static bool refuse(unsigned error, long first, long second)
{
	struct sock_filter filter[] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)first, 1, 0),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)second, 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]),
	                                   .filter = filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static const struct {
	unsigned error;
	long first;
	long second;
} refused[] = {
        {EPERM, SYS_openat2, SYS_openat2},
        {EPERM, SYS_pidfd_send_signal, SYS_pidfd_send_signal},
        {EPERM, SYS_openat2, SYS_pidfd_send_signal},
        {ENOSYS, SYS_openat2, SYS_pidfd_send_signal},
};

START_TEST(newer_system_calls_have_an_older_way)
{
	char link[2 * NAME_BYTES];

	start(&polite);
	(void)snprintf(link, sizeof(link), "%s/library", directory);
	ck_assert_int_eq(symlink(library, link), 0);
	if (refuse(refused[_i].error, refused[_i].first, refused[_i].second)) {
		ck_assert_int_eq(
		        jvm_load((uint64_t)jvm, link, options, ATTACH_INTERRUPTS_WAIT, &result), 0);
		ck_assert_msg(result.outcome == ATTACH_ANSWERED, "%d, %s: %d", result.outcome,
		              result.failed, result.error);
	}
	(void)unlink(link);
}
END_TEST

START_TEST(what_failed_is_named)
{
	char expected[2 * NAME_BYTES];

	start(&polite);
	if (!refuse(EPERM, SYS_connect, SYS_connect))
		return;
	ck_assert_int_eq(jvm_load((uint64_t)jvm, library, options, ATTACH_INTERRUPTS_WAIT, &result),
	                 0);
	ck_assert_int_eq(result.outcome, ATTACH_FAILED);
	ck_assert_int_eq(result.error, EPERM);
	(void)snprintf(expected, sizeof(expected), "connect /tmp/.java_pid%d", (int)jvm);
	ck_assert_str_eq(result.failed, expected);
}
END_TEST

/* ---- a JVM that is held --------------------------------------------------------------------- */

static struct jvm *hold(void)
{
	struct jvm *held;
	start(&polite);
	jvm_hold((uint64_t)jvm, &held, &result);
	ck_assert_ptr_nonnull(held);
	ck_assert_int_eq(result.outcome, ATTACH_ANSWERED);
	ck_assert(jvm_is_running(held));
	return held;
}

static void exchange_file(const struct jvm *held, const char *suffix, char path[4 * NAME_BYTES])
{
	(void)snprintf(path, 4 * NAME_BYTES, "%s%s", jvm_exchange_path(held), suffix);
}

static void write_exchanged(const struct jvm *held, const char *suffix)
{
	char path[4 * NAME_BYTES];
	exchange_file(held, suffix, path);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "text", 4), 4);
	ck_assert_int_eq(close(fd), 0);
}

static void read_exchanged(const struct jvm *held, const char *suffix)
{
	struct os_file file;
	char text[8];
	size_t got = 0;
	ck_assert_int_eq(jvm_file_open(held, suffix, &file), 0);
	ck_assert_int_eq(os_file_read(&file, text, sizeof(text), &got), 0);
	ck_assert_uint_eq(got, 4);
	ck_assert_mem_eq(text, "text", 4);
	ck_assert_int_eq(os_file_close(&file), 0);
}

START_TEST(files_of_a_held_jvm_are_read_also_after_its_end)
{
	struct jvm *held = hold();
	struct os_file file;

	ck_assert(jvm_is_here(held));
	ck_assert_int_eq(strncmp(jvm_exchange_path(held), "/tmp/hprof-", 11), 0);
	ck_assert_int_eq(jvm_file_open(held, ".txt", &file), ENOENT);
	write_exchanged(held, ".txt");
	read_exchanged(held, ".txt");
	siginfo_t info;
	(void)kill(jvm, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)jvm, &info, WEXITED | WNOWAIT), 0);
	ck_assert(!jvm_is_running(held)); /* first as a zombie */
	ck_assert_int_eq(waitpid(jvm, NULL, 0), jvm);
	jvm = 0;
	ck_assert(!jvm_is_running(held));
	read_exchanged(held, ".txt");
	ck_assert_int_eq(jvm_file_remove(held, ".txt"), 0);
	ck_assert_int_eq(jvm_file_open(held, ".txt", &file), ENOENT);
	jvm_release(held);
}
END_TEST

START_TEST(what_is_no_regular_file_of_the_jvms_user_is_refused)
{
	struct jvm *held = hold();
	struct os_file file;
	char path[4 * NAME_BYTES];
	char other[4 * NAME_BYTES];

	exchange_file(held, "", path);
	ck_assert_int_eq(symlink("/etc/passwd", path), 0);
	ck_assert_int_ne(jvm_file_open(held, "", &file), 0);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0); /* which is not waited for */
	ck_assert_int_eq(jvm_file_open(held, "", &file), OS_NOT_OURS);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(jvm_file_open(held, "", &file), OS_NOT_OURS);
	ck_assert_int_eq(rmdir(path), 0);
	write_exchanged(held, "");
	exchange_file(held, ".other", other);
	ck_assert_int_eq(link(path, other), 0);
	ck_assert_int_eq(jvm_file_open(held, "", &file), OS_NOT_OURS);
	ck_assert_int_eq(unlink(other), 0);
	read_exchanged(held, "");
	if (geteuid() == 0) {
		ck_assert_int_eq(chown(path, 65534, 65534), 0);
		ck_assert_int_eq(jvm_file_open(held, "", &file), OS_NOT_OURS);
	}
	ck_assert_int_eq(jvm_file_remove(held, ""), 0);
	jvm_release(held);
}
END_TEST

START_TEST(exchange_paths_differ)
{
	struct jvm *one = hold();
	struct jvm *other;
	jvm_hold((uint64_t)jvm, &other, &result);
	ck_assert_str_ne(jvm_exchange_path(one), jvm_exchange_path(other));
	jvm_release(one);
	jvm_release(other);
}
END_TEST

START_TEST(what_is_no_jvm_is_not_held)
{
	struct manners other = polite;
	struct jvm *held;
	other.thread = "Signal Dispatcx";
	start(&other);
	jvm_hold((uint64_t)jvm, &held, &result);
	ck_assert_ptr_null(held);
	ck_assert_int_eq(result.outcome, ATTACH_NO_JVM);
	jvm_hold(UINT64_MAX, &held, &result);
	ck_assert_ptr_null(held);
	ck_assert_int_eq(result.outcome, ATTACH_NO_PROCESS);
	ck_assert(lives());
}
END_TEST

static Suite *jvm_load_suite(void)
{
	Suite *suite = suite_create("jvm_load");
	TCase *tests = tcase_create("attach");
	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, the_request_arrives_and_the_answer_comes_back);
	tcase_add_test(tests, an_answer_in_pieces_is_put_together);
	tcase_add_test(tests, a_long_answer_is_cut);
	tcase_add_test(tests, no_answer_is_an_error);
	tcase_add_test(tests, a_socket_that_is_left_over_is_not_taken_for_the_jvms);
	tcase_add_test(tests, another_process_gets_no_request);
	tcase_add_test(tests, what_is_no_socket_is_left_alone);
	tcase_add_test(tests, who_does_not_open_its_socket_is_given_up);
	tcase_add_test(tests, who_is_no_jvm_gets_no_signal);
	tcase_add_test(tests, who_has_ended_is_no_process);
	tcase_add_test(tests, files_of_a_held_jvm_are_read_also_after_its_end);
	tcase_add_test(tests, what_is_no_regular_file_of_the_jvms_user_is_refused);
	tcase_add_test(tests, exchange_paths_differ);
	tcase_add_test(tests, what_is_no_jvm_is_not_held);
	tcase_add_test(tests, a_library_must_be_there);
	tcase_add_loop_test(tests, a_request_to_end_leaves_no_file, 0, 2 * REQUESTS_TO_END);
	tcase_add_loop_test(tests, a_caught_request_to_end_is_an_outcome, 0, 2 * REQUESTS_TO_END);
	tcase_add_test(tests, a_request_to_end_that_came_before_does_not_keep_the_jvm_waiting);
	tcase_add_loop_test(tests, newer_system_calls_have_an_older_way, 0,
	                    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tests, what_failed_is_named);
	tcase_add_test(tests, texts_have_a_limit);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(jvm_load_suite());
}
