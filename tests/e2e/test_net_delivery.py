"""net=: all output reaches the peer. A peer that does not read delays neither the program nor,
for long, the end of the JVM."""

import resource
import time

import pytest

from support.checks import check, check_time
from support.net_peer import DUMP_TRACES, Peer, command

NAME_LENGTH = 2000
LONG_NAME = 8000  # so that a slow program fills all buffers too

pytestmark = pytest.mark.any_jvm


@pytest.mark.parametrize("host, written", [("::1", "[::1]"), ("127.0.0.1", "localhost")])
def test_ipv6_and_names(java, host, written):
    peer = Peer(host)
    run = java.run("Hello", f"cpu=samples,net={written}:{peer.port}")
    check(run.parse(peer.all()).sections, run, "the profile did not arrive")


def check_all_arrived(run, peer):
    """All of Churn's threads, and not a word of the agent's."""
    check(not run.agent_lines, run, "nothing should be said")
    names = {thread.name for thread in run.parse(peer.all()).threads.values()}
    check(all("n" * NAME_LENGTH + str(i) in names for i in range(run.truth["done"])), run,
          "threads are missing")


@pytest.mark.parametrize("format_", [pytest.param("a", marks=pytest.mark.thorough),
                                     pytest.param("b", marks=pytest.mark.asan)])
def test_a_peer_that_stalls_neither_holds_up_the_program_nor_loses_anything(java, format_):
    peer = Peer(receive_buffer=4096)
    peer.stop_reading_at(20_000)
    live = java.start("Churn", f"cpu=samples,format={format_},net=127.0.0.1:{peer.port}",
                      5000, LONG_NAME, 5, 626)
    live.wait_stdout("exit.at_ns=")  # 5 s and more of which nothing was read
    peer.read_on()
    run = live.finish()
    check(run.exit_code == 5, run, f"exit code {run.exit_code}")
    done = run.truth["done"]
    longest_s, lasted_s = (run.truth[f"{what}.ns"] / 1e9 for what in ("longest", "lasted"))
    check(done * LONG_NAME > 5_000_000, run, f"only {done} threads: the stall shows nothing")
    check_time(longest_s < 0.4 * lasted_s, run, f"the program stood still for {longest_s} of "
               f"{lasted_s} s in which nothing was read")
    profile = run.parse(peer.all())
    names = {thread.name for thread in profile.threads.values()}
    missing = [i for i in range(done) if "n" * LONG_NAME + str(i) not in names]
    check(not missing, run, f"{len(missing)} of {done} threads are missing: {missing[:5]}")
    check(len(run.agent_lines) == 2, run, "a start and a dump are all there is to say")


def test_a_peer_that_reads_nothing_holds_up_the_end_for_seconds_only_and_loss_is_said(java):
    peer = Peer(receive_buffer=4096)
    peer.stop_reading_at(20_000)
    # More than the kernel's buffers take, on a busy machine too.
    live = java.start("Churn", f"cpu=samples,format=b,verbose=n,net=127.0.0.1:{peer.port}",
                      3000, LONG_NAME, 5, 8_000_000 // LONG_NAME)
    run = live.finish()
    # System.nanoTime() is the same clock.
    took_s = time.monotonic() - run.truth["exit.at_ns"] / 1e9
    check(run.exit_code == 5, run, f"exit code {run.exit_code}")
    # The agent waits for 5 s; all else takes no longer than the program did before.
    check_time(5 <= took_s < 5 + run.wall_s - took_s, run,
               f"the end took {took_s:.1f} s of {run.wall_s:.1f}, should be 5 and a little")
    check(len(run.agent_lines) == 1 and "not delivered" in run.agent_lines[0], run,
          "one line that says what was lost wanted")


def test_a_peer_that_reads_slowly_but_steadily_gets_all(java):
    peer = Peer(receive_buffer=65536)
    peer.stop_reading_at(20_000)
    live = java.start("Churn", f"cpu=samples,format=b,verbose=n,net=127.0.0.1:{peer.port}",
                      2000, NAME_LENGTH, 5)
    live.wait_stdout("done=")
    for _ in range(30):  # a pause now and then, none of them long
        peer.stop_reading_at(len(peer.data) + 200_000)
        time.sleep(0.1)
    peer.read_on()
    run = live.finish()
    check_all_arrived(run, peer)


def test_a_slow_peer_whose_commands_are_still_waiting_at_the_end_gets_all(java):
    peer = Peer(receive_buffer=65536)
    peer.stop_reading_at(20_000)
    live = java.start("Churn", f"cpu=samples,format=b,verbose=n,net=127.0.0.1:{peer.port}",
                      400, NAME_LENGTH, 5)
    live.wait_stdout("ready")
    # More than the agent takes before it has sent what waits.
    peer.send_raw(command(DUMP_TRACES) * 10_000)
    live.wait_stdout("done=")
    while not peer.ended:
        peer.stop_reading_at(len(peer.data) + 25_000)
        time.sleep(0.1)
    run = live.finish()
    check_all_arrived(run, peer)


def test_what_a_stalled_peer_loses_after_the_disk_was_full_is_said(java):
    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
    peer = Peer(receive_buffer=4096)
    peer.stop_reading_at(20_000)
    live = java.start("Churn", f"cpu=samples,format=b,verbose=n,net=127.0.0.1:{peer.port}",
                      3000, LONG_NAME, 5, 626, preexec=small_files)
    run = live.finish()
    peer.all()
    check(run.exit_code == 5, run, f"exit code {run.exit_code}")
    check([word for line in run.agent_lines for word in ("profiling has ended", "not delivered")
           if word in line] == ["profiling has ended", "not delivered"], run, "two lines wanted")
