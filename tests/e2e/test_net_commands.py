"""net= in binary: every command of the manual, executed while the program runs and answered by
its records. Nothing that a peer sends harms the program."""

import random
import re
import socket
import struct
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from readers import hprof_binary
from readers.hprof_text import NO_STACK
from support import net_peer
from support.builds import JDKS
from support.checks import TIMES_JUDGED, check, check_same_output, check_time, without_agent_lines
from support.live_run import TIMEOUT_S, cpu_s, wait_until
from support.net_peer import Peer, command, cutoff_body
from support.net_session import ID, Session
from support.times_checks import TICK_MS, thread_cpu_ns

KEPT = 300_000
ALPHA_FRAMES = 40

engines = pytest.mark.parametrize("engine", [
    "", pytest.param(",engine=clock", marks=pytest.mark.thorough)])


def let_compute(live, seconds):
    """Waits until the program's threads alpha and beta have used so much CPU time. Returns how many
    samples of 1 ms there must be: each of the two is sampled at a tick of the kernel at the latest."""
    def used_ms():
        return thread_cpu_ns(live, "alpha", "beta") / 1e6
    wait_until(lambda: used_ms() >= 1000 * seconds, live)
    return used_ms() - 2 * TICK_MS


@pytest.mark.emulated_more
@pytest.mark.any_jvm
def test_exit_the_vm_runs_hooks_and_sends_the_last_section_and_exits_with_0(java):
    session = Session(java)
    due = let_compute(session.live, 0.5)
    run, profile = session.end()
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    check(run.truth.get("hook") == 1 and "end" not in run.truth, run, "the hook did not run")
    check(len(profile.sections) == 1 and profile.total > 0, run, "the last section is missing")
    check_time(profile.total >= due, run, f"{profile.total} samples, should be {due:.0f} or more")
    check(any("requested the JVM's exit" in line for line in run.agent_lines), run, "not said")


def test_force_gc_collects_garbage(java):
    session = Session(java)
    time.sleep(0.5)
    check(not any(line.startswith("collected") for line in session.live.lines), session.live.run,
          "the program collects garbage by itself: the test shows nothing")
    session.peer.send(net_peer.FORCE_GC)
    session.live.wait_stdout("collected=1")
    session.end()


def histogram(live, jdk):
    """(instances, bytes) of the live objects, as the JVM itself counts them."""
    pid = live.process.pid
    shown = subprocess.run([jdk.part("bin/jcmd"), str(pid), "GC.class_histogram"],
                           capture_output=True, text=True, timeout=60, check=True).stdout
    found = re.search(r"^Total\s+(\d+)\s+(\d+)", shown, re.M)
    return int(found[1]), int(found[2])


def test_heap_summary_counts_what_the_jvm_counts(java, jdk):
    session = Session(java, kept=KEPT)
    # The first collection leaves what only its references' queues let go of.
    session.peer.ask(net_peer.HEAP_SUMMARY, b"", net_peer.SUMMARY_RECORD)
    for _ in range(2):
        body = session.peer.ask(net_peer.HEAP_SUMMARY, b"", net_peer.SUMMARY_RECORD)
        live_bytes, live, allocated_bytes, allocated = struct.unpack(">IIQQ", body)
        truth, truth_bytes = histogram(session.live, jdk)
        run = session.live.run
        check(abs(live - truth) <= truth * 0.03, run, f"{live} objects, the JVM says {truth}")
        check(abs(live_bytes - truth_bytes) <= truth_bytes * 0.03, run,
              f"{live_bytes} bytes, the JVM says {truth_bytes}")
        check(live > KEPT and allocated_bytes == allocated == 0, run, f"{allocated} allocated")
    session.end()


@pytest.mark.emulated
def test_dump_traces_tells_where_all_threads_are_each_time_it_is_asked(java):
    session = Session(java)
    session.peer.control(net_peer.MAX_DEPTH, struct.pack(">H", 100))
    session.peer.control(net_peer.SAMPLING_OFF, bytes(ID))  # so that no other traces come
    session.peer.wait_quiet(0.7)
    for _ in range(2):
        seen = len(session.peer.records())
        session.peer.send(net_peer.DUMP_TRACES)
        session.peer.control(net_peer.CLEAR)  # answered when the traces are there
        answer = [body for tag, body in session.peer.records()[seen:]
                  if tag == net_peer.STACK_TRACE]
        profile = session.profile()
        run = session.live.run
        stacks = {}
        for body in answer:
            serial, thread = struct.unpack_from(">II", body)
            stacks[profile.threads[thread].name] = [f.name for f in
                                                    profile.traces[serial].frames]
        check(stacks["alpha"].count("Commanded.alpha") == ALPHA_FRAMES, run, f"alpha: {stacks}")
        check("Commanded.beta" in stacks["beta"], run, f"beta: {stacks}")
        check("java.lang.Thread.sleep" in stacks["sleeper"] and
              "Commanded.rest" in stacks["sleeper"], run, f"sleeper: {stacks}")
        check("Commanded.main" in stacks["main"], run, f"main: {stacks}")
        check(not any("hprof" in name for name in stacks), run, f"agent's own: {list(stacks)}")
    session.end()


