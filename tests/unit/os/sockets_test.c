/* marks: timed, tsan, posix */
/*
 * Tests of TCP with deadlines, all on the loopback interface.
 */
#include "judged_times.h"
#include "os_load_posix.h"
#include "run_suite.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define LONG_MS 20000
#define SHORT_MS 100

static struct os_socket listener;
static struct os_socket client;
static struct os_socket server;
static uint16_t port;

static void set_up(void)
{
	listener.handle = client.handle = server.handle = -1;
	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	ck_assert_uint_ne(port, 0);
}

static void tear_down(void)
{
	os_socket_close(&client);
	os_socket_close(&server);
	os_socket_close(&listener);
}

static void connect_pair(const char *host)
{
	ck_assert_int_eq(os_socket_connect(host, port, LONG_MS, &client), 0);
	ck_assert_int_eq(os_socket_accept(&listener, LONG_MS, &server), 0);
}

static void check_took(uint64_t ns, uint64_t least_ms, uint64_t most_ms)
{
	CHECK_TIME(ns >= least_ms * NS_PER_MS && ns < most_ms * NS_PER_MS, "took %.3f ms",
	           (double)ns / 1e6);
}

static void check_passes(struct os_socket *from, struct os_socket *to, const char *text)
{
	char got[64];
	size_t length = 0;
	ck_assert_int_eq(os_socket_write(from, text, strlen(text), LONG_MS), 0);
	ck_assert_int_eq(os_socket_read(to, got, sizeof(got), LONG_MS, &length), 0);
	ck_assert_uint_eq(length, strlen(text));
	ck_assert_mem_eq(got, text, length);
}

START_TEST(bytes_pass_both_ways)
{
	connect_pair("127.0.0.1");
	check_passes(&client, &server, "ping");
	check_passes(&server, &client, "pong");
}
END_TEST

START_TEST(host_may_be_a_name)
{
	connect_pair("localhost");
	check_passes(&client, &server, "ping");
}
END_TEST

static bool has_ipv6_loopback(void)
{
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	const struct sockaddr_in6 address = {.sin6_family = AF_INET6,
	                                     .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	bool has = bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0;
	(void)close(fd);
	return has;
}

START_TEST(ipv6_reaches_the_same_listener)
{
	if (!has_ipv6_loopback()) {
		(void)printf("skipped: no IPv6 loopback here\n");
		return;
	}
	connect_pair("::1");
	check_passes(&client, &server, "ping");
}
END_TEST

START_TEST(refused_connection_is_reported)
{
	os_socket_close(&listener);
	ck_assert_int_eq(os_socket_connect("127.0.0.1", port, LONG_MS, &client), ECONNREFUSED);
	ck_assert_int_eq(client.handle, -1);
}
END_TEST

START_TEST(unknown_host_is_reported)
{
	ck_assert_int_eq(os_socket_connect("not a host name", port, LONG_MS, &client),
	                 OS_NO_SUCH_HOST);
	ck_assert_int_eq(client.handle, -1);
}
END_TEST

/* A listener that accepts nothing and whose backlog is full: the kernel leaves
 * further requests unanswered, as a host after a wall does. */
static uint16_t make_wall(int *wall, int *fillers, int count)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
	                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	*wall = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(*wall, (const struct sockaddr *)&address, size), 0);
	ck_assert_int_eq(listen(*wall, 0), 0);
	ck_assert_int_eq(getsockname(*wall, (struct sockaddr *)&address, &size), 0);
	for (int i = 0; i < count; i++) {
		fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		(void)connect(fillers[i], (const struct sockaddr *)&address, size);
	}
	return ntohs(address.sin_port);
}

START_TEST(host_that_does_not_answer_costs_no_more_than_the_deadline)
{
	enum { FILLERS = 8 };
	int wall = -1;
	int fillers[FILLERS];
	uint16_t wall_port = make_wall(&wall, fillers, FILLERS);
	int descriptors = open_descriptors();
	uint64_t before = os_monotonic_ns();
	int error = os_socket_connect("127.0.0.1", wall_port, 300, &client);
	uint64_t took_ns = os_monotonic_ns() - before;
	ck_assert_int_eq(open_descriptors(), descriptors);
	for (int i = 0; i < FILLERS; i++)
		(void)close(fillers[i]);
	(void)close(wall);
	ck_assert_int_eq(error, OS_TIMED_OUT);
	check_took(took_ns, 299, 10000);
}
END_TEST

