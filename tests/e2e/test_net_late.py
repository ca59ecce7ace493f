"""net= in binary: each command works whatever options were given at the start, and takes
effect only when it arrives."""

import re
import struct
import subprocess
import time

import pytest

from support import net_peer
from support.checks import LOST, check, check_time
from support.live_run import wait_until
from support.net_peer import Peer, cutoff_body
from support.net_session import Session

EMPTY_TRACE = 300_000
SITES_RECORD, HEAP_END_RECORD = 0x06, 0x2C
INCREMENTAL, BY_ALLOCATION, FORCE_GC = 0x1, 0x2, 0x4
ALLOC_TRACES, CPU_SAMPLING = 0x1, 0x2
INTERVAL_MS = 10
WORK_FRAMES = 20
KEPT = "LateCommands$Kept"

# Options, and what they have asked for.
STARTS = {
    "heap=dump": {"dumps", "traces"},
    "heap=dump,depth=0": {"dumps"},
    "heap=dump,live=n": {"dumps"},
    "heap=sites": {"traces", "sites"},
    "cpu=samples": {"samples"},
    "": {"dumps", "traces", "sites"},
}


MODES = ["heap=dump", "heap=sites", "cpu=samples", ""]


def started_with(names, first, gate=()):
    """first is run by every JVM and under the sanitizers, and gate by make check besides."""
    def mark(start):
        return (pytest.mark.asan if start == first else
                pytest.mark.any_jvm if start in gate else pytest.mark.thorough)
    return pytest.mark.parametrize("start", [
        pytest.param(start, marks=mark(start), id=start or "plain") for start in names])


class LateSession(Session):
    """A LateCommands program that was started with those options."""

    def __init__(self, java, start, java_opts=()):
        self.java = java
        self.peer = Peer()
        net = f"format=b,net=127.0.0.1:{self.peer.port}"
        self.live = java.start("LateCommands", f"{start},{net}" if start else net,
                               stdin=subprocess.PIPE, java_opts=java_opts)
        self.live.wait_stdout("ready=1")
        self.settings = struct.unpack(">IH", self.peer.wait(
            lambda: next((body for tag, body in self.peer.records()
                          if tag == net_peer.SETTINGS), None), "CONTROL SETTINGS"))
        self.everyone = bytes(8)

    def ask_program(self, line, answer):
        """Gives the program a line; its answer's match, of those that are not out yet."""
        with self.live.changed:
            seen = len(self.live.lines)
        self.live.send_line(line)
        end = time.monotonic() + net_peer.TIMEOUT_S
        while time.monotonic() < end:
            with self.live.changed:
                for text in self.live.lines[seen:]:
                    if match := re.match(answer, text):
                        return match
                self.live.changed.wait(0.2)
        pytest.fail(self.live.run.describe(f"no answer to {line}"), pytrace=False)

    def worker_ms(self):
        return int(self.ask_program("cpu", r"cpu_ns=(\d+)")[1]) / 1e6

    def sampled(self, method):
        """CPU time in ms of the samples that have that method, and of those that lost their stack."""
        _, rows = self.samples()
        traces = self.profile().traces

        def ms(names):
            return INTERVAL_MS * sum(count for count, serial in rows if any(
                frame.name in names for frame in traces[serial].frames))
        return ms({method}), ms(LOST)

    def check_sampled(self, what, sampled, least_ms, most_ms):
        """That is from least to most, except for the interval in which it began or ended, and for one
        more at either end: Linux switches to another thread before a thread takes its signal, if
        both are due at the end of the interval, so that its sample comes when it runs again."""
        (shown_ms, lost_ms), run = sampled, self.live.run
        check(shown_ms > 0, run, f"no samples of {what}")
        check_time(least_ms - lost_ms - 2 * INTERVAL_MS <= shown_ms <= most_ms + 2 * INTERVAL_MS, run,
                   f"{what} has {shown_ms} ms, should have {least_ms:.0f} to {most_ms:.0f}, and "
                   f"{lost_ms} ms lost their stack")

    def sites(self, flags=FORCE_GC, cutoff=0.0):
        """An ALLOC SITES record, parsed."""
        self.peer.ask(net_peer.ALLOC_SITES, cutoff_body(flags, cutoff), SITES_RECORD)
        return self.profile().sites[-1]

    def kept(self):
        """(live, allocated) objects that are kept, at the empty trace and at make()."""
        found = {"nowhere": (0, 0), "make": (0, 0)}
        for row in self.sites().rows:
            if row.loaded.name != KEPT:
                continue
            where = "nowhere" if row.trace.serial == EMPTY_TRACE else "make"
            names = [frame.name for frame in row.trace.frames]
            check(where == "nowhere" or "LateCommands.make" in names, self.live.run, f"{names}")
            live, allocated = found[where]
            found[where] = live + row.live_objects, allocated + row.allocated_objects
        return found["nowhere"], found["make"]

    def dump(self):
        """A heap dump."""
        before = sum(tag == HEAP_END_RECORD for tag, _ in self.peer.records())
        self.peer.send(net_peer.DUMP_HEAP)
        end = time.monotonic() + net_peer.TIMEOUT_S
        while sum(tag == HEAP_END_RECORD for tag, _ in self.peer.records()) == before:
            check(time.monotonic() < end, self.live.run, "no dump comes")
            time.sleep(0.3)
        return self.profile().heaps[-1]

    def end(self):
        """Ends the program by its input; the finished run and its whole profile."""
        self.live.process.stdin.close()
        run = self.live.finish()
        check(run.exit_code == 0 and run.truth.get("end") == 1, run, "the program was disturbed")
        return run, self.parse(run)