@pytest.mark.any_jvm
@engines
def test_cpu_samples_are_cut_off_where_the_peer_says_and_kept_until_it_clears_them(java, engine):
    session = Session(java, f",depth=10{engine}")
    run = session.live.run
    due = let_compute(session.live, 1.5)
    total, rows = session.samples()
    check(sum(count for count, _ in rows) == total > 0, run, f"{rows} of {total}")
    # Without timers they may be behind.
    check_time(total >= (due / 2 if engine else due), run, f"{total} samples, should be {due:.0f} or more")
    more, rows = session.samples(0.3)
    check(more >= total, run, f"{more} samples after {total}")
    check(rows and all(count >= 0.3 * more for count, _ in rows), run, f"{rows} of {more}")
    # From then on no more samples come than the program uses CPU time; the clock of that has
    # ticks, and samples may be under way.
    before_s = cpu_s(session.live)
    session.peer.control(net_peer.CLEAR)
    fewer, rows = session.samples()
    most = (cpu_s(session.live) - before_s + 0.3) / 0.001
    check(fewer <= most and fewer < more, run,
          f"{fewer} samples after they were cleared, {more} before, at most {most:.0f} new ones")
    _, profile = session.end()
    check(len(profile.sections) == 4, run, "a section for each command and the exit wanted")


@pytest.mark.emulated_more
@pytest.mark.asan
def test_sampling_is_switched_for_one_thread_or_all(java):
    session = Session(java, ",depth=64")
    peer, run = session.peer, session.live.run
    alpha, everyone = session.thread_id("alpha"), bytes(ID)
    some = 20 if TIMES_JUDGED else 0

    def check_sampled(who, *running):
        """From now on these threads get samples, and the other one gets none."""
        peer.control(net_peer.CLEAR)
        end = time.monotonic() + TIMEOUT_S / 2
        found = {}
        while time.monotonic() < end:
            time.sleep(0.3)
            found = session.by_method(session.samples()[1])
            if all(found[name] > some for name in running):
                break
        for name in ("alpha", "beta"):
            check((found[name] > some) == (name in running) and (found[name] == 0) ==
                  (name not in running), run, f"{who}: {found}")

    check_sampled("at the start", "alpha", "beta")
    flags, _ = peer.control(net_peer.SAMPLING_OFF, alpha)
    check(flags == 2, run, f"flags {flags}: the others are still sampled")
    check_sampled("alpha off", "beta")
    peer.control(net_peer.SAMPLING_ON, alpha)
    check_sampled("alpha on", "alpha", "beta")
    flags, _ = peer.control(net_peer.SAMPLING_OFF, everyone)
    check(flags == 0, run, f"flags {flags}: none are sampled")
    check_sampled("all off")
    flags, _ = peer.control(net_peer.SAMPLING_ON, alpha)
    check(flags == 2, run, f"flags {flags}: one is sampled")
    check_sampled("alpha alone on", "alpha")
    peer.control(net_peer.SAMPLING_ON, everyone)
    check_sampled("all on", "alpha", "beta")
    # A thread that is not there: nothing changes, and the answer says what holds.
    flags, _ = peer.control(net_peer.SAMPLING_OFF, b"\x7f\0\0\1" + bytes(ID - 4))
    check(flags == 2, run, f"flags {flags}")
    run, _ = session.end()
    check(sum("was not carried out" in line for line in run.agent_lines) == 1, run,
          "the thread that is not there should be reported")


