/* marks: posix */
/*
 * Test of the moment in which a sink on a socket is closed, with the platform's clock and write in
 * the test's hands (--wrap): the sender is stopped right after it has read the clock.
 */
#include "run_suite.h"
#include "sink_socket_fixture.h"

#include <stdatomic.h>

uint64_t __real_os_monotonic_ns(void);
uint64_t __wrap_os_monotonic_ns(void);
int __real_os_socket_write_some(struct os_socket *to, const void *bytes, size_t length,
                                uint32_t deadline_ms, size_t *sent);
int __wrap_os_socket_write_some(struct os_socket *to, const void *bytes, size_t length,
                                uint32_t deadline_ms, size_t *sent);

enum { STOPPED_US = 1000, STOPS_MAX = 1000 };

static _Thread_local bool nothing_sent; /* the last thing that this thread did */
static pthread_t closer;
static _Atomic bool stops; /* the sender, after a reading of the clock */
static _Atomic bool closing;

int __wrap_os_socket_write_some(struct os_socket *to, const void *bytes, size_t length,
                                uint32_t deadline_ms, size_t *sent)
{
	nothing_sent = false;
	int error = __real_os_socket_write_some(to, bytes, length, deadline_ms, sent);
	nothing_sent = error == OS_TIMED_OUT;
	return error;
}

uint64_t __wrap_os_monotonic_ns(void)
{
	uint64_t now_ns = __real_os_monotonic_ns();

	if (pthread_equal(pthread_self(), closer)) {
		atomic_store(&closing, true);
		return __real_os_monotonic_ns();
	}
	for (int i = 0; nothing_sent && stops && !closing && i < STOPS_MAX; i++)
		usleep(STOPPED_US);
	return now_ns;
}

START_TEST(a_reading_of_the_clock_from_before_the_closing_does_not_end_it)
{
	enum { PIECES = 512 }; /* 32 MiB: much more than the system buffers */
	size_t length = 0;
	pthread_t reader;

	connect_sink(DEADLINE_MS, 0);
	ck_assert_int_eq(send_pieces(0, PIECES), 0);
	atomic_store(&stops, true);
	usleep(300 * 1000); /* the sender has looked three times whether it is late */
	closer = pthread_self();
	atomic_store(&closing, false);
	ck_assert_int_eq(pthread_create(&reader, NULL, receive_all, &length), 0);
	ck_assert_int_eq(sink->ops->close(sink), 0);
	ck_assert_int_eq(pthread_join(reader, NULL), 0);
	ck_assert_uint_eq(length, (size_t)PIECES * PIECE);
	let_go();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sink_closing");
	TCase *sockets = tcase_create("sockets");

	tcase_add_test(sockets, a_reading_of_the_clock_from_before_the_closing_does_not_end_it);
	suite_add_tcase(suite, sockets);
	return run_suite(suite);
}