@started_with(MODES, "heap=dump")
def test_cpu_sampling_starts_and_stops_when_the_peer_says(java, start):
    session = LateSession(java, start)
    peer, run = session.peer, session.live.run
    sampled = "samples" in STARTS[start]
    check(bool(session.settings[0] & CPU_SAMPLING) == sampled, run, f"{session.settings}")
    if not sampled:
        total, rows = session.samples()
        check(total == 0 and not rows, run, f"{total} samples that nobody asked for")
    peer.control(net_peer.MAX_DEPTH, struct.pack(">H", 60))
    flags, depth = peer.control(net_peer.SAMPLING_ON, session.everyone)
    check(flags & CPU_SAMPLING and depth == 60, run, f"flags {flags}, depth {depth}")
    early_ms = session.worker_ms()
    peer.control(net_peer.CLEAR)
    before_ms = session.worker_ms()
    wait_until(lambda: session.worker_ms() >= before_ms + 1000, session.live)
    used_ms = session.worker_ms() - before_ms
    sampled = session.sampled("LateCommands.work")
    session.check_sampled("the thread that computes", sampled, used_ms, session.worker_ms() - early_ms)
    profile = session.profile()
    depths = {len([f for f in trace.frames if f.name == "LateCommands.work"])
              for trace in profile.traces.values()}
    check(max(depths) == WORK_FRAMES, run, f"traces have {max(depths)} frames of work()")
    session.ask_program("burn newcomer", "burned=")
    session.check_sampled("a later thread", session.sampled("LateCommands.burn"), *(
        session.live.last_number(f"burn.{end}_ns") / 1e6 for end in ("least", "most")))

    flags, _ = peer.control(net_peer.SAMPLING_OFF, session.everyone)
    check(not flags & CPU_SAMPLING, run, f"flags {flags}")
    total, _ = session.samples()
    time.sleep(0.5)
    check(session.samples()[0] == total, run, "sampling has not stopped")
    peer.control(net_peer.SAMPLING_ON, session.everyone)
    check(wait_until(lambda: session.samples()[0] > total, session.live, net_peer.TIMEOUT_S), run,
          "sampling has not begun again")
    run, profile = session.end()
    check(profile.sections[-1].total > total, run, "the samples of the exit are missing")


@pytest.mark.any_jvm
def test_sampling_starts_for_one_thread_alone(java):
    session = LateSession(java, "heap=dump")
    flags, _ = session.peer.control(net_peer.SAMPLING_ON, session.thread_id("worker"))
    check(flags & CPU_SAMPLING, session.live.run, f"flags {flags}")
    session.ask_program("burn other", "burned=")
    run = session.live.run
    check(wait_until(lambda: session.sampled("LateCommands.work")[0] > 100, session.live,
                     net_peer.TIMEOUT_S), run, "the thread is not sampled")
    check(session.sampled("LateCommands.burn")[0] == 0, run, "another thread is sampled")
    session.end()