@pytest.mark.any_jvm
@engines
def test_max_depth_holds_for_new_traces(java, engine):
    session = Session(java, engine)
    peer, run = session.peer, session.live.run

    def deepest():
        session.let_have(50)  # samples under way have the depth that was
        peer.control(net_peer.CLEAR)
        session.let_have(300)
        traces = session.samples()[1]
        profile = session.profile()
        return max(sum(frame.class_name != NO_STACK for frame in profile.traces[serial].frames)
                   for _, serial in traces)

    for wanted, reported, frames in ((1, 1, 1), (30, 30, 30), (65535, 128, ALPHA_FRAMES + 2),
                                 (0, 0, 0), (2, 2, 2)):
        _, depth = peer.control(net_peer.MAX_DEPTH, struct.pack(">H", wanted))
        check(depth == reported, run, f"depth {wanted} is answered by {depth}")
        seen = deepest()
        # Lambdas and Thread.run make a few frames more than the program's own.
        check(seen == frames or (wanted > 100 and frames <= seen <= frames + 6), run,
              f"depth {wanted}: the deepest trace has {seen} frames")
    session.end()


@pytest.mark.emulated_more
@pytest.mark.any_jvm
def test_commands_in_one_piece_are_carried_out_in_order(java):
    session = Session(java)
    depths = list(range(1, 60))
    session.peer.send_raw(b"".join(
        command(net_peer.CONTROL, struct.pack(">HH", net_peer.MAX_DEPTH, depth), depth)
        for depth in depths))
    run, profile = session.end()
    reported = [settings.depth for settings in profile.settings]
    check(reported[1:] == depths, run, f"depths reported: {reported}")


@pytest.mark.emulated_more
@pytest.mark.any_jvm
@pytest.mark.parametrize("whole", [pytest.param(True, marks=pytest.mark.asan), False])
def test_eof_ends_the_connection_and_not_the_program(java, whole):
    session = Session(java)
    session.samples()
    session.peer.send_raw(command(net_peer.EOF) if whole else b"\xff")
    session.peer.wait(lambda: session.peer.ended, "the end of the stream")
    check(session.live.alive(), session.live.run, "the program ended too")
    session.live.send_line("end")
    run = session.live.finish()
    check(run.exit_code == 9 and run.truth.get("end") == 1, run, "the program did not run on")
    check(any("ended the connection" in line for line in run.agent_lines), run, "not said")
    session.parse(run)


@pytest.mark.any_jvm
def test_a_peer_that_writes_no_more_still_gets_everything(java):
    """As with netcat whose standard input has ended."""
    session = Session(java)
    session.peer.connection.shutdown(socket.SHUT_WR)
    due = let_compute(session.live, 0.5)
    session.live.send_line("end")
    run = session.live.finish()
    check(run.exit_code == 9, run, f"exit code {run.exit_code}")
    total = session.parse(run).total
    check(total > 0, run, "the last section is missing")
    check_time(total >= due, run, f"{total} samples, should be {due:.0f} or more")
    check(len(run.agent_lines) == 2, run, "a start and a dump are all there is to say")


GARBAGE = {
    "random": random.Random(1).randbytes(20_000),
    "text": b"GET / HTTP/1.1\r\n\r\n",
    "unknown tag": command(0x09),
    "huge length": struct.pack(">BII", net_peer.ALLOC_SITES, 1, 0xFFFFFFFF) + b"x" * 5000,
    "huge control": struct.pack(">BII", net_peer.CONTROL, 1, 0x7FFFFFFF),
    "body where none is": command(net_peer.FORCE_GC, b"1"),
    "short body": command(net_peer.CPU_SAMPLES, b"\0\0\0"),
    "bad sub option": command(net_peer.CONTROL, b"\0\7"),
    "bad operand": command(net_peer.CONTROL, b"\0\3\0\0"),
    "cutoff of nan": command(net_peer.CPU_SAMPLES, b"\0\0\x7f\xc0\0\0"),
    "after a command": command(net_peer.CONTROL, struct.pack(">H", net_peer.CLEAR)) + b"\xee" * 99,
}


# Unit tests of the parser have those, too.
LESS_TELLING = ("text", "unknown tag", "huge control", "short body", "bad operand")


@pytest.mark.any_jvm
@pytest.mark.parametrize("name", [pytest.param(name, marks=(
    pytest.mark.asan if name in ("random", "huge length") else
    pytest.mark.thorough if name in LESS_TELLING else ())) for name in GARBAGE])