START_TEST(accept_times_out)
{
	uint64_t before = os_monotonic_ns();
	ck_assert_int_eq(os_socket_accept(&listener, SHORT_MS, &server), OS_TIMED_OUT);
	check_took(os_monotonic_ns() - before, SHORT_MS, LONG_MS);
	ck_assert_int_eq(server.handle, -1);
}
END_TEST

START_TEST(port_in_use_is_reported)
{
	struct os_socket second;
	uint16_t second_port = 0;
	ck_assert_int_eq(os_socket_listen(port, &second, &second_port), EADDRINUSE);
	ck_assert_int_eq(second.handle, -1);
}
END_TEST

START_TEST(chosen_port_is_the_bound_one)
{
	uint16_t again = 0;
	os_socket_close(&listener);
	ck_assert_int_eq(os_socket_listen(port, &listener, &again), 0);
	ck_assert_uint_eq(again, port);
}
END_TEST

START_TEST(read_times_out)
{
	char byte;
	size_t got = 1;
	connect_pair("127.0.0.1");
	uint64_t before = os_monotonic_ns();
	ck_assert_int_eq(os_socket_read(&client, &byte, 1, SHORT_MS, &got), OS_TIMED_OUT);
	check_took(os_monotonic_ns() - before, SHORT_MS, LONG_MS);
	ck_assert_uint_eq(got, 0);
	ck_assert_int_eq(os_socket_read(&client, &byte, 0, SHORT_MS, &got), EINVAL);
}
END_TEST

START_TEST(end_of_the_peer_is_reported_to_the_reader)
{
	char byte;
	size_t got = 1;
	connect_pair("127.0.0.1");
	os_socket_close(&server);
	ck_assert_int_eq(os_socket_read(&client, &byte, 1, LONG_MS, &got), OS_CLOSED);
	ck_assert_uint_eq(got, 0);
}
END_TEST

START_TEST(write_to_a_closed_peer_is_an_error_and_no_signal)
{
	connect_pair("127.0.0.1");
	os_socket_close(&server);
	int error = 0;
	for (int i = 0; i < 1000 && error == 0; i++) {
		error = os_socket_write(&client, "x", 1, LONG_MS);
		sleep_ms(1);
	}
	ck_assert_msg(error == EPIPE || error == ECONNRESET, "error %d", error);
}
END_TEST

START_TEST(write_times_out_when_the_peer_takes_nothing)
{
	static char bytes[1 << 20];
	connect_pair("127.0.0.1");
	int error = 0;
	for (int i = 0; i < 1000 && error == 0; i++)
		error = os_socket_write(&client, bytes, sizeof(bytes), SHORT_MS);
	ck_assert_int_eq(error, OS_TIMED_OUT);
}
END_TEST

START_TEST(a_write_of_some_says_how_many)
{
	static char bytes[1 << 20];
	size_t sent = 0;
	int error = 0;
	connect_pair("127.0.0.1");
	ck_assert_int_eq(os_socket_write_some(&client, "x", 1, SHORT_MS, &sent), 0);
	ck_assert_uint_eq(sent, 1);
	ck_assert_int_eq(os_socket_write_some(&client, "x", 0, SHORT_MS, &sent), EINVAL);
	for (int i = 0; i < 1000 && error == 0; i++) {
		error = os_socket_write_some(&client, bytes, sizeof(bytes), SHORT_MS, &sent);
		ck_assert((error == 0) == (sent > 0));
	}
	ck_assert_int_eq(error, OS_TIMED_OUT);
}
END_TEST

START_TEST(the_end_of_writing_leaves_reading)
{
	char byte;
	size_t got = 0;
	connect_pair("127.0.0.1");
	ck_assert_int_eq(os_socket_write(&client, "x", 1, LONG_MS), 0);
	os_socket_end_writing(&client);
	ck_assert_int_eq(os_socket_read(&server, &byte, 1, LONG_MS, &got), 0);
	ck_assert_int_eq(os_socket_read(&server, &byte, 1, LONG_MS, &got), OS_CLOSED);
	check_passes(&server, &client, "still");
}
END_TEST

static void read_to_the_end(void *arg)
{
	static unsigned char bytes[1 << 16];
	_Atomic uint64_t *total = arg;
	size_t got = 0;
	uint64_t expected = 0;
	while (os_socket_read(&server, bytes, sizeof(bytes), LONG_MS, &got) == 0)
		for (size_t i = 0; i < got; i++, expected++)
			if (bytes[i] == (unsigned char)(expected % 251))
				atomic_fetch_add(total, 1);
}