@started_with(STARTS, "cpu=samples", gate=["heap=dump,live=n"])
def test_allocation_traces_start_and_stop_when_the_peer_says(java, start):
    session = LateSession(java, start)
    peer, run = session.peer, session.live.run
    traced = "traces" in STARTS[start]
    alive = "live=n" not in start
    check(bool(session.settings[0] & ALLOC_TRACES) == traced, run, f"{session.settings}")
    session.ask_program("make 1000", "made=1000")
    if not traced and "depth" not in start:
        check(session.kept() == ((1000, 0), (0, 0)), run, f"before: {session.kept()}")
    peer.control(net_peer.MAX_DEPTH, struct.pack(">H", 8))
    flags, depth = peer.control(net_peer.ALLOC_TRACES_ON)
    check(flags & ALLOC_TRACES and depth == 8, run, f"flags {flags}, depth {depth}")

    def check_kept(nowhere, made):
        expected = tuple((count if alive else 0, count) for count in (nowhere, made))
        found = session.kept()
        check(found == expected, run, f"kept objects {found}, should be {expected}")

    early, late = (0, 1000) if traced else (1000, 0)
    check_kept(early, late)
    session.ask_program("make 5000", "made=6000")
    check_kept(early, late + 5000)
    flags, _ = peer.control(net_peer.ALLOC_TRACES_OFF)
    check(not flags & ALLOC_TRACES, run, f"flags {flags}")
    session.ask_program("make 2000", "made=8000")
    check_kept(early + 2000, late + 5000)
    peer.control(net_peer.ALLOC_TRACES_ON)
    session.ask_program("make 500", "made=8500")
    check_kept(early + 2000, late + 5500)

    body = peer.ask(net_peer.HEAP_SUMMARY, b"", net_peer.SUMMARY_RECORD)
    _, live, _, allocated = struct.unpack(">IIQQ", body)
    check(allocated >= 8500 and (live >= 8500) == alive, run, f"{live} of {allocated} live")
    heap = session.dump()
    traces = [thing.trace for thing in heap.instances(KEPT)]
    expected = late + 5500 if alive else 0
    check(len(traces) == 8500, run, f"{len(traces)} objects in the dump")
    check(sum(trace != EMPTY_TRACE for trace in traces) == expected, run, "traces in the dump")
    asked = len(session.profile().sites)
    run, profile = session.end()
    # What no option has asked for is no part of the last dump.
    check(len(profile.sites) - asked == ("sites" in STARTS[start]), run,
          f"{len(profile.sites)} ALLOC SITES, {asked} of them before the end")


@started_with(MODES, "cpu=samples")
def test_heap_dumps_come_when_the_peer_asks(java, start):
    session = LateSession(java, start)
    run = session.live.run
    for count in (3000, 4000):
        session.ask_program(f"make {1000 if count == 4000 else 3000}", f"made={count}")
        heap = session.dump()
        found = len(heap.instances(KEPT))
        check(found == count, run, f"{found} kept objects in the dump, should be {count}")
        check(set(heap.objects) >= {thing.id for thing in heap.instances(KEPT)} and
              len(heap.reachable()) > count, run, "the roots do not lead to the objects")
    run, profile = session.end()
    expected = 3 if "dumps" in STARTS[start] else 2
    check(len(profile.heaps) == expected, run, f"{len(profile.heaps)} dumps, not {expected}")


