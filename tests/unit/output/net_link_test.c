/*
 * Tests of the connection of net=, shared by a writer and a reader.
 */
#include "judged_times.h"
#include "os/time_units.h"
#include "output/net_link.h"
#include "run_suite.h"

#include <check.h>

enum { DEADLINE_MS = 10000, SHORT_MS = 50 };

static struct os_socket peer;
static struct net_link *net;

static void set_up(void)
{
	struct os_socket listener;
	struct os_socket socket;
	uint16_t port = 0;

	ck_assert_int_eq(os_socket_listen(0, &listener, &port), 0);
	ck_assert_int_eq(os_socket_connect("localhost", port, DEADLINE_MS, &socket), 0);
	ck_assert_int_eq(os_socket_accept(&listener, DEADLINE_MS, &peer), 0);
	os_socket_close(&listener);
	net = net_link_create(&socket);
	ck_assert_ptr_nonnull(net);
}

/* What the peer reads, or the error of its read. */
static int peer_reads(uint32_t deadline_ms)
{
	char byte;
	size_t got = 0;
	return os_socket_read(&peer, &byte, 1, deadline_ms, &got);
}

START_TEST(the_last_holder_closes_the_connection)
{
	ck_assert_ptr_eq(net_link_hold(net), net);
	net_link_release(net);
	ck_assert_int_eq(peer_reads(SHORT_MS), OS_TIMED_OUT);
	net_link_release(net);
	ck_assert_int_eq(peer_reads(DEADLINE_MS), OS_CLOSED);
	net_link_release(NULL);
	os_socket_close(&peer);
}
END_TEST

START_TEST(a_read_records_the_end_of_the_peer_and_a_timeout_does_not)
{
	char byte;
	size_t got = 0;

	ck_assert_int_eq(net_link_read(net, &byte, 1, SHORT_MS, &got), OS_TIMED_OUT);
	ck_assert(!atomic_load(&net->peer_ended));
	ck_assert_int_eq(os_socket_write(&peer, "x", 1, DEADLINE_MS), 0);
	ck_assert_int_eq(net_link_read(net, &byte, 1, DEADLINE_MS, &got), 0);
	ck_assert_uint_eq(got, 1);
	ck_assert_int_eq(byte, 'x');
	ck_assert(!atomic_load(&net->peer_ended));
	os_socket_close(&peer);
	ck_assert_int_eq(net_link_read(net, &byte, 1, DEADLINE_MS, &got), OS_CLOSED);
	ck_assert(atomic_load(&net->peer_ended));
	net_link_release(net);
}
END_TEST

START_TEST(an_end_waits_no_longer_than_it_may_for_a_peer_that_stays)
{
	const uint64_t start_ns = os_monotonic_ns();

	net_link_end(net, SHORT_MS);
	const uint64_t took_ns = os_monotonic_ns() - start_ns;
	CHECK_TIME(took_ns >= SHORT_MS * NS_PER_MS, "took %.3f ms", (double)took_ns / 1e6);
	ck_assert_int_eq(peer_reads(DEADLINE_MS), OS_CLOSED);
	ck_assert(atomic_load(&net->closing));
	ck_assert(atomic_load(&net->ended));
	ck_assert(!atomic_load(&net->peer_ended));
	net_link_release(net);
	os_socket_close(&peer);
}
END_TEST

START_TEST(an_end_does_not_wait_for_a_peer_that_has_ended)
{
	const uint64_t start_ns = os_monotonic_ns();

	ck_assert_int_eq(os_socket_write(&peer, "not read", 8, DEADLINE_MS), 0);
	os_socket_end_writing(&peer);
	net_link_end(net, DEADLINE_MS);
	const uint64_t took_ns = os_monotonic_ns() - start_ns;
	CHECK_TIME(took_ns < DEADLINE_MS * NS_PER_MS, "took %.3f ms", (double)took_ns / 1e6);
	ck_assert(atomic_load(&net->peer_ended));
	ck_assert_int_eq(peer_reads(DEADLINE_MS), OS_CLOSED);
	net_link_release(net);
	os_socket_close(&peer);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output_net_link");
	TCase *tests = tcase_create("link");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, the_last_holder_closes_the_connection);
	tcase_add_test(tests, a_read_records_the_end_of_the_peer_and_a_timeout_does_not);
	tcase_add_test(tests, an_end_waits_no_longer_than_it_may_for_a_peer_that_stays);
	tcase_add_test(tests, an_end_does_not_wait_for_a_peer_that_has_ended);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