START_TEST(large_writes_arrive_whole_and_in_order)
{
	enum { SIZE = 251 * 20000 };
	static unsigned char bytes[SIZE];
	struct os_thread_handle handle;
	_Atomic uint64_t total = 0;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)(i % 251);
	connect_pair("127.0.0.1");
	ck_assert_int_eq(os_thread_start(&handle, read_to_the_end, &total), 0);
	ck_assert_int_eq(os_socket_write(&client, bytes, SIZE, LONG_MS), 0);
	os_socket_close(&client);
	os_thread_join(&handle);
	ck_assert_uint_eq(total, SIZE);
}
END_TEST

static void shut_down_soon(void *arg)
{
	sleep_ms(50);
	os_socket_shutdown(arg);
}

START_TEST(shutdown_ends_a_read_on_another_thread)
{
	struct os_thread_handle handle;
	char byte;
	size_t got = 1;
	connect_pair("127.0.0.1");
	uint64_t before = os_monotonic_ns();
	ck_assert_int_eq(os_thread_start(&handle, shut_down_soon, &client), 0);
	int error = os_socket_read(&client, &byte, 1, LONG_MS, &got);
	os_thread_join(&handle);
	ck_assert_int_eq(error, OS_CLOSED);
	check_took(os_monotonic_ns() - before, 0, LONG_MS);
}
END_TEST

START_TEST(shutdown_ends_an_accept_on_another_thread)
{
	struct os_thread_handle handle;
	uint64_t before = os_monotonic_ns();
	ck_assert_int_eq(os_thread_start(&handle, shut_down_soon, &listener), 0);
	int error = os_socket_accept(&listener, LONG_MS, &server);
	os_thread_join(&handle);
	ck_assert_int_ne(error, 0);
	ck_assert_int_ne(error, OS_TIMED_OUT);
	check_took(os_monotonic_ns() - before, 0, LONG_MS);
}
END_TEST

START_TEST(child_processes_inherit_no_socket)
{
	connect_pair("127.0.0.1");
	ck_assert_int_ne(fcntl((int)listener.handle, F_GETFD) & FD_CLOEXEC, 0);
	ck_assert_int_ne(fcntl((int)client.handle, F_GETFD) & FD_CLOEXEC, 0);
	ck_assert_int_ne(fcntl((int)server.handle, F_GETFD) & FD_CLOEXEC, 0);
}
END_TEST

START_TEST(closing_twice_is_harmless)
{
	connect_pair("127.0.0.1");
	os_socket_close(&client);
	os_socket_close(&client);
	os_socket_shutdown(&client);
	ck_assert_int_eq(client.handle, -1);
}
END_TEST

static TCase *connection_tests(void)
{
	TCase *tc = tcase_create("connections");
	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, host_may_be_a_name);
	tcase_add_test(tc, ipv6_reaches_the_same_listener);
	tcase_add_test(tc, refused_connection_is_reported);
	tcase_add_test(tc, unknown_host_is_reported);
	tcase_add_test(tc, host_that_does_not_answer_costs_no_more_than_the_deadline);
	tcase_add_test(tc, accept_times_out);
	tcase_add_test(tc, port_in_use_is_reported);
	tcase_add_test(tc, chosen_port_is_the_bound_one);
	tcase_add_test(tc, child_processes_inherit_no_socket);
	return tc;
}

static TCase *transfer_tests(void)
{
	TCase *tc = tcase_create("transfers");
	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, bytes_pass_both_ways);
	tcase_add_test(tc, read_times_out);
	tcase_add_test(tc, end_of_the_peer_is_reported_to_the_reader);
	tcase_add_test(tc, write_to_a_closed_peer_is_an_error_and_no_signal);
	tcase_add_test(tc, write_times_out_when_the_peer_takes_nothing);
	tcase_add_test(tc, a_write_of_some_says_how_many);
	tcase_add_test(tc, the_end_of_writing_leaves_reading);
	tcase_add_test(tc, large_writes_arrive_whole_and_in_order);
	tcase_add_test(tc, shutdown_ends_a_read_on_another_thread);
	tcase_add_test(tc, shutdown_ends_an_accept_on_another_thread);
	tcase_add_test(tc, closing_twice_is_harmless);
	return tc;
}

static Suite *os_sockets_suite(void)
{
	Suite *suite = suite_create("os_sockets");
	suite_add_tcase(suite, connection_tests());
	suite_add_tcase(suite, transfer_tests());
	return suite;
}

int main(void)
{
	return run_suite(os_sockets_suite());
}