@pytest.mark.emulated_more
@started_with(STARTS, "", gate=["heap=dump,depth=0", "heap=dump,live=n", "cpu=samples"])
def test_every_other_command_is_answered(java, start):
    session = LateSession(java, start)
    peer, run = session.peer, session.live.run
    session.ask_program("make 1000", "made=1000")
    peer.send(net_peer.FORCE_GC)
    sites = session.sites()
    rows = [row for row in sites.rows if row.loaded.name == KEPT]
    alive = sum(row.live_objects for row in rows)
    made = sum(row.allocated_objects for row in rows)
    tracked = "traces" in STARTS[start]
    check(sites.flags == FORCE_GC and alive == 1000, run, f"flags {sites.flags}, {alive} live")
    check(made == (1000 if tracked else 0), run, f"{made} allocated")
    check(sites.sums[1] == sum(row.live_objects for row in sites.rows), run, "the sums differ")
    body = peer.ask(net_peer.HEAP_SUMMARY, b"", net_peer.SUMMARY_RECORD)
    live_bytes, live, _, allocated = struct.unpack(">IIQQ", body)
    check(abs(live - sites.sums[1]) <= 0.05 * live, run, f"{live} or {sites.sums[1]} objects")
    # Space that the collector has filled up counts as long as nothing is put there.
    filled = sum(row.live_bytes for row in sites.rows if "Filler" in row.loaded.name)
    check(sites.sums[0] - filled - 0.05 * live_bytes <= live_bytes <=
          sites.sums[0] + 0.05 * live_bytes, run,
          f"{live_bytes} or {sites.sums[0]} bytes, {filled} of them filled up")
    check((allocated > 0) == tracked, run, f"{allocated} allocated")
    large = session.sites(0, 0.05)
    total = large.sums[0]
    check(0 < len(large.rows) < len(sites.rows) and
          all(row.live_bytes >= 0.0499 * total for row in large.rows), run,
          f"{len(large.rows)} of {len(sites.rows)} rows")
    live_order = [row.live_bytes for row in sites.rows]
    check(live_order == sorted(live_order, reverse=True), run, "not ordered by live bytes")
    check(session.sites(BY_ALLOCATION | INCREMENTAL).flags & 3 == 3, run, "the flags are not reported")

    peer.control(net_peer.MAX_DEPTH, struct.pack(">H", 100))
    peer.send(net_peer.DUMP_TRACES)
    peer.control(net_peer.CLEAR)  # answered when the traces are there
    depths = [[frame.name for frame in trace.frames].count("LateCommands.work")
              for trace in session.profile().traces.values()]
    check(max(depths) == WORK_FRAMES, run, f"{max(depths)} frames of the worker")
    # What is off is switched off.
    flags, _ = session.settings
    for option, operand, bit in ((net_peer.ALLOC_TRACES_OFF, b"", ALLOC_TRACES),
                                 (net_peer.SAMPLING_OFF, session.everyone, CPU_SAMPLING)):
        flags &= ~bit
        answered, _ = peer.control(option, operand)
        check(answered == flags, run, f"flags {answered}, should be {flags}")
    run, profile = session.end()
    check(not any("was not carried out" in line for line in run.agent_lines), run,
          "a command was not carried out")
    check(bool(profile.sections) == ("samples" in STARTS[start]), run, "sections of the exit")


@pytest.mark.any_jvm
def test_threads_start_and_end_while_modes_start(java):
    """Each new mode knows each thread once, whenever that starts."""
    for _ in range(2):
        peer = Peer()
        live = java.start("Churn", f"heap=dump,live=n,verbose=n,format=b,"
                          f"net=127.0.0.1:{peer.port}", 4000, 8, 3)
        live.wait_stdout("ready=1")
        peer.control(net_peer.SAMPLING_ON, bytes(8))
        peer.control(net_peer.ALLOC_TRACES_ON)
        peer.ask(net_peer.ALLOC_SITES, cutoff_body(0, 0.0), SITES_RECORD)
        run = live.finish()
        check(run.exit_code == 3 and not run.agent_lines, run, "the program was disturbed")
        profile = run.parse(peer.all())
        check(profile.sections[-1].total > 0 and profile.sites, run, "no samples, or no sites")


@pytest.mark.any_jvm
def test_what_can_not_be_started_leaves_the_settings_as_they_are(java, native_library):
    """Another agent has the JVM's allocation events."""
    session = LateSession(java, "heap=dump,depth=0",
                          java_opts=(f"-agentpath:{native_library('takes_allocations')}",))
    run = session.live.run
    for _ in range(3):
        flags, _ = session.peer.control(net_peer.ALLOC_TRACES_ON)
        check(flags == 0, run, f"flags {flags}")
    session.ask_program("make 1000", "made=1000")
    check(session.kept() == ((1000, 0), (0, 0)), run, "ALLOC SITES is not answered any more")
    flags, _ = session.peer.control(net_peer.SAMPLING_ON, session.everyone)
    check(flags == CPU_SAMPLING, run, f"flags {flags}")
    run, _ = session.end()
    check(sum("allocation events" in line for line in run.agent_lines) == 1, run, "the reason once")