def test_garbage_costs_one_line_and_nothing_else(java, name):
    session = Session(java, ",verbose=n")
    try:
        session.peer.send_raw(GARBAGE[name])
    except ConnectionError:
        pass  # it may stop listening in the middle of it
    session.live.wait_stderr("hprof: ")
    session.live.send_line("end")
    run = session.live.finish()
    check(run.exit_code == 9 and run.truth.get("end") == 1, run, "the program was disturbed")
    check(len(run.agent_lines) == 1 and "an invalid command" in run.agent_lines[0], run,
          "one line about it wanted")
    check(len(session.parse(run).sections) == 1, run, "the profile is not whole")


def cut_off_run(java, script, at, reset):
    """A program whose peer breaks off after the byte number at of its script. It has got
    something by then: a connection that is reset at once would be refused."""
    peer = Peer()
    live = java.start("Hello", f"cpu=samples,verbose=n,format=b,net=127.0.0.1:{peer.port}")
    peer.wait(lambda: peer.data, "the header")
    try:
        peer.send_raw(script[:at])
        if reset:
            peer.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                       struct.pack("ii", 1, 0))
            peer.connection.close()
        else:
            peer.connection.shutdown(socket.SHUT_WR)
    except OSError:
        pass
    return live.finish(), peer


@pytest.mark.any_jvm
@pytest.mark.parametrize("reset", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_connection_that_breaks_off_at_any_byte_does_no_harm(java, jdk, reset):
    if jdk is not JDKS[-1] and reset:
        pytest.skip("once is enough")
    script = (command(net_peer.CONTROL, struct.pack(">HH", net_peer.MAX_DEPTH, 3)) +
              command(net_peer.CPU_SAMPLES, cutoff_body(0, 0.0)))
    plain = java.run("Hello", None)
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda at: cut_off_run(java, script, at, reset),
                             range(len(script) + 1)))
    for at, (run, peer) in enumerate(done):
        check(run.exit_code == 0, run, f"cut off at {at}: exit code {run.exit_code}")
        check_same_output(without_agent_lines(run), plain)
        check(len(run.agent_lines) <= (1 if reset else 0), run, f"cut off at {at}: lines")
        if not reset:
            hprof_binary.parse(peer.all())


@pytest.mark.emulated
@pytest.mark.any_jvm
def test_in_text_nothing_is_taken_from_the_peer(java):
    peer = Peer()
    live = java.start("Commanded", f"cpu=samples,verbose=n,net=127.0.0.1:{peer.port}",
                      stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    peer.send_raw(command(net_peer.EXIT_VM) + b"garbage" * 1000)
    time.sleep(0.7)  # in which it would be carried out
    live.send_line("end")
    run = live.finish()
    check(run.exit_code == 9 and not run.agent_lines, run, "the peer was listened to")
    check(run.parse(peer.all()).sections, run, "the profile is not whole")


@pytest.mark.parametrize("options", [
    pytest.param("", marks=pytest.mark.asan), pytest.param(",live=n", marks=pytest.mark.asan),
    pytest.param(",stacks=check", marks=pytest.mark.thorough),
    pytest.param(",thread=y", marks=pytest.mark.thorough)])
def test_max_depth_may_change_all_the_time_while_the_program_allocates(java, options):
    peer = Peer()
    live = java.start("HeapChurn", f"heap=sites,verbose=n,format=b{options},"
                      f"net=127.0.0.1:{peer.port}", stdin=subprocess.PIPE,
                      java_opts=("-Xmx64m",))
    live.wait_stdout("ready=1")
    begin = time.monotonic()
    changes = 0
    while live.alive() and (time.monotonic() < begin + 2 or
                            changes <= 500 and time.monotonic() < begin + TIMEOUT_S / 2):
        try:
            for _ in range(50):
                changes += 1
                peer.send_raw(command(net_peer.CONTROL, struct.pack(
                    ">HH", net_peer.MAX_DEPTH, 1 + changes % 60)))
        except OSError:
            break
        time.sleep(0.001)
    if live.alive():
        live.send_line("")
    run = live.finish()
    check(run.exit_code == 0 and "loaded=" in run.stdout, run, "the program was disturbed")
    check(not run.agent_lines, run, "the agent reports an error")
    check(changes > 500, run, f"{changes} changes only")
    try:
        profile = hprof_binary.parse(peer.all())
    except hprof_binary.FormatError as error:
        pytest.fail(run.describe(f"the stream breaks the format: {error}"), pytrace=False)
    churned = [row for row in profile.sites[-1].rows if any(
        frame.name == "HeapChurn.churn" for frame in row.trace.frames)]
    check(churned, run, "no site of HeapChurn.churn")
